"use strict";(()=>{var k,kn,Et,oe,Lt,st,Sn,ot,Rn,Ut,Ot,mr,De=Symbol.for("pv"),it={},at=[],dr=/^m(i|n|o|s|text|space)$/,It=Array.isArray,Dt=at.slice,he=Object.assign;function de(e){e&&e.parentNode&&e.remove()}function lt(e,t,n){var o,s,r,i={},a=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:i[r]=t[r];return a>2&&(i.children=a>3?Dt.call(arguments,2):n),Ie(e,i,o,s,null)}function Ie(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:De,__v:s||++kn,__i:-1,__u:0};return!s&&k.vnode&&k.vnode(r),r}function _e(e){return e.children}function ke(e,t){this.props=e,this.context=t,this.__g=0}function re(e,t){if(t==null)return e.__&&re(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:re(e)}function hr(e){var t,n=e.__v,o=n.__e,s=[],r=[],i=e.__P;i&&((t=he({constructor:De},n)).__v=n.__v+1,k.vnode&&k.vnode(t),Bt(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,s,o||re(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,An(s,t,r),n.__=n.__e=null,t.__e!=o&&Tn(t))}function Tn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Tn(e)}function xn(e){(8&e.__g||(e.__g|=8,oe.push(e),st++))&&Lt==k.debounceRendering||((Lt=k.debounceRendering)||queueMicrotask)(Pn)}function Pn(){try{for(var e,t=1;oe.length;)oe.length>t&&oe.sort(Sn),e=oe.shift(),t=oe.length,8&e.__g&&hr(e)}finally{(st=oe.length)&&(Lt||queueMicrotask)(Pn)}}function Cn(e,t,n,o,s,r,i,a,c,p,u){var m,d,f,_,$,g,x=o.__k||at,v=t.length;for(c=_r(n,t,x,c,v),m=0;m<v;m++)(f=n.__k[m])!=null&&(d=~f.__i&&x[f.__i]||it,f.__i=m,g=Bt(e,f,d,s,r,i,a,c,p,u),_=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&jt(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||_,f)),$=$||_,4&f.__u?(c=Nn(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?c=g:_&&(c=_.nextSibling),f.__u&=-21);return n.__e=$,c}function _r(e,t,n,o,s){var r,i,a,c,p,u,m,d,f,_=n.length,$=_,g=0,x=0,v=e.__k=Array(s);for(r=0;r<s;r++)(i=t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=v[r]=Ie(null,i):It(i)?i=v[r]=Ie(_e,{children:i}):i.constructor===De&&i.__b?i=v[r]=Ie(i.type,i.props,i.key,i.ref,i.__v):v[r]=i,c=r+g,i.__=e,i.__b=e.__b+1,a=null,~(p=i.__i=gr(i,n,c,$))&&($--,(a=n[p])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,p==c-1?g--:p==c+1?g++:p!=c&&(p>c?g--:g++,x=1)):(~p||(s>_?g--:s<_&&g++),typeof i.type!="function"&&(i.__u|=4))):v[r]=null;if(x){for(u=[],m=[],r=0;r<s;r++)if((i=v[r])&&16&i.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<i.__i?g=f+1:d=f;u[g]=i.__i,m[r]=g+1}for(g=u.length;r--;)m[r]&&(m[r]==g?g--:v[r].__u|=4)}if($)for(r=0;r<_;r++)!(a=n[r])||2&a.__u||(a.__e==o&&(o=re(a)),Ht(a,a));return o}function Nn(e,t,n,o){var s,r,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=Nn(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=re(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function gr(e,t,n,o){var s,r=e.key,i=e.type,a=t[n],c=a&&!(2&a.__u);if(a===null&&r==null||c&&r==a.key&&i==a.type)return n;if(o>(c?1:0)){for(s=n-1;s>=0;s--)if((a=t[s])&&!(2&a.__u)&&r==a.key&&i==a.type)return s;for(s=n+1;s<t.length;s++)if((a=t[s])&&!(2&a.__u)&&r==a.key&&i==a.type)return s}return-1}function wn(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function nt(e,t,n,o,s){var r,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||wn(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||wn(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=Ot[t]||(Ot[t]=br(t)),(e.__a||(e.__a={}))[t]=Ut,r=t!=(t=t.replace(Rn,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,r):e.removeEventListener(t,i,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function br(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ot]==null)t[ot]=Ut++;else if(t[ot]<this.__a[e])return;return n(k.event?k.event(t):t)}}}function Bt(e,t,n,o,s,r,i,a,c,p){var u,m,d,f,_,$,g,x,v,w,P,Ue,$n,tt,fe,yn,ne,me,ee=t.type;if(t.constructor!==De)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,m=r=[],u.nodeType==8?a=rt(u,r):r.push(u),a=r[0]||a),(u=k.__b)&&u(t);e:if(typeof ee=="function"){d=i.length;try{if(x=t.props,v=(u=ee.prototype)&&u.render,w=(u=ee.contextType)&&o[u.__c],P=u?w?w.props.value:u.__:o,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(v?t.__c=f=new ee(x,P):(t.__c=f=new ke(x,P),f.constructor=ee,f.render=$r),w&&w.sub(f),f.state||(f.state={}),f.__n=o,f.__g|=8,f.__h=[],f.__k=[]),v&&(f.__s||(f.__s=f.state),ee.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=he({},f.__s)),he(f.__s,ee.getDerivedStateFromProps(x,f.__s)))),_=f.props,$=f.state,f.__v=t,n.__c){if(x!==_&&v&&!ee.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(x,P),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(x,f.__s,P)===!1){t.__v!=n.__v&&(f.props=x,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(K){K&&(K.__=t)}),at.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&i.push(f),a=re(n);break e}f.componentWillUpdate&&f.componentWillUpdate(x,f.__s,P),v&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(_,$,g)})}else v&&!ee.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),v&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=P,f.props=x,f.__P=e,f.__g&=-5,Ue=k.__r,$n=v?25:0;do f.__g&=-9,Ue&&Ue(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++$n<25);v&&(at.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(o=he({},o,f.getChildContext())),v&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(_,$)),tt=u&&u.type===_e&&u.key==null?u.props.children:u,x.__P&&(u=a,s=(e=x.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(K){K&&Ht(K,K)}),n.__k=null),a=n.__k?re(n,0):null),a=Cn(e,It(tt)?tt:[tt],t,n,o,s,r,i,a,c,p),x.__P&&(t.__e=null,a=u),t.__u&=-161,m&&m.some(de),f.__h.length&&i.push(f),1&f.__g&&(f.__g&=-4)}catch(K){if(i.length=d,t.__v=null,c||r)if(K&&K.then){if(t.__u|=128|c,r){for(~(ne=r.indexOf(a||void 0))||(ne=r.length);(me=r[ne-1])&&me.nodeType==8;)ne--;for(;ne<r.length;ne++)if(me=r[ne])if(r[ne]=null,fe){if(me==yn)break}else{if(me.nodeType!=8)break;me.data.startsWith("$s")&&(yn=rt(fe=me))}}if(!fe){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;fe=a}(u=rt(fe=t.__c.__z||(t.__c.__z=fe)))?(t.__e=fe,a=u):t.__e=a,a=a&&a.nextSibling}else r&&r.some(de);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),K&&K.then||Mn(t),k.__e(K,t,n)}}else a=t.__e=vr(n.__e,t,n,o,s,r,i,c,p,e);return(u=k.diffed)&&u(t),a}function rt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Mn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Mn))}function An(e,t,n){for(var o=0;o<n.length;)jt(n[o++],n[o++],n[o++]);k.__c&&k.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){k.__e(r,s.__v)}})}function vr(e,t,n,o,s,r,i,a,c,p){var u,m,d,f,_,$,g,x,v=n.props||it,w=t.props,P=t.type;if(P=="svg"?s="http://www.w3.org/2000/svg":P=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(u=0;u<r.length;u++)if((_=r[u])&&(P?_.localName==P:_.nodeType==3)){e=_,r[u]=null;break}}if(!e){if(x=p.ownerDocument||document,!P)return x.createTextNode(w);e=x.createElementNS(s,P,w.is?w:p),a&&(k.__m&&k.__m(t,r),a=!1),r=null}if(P){if(p=P=="template"&&e.content||e,r=P=="textarea"&&w.defaultValue!=null?null:r&&Dt.call(p.childNodes),!a&&r)for(v={},u=0;u<e.attributes.length;u++)v[(_=e.attributes[u]).name]=_.value;for(u in v)_=v[u],u=="dangerouslySetInnerHTML"?d=_:u=="children"||u in w||u=="value"&&"defaultValue"in w||u=="checked"&&"defaultChecked"in w||nt(e,u,null,_,s);for(u in w)_=w[u],u=="children"?f=_:u=="dangerouslySetInnerHTML"?m=_:u=="value"?$=_:u=="checked"?g=_:a&&typeof _!="function"||v[u]===_||nt(e,u,_,v[u],s);m?(a||d&&(m.__html==d.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(d&&(e.textContent=""),(P=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&dr.test(P))&&(s="http://www.w3.org/1999/xhtml"),Cn(p,It(f)?f:[f],t,n,o,s,r,i,r?r[0]:n.__k&&re(n,0),a,c),r&&r.some(de)),a&&P!="textarea"||(u="value",P=="progress"&&$==null?e.removeAttribute(u):$==null||$===e[u]&&(P!="progress"||$)||nt(e,u,$,v[u],s),u="checked",g!=null&&g!=e[u]&&nt(e,u,g,v[u],s))}else v===w||a&&e.data==w||(e.data=w);return e}function jt(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){k.__e(s,n)}}function Ht(e,t,n){var o,s,r,i;if(k.unmount&&k.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||jt(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){k.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Ht(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=rt(o,r=[]))&&(o==e.__e&&r.some(de),de(s),de(o)),n||de(e.__e),e.__e=e.__c=e.__=null}function $r(e,t,n){return this.constructor(e,n)}function Ln(e,t){var n,o,s,r;k.__&&k.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Ie(_e,{children:[e]}),s=[],r=[],Bt(t,t.__k,o||it,it,t.namespaceURI,o?null:t.firstChild?Dt.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),An(s,t.__k,r),t.__k.props.children=null}k={__e:function(e,t,n,o){for(var s,r,i;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(a){e=a}}throw st=0,e}},kn=0,Et=function(e){return e!=null&&e.constructor===De},ke.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=he({},this.state)),typeof e=="function"&&(e=e(he({},n),this.props)),e&&(he(n,e),this.__v&&(t&&this.__k.push(t),xn(this)))},ke.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),xn(this))},ke.prototype.render=_e,oe=[],st=0,Sn=function(e,t){return e.__v.__b-t.__v.__b},ot=Symbol(),Rn=/(PointerCapture)$|Capture$/i,Ut=0,Ot={},mr=0;var Se,O,Vt,On,qt=Object.is,ct=0,qn=[],Wt=[],L=k,En=L.__b,Un=L.__r,In=L.diffed,Dn=L.__c,Bn=L.unmount,jn=L.__;function ut(e,t){L.__h&&L.__h(O,e,ct||t),ct=0;var n=O.__H||(O.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function A(e){return ct=1,yr(Wn,e)}function yr(e,t,n){var o=ut(Se++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Wn(void 0,t),function(r){var i=(o.__N||o.__)[0],a=o.t(i,r);qt(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=O,!O.__f)){O.__f=!0;var s=O.shouldComponentUpdate;O.shouldComponentUpdate=function(r,i,a){var c=this.__H;if(!c)return!0;var p=!1,u=this.props!=r;if(c.__.some(function(d){d.__N&&(p=!0,qt(d.__[0],d.__N[0])||(u=!0))}),s){var m=s.call(this,r,i,a);return p?m||u:m}return!p||u}}return o.__}function je(e,t){var n=ut(Se++,3);!L.__s&&Kt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,O.__H.__h.push(n))}function Ft(e,t){var n=ut(Se++,4);!L.__s&&Kt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,O.__h.push(n))}function He(e){return ct=5,Y(function(){return{current:e}},[])}function Y(e,t){var n=ut(Se++,7);return Kt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function xr(){var e;do{for(;e=Wt.shift();)try{Be(e)}catch(n){L.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=qn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Be),t.__h.some(Gt),t.__h=[]}catch(n){t.__h=[],L.__e(n,e.__v)}}}while(Wt.length)}L.__b=function(e){O=null,En&&En(e)},L.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),jn&&jn(e,t)},L.__r=function(e){Un&&Un(e),Se=0;var t=(O=e.__c).__H;t&&(Vt==O?O.__h=[]:(t.__h.some(Be),t.__h.some(Gt),Se=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Vt=O},L.diffed=function(e){In&&In(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Vn(qn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Vt=O=null},L.__c=function(e,t){t.some(function(n){try{n.__h.some(Be),n.__h=n.__h.filter(function(o){return!o.__||Gt(o)})}catch(o){n.__h=[function(){throw o}]}}),Dn&&Dn(e,t)},L.unmount=function(e){Bn&&Bn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Vn(Wt.push(s))}else Be(s)}catch(r){t=r}}),o.__H=void 0,t&&L.__e(t,o.__v))};var Hn=typeof requestAnimationFrame=="function";function wr(e){var t,n=function(){clearTimeout(o),Hn&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Hn&&(t=requestAnimationFrame(n))}function Vn(e){e!=1&&On==L.requestAnimationFrame||((On=L.requestAnimationFrame)||wr)(xr)}function Be(e){var t=O,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),O=t}function Gt(e){var t=O;e.__c=e.__(),O=t}function Kt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!qt(n,e[o])})}function Wn(e,t){return typeof t=="function"?t(e):t}var kr=Symbol.for("preact-signals");function dt(){if(te>1)te--;else{var e,t=!1;for((function(){var s=ft;for(ft=void 0;s!==void 0;){var r=s.S;if(r.v===s.v)for(var i=r.t;i!==void 0;i=i.x)i.i===s.i&&(i.i=r.i);s=s.o}})();qe!==void 0;){var n=qe;for(qe=void 0,pt++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Fn(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=o}}if(pt=0,te--,t)throw e}}function Jt(e){if(te>0)return e();zt=++Sr,te++;try{return e()}finally{dt()}}var Ve,C=void 0;function We(e){var t=C,n=Ve;C=void 0,Ve=void 0;try{return e()}finally{C=t,Ve=n}}var qe=void 0,te=0,pt=0,Sr=0,zt=0,ft=void 0,mt=0;function Gn(e){if(C!==void 0){var t=e.n;if(t===void 0||t.t!==C)return t={i:0,S:e,p:C.s,n:void 0,t:C,e:void 0,x:void 0,r:t},C.s!==void 0&&(C.s.n=t),C.s=t,e.n=t,32&C.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=C.s,t.n=void 0,C.s.n=t,C.s=t),t}}function I(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}I.prototype.brand=kr;I.prototype.h=function(){return!0};I.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:We(function(){var o;(o=t.W)==null||o.call(t)}))};I.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&We(function(){var s;(s=t.Z)==null||s.call(t)}))}};I.prototype.subscribe=function(e){var t=this;return J(function(){var n=t.value;We(function(){return e(n)})},{name:"sub"})};I.prototype.valueOf=function(){return this.value};I.prototype.toString=function(){return this.value+""};I.prototype.toJSON=function(){return this.value};I.prototype.peek=function(){var e=this;return We(function(){return e.value})};Object.defineProperty(I.prototype,"value",{get:function(){var e=Gn(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(pt>100)throw new Error("Cycle detected");(function(n){te!==0&&pt===0&&n.l!==zt&&(n.l=zt,ft={S:n,v:n.v,i:n.i,o:ft})})(this),this.v=e,this.i++,mt++,te++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{dt()}}}});function Q(e,t){return new I(e,t)}function Fn(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Kn(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function zn(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function ge(e,t){I.call(this,void 0,t),this.x=e,this.s=void 0,this.g=mt-1,this.f=4}ge.prototype=new I;ge.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===mt))return!0;if(this.g=mt,this.f|=1,this.i>0&&!Fn(this))return this.f&=-2,!0;var e=C;try{Kn(this),C=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return C=e,zn(this),this.f&=-2,!0};ge.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}I.prototype.S.call(this,e)};ge.prototype.U=function(e){if(this.t!==void 0&&(I.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ge.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ge.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Gn(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function se(e,t){return new ge(e,t)}function Jn(e){var t=e.j;if(e.j=void 0,typeof t=="function"){te++;var n=C;C=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,Xt(e),o}finally{C=n,dt()}}}function Xt(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Jn(e)}function Rr(e){if(C!==this)throw new Error("Out-of-order effect");zn(this),C=e,this.f&=-2;try{8&this.f&&Xt(this)}finally{dt()}}function Re(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Ve&&Ve.push(this)}Re.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Re.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Jn(this),Kn(this),te++;var e=C;return C=this,Rr.bind(this,e)};Re.prototype.N=function(){2&this.f||(this.f|=2,this.u=qe,qe=this)};Re.prototype.d=function(){this.f|=8,1&this.f||Xt(this)};Re.prototype.dispose=function(){this.d()};function J(e,t){var n=new Re(e,t);try{n.c()}catch(s){throw n.d(),s}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var Xn,_t,ht,Tr=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Yn=[];J(function(){Xn=this.N})();function Te(e,t){k[e]=t.bind(null,k[e]||function(){})}function Ge(e){if(ht){var t=ht;ht=void 0,t()}ht=e&&e.S()}function Qn(e){var t=this,n=e.data,o=Cr(n);o.name="ReactiveDom",o.value=n;var s=Y(function(){for(var a=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var p=se(function(){var f=o.value.value;return f===0?0:f===!0?"":f||""}),u=se(function(){return!Array.isArray(p.value)&&!Et(p.value)}),m=J(function(){if(this.N=Zn,u.value){var f=p.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){m(),d.call(this)},[u,p]},[]),r=s[0],i=s[1];return r.value?i.peek():i.value}Qn.displayName="ReactiveTextNode";Object.defineProperties(I.prototype,{constructor:{configurable:!0,value:lt(_e,null).constructor},type:{configurable:!0,value:Qn},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Te("__b",function(e,t){if(Ge(),_t=void 0,typeof t.type=="string"){var n,o=t.props;for(var s in o)if(s!=="children"){var r=o[s];r instanceof I&&(n||(t.__np=n={}),n[s]=r,o[s]=r.peek())}}e(t)});Te("__r",function(e,t){if(e(t),t.type!==_e){Ge();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(s,r){var i;return J(function(){i=this},{name:r}),i.c=s,i})((function(s){return function(){var r;Tr&&((r=this.y)==null||r.call(this)),s.__$f|=1,s.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),_t=o,Ge(n)}});Te("__e",function(e,t,n,o){Ge(),_t=void 0,e(t,n,o)});Te("diffed",function(e,t){Ge(),_t=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,s=t.props,r=n.U;if(r)for(var i in r){var a=r[i];a===void 0||o&&i in o||(a.d(),r[i]=void 0)}if(o){r||(r={},n.U=r);for(var c in o){var p=r[c],u=o[c];p===void 0?(p=Pr(n,c,u,s),r[c]=p):p.o(u,s)}}}e(t)});function Pr(e,t,n,o){var s=t in e&&e.ownerSVGElement===void 0,r=Q(n);return{o:function(i,a){r.value=i,o=a},d:J(function(){this.N=Zn;var i=r.value.value;o[t]!==i&&(o[t]=i,s?e[t]=i:i!=null&&(i!==!1||t[4]==="-")?e.setAttribute(t,i):e.removeAttribute(t))})}}Te("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var s in o){var r=o[s];r&&r.d()}}}var i=t.__np;if(i){var a=t.props;for(var c in i)a[c]=i[c]}t.__np=void 0}else{var p=t.__c;if(p){p.__$f|=8;var u=p.__$u;u&&(p.__$u=void 0,u.d())}}e(t)});Te("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});ke.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var r=2&this.__$f;if(!(o||r||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var i in e)if(i!=="__source"&&e[i]!==this.props[i])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function Cr(e,t){return Y(function(){return Q(e,t)},[])}var Nr=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Mr(){Jt(function(){for(var e;e=Yn.shift();)Xn.call(e)})}function Zn(){Yn.push(this)===1&&(k.requestAnimationFrame||Nr)(Mr)}function Yt(){return{path:location.pathname.split("/").filter(t=>t!=="").map(decodeURIComponent),params:new URLSearchParams(location.search)}}var h=Q({path:[],params:new URLSearchParams});function Pe(...e){return"/"+e.map(encodeURIComponent).join("/")}function H(e,t){let n=new URLSearchParams(e);for(let[o,s]of Object.entries(t)){n.delete(o);for(let r of s===null?[]:typeof s=="string"?[s]:s)n.append(o,r)}return n}function V(e,t){let n=t.toString();return n===""?e:e+"?"+n}function Ce(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),h.value=Yt()}function M(e,t=!1){Ce(V(location.pathname,H(h.value.params,e)),t)}function ie(e){return V(Pe(...h.value.path),H(h.value.params,e))}function Ar(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let o=e.get(n);o!==null&&t.set(n,o)}return t}function T(e,t={}){return V(Pe(...e),H(Ar(h.value.params),t))}function Lr(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&o&&(e.preventDefault(),Ce(t.pathname+t.search),scrollTo(0,0))}function eo(){addEventListener("popstate",()=>h.value=Yt()),addEventListener("click",Lr),h.value=Yt()}var no=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],a=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++r]]=a:i===6?o[1][t[++r]]+=a+"":i?(s=e.apply(a,no(e,a,n,["",null])),o.push(s),a[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(a)}return o},to=new Map;function oo(e){var t=to.get(this);return t||(t=new Map,to.set(this,t)),(t=no(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,i="",a="",c=[0],p=function(d){r===1&&(d||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,i):r===3&&(d||i)?(c.push(3,d,i),r=2):r===2&&i==="..."&&d?c.push(4,d,0):r===2&&i&&!d?c.push(5,0,!0,i):r>=5&&((i||!d&&r===5)&&(c.push(r,0,i,s),r=6),d&&(c.push(r,d,0,s),r=6)),i=""},u=0;u<n.length;u++){u&&(r===1&&p(),p(u));for(var m=0;m<n[u].length;m++)o=n[u][m],r===1?o==="<"?(p(),c=[c],r=3):i+=o:r===4?i==="--"&&o===">"?(r=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(p(),r=1):r&&(o==="="?(r=5,s=i,i=""):o==="/"&&(r<5||n[u][m+1]===">")?(p(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(p(),r=2):i+=o),r===3&&i==="!--"&&(r=4,c=c[0])}return p(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=oo.bind(lt);var bt=["5m","15m","1h","6h","1d","7d","30d"],ro="1h",Or=5e3,Er={s:1,m:60,h:3600,d:86400},so=()=>BigInt(Date.now())*1000000n,E=Q(so());function Qt(){E.value=so()}function io(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Er[t[2]])*1000000000n:null}function gt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",o]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(o||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var Fe=se(()=>{let e=h.value.params.get("last")??ro;return io(e)===null?ro:e}),be=se(()=>h.value.params.get("live")==="1"),j=se(()=>{let{params:e}=h.value,t=gt(e.get("to")??"")??E.value;return{from:gt(e.get("from")??"")??t-io(Fe.value),to:t}});function ao(){let e=0;J(()=>{clearInterval(e),be.value&&(e=window.setInterval(()=>document.hidden||Qt(),Or))})}var en=Q(0),Zt=new Map;function X(e){let t=Zt.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Zt.set(e,t)),t}function lo(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Zt=new Map,en.value++})}var Ur=5,Ir=1;function Dr(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()))})}async function Br(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}async function jr(e,t){for(let n=0;;n++){let o=await fetch(e,{signal:t,headers:{accept:"application/json"}});if(o.ok)return{data:await o.json(),problem:null,status:o.status,isLoading:!1};if(o.status!==503||n===Ur)return{data:null,problem:await Br(o),status:o.status,isLoading:!1};let s=Number(o.headers.get("retry-after"))||Ir;await Dr(s*1e3,t)}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[o,s]=A(n);return je(()=>{if(e===null){s(n);return}let r=new AbortController;return s(i=>({...i,isLoading:!0})),jr(e,r.signal).then(s,i=>{if(!r.signal.aborted){let a=`the collector cannot be reached: ${String(i)}`;s(c=>({...c,problem:a,status:0,isLoading:!1}))}}),()=>r.abort()},[e,t]),o}function ze(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,r]of t){let i=e/r;if(i<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(i)):ze(i))+" "+s}let n=Math.round(e/1e9),o=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(o/60)} h ${o%60} min`}var Hr={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function co(e){let t=/^\s*(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|s|min|h)?\s*$/.exec(e);return t?Math.round(Number(t[1])*Hr[t[2]??"ms"]):null}function z(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):ze(t))+" "+n;t/=1e3}return ze(t)+" TB"}function b(e){return e<1e6?e.toLocaleString("en-US"):e<9995e5?ze(e/1e6)+" M":ze(e/1e9)+" G"}function q(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}var Ke=e=>String(e).padStart(2,"0");function G(e,t=1e6){let n=new Date(Number(e/1000000n)),o=`${Ke(n.getHours())}:${Ke(n.getMinutes())}`;if(t>=6e10)return o;let s=`${o}:${Ke(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function ve(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${Ke(t.getMonth()+1)}-${Ke(t.getDate())}`}function Z(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function Ne(e){return e.slice(e.lastIndexOf(".")+1)}function vt(e){return e.split(".").slice(-2).join(".")}var Vr={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},unaccounted:{name:"not accounted",token:"none"}};function $e(e){let t=e.startsWith("other: ")?e.slice(7):e;return Vr[e]??{name:t,token:"other"}}var qr={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function $t(e){return(e.startsWith("jdk.")?qr[e.slice(4)]:void 0)??"other: "+e}function Wr({t0_ns:e,columns:t,rows:n}){let o=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[o]??0))),values:Object.fromEntries(t.map((r,i)=>[r,s[i]??null]))}))}function yt(e,t){let n=`${e} ${String(t)}`,[o,s]=A({key:n,cursor:"",before:[]}),{cursor:r,before:i}=o.key===n?o:{cursor:"",before:[]},a=e&&r?`${e}&cursor=${encodeURIComponent(r)}`:e,c=R(a,t),[p,u]=A([]);je(()=>{c.data&&!c.isLoading&&u([...i,...Wr(c.data)])},[c.data]);let m=c.isLoading?null:c.data?.next??null;return{answer:c,items:p,more:m===null?null:()=>s({key:n,cursor:m,before:p})}}var Gr=["recording","instance","context","where","trace","thread","id"],Fr=["recording","instance","context"],Kr=["min_duration_ns","max_duration_ns"];function ae(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Je(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function xt(e,t,n){for(let o of n)t.getAll(o).forEach(s=>e.append(o,s))}function tn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}function uo(e,t,n=""){tn(e,t,n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function wt({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Me(e,t){let n=new URLSearchParams,o=wt(e);o!==null&&n.set("service",o),xt(n,e.params,Gr);let s=ae(e.params.get("box"));return s?uo(n,s):(tn(n,t),xt(n,e.params,Kr)),n}function po(e,t){let n=Me(e,t),o=ae(e.params.get("base_box"));if(!o)return xt(n,e.params,["base"]),n;uo(n,o,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let r of["recording","instance","context"])e.params.getAll(r).forEach(i=>n.append("base_"+r,i));return n}function fo(e,t){let n=new URLSearchParams,o=wt(e);o!==null&&n.set("service",o),xt(n,e.params,Fr),tn(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return V("/api/v1/"+e,H(t,n))}function le({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${$e(e).token})`}}
  ></span>`}function ho({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,o=`var(--${$e(e).token})`;return l`<div class="bar" style=${{width:n,background:o}}></div>`}var mo=120,nn=22;function _o({values:e,label:t}){let n=e.reduce((r,i)=>Math.max(r,i??0),1),o="",s=!1;return e.forEach((r,i)=>{if(r===null){s=!1;return}let a=(i+.5)/e.length*mo,c=nn-1-r/n*(nn-3);o+=`${s?"L":"M"}${a.toFixed(1)} ${c.toFixed(1)}`+(s?"":"h1"),s=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${mo} ${nn}"
  >
    <path d=${o} />
  </svg>`}var zr=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Jr(e,t){M({[e]:h.value.params.getAll(e).filter(n=>n!==t)})}function Xr(e){e.preventDefault();let t=e.currentTarget,n=o=>t.elements.namedItem(o).value.trim();if(n("key")!==""){let o=n("key")+n("op")+n("value");M({where:[...new Set([...h.value.params.getAll("where"),o])]}),t.reset()}}function kt({keys:e=[],values:t=[]}){let n=zr.flatMap(([o,s])=>h.value.params.getAll(o).map(r=>l`<span class="chip" key=${o+r} title=${r}>
          ${s(r)}
          <button
            class="plain"
            aria-label=${`take away ${s(r)}`}
            onClick=${()=>Jr(o,r)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Xr} aria-label="Add a condition on an attribute">
      <input
        name="key"
        list="where-keys"
        placeholder="attribute"
        aria-label="attribute"
        autocomplete="off"
      />
      <select name="op" aria-label="comparison">
        ${["=","!=","^=",">=","<="].map(o=>l`<option>${o}</option>`)}
      </select>
      <input
        name="value"
        list="where-values"
        placeholder="value"
        aria-label="value"
        autocomplete="off"
      />
      <button>add</button>
      <datalist id="where-keys">${e.map(o=>l`<option value=${o} />`)}</datalist>
      <datalist id="where-values">
        ${t.map(o=>l`<option value=${o} />`)}
      </datalist>
    </form>
  </div>`}function go(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function bo(e,t){let[n,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([r,i])=>` \\
  --data-urlencode ${go(`${r}=${i}`)}`);return`curl -f${s.length>0?"G":""} ${go(t+n)}${s.join("")}`}function U({url:e}){let[t,n]=A(!1);return e===null?null:l`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await navigator.clipboard.writeText(bo(e,location.origin)),n(!0)}} title=${bo(e,location.origin)}>
      ${t?"copied":"curl"}
    </button>
  </span>`}var Yr=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function St({query:e,value:t}){let n=(s,r)=>S(r,e,{...s===".jfr around"?{around:"1"}:{},...t&&/collapsed|pprof|speedscope/.test(r)?{value:t}:{}}),o=new URLSearchParams({profileURL:S("slice.speedscope.json",e,t?{value:t}:{})});return l`<details class="menu">
    <summary>download</summary>
    <div>
      ${Yr.map(([s,r,i])=>l`<a href=${n(s,r)} download title=${i}
            >${s}<small>${i}</small></a
          >`)}
      <a href=${"/speedscope/#"+o.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function vo(e){return V(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function $o(e){return typeof e=="string"?e:JSON.stringify(e)}function yo(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function on(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}var Qr=/^(java|javax|jdk|sun|com\.sun)\./;function Zr(e){return e.find(t=>!Qr.test(t))??e[0]??""}function es({item:e,columns:t}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Z(e.start)}</dd>
        ${yo(e).map(([n,o])=>[l`<dt>${n}</dt>`,l`<dd>${$o(o)}</dd>`])}
      </dl>
      <ol>
        ${on(e).map(n=>l`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function xo({items:e,since:t,contextHref:n,label:o}){let[s,r]=A(null),i=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],a=(c,p)=>{let{type:u,duration:m,thread:d,recording:f,context:_}=c.values,$=t===void 0?G(c.start):"+"+y(Number(c.start-t)),g=yo(c).map(([P,Ue])=>`${P}=${$o(Ue)}`),x=()=>r(s===p?null:p),v=s===p,w=n&&f!==null&&_?n(String(f),String(_)):null;return l`<tr key=${p} class=${v?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(v)} onClick=${x}>${$}</button>
        </td>
        <td title=${u}>
          <${le} category=${$t(String(u))} />${Ne(String(u))}
        </td>
        <td class="n">${typeof m=="number"?y(m):""}</td>
        <td class="cut">${d}</td>
        <td class="cut" title=${on(c)[0]}>${vt(Zr(on(c)))}</td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&l`<td>${w&&l`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${v&&l`<${es} item=${c} columns=${i.length} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class="events">
      <thead>
        <tr>
          ${i.map(c=>l`<th scope="col" class=${c==="duration"?"n":""}>${c}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${e.map(a)}
      </tbody>
    </table>
  </div>`}function D({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function ts({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function B({of:e}){let{chunks:t=0,events:n=0,places:o=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",o>0?`${o} damaged places`:""].filter(r=>r!=="");return s.length===0?null:l`<span class="missing">${s.join("; ")}</span>`}function N({title:e,note:t,tools:n,answer:o,className:s,children:r}){let i=o?.isLoading===!0&&o.data!==null;return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${o&&l`<${ts} answer=${o} />`}
    <div class=${i?"stale":""}>${r}</div>
  </section>`}function ns(e,t){return`-agentpath:/path/to/libloupe.so=collector=${e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t)},service=NAME`}function os({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=h.value,o=H(n,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:
    <a class="link" href=${V(Pe(...t),o)}>look at all of that time</a>.
  </p>`}function ce(){let e=S("collector",new URLSearchParams),{data:t}=R(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<j.value.from;return l`<${D} title="No JVM has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&l`<pre>${ns(t.agents,location.hostname)}</pre>`}
    ${t&&n&&l`<${os} of=${t} />`}
  <//>`}var rs=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,ss=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/;function wo(e,{path:t,params:n}){if(rs.test(e))return T(["t",e.toLowerCase()]);let o=t[0]==="s",s=ss.test(e);if(!o)return T(["s"],s?{where:e}:{frame:e});let r=n.getAll("where").filter(a=>a!==e),i=s?{where:[...r,e]}:{frame:e};return V(Pe(...t),H(n,i))}function is(){let e=n=>{n.preventDefault();let o=n.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(Ce(wo(s,h.value)),o.value="")},t="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function as(){let{params:e}=h.value,t=gt(e.get("from")??"")!==null,{from:n,to:o}=j.value,s=a=>{let c=a.currentTarget.value;c!=="fixed"&&M({last:c,from:null,to:null,box:null,base_box:null})},r=bt.includes(Fe.value)?bt:[Fe.value,...bt],i=`${Z(n)} to ${Z(o)}`;return l`<select aria-label="Time range" title=${i} onChange=${s}>
      ${t&&l`<option value="fixed" selected>
          ${ve(n)} ${G(n,1e9)} to ${G(o,1e9)}
        </option>`}
      ${r.map(a=>l`<option value=${a} selected=${!t&&a===Fe.value}>
            last ${a}
          </option>`)}
    </select>
    <button onClick=${Qt} title="ask again">refresh</button>
    <button
      aria-pressed=${be.value?"true":"false"}
      onClick=${()=>M({live:be.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}var ls=[["services",""],["events","e"],["recordings","r"]];function F({crumbs:e=[],children:t}){let n=h.value.path[0]??"",o=([r,i])=>l`<a href=${T(i?[i]:[])} aria-current=${i===n?"page":void 0}>
      ${r}
    </a>`,s=({name:r,href:i},a)=>[a>0?" / ":"",i?l`<a href=${i}>${r}</a>`:l`<b>${r}</b>`];return l`<header>
      <a class="logo" href=${T([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${ls.map(o)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${is} />
      <${as} />
    </header>
    <main>${t}</main>`}function cs(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function W({columns:e,rows:t,rowKey:n,href:o,label:s}){let[r,i]=A(null),a=r===null?void 0:e[r]?.sort,c=a?[...t].sort((m,d)=>cs(a(m),a(d))):t,p=(m,d)=>{let f=r!==d?"none":m.isNumber?"descending":"ascending",_=m.sort?l`<button class="plain" onClick=${()=>i(d)}>${m.name}</button>`:m.name;return l`<th
      class=${m.isNumber?"n":""}
      title=${m.title}
      scope="col"
      aria-sort=${m.sort?f:void 0}
    >
      ${_}
    </th>`},u=(m,d,f)=>{let _=d.cell(m);return l`<td class=${(d.isNumber?"n ":"")+(d.className??"")}>
      ${o&&f===0?l`<a href=${o(m)}>${_}</a>`:_}
    </td>`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${s}>
    <table>
      <thead>
        <tr>
          ${e.map(p)}
        </tr>
      </thead>
      <tbody>
        ${c.map(m=>l`<tr key=${n(m)} class=${o?"opens":""}>
              ${e.map((d,f)=>u(m,d,f))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var rn=e=>e===null?"":y(e),Ae=(e,t)=>h.value.params.getAll(e).includes(t);function sn({href:e,on:t,name:n}){return l`<a href=${e} class=${t?"on":""} aria-current=${t?"true":void 0}
    >${n}</a
  >`}function us({types:e}){let t=n=>ie({context:Ae("context",n)?null:n,key:null,where:null,event:null});return l`<${W}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${sn} href=${t(n)} on=${Ae("context",n)} name=${n} />`},{name:"all",cell:n=>b(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>b(n.contexts_out),isNumber:!0},{name:"median",cell:n=>rn(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>rn(n.p99_ns),isNumber:!0}]}
  />`}function ko({name:e,rows:t}){let n=o=>{let s=`${e}=${o}`,r=h.value.params.getAll("where").filter(i=>!i.startsWith(e+"="));return ie({where:Ae("where",s)?r:[...r,s],event:null})};return l`<${W}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${o=>o.value}
    columns=${[{name:e,cell:({value:o})=>l`<${sn}
            href=${n(o)}
            on=${Ae("where",`${e}=${o}`)}
            name=${o||"(empty)"}
          />`,className:"w"},{name:"all",cell:o=>o.all===null?"":b(o.all),isNumber:!0},{name:"kept",cell:o=>b(o.kept),isNumber:!0},{name:"p99",cell:o=>rn(o.p99_ns),isNumber:!0}]}
  />`}function ps({name:e}){let t=Me(h.value,j.value);t.delete("where");let o=R(S("attributes",t,{limit:"100"}),E.value).data?.keys.find(r=>r.key===e),s=(o?.values??[]).map(r=>({value:r.value,all:null,kept:r.count,p99_ns:r.p99_ns}));return l`<p class="dim">
      ${o?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&l`<${ko} name=${e} rows=${s} />`}`}function fs({of:e}){let t=h.value.params.get("key"),n=e?.attributes.find(r=>r.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let o=[...n.values].sort((r,i)=>i.contexts_in-r.contexts_in).map(r=>({value:r.value,all:r.contexts_in,kept:r.contexts_out,p99_ns:r.p99_ns})),s=({key:r})=>l`<button
      key=${r}
      aria-pressed=${String(r===n.key)}
      onClick=${()=>M({key:r},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?l`<${ps} name=${n.key} />`:l`<${ko} name=${n.key} rows=${o} />`}`}function ms({of:e}){let t=n=>ie({event:Ae("event",n)?null:n});return l`<${W}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${le} category=${$t(n)} /><${sn}
              href=${t(n)}
              on=${Ae("event",n)}
              name=${n}
            />`,sort:n=>n.type},{name:"count",cell:n=>b(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function ds({query:e}){let t=h.value.params.get("event"),n=S("events",e,{event:t,limit:"100"}),{answer:o,items:s,more:r}=yt(n,E.value),i=l`<${B} of=${o.data} /><${U} url=${n} />`;return l`<${N} title="Events" note=${t??"of all types; choose one above"} tools=${i} answer=${o}>
    ${s.length>0&&l`<${xo}
        label="Events"
        items=${s}
        contextHref=${(c,p)=>T(["c",c,p])}
      />`}
    ${r&&l`<p><button onClick=${r}>more</button></p>`}
    ${o.data&&s.length===0&&l`<${D} title="No events here" />`}
  <//>`}function So(){let e=h.value,t=Me(e,j.value),n=S("contexts/types",_s(t)),o=R(n,E.value),s=S("events/types",t),r=R(s,E.value),i=o.data?.types.find(c=>c.type===e.params.get("context")),a=r.data&&`${b(r.data.events)} events`+hs(r.data.contexts);return l`<${F}>
    <${kt} />
    <div class="three">
      <${N}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${U} url=${n} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&l`<${us} types=${o.data.types} />`}
        ${o.data?.types.length===0&&l`<${ce} />`}
      <//>
      <${N} title="Context values" note=${i?.type}><${fs} of=${i} /><//>
      <${N}
        title="Event types"
        note=${a}
        tools=${l`<${B} of=${r.data} /><${U} url=${s} />`}
        answer=${r}
      >
        ${r.data&&l`<${ms} of=${r.data} />`}
      <//>
    </div>
    <${ds} query=${t} />
  <//>`}var hs=e=>e===null?", in contexts or not":` in ${b(e)} contexts`;function _s(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let o=e.get(n);o!==null&&t.set(n,o)}return t}function Ro(){return l`<${F}>
    <${D} title="There is nothing here">
      <a href=${T([])}>Services</a> is where everything begins.
    <//>
  <//>`}function gs(e){return e.replaceAll("_","-")}function Xe(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[o,s]of Object.entries(n))t.set(o,(t.get(o)??0)+s);return[...t].sort((n,o)=>o[1]-n[1])}function Ye({of:e}){return l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${gs(t)} <b>${b(n)}</b></span
        >`)}
  </span>`}var Po=e=>e.slice(0,19).replace("T"," "),bs=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Rt=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,To=(e,t)=>l`${b(e)} <span class="dim">of ${b(t)}</span>`,vs=[{name:"service",cell:e=>l`<b>${e.service}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>Po(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${y(Rt(e))}, running`:y(Rt(e)),isNumber:!0,sort:Rt},{name:"contexts kept",cell:e=>To(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>To(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${z(e.bytes_out)} <span class="dim">of ${z(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>bs(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function $s(){let{params:e}=h.value,{from:t,to:n}=j.value,o=new URLSearchParams({from:String(t),to:String(n)});for(let p of["service","instance"]){let u=e.get(p);u!==null&&o.set(p,u)}let s=S("recordings",o),r=R(s),i=r.data?.recordings??[],a=l`<${B} of=${r.data} /><${U} url=${s} />`;return l`<${F}>
    <${N} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${a} answer=${r}>
      ${i.length>0&&l`<${W}
          label="Recordings"
          columns=${vs}
          rows=${i}
          rowKey=${p=>p.id}
          href=${p=>T(["r",p.id])}
        />`}
      ${r.data&&i.length===0&&l`<${ce} />`}
    <//>
  <//>`}var ys=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>b(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>b(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>z(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>z(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${Ye} of=${Xe({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function ue(e,t){return l`<span><b>${e}</b>${t}</span>`}function xs({of:e}){let t=e.contexts_in?q(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${ue(e.is_running?"running":"ended",`${y(Rt(e))} since ${Po(e.start)} UTC`)}
    ${ue(t,`of ${b(e.contexts_in)} contexts kept`)}
    ${ue(b(e.events_out),`of ${b(e.events_in)} events kept`)}
    ${ue(z(e.bytes_out),`of ${z(e.bytes_in)} kept`)}
    ${ue(z(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&ue(y(e.waiting.duration_ns),`not compacted yet, ${z(e.waiting.journal_bytes)}`)}
    ${ue(e.jvm_version,e.jvm_name)} ${ue(e.pid,`process, on ${e.instance}`)}
  </div>`}var ws={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk"};function ks({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,o])=>l`<li>${b(o)} ${ws[n]??n}</li>`)}
      </ul>`}function Ss({service:e}){let t=S("policies/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:o}=n,s=r=>Object.entries(r.settings).map(([i,a])=>`${i}=${a}`);return l`<${N}
    title="Policy"
    note=${o&&(o.file??"none: the JVM's own settings")}
    tools=${l`<${U} url=${t} />`}
    answer=${n}
  >
    ${o?.refused&&l`<p class="missing">${o.refused.problem}</p>`}
    ${o&&o.events.length>0&&l`<${W}
        label="Policy"
        rows=${o.events}
        rowKey=${r=>r.event}
        columns=${[{name:"event",cell:r=>r.event},{name:"settings",cell:r=>s(r).join(", "),className:"w"}]}
      />`}
  <//>`}function Rs({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:o}=n,s=[{name:o?`${o.service}, ${o.instance}`:e}],r=l`<a href=${vo(e)} download>download .jfr</a><${U} url=${t} />`,i=o?Xe(o.types):[];return l`<${F} crumbs=${s}>
    <${N} title="Recording" note=${e} tools=${r} answer=${n}>
      ${o&&l`<${xs} of=${o} />`}
      ${n.status===404&&l`<${D} title="This collector has no such recording">
          <a href=${T(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${o&&l`<${N}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          <${Ye} of=${i} />
        <//>
        <${N} title="Lost" note="what is missing, and should not be"
          ><${ks} of=${o}
        /><//>
        <${N} title="Event types">
          <${W}
            label="Event types"
            columns=${ys}
            rows=${Object.entries(o.types).sort((a,c)=>c[1].bytes_in-a[1].bytes_in)}
            rowKey=${([a])=>a}
          />
        <//>
        <${Ss} service=${o.service} />`}
  <//>`}function Co(){let e=h.value.path[1];return e===void 0?l`<${$s} />`:l`<${Rs} id=${e} />`}var Ts=100,Ps=10,Cs=1.96;function Ns(e,t,n){let o=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),r=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return o/s*Math.exp(-Cs*r)}function Ms({contexts:e,base_contexts:t,keys:n}){let o=s=>t>0?Ns(s,e,t):s.count;return n.flatMap(({key:s,values:r})=>r.map(i=>({...i,key:s}))).filter(s=>s.count>0).map(s=>[s,o(s)]).sort((s,r)=>r[1]-s[1]).map(([s])=>s)}function As({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function Ls({contexts:e,base_contexts:t}){let o=[{name:"attribute",cell:r=>r.key},{name:"value",cell:r=>l`<b>${r.value===""?"(empty)":r.value}</b>`,className:"cut"},{name:"p99",cell:r=>r.p99_ns===null?"":y(r.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:r=>l`<span title=${`${b(r.count)} of ${b(e)}`}>
          ${q(r.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:r=>l`<span
        class=${(r.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${b(r.base_count)} of ${b(t)} to compare with`}
      >
        ${As(r)}
      </span>`,isNumber:!0};return t>0?[...o,s]:o}function Os({key:e,value:t}){let n=`${e}=${t}`,o=h.value.params.getAll("where").filter(s=>s!==n);return ie({where:[...o,n]})}function Es({data:e}){let[t,n]=A(!1),o=Ms(e),s=t?o:o.slice(0,Ps),r=e.keys.filter(i=>i.search_only).map(i=>i.key);return l`<${W}
      label="Attributes"
      columns=${Ls(e)}
      rows=${s}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${Os}
    />
    ${s.length<o.length&&l`<button class="plain more" onClick=${()=>n(!0)}>
        ${b(o.length-s.length)} more
      </button>`}
    ${r.length>0&&l`<p class="dim">${r.join(", ")}: over 1,000 values, search for one above</p>`}`}function No({query:e,against:t,tick:n}){let o=S("attributes",e,{limit:String(Ts)}),s=R(o,n),{data:r}=s,i=l`<${B} of=${r} /><${U} url=${o} />`;return l`<${N}
    title="Attributes"
    note=${r&&r.base_contexts>0?`more often than in ${t}`:""}
    tools=${i}
    answer=${s}
    className="attributes"
  >
    ${r&&r.contexts>0&&l`<${Es} data=${r} />`}
  <//>`}function Mo({name:e,all:t,options:n}){let o=h.value.params.get(e)??"",r=o===""||n.some(([a])=>a===o)?n:[[o,o],...n];return l`<select aria-label=${e} onChange=${a=>M({[e]:a.currentTarget.value||null})}>
    <option value="" selected=${o===""}>${t}</option>
    ${r.map(([a,c])=>l`<option value=${a} selected=${a===o}>${c}</option>`)}
  </select>`}function Us(){let{params:e}=h.value,t=(n,o)=>{let s=e.get(n),r=i=>{let a=i.currentTarget,c=co(a.value);a.setCustomValidity(c===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&M({[n]:c===null?null:String(c),box:null})};return l`<input
      class="duration"
      placeholder=${o}
      aria-label=${o}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?y(Number(s)):""}
      onChange=${r}
    />`};return l`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function Ao({types:e,instances:t}){let n=h.value.params.get("context"),o=e.filter(({type:r})=>n===null||r===n).flatMap(r=>r.attributes),s=o.flatMap(r=>r.values.map(({value:i})=>i));return l`<div class="choosers">
    <${Mo}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:r,contexts_in:i})=>[r,`${r} (${b(i)})`])}
    />
    <${Mo}
      name="instance"
      all="all JVMs"
      options=${t.map(r=>[r,r])}
    />
    <${Us} />
    <${kt}
      keys=${[...new Set(o.map(({key:r})=>r))]}
      values=${[...new Set(s)]}
    />
  </div>`}function Lo(e){let[t,n]=A({width:0,height:0,ratio:1});return Ft(()=>{let o=e.current,s=()=>{let{clientWidth:a,clientHeight:c}=o;n({width:a,height:c,ratio:devicePixelRatio})},r=new ResizeObserver(s);r.observe(o);let i=matchMedia(`(resolution: ${t.ratio}dppx)`);return i.addEventListener("change",s),s(),()=>{r.disconnect(),i.removeEventListener("change",s)}},[t.ratio]),t}function Oo(e,{width:t,height:n,ratio:o},s,r){Ft(()=>{let i=requestAnimationFrame(()=>{let a=e.current,c=a?.getContext("2d");a&&c&&(a.width=Math.round(t*o),a.height=Math.round(n*o),c.scale(o,o),s(c))});return()=>cancelAnimationFrame(i)},[t,n,o,en.value,...r])}var Is=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Ds=e=>Is[e&3]*2**(e>>2);function Eo(e){return e<0?1:Math.floor(Ds(e+1))}function pe(e,{column:t,row:n}){return t*e.rows+n}function Le(e){let t=new Map;for(let[n,o]of e.flat())t.set(n,(t.get(n)??0)+o);return[...t].sort((n,o)=>n[0]-o[0])}function ye(e,t){let n=e.reduce((s,[,r])=>s+r,0),o=Math.max(1,Math.ceil(t*n));for(let[s,r]of e){if(o<=r)return s<0?1:Math.floor(2**((s+o/r)/4));o-=r}return null}function Tt(e,t,n){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,r=-1/0;for(let[u]of e.columns.flat())s=Math.min(s,u),r=Math.max(r,u);let i=1;for(;Math.floor(r/i)-Math.floor(s/i)>=n;)i*=2;let a=s>r?0:Math.floor(s/i),c={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:a,buckets:i,rows:s>r?0:Math.floor(r/i)-a+1,cells:new Map,most:0,exemplars:new Map},p=(u,m)=>({column:Math.floor(u/o),row:Math.floor(m/i)-a});e.columns.forEach((u,m)=>{for(let[d,f,_]of u){let $=p(m,d),g=c.cells.get(pe(c,$))??{...$,all:0,kept:0};g.all+=f,g.kept+=_,c.cells.set(pe(c,$),g),c.most=Math.max(c.most,g.all)}});for(let[u,m,d,f]of e.exemplars)c.exemplars.set(pe(c,p(u,m)),{recording:d,id:f});return c}function Io(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Oe(e,t,n){let[o,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[r,i]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],a=(e.first+r)*e.buckets;return{from:e.t0+e.step*BigInt(o),to:e.t0+e.step*BigInt(s+1),min:a<0?0:Eo(a-1)+1,max:Eo((e.first+i+1)*e.buckets-1)}}function Pt(e,t,n){let o=Oe(e,n,n);return o.from<t.to&&o.to>t.from&&o.min<=t.max&&o.max>=t.min}function xe(e,t){let n={all:0,kept:0};for(let o of e.cells.values())Pt(e,t,o)&&(n.all+=o.all,n.kept+=o.kept);return n}function Do(e,t){return[...e.cells.values()].filter(n=>Pt(e,t,n)).sort((n,o)=>o.row-n.row||o.column-n.column).flatMap(n=>e.exemplars.get(pe(e,n))??[])}function Ze(e,t,{column:n,row:o}){let s=t.width/e.columns,r=t.height/e.rows,i=t.y+t.height-(o+1)*r;return{x:t.x+n*s,y:i,width:s,height:r}}function Bo(e,t,n,o){let s=(r,i)=>Math.max(0,Math.min(i-1,Math.floor(r*i)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(o-t.y)/t.height,e.rows)}}function ln(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function an(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Qe(e,t,n){let o=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-o/e.rows)}function cn(e,t,n){let[o,s]=[t.x,t.x+t.width],[r,i]=[t.y,t.y+t.height],a=Math.max(o,an(e,t,n.from)),c=Math.max(r,Qe(e,t,n.max)),p=Math.min(s,an(e,t,n.to))-a,u=n.min<=1?i:Math.min(i,Qe(e,t,n.min-1));return p<=0||u<=c?null:{x:a,y:c,width:p,height:u-c}}function un(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function jo(e,t,n,o){let s=[],r=i=>{let a=Qe(e,t,i);s.every(p=>Math.abs(p.at-a)>=n)&&a>=t.y&&a<=t.y+t.height&&s.push({at:a,text:o(i)})};for(let i of[1,2,5])for(let a=1;a<1e15;a*=10)r(i*a);return s.sort((i,a)=>a.at-i.at)}var Uo=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function Ho(e,t,n,o,s){let{from:r,to:i}=un(e),a=Number(i-r)/1e9*(n/t.width),c=Uo.find(m=>m>=a)??Uo.at(-1),p=BigInt(c)*1000000000n,u=[];for(let m=(r+o+p-1n)/p*p-o;m<i;m+=p)u.push({at:an(e,t,m),text:s(m,c*1e9)});return u}var Bs=4,js={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function we(e){return ae(h.value.params.get(e))}function et(e,t){let n=e&&Je(e);M(t?{base_box:n,base:null}:{box:n})}function Hs(){et(null,we("base_box")!==null)}function pn({from:e,to:t}){M({from:String(e),to:String(t),last:null,live:null})}function fn(e,t){return e.column===t.column&&e.row===t.row}function qo(e,t,n){let o=(s,r)=>Math.max(0,Math.min(r-1,s));return{column:o(t.column+n.column,e.columns),row:o(t.row+n.row,e.rows)}}function Vs(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(o=>o.column));return{column:n,row:Math.max(0,...t.map(o=>o.column===n?o.row:0))}}function Ee({grid:e,isRate:t},{from:n,to:o}){return t?Oe(e,{...n,row:0},{...o,row:e.rows-1}):Oe(e,n,o)}function Wo(e,t){let n=e.exemplars.get(pe(e,t));n&&Ce(T(["c",n.recording,n.id]))}function Go(e){let{grid:t,plot:n}=e,[o,s]=A(null),[r,i]=A(null),a=He(null),c=({offsetX:$,offsetY:g})=>Bo(t,n,$,g),p=$=>{let{offsetX:g,offsetY:x}=$;$.button===0&&t.rows>0&&ln(n,g,x)&&($.currentTarget.setPointerCapture($.pointerId),s({from:c($),to:c($),x:g,y:x,isLong:!1}))},u=$=>{let{offsetX:g,offsetY:x}=$;if(o){let w=o.isLong||Math.hypot(g-o.x,x-o.y)>=Bs;s({...o,to:c($),isLong:w})}let v=t.rows>0&&ln(n,g,x)?c($):null;(v&&r?fn(v,r):v===r)||i(v)},m=$=>{if(s(null),!o)return;if($.altKey&&!o.isLong){Wo(t,o.from);return}let g=$.shiftKey||e.isComparing,x=Ee(e,o),v=!o.isLong&&xe(t,x).all===0;a.current=$.detail>1?a.current:we("box"),et(v?null:x,g)},d=$=>{let g=a.current,v=g!==null&&Pt(t,g,c($))?g:Ee(e,{from:c($),to:c($)});M({box:Je(v)},!0),pn(v)},f=()=>i(null),_=()=>s(null);return{drag:o?.isLong?o:null,hover:o?null:r,on:{onPointerDown:p,onPointerMove:u,onPointerUp:m,onPointerLeave:f,onPointerCancel:_,onDblClick:d}}}function Fo(e){let{grid:t}=e,[n,o]=A(null),s=a=>{let c=js[a.key];if(c&&t.rows>0){let p=n?qo(t,n.to,c):Vs(t);o({from:a.shiftKey&&n?n.from:p,to:p})}else if(a.key==="Enter"&&n&&a.altKey)Wo(t,n.to);else if(a.key==="Enter"&&n)et(Ee(e,n),a.shiftKey||e.isComparing);else if(a.key==="Escape")o(null),Hs();else return;a.preventDefault()},r=a=>qo(t,a,{column:0,row:0});return{cursor:n&&{from:r(n.from),to:r(n.to)},on:{onKeyDown:s,onBlur:()=>o(null)}}}var Ct=52,qs=20,Ko=6,Ws=52,Gs=72,Fs=26,Ks=60000000000n;function zo(e,t,n){let o=e-Ct-(n?Ws:0);return{x:Ct,y:Ko,width:Math.max(1,o),height:Math.max(1,t-Ko-qs)}}function zs(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*Ks}function Js(e,t){let n=G(e,t);return n==="00:00"?ve(e).slice(5):n}function Xs(e,t){let n=o=>y(o).replace(/\.0+ /," ");return{times:Ho(e,t,Gs,zs(e.t0),Js),durations:e.rows===0?[]:jo(e,t,Fs,n)}}function Jo(e,t,n){let o=["h0","h1","h2","h3","h4","h5"].map(X);e.strokeStyle=X("kept"),e.lineWidth=1;for(let s of t.cells.values()){let{x:r,y:i,width:a,height:c}=Ze(t,n,s),p=Math.min(a,c)>4?1:0;e.fillStyle=o[Io(s.all,t.most)],e.fillRect(r,i,a-p,c-p),s.kept>0&&e.strokeRect(r+.5,i+.5,a-p-1,c-p-1)}dn(e,t,n)}function dn(e,t,n){let{times:o,durations:s}=Xs(t,n);e.fillStyle=X("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:r,text:i}of s)e.fillText(i,Ct-8,r),e.fillRect(Ct-5,Math.round(r),4,1);e.textBaseline="alphabetic";for(let{at:r,text:i}of o){let a=e.measureText(i).width/2;e.fillRect(Math.round(r),n.y+n.height,1,4),e.textAlign="left",e.fillText(i,Math.min(r-a,n.x+n.width-2*a),n.y+n.height+16)}}function mn(e,t,n,o){t&&(e.fillStyle=X("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(o),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function Xo(e,t,n,o){mn(e,o.base&&cn(t,n,o.base),X("soft"),[4,3]),mn(e,o.box&&cn(t,n,o.box),X("accent"),[]);for(let s of o.cells)mn(e,Ze(t,n,s),X("ink"),[])}function Yo({step_ns:e,columns:t},n){let o=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,r)=>{let i=t.slice(r*o,(r+1)*o),a=Le(i);return{perSecond:a.reduce((u,[,m])=>u+m,0)/(i.length*(e/1e9)),p50:ye(a,.5),p99:ye(a,.99)}})}function Qo(e){return`${b(Number(e.toPrecision(3)))}/s`}function Ys(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Qs(e,t,n){let o=!1;e.beginPath();for(let s of t)s&&o?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),o=s!==null;e.stroke()}function Zo(e,t,n,o){let s=n.width/t.columns,r=Ys(Math.max(.001,...o.map(i=>i.perSecond)));e.fillStyle=X("h1"),o.forEach(({perSecond:i},a)=>{let c=i/r*n.height;e.fillRect(n.x+a*s,n.y+n.height-c,s-1,c)}),e.lineWidth=1.5;for(let[i,a]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=X(a);let c=(p,u)=>{let m=p[i];return m===null?null:[n.x+(u+.5)*s,Qe(t,n,m)]};Qs(e,o.map(c),s)}dn(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let i of[.5,1]){let a=n.y+n.height*(1-i);e.fillText(Qo(r*i),n.x+n.width+6,a+(i===1?5:0))}}function er({of:{perSecond:e,p50:t,p99:n}}){let o=s=>s===null?"-":y(s);return l`<b>${Qo(e)}</b>median ${o(t)}, p99 ${o(n)}<br />`}function tr(){let e=(t,n)=>l`<span><span class="dot" style=${{background:`var(--${t})`}}></span>${n}</span>`;return l`${e("h1","contexts/s, right")}${e("cpu","median")}${e("lock","p99")}`}var hn=6e10;function Nt({from:e,to:t,min:n,max:o}){let s=e%BigInt(hn)===0n&&t%BigInt(hn)===0n,r=a=>G(a,s?hn:1e9),i=n<=1?`up to ${y(o)}`:`${y(n)} to ${y(o)}`;return`${r(e)} to ${r(t)}, ${i}`}function _n({all:e,kept:t}){return`${b(t)} kept of ${b(e)}`}var Zs=5,ei=6;function ti({view:e,place:t,rates:n}){let{grid:o,plot:s}=e,r=pe(o,t),i=o.cells.get(r),a=n?.[t.column];if(!i&&!a)return null;let{x:c,y:p,width:u}=Ze(o,s,t),m=c>s.x+s.width/2,f={left:`${m?c-8:c+u+8}px`,top:`${p}px`,transform:m?"translateX(-100%)":""},[_,$]=Nt(Oe(o,t,t)).split(", "),g=a?l`<${er} of=${a} />${_}`:l`<b>${$}</b>${_}<br />${b(i.all)} contexts, ${b(i.kept)} kept
        ${o.exemplars.has(r)&&l`<br />Alt+click opens one`}`;return l`<div class="tip" style=${f}>${g}</div>`}function ni(e,t){let n=Math.max(1,t.width/Zs),o=Math.max(1,t.height/ei);return Y(()=>Tt(e,n,o),[e,n,o])}function oi({data:e,isRate:t,isComparing:n}){let o=He(null),s=Lo(o),r=zo(s.width,s.height,t),i=ni(e,r),a=Y(()=>t?Yo(e,i):null,[t,e,i]),c={grid:i,plot:r,isRate:t,isComparing:n},{drag:p,hover:u,on:m}=Go(c),{cursor:d,on:f}=Fo(c),_=p??(d&&!fn(d.from,d.to)?d:null),$=_&&Ee(c,_),g={box:!n&&$||we("box"),base:n&&$||we("base_box"),cells:[t?null:u,d?.to].filter(w=>w!=null)};Oo(o,s,w=>{a?Zo(w,i,r,a):Jo(w,i,r),Xo(w,i,r,g)},[i,a,h.value,n,p,u,d]);let v=d&&Ee(c,d);return l`<div class="heatmap">
    <canvas
      ref=${o}
      tabindex="0"
      role="application"
      aria-roledescription="heat map"
      aria-label="All contexts by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away."
      ...${m}
      ...${f}
    ></canvas>
    ${u&&l`<${ti} view=${c} place=${u} rates=${a} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${v&&`${Nt(v)}: ${_n(xe(i,v))}`}
    </div>
    <${si} grid=${i} isRate=${t} />
  </div>`}function ri({most:e}){let t=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),n=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >contexts in a cell
    ${t.map((o,s)=>o<(t[s+1]??e+1)&&l` ${n(s)}${b(o)}`)}
    ${e>1&&l` to ${b(e)}`}</span
  >`}function or({grid:e,name:t}){let n=we(t);return n?l`<button
    class=${`chip ${t}`}
    title=${"take the selection away (Escape)"}
    onClick=${()=>et(null,t==="base_box")}
  >
    ${t==="box"?"selected":"compared with"} <b>${Nt(n)}</b>${" "}
    ${_n(xe(e,n))} <i>×</i>
  </button>`:null}function si({grid:e,isRate:t}){let n=[e.most>0&&l`<${ri} most=${e.most} />`,l`<span><span class="dot kept"></span>has kept ones</span>`];return l`<div class="legend">
    ${t?l`<${tr} />`:n}
    <${or} grid=${e} name="box" />
    <${or} grid=${e} name="base_box" />
  </div>`}function ii({data:e}){let[t,n]=A(!1),o=(r,i)=>{let a=Le([r]),[c,p]=[1,2].map(m=>r.reduce((d,f)=>d+f[m],0)),u=m=>y(ye(a,m));return l`<tr>
      <td>${G(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${b(c)}</td>
      <td class="n">${b(p)}</td>
      <td class="n">${u(.5)}</td>
      <td class="n">${u(.99)}</td>
    </tr>`},s=["contexts","kept","median","p99"].map(r=>l`<th class="n">${r}</th>`);return l`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts by time">
        <table>
          <thead>
            <tr>
              <th>from</th>
              ${s}
            </tr>
          </thead>
          <tbody>
            ${e.columns.map((r,i)=>r.length>0&&o(r,i))}
          </tbody>
        </table>
      </div>`}
  </details>`}function rr({answer:e,url:t,note:n}){let[o,s]=A(!1),r=h.value.params.get("view")==="rate",i=we("box"),{data:a}=e,c=Y(()=>a&&l`<${ii} data=${a} />`,[a]),p=(d,f,_)=>l`<button aria-pressed=${_?"true":"false"} onClick=${()=>M({view:d})}>
      ${f}
    </button>`,u=l`<${B} of=${a} />
    ${i&&l`<button class="plain" onClick=${()=>pn(i)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${o?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>s(!o)}
      >
        compare
      </button></span
    >
    <span class="tabs">${p(null,"duration",!r)} ${p("rate","rate",r)}</span>
    <${U} url=${t} />`,m=a&&l`<${oi} data=${a} isRate=${r} isComparing=${o} />`;return l`<${N}
    title="All contexts"
    note=${n}
    tools=${u}
    answer=${e}
    className="heatmap-panel"
  >
    ${m?[m,c]:l`<div class="heatmap"><canvas></canvas></div>`}
  <//>`}var ai=3;function li({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Xe(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${T(["r",e.id])}>${e.instance}</a>, since it started:
        <${Ye} of=${n} />
      </p>`:null}function ci(e,t){return Je({...e,to:e.to+t})}function ui({grid:e,box:t,kept:n}){let o=y(Number(e.step)),s=Do(e,t).slice(0,ai),r=({recording:i,id:a},c)=>l`<a class="link" key=${a} href=${T(["c",i,a])}>${c+1}</a>${" "}`;return l`<${D} title="No kept context began in this box">
    <p>
      The heat map has ${b(n)} kept ones here: it counts a context in the column in which its
      recording's chunk began, which may be a minute before the context.
    </p>
    <p>
      <button onClick=${()=>M({box:ci(t,e.step)})}>until ${o} later</button>
      ${s.length>0&&l`${" "}or open one of them: ${s.map(r)}`}
    </p>
  <//>`}function sr({grid:e,query:t,recordings:n,isNarrowed:o}){let s=ae(h.value.params.get("box")),r=(m,d)=>Number(t.get(m)??d),i=s??{...un(e),min:r("min_duration_ns",0),max:r("max_duration_ns",1/0)},{all:a,kept:c}=xe(e,i),p=n[0];if(n.length===0)return l`<${ce} />`;let u=(m,d)=>l`<${D} title=${m}>${d}<//>`;return o?u("No kept context is like this","Conditions choose among kept contexts; take one away to see more."):a===0?s?u("No context is in this box","Choose a coloured cell."):u("No contexts in this time",n.some(m=>m.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):c>0&&s?l`<${ui} grid=${e} box=${s} kept=${c} />`:l`<${D} title=${`Nothing is kept of these ${b(a)} contexts`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${p&&l`<${li} of=${p} />`}
  <//>`}var pi=12,Mt=[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]];function bn(e){let t=e.get("sort");return Mt.some(([n])=>n===t)?t:Mt[0][0]}function fi({start:e,values:t}){let n=s=>String(t[s]??""),o=Object.entries(t).filter(([s,r])=>s.startsWith("attr.")&&r!==null).map(([s,r])=>[s.slice(5),r]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),attributes:Object.fromEntries(o)}}function mi({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,o=`blocked ${y(e)}, ${q(n)}`;return l`<div class="stack" title=${o} role="img" aria-label=${o}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var gn=(e,t)=>new Set(e.map(t)).size>1;function di(e,t){let n=[...new Set(e.flatMap(i=>Object.keys(i.attributes)))],o=gn(e,i=>ve(i.start)),s=i=>l`<span title=${Z(i.start)}>
      ${o?`${ve(i.start).slice(5)} `:""}${G(i.start)}
    </span>`,r=[[gn(e,i=>i.type),{name:"type",cell:i=>Ne(i.type)}],[gn(e,i=>i.recording),{name:"JVM",cell:i=>t.get(i.recording)??i.recording.slice(0,8)}]];return[{name:"start",cell:s},{name:"duration",cell:i=>l`<b>${y(i.duration)}</b>`,isNumber:!0},{name:"blocked",cell:i=>l`<${mi} of=${i} />`},{name:"events",cell:i=>b(i.triggers),isNumber:!0},...r.flatMap(([i,a])=>i?[a]:[]),...n.slice(0,pi).map(i=>({name:i,cell:a=>hi(a.attributes[i]),className:"cut"})),{name:"thread",cell:i=>i.thread,className:"dim cut"}]}function hi(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function _i(){let e=bn(h.value.params),t=n=>M({sort:n===Mt[0][0]?null:n});return l`<span class="tabs" role="group" aria-label="Order">
    ${Mt.map(([n,o])=>l`<button
          key=${n}
          aria-pressed=${e===n?"true":"false"}
          onClick=${()=>t(n)}
        >
          ${o}
        </button>`)}
  </span>`}function ir({pages:e,url:t,query:n,instances:o,eventsHref:s}){let{answer:r,items:i,more:a}=e,c=i.map(fi),p=l`<${B} of=${r.data} />
    <${_i} />
    <a href=${s}>events</a>
    <${St} query=${n} value=${h.value.params.get("value")??void 0} />
    <${U} url=${t} />`,u=r.data&&`${b(c.length)} of ${b(r.data.matched)}`;return l`<${N}
    title="Kept contexts"
    note=${u}
    tools=${p}
    answer=${r}
    className="requests"
  >
    ${c.length>0&&l`<${W}
        label="Kept contexts"
        columns=${di(c,o)}
        rows=${c}
        rowKey=${m=>m.recording+m.id}
        href=${m=>T(["c",m.recording,m.id])}
      />`}
    ${a&&l`<p><button onClick=${a}>more</button></p>`}
  <//>`}var gi=3;function bi(e,t){let n=e.slices.find(o=>o.category===t);return y(e.requests?(n?.total_ns??0)/e.requests:0)}function vi({slice:e,of:t,largest:n,base:o,hrefOf:s}){let r=(p,u)=>s?l`<a href=${s(e.category,u)}>${p}</a>`:p,i=e.total_ns/t.requests,a=e.top.slice(0,gi).filter(p=>p.total_ns>0),c=s?"opens":"";return l`<tr
      class=${c}
      title=${`${y(e.total_ns)} in all, ${b(e.events)} events`}
    >
      <th scope="row">
        <${le} category=${e.category} />${r($e(e.category).name,null)}
      </th>
      <td class="fill"><${ho} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${y(i)}</td>
      ${o&&l`<td class="n dim">${bi(o,e.category)}</td>`}
      <td class="n dim">${q(e.total_ns/Math.max(1,t.total_ns))}</td>
    </tr>
    ${a.map(p=>l`<tr class=${`frame ${c}`} title=${p.frame}>
          <td colspan="2">${r(vt(p.frame),p.frame)}</td>
          <td class="n">${y(p.total_ns/t.requests)}</td>
          ${o&&l`<td></td>`}
          <td class="n dim">${q(p.total_ns/Math.max(1,t.total_ns))}</td>
        </tr>`)}`}function $i({of:e,base:t,hrefOf:n}){let o=e.slices.reduce((s,r)=>Math.max(s,r.total_ns),1);return l`<table class="why">
    <thead>
      <tr>
        <th scope="col">time went to</th>
        <th></th>
        <th scope="col" class="n">each</th>
        ${t&&l`<th scope="col" class="n" title="each of those to compare with">base</th>`}
        <th scope="col" class="n">share</th>
      </tr>
    </thead>
    <tbody>
      ${e.slices.map(s=>l`<${vi}
            key=${s.category}
            slice=${s}
            of=${e}
            largest=${o}
            base=${t}
            hrefOf=${n}
          />`)}
    </tbody>
  </table>`}function At({query:e,base:t=null,tick:n,hrefOf:o}){let s=S("why",e),r=R(s,n),i=R(t&&S("why",t),n),{data:a}=r,c=l`<${B} of=${a} /><${U} url=${s} />`,p=a&&a.requests>0?`mean of ${b(a.requests)} contexts, ${y(a.total_ns/a.requests)} each`:"";return l`<${N}
    title="Why"
    note=${p}
    tools=${c}
    answer=${r}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${$i} of=${a} base=${t&&i.data} hrefOf=${o} />`}
    ${a?.requests===0&&l`<${D} title="No kept context is in this selection" />`}
  <//>`}var yi=50,xi=6n*3600000000000n,vn=60000000000n,ar=["trace","thread","id"];function wi({from:e,to:t}){let n=be.value?(e+vn-1n)/vn*vn:e;return{from:n<t?n:e,to:t}}function ki(e,t){return e.getAll("where").length-t.getAll("where").length>0||ar.some(o=>e.has(o))}function Si(e){let t=new URLSearchParams;for(let[n,o]of e)n.startsWith("base_")&&t.append(n.slice(5),o);return t.size>0?t:null}function Ri({data:e,seconds:t,jvms:n}){let o=Le(e.columns),s=p=>{let u=ye(o,p);return u===null?"-":y(u)},r=p=>(n?.recordings??[]).reduce((u,m)=>u+p(m),0),i=r(p=>p.bytes_out),a=r(p=>p.bytes_in),c=(p,u,m="")=>l`<span title=${m}><b>${p}</b>${u}</span>`;return l`<div class="facts">
    ${c(`${b(Number((e.all/t).toPrecision(3)))}/s`,`contexts, ${b(e.all)}`)}
    ${n&&c(b(n.recordings.length),"JVMs","that ran in this time")}
    ${c(s(.5),"median")} ${c(s(.99),"p99")}
    ${c(e.all>0?q(e.kept/e.all):"-",`kept, ${b(e.kept)}`)}
    ${a>0&&c(`${z(i)} of ${z(a)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Ti(e,t){let n=(t??"").replace(/[.*+?^$(){}|[\]\\]/g,"\\$&"),o=["lock","park","io","cpu"].includes(e);return ie({value:o?e:null,frame:t!==null?`^${n}$`:o?null:`^\\[${e==="unaccounted"?"not accounted":e}\\]$`,zoom:null})}function Pi({heat:e,recordings:t,isNarrowed:n}){let{params:o}=h.value,s=Me(h.value,j.value),r=po(h.value,j.value),i=o.has("box")&&be.value?0:E.value,a=["box","where","min_duration_ns","max_duration_ns",...ar].some(v=>o.has(v)),p=r.has("base")||o.has("base_box")||!a?r:H(r,{base:"rest"}),u=S("contexts",s,{sort:bn(o),limit:String(yi)}),m=yt(u,i),d=Y(()=>e.data&&Tt(e.data,1/0,1/0),[e.data]),{data:f,isLoading:_}=m.answer;if(f?.matched===0&&!_&&!f.is_truncated&&d)return l`<section>
      <${sr} grid=${d} query=${s} recordings=${t} isNarrowed=${n} />
    </section>`;let $=new Map(t.map(v=>[v.id,v.instance])),g=s.get("service"),x=o.has("box")?V("/e",s):V("/e",H(o,{service:g,sort:null,view:null}));return l`<div class="three">
      <${At} query=${s} base=${Si(r)} tick=${i} hrefOf=${Ti} />
      <${No}
        query=${p}
        tick=${i}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
    </div>
    <${ir}
      pages=${m}
      url=${u}
      query=${s}
      instances=${$}
      eventsHref=${x}
    />`}function Ci(e,t){return[e&&e.unknown>0&&`${b(e.unknown)} of which it is not known if they are like this`,t&&"of any: not all of the conditions choose among those that are not kept",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(o=>o).join("; ")}function lr(){let{params:e,path:t}=h.value,{from:n,to:o}=j.value,s=fo(h.value,wi(j.value)),r=S("contexts/heatmap",s),i=R(r,E.value),a=i.data!==null||i.problem!==null,c=H(s,{where:null,context:null}),p=R(a?S("contexts/types",c):null,E.value),u=H(c,{recording:null}),m=R(a?S("recordings",u):null,E.value),d=m.data?.recordings??[],f=ki(e,s),_=o-n<=xi||e.get("whole")==="1"||ae(e.get("box"))!==null||e.has("trace"),$=wt(h.value),g=[{name:"services",href:T([])},{name:t[0]==="s"&&t[1]?t[1]:$??"all"}],x=Math.max(1,Number(o-n)/1e9),v=i.data?.all===0&&m.data!==null&&d.length===0;return l`<${F} crumbs=${g}>
    ${i.data&&l`<${Ri} data=${i.data} seconds=${x} jvms=${m.data} />`}
    <${Ao}
      types=${p.data?.types??[]}
      instances=${[...new Set(d.map(w=>w.instance))]}
    />
    ${!v&&l`<${rr} answer=${i} url=${r} note=${Ci(i.data,f)} />`}
    ${a&&_&&l`<${Pi} heat=${i} recordings=${d} isNarrowed=${f} />`}
    ${a&&!_&&l`<section>
        <${D} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>M({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var cr=e=>e===null?"":y(e);function Ni(e){return[{name:"service",cell:n=>l`<b>${n.service}</b>`,sort:n=>n.service},{name:"JVMs",cell:n=>b(n.jvms),isNumber:!0,sort:n=>n.jvms},{name:"contexts/s",title:"of all types together",cell:n=>b(Number((n.contexts_in/e).toPrecision(3))),isNumber:!0,sort:n=>n.contexts_in},{name:"median",cell:n=>cr(n.p50_ns),isNumber:!0,sort:n=>n.p50_ns??-1},{name:"p99",cell:n=>l`<b>${cr(n.p99_ns)}</b>`,isNumber:!0,sort:n=>n.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:n=>n.contexts_in?q(n.contexts_out/n.contexts_in):"",isNumber:!0,sort:n=>n.contexts_out},{name:"most time of the kept",cell:({top:n})=>n&&l`<${le} category=${n.category} />${$e(n.category).name}
      <span class="dim"> ${q(n.share)}</span>`},{name:"p99 over time",cell:n=>l`<${_o} values=${n.spark} label=${`p99 of ${n.service} over time`} />`}]}function ur(){let{from:e,to:t}=j.value,n=new URLSearchParams({from:String(e),to:String(t)}),o=S("services",n),s=R(o),r=s.data?.services??[],i=Math.max(1,Number(t-e)/1e9),a=l`<${W}
    label="Services"
    columns=${Ni(i)}
    rows=${r}
    rowKey=${u=>u.service}
    href=${u=>T(["s",u.service])}
  />`,c=s.data!==null&&r.length===0,p=l`<${B} of=${s.data} /><${U} url=${o} />`;return l`<${F}>
    <${N} title="Services" note="by all their contexts" tools=${p} answer=${s}>
      ${r.length>0&&a} ${c&&l`<${ce} />`}
    <//>
  <//>`}function Mi({columns:e,rows:t,recordings:n},o){let s=(r,i)=>r[e.indexOf(i)]??null;return t.map(r=>{let i=String(s(r,"recording")),a=e.flatMap((c,p)=>c.startsWith("attr.")&&r[p]!==null&&r[p]!==o?[`${c.slice(5)}=${r[p]}`]:[]);return{recording:i,id:String(s(r,"id")),type:String(s(r,"type")),service:n[i]?.service??"",instance:n[i]?.instance??"",thread:String(s(r,"thread")??""),start:Number(s(r,"start")),duration:Number(s(r,"duration")),blocked:Number(s(r,"blocked")),attributes:a.join(" ")}})}function Ai({rows:e}){let t=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),n=o=>`${100*o/t}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${y(t)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(o=>l`<tr class="opens" key=${o.recording+o.id}>
              <td title=${`${o.instance}, ${o.thread}`}>
                <a href=${T(["c",o.recording,o.id])}><b>${o.service}</b></a>
                <small class="dim"> ${o.thread}</small>
              </td>
              <td title=${o.attributes}>
                ${Ne(o.type)} <small class="dim">${o.attributes}</small>
              </td>
              <td class="n dim">+${y(o.start)}</td>
              <td class="n">${y(o.duration)}</td>
              <td
                class="axis"
                title=${`${y(o.blocked)} of ${y(o.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{marginLeft:n(o.start),width:n(o.duration)}}
                >
                  <div
                    style=${{width:`${100*o.blocked/Math.max(1,o.duration)}%`}}
                  ></div>
                </div>
              </td>
            </tr>`)}
      </tbody>
    </table>
  </div>`}var Li=e=>e===null?"":Z(BigInt(e));function pr({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,o=n===null?"":` since ${Li(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${o||" from now on"}.</p>`}function Oi({of:e}){return e.state==="eliminated"?l`<${D} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${pr} of=${e} />
      <//>`:l`<${D} title="Not seen">
        No context of this trace is known here. <${pr} of=${e} />
      <//>`}function fr(){let e=h.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:o}=n,s=o?Mi(o,e):[],r=new URLSearchParams({trace:e}),i=BigInt(o?.t0_ns??"0"),a=new Set(s.map(m=>m.service)).size,c=new Set(s.map(m=>m.recording)).size,p=l`<${B} of=${o} />
    ${s.length>0&&l`<${St} query=${r} />`} <${U} url=${t} />`,u=s.length>0&&`${s.length} contexts kept, ${a} services, ${c} JVMs, from ${Z(i)}`;return l`<${F} crumbs=${[{name:`trace ${e}`}]}>
    <${N} title="Trace" note=${u} tools=${p} answer=${n}>
      ${s.length>0&&l`<${Ai} rows=${s} />`}
      ${o&&s.length===0&&l`<${Oi} of=${o} />`}
    <//>
    ${s.length>0&&l`<${At} query=${Ei(r,i,s)} tick=${E.value} />`}
  <//>`}function Ei(e,t,n){let o=n.reduce((r,i)=>Math.max(r,i.start),0),s=new URLSearchParams(e);return s.set("from",String(t)),s.set("to",String(t+BigInt(Math.ceil(o))+1n)),s}function Ui([e]){switch(e){case void 0:return ur;case"e":return So;case"r":return Co;case"s":return lr;case"t":return fr;default:return Ro}}function Ii(){let{path:e}=h.value;return l`<${Ui(e)} key=${e.join("/")} />`}eo();ao();lo();J(()=>{document.title=[...h.value.path.slice(-1),"Loupe"].join(" \xB7 ")});Ln(l`<${Ii} />`,document.body);})();
