"use strict";(()=>{var L,Mo,Rn,ye,kn,Ot,Ao,Pt,Lo,Tn,Sn,_a,ct=Symbol.for("pv"),Mt={},At=[],va=/^m(i|n|o|s|text|space)$/,Pn=Array.isArray,Cn=At.slice,Ie=Object.assign;function Ne(e){e&&e.parentNode&&e.remove()}function Lt(e,t,n){var o,s,r,a={},i=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:a[r]=t[r];return i>2&&(a.children=i>3?Cn.call(arguments,2):n),lt(e,a,o,s,null)}function lt(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ct,__v:s||++Mo,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(r),r}function Ue(e){return e.children}function Ve(e,t){this.props=e,this.context=t,this.__g=0}function we(e,t){if(t==null)return e.__&&we(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:we(e)}function xa(e){var t,n=e.__v,o=n.__e,s=[],r=[],a=e.__P;a&&((t=Ie({constructor:ct},n)).__v=n.__v+1,L.vnode&&L.vnode(t),On(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,s,o||we(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,Bo(s,t,r),n.__=n.__e=null,t.__e!=o&&Eo(t))}function Eo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Eo(e)}function Co(e){(8&e.__g||(e.__g|=8,ye.push(e),Ot++))&&kn==L.debounceRendering||((kn=L.debounceRendering)||queueMicrotask)(No)}function No(){try{for(var e,t=1;ye.length;)ye.length>t&&ye.sort(Ao),e=ye.shift(),t=ye.length,8&e.__g&&xa(e)}finally{(Ot=ye.length)&&(kn||queueMicrotask)(No)}}function Io(e,t,n,o,s,r,a,i,l,m,u){var p,d,f,h,$,g,y=o.__k||At,x=t.length;for(l=ya(n,t,y,l,x),p=0;p<x;p++)(f=n.__k[p])!=null&&(d=~f.__i&&y[f.__i]||Mt,f.__i=p,g=On(e,f,d,s,r,a,i,l,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Mn(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),$=$||h,4&f.__u?(l=Uo(f,l,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),f.__u&=-21);return n.__e=$,l}function ya(e,t,n,o,s){var r,a,i,l,m,u,p,d,f,h=n.length,$=h,g=0,y=0,x=e.__k=Array(s);for(r=0;r<s;r++)(a=t[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=x[r]=lt(null,a):Pn(a)?a=x[r]=lt(Ue,{children:a}):a.constructor===ct&&a.__b?a=x[r]=lt(a.type,a.props,a.key,a.ref,a.__v):x[r]=a,l=r+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=wa(a,n,l,$))&&($--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,y=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):x[r]=null;if(y){for(u=[],p=[],r=0;r<s;r++)if((a=x[r])&&16&a.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<a.__i?g=f+1:d=f;u[g]=a.__i,p[r]=g+1}for(g=u.length;r--;)p[r]&&(p[r]==g?g--:x[r].__u|=4)}if($)for(r=0;r<h;r++)!(i=n[r])||2&i.__u||(i.__e==o&&(o=we(i)),An(i,i));return o}function Uo(e,t,n,o){var s,r,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=Uo(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=we(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function wa(e,t,n,o){var s,r=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&r==null||l&&r==i.key&&a==i.type)return n;if(o>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&r==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&r==i.key&&a==i.type)return s}return-1}function Oo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Tt(e,t,n,o,s){var r,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Oo(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Oo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=Sn[t]||(Sn[t]=ka(t)),(e.__a||(e.__a={}))[t]=Tn,r=t!=(t=t.replace(Lo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,r):e.removeEventListener(t,a,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ka(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Pt]==null)t[Pt]=Tn++;else if(t[Pt]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function On(e,t,n,o,s,r,a,i,l,m){var u,p,d,f,h,$,g,y,x,T,w,A,N,G,te,qe,S,I,X=t.type;if(t.constructor!==ct)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,p=r=[],u.nodeType==8?i=Ct(u,r):r.push(u),i=r[0]||i),(u=L.__b)&&u(t);e:if(typeof X=="function"){d=a.length;try{if(y=t.props,x=(u=X.prototype)&&u.render,T=(u=X.contextType)&&o[u.__c],w=u?T?T.props.value:u.__:o,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(x?t.__c=f=new X(y,w):(t.__c=f=new Ve(y,w),f.constructor=X,f.render=Ra),T&&T.sub(f),f.state||(f.state={}),f.__n=o,f.__g|=8,f.__h=[],f.__k=[]),x&&(f.__s||(f.__s=f.state),X.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Ie({},f.__s)),Ie(f.__s,X.getDerivedStateFromProps(y,f.__s)))),h=f.props,$=f.state,f.__v=t,n.__c){if(y!==h&&x&&!X.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(y,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(y,f.__s,w)===!1){t.__v!=n.__v&&(f.props=y,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(q){q&&(q.__=t)}),At.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=we(n);break e}f.componentWillUpdate&&f.componentWillUpdate(y,f.__s,w),x&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,$,g)})}else x&&!X.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),x&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=y,f.__P=e,f.__g&=-5,A=L.__r,N=x?25:0;do f.__g&=-9,A&&A(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++N<25);x&&(At.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(o=Ie({},o,f.getChildContext())),x&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,$)),G=u&&u.type===Ue&&u.key==null?u.props.children:u,y.__P&&(u=i,s=(e=y.__P).namespaceURI,l=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(q){q&&An(q,q)}),n.__k=null),i=n.__k?we(n,0):null),i=Io(e,Pn(G)?G:[G],t,n,o,s,r,a,i,l,m),y.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(Ne),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(q){if(a.length=d,t.__v=null,l||r)if(q&&q.then){if(t.__u|=128|l,r){for(~(S=r.indexOf(i||void 0))||(S=r.length);(I=r[S-1])&&I.nodeType==8;)S--;for(;S<r.length;S++)if(I=r[S])if(r[S]=null,te){if(I==qe)break}else{if(I.nodeType!=8)break;I.data.startsWith("$s")&&(qe=Ct(te=I))}}if(!te){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;te=i}(u=Ct(te=t.__c.__z||(t.__c.__z=te)))?(t.__e=te,i=u):t.__e=i,i=i&&i.nextSibling}else r&&r.some(Ne);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),q&&q.then||Do(t),L.__e(q,t,n)}}else i=t.__e=Sa(n.__e,t,n,o,s,r,a,l,m,e);return(u=L.diffed)&&u(t),i}function Ct(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Do(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Do))}function Bo(e,t,n){for(var o=0;o<n.length;)Mn(n[o++],n[o++],n[o++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){L.__e(r,s.__v)}})}function Sa(e,t,n,o,s,r,a,i,l,m){var u,p,d,f,h,$,g,y,x=n.props||Mt,T=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(u=0;u<r.length;u++)if((h=r[u])&&(w?h.localName==w:h.nodeType==3)){e=h,r[u]=null;break}}if(!e){if(y=m.ownerDocument||document,!w)return y.createTextNode(T);e=y.createElementNS(s,w,T.is?T:m),i&&(L.__m&&L.__m(t,r),i=!1),r=null}if(w){if(m=w=="template"&&e.content||e,r=w=="textarea"&&T.defaultValue!=null?null:r&&Cn.call(m.childNodes),!i&&r)for(x={},u=0;u<e.attributes.length;u++)x[(h=e.attributes[u]).name]=h.value;for(u in x)h=x[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in T||u=="value"&&"defaultValue"in T||u=="checked"&&"defaultChecked"in T||Tt(e,u,null,h,s);for(u in T)h=T[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?$=h:u=="checked"?g=h:i&&typeof h!="function"||x[u]===h||Tt(e,u,h,x[u],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&va.test(w))&&(s="http://www.w3.org/1999/xhtml"),Io(m,Pn(f)?f:[f],t,n,o,s,r,a,r?r[0]:n.__k&&we(n,0),i,l),r&&r.some(Ne)),i&&w!="textarea"||(u="value",w=="progress"&&$==null?e.removeAttribute(u):$==null||$===e[u]&&(w!="progress"||$)||Tt(e,u,$,x[u],s),u="checked",g!=null&&g!=e[u]&&Tt(e,u,g,x[u],s))}else x===T||i&&e.data==T||(e.data=T);return e}function Mn(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function An(e,t,n){var o,s,r,a;if(L.unmount&&L.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Mn(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){L.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&An(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=Ct(o,r=[]))&&(o==e.__e&&r.some(Ne),Ne(s),Ne(o)),n||Ne(e.__e),e.__e=e.__c=e.__=null}function Ra(e,t,n){return this.constructor(e,n)}function Fo(e,t){var n,o,s,r;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=lt(Ue,{children:[e]}),s=[],r=[],On(t,t.__k,o||Mt,Mt,t.namespaceURI,o?null:t.firstChild?Cn.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),Bo(s,t.__k,r),t.__k.props.children=null}L={__e:function(e,t,n,o){for(var s,r,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Ot=0,e}},Mo=0,Rn=function(e){return e!=null&&e.constructor===ct},Ve.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ie({},this.state)),typeof e=="function"&&(e=e(Ie({},n),this.props)),e&&(Ie(n,e),this.__v&&(t&&this.__k.push(t),Co(this)))},Ve.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Co(this))},Ve.prototype.render=Ue,ye=[],Ot=0,Ao=function(e,t){return e.__v.__b-t.__v.__b},Pt=Symbol(),Lo=/(PointerCapture)$|Capture$/i,Tn=0,Sn={},_a=0;var Ge,K,Ln,Ho,En=Object.is,mt=0,zo=[],Nn=[],V=L,jo=V.__b,Wo=V.__r,qo=V.diffed,Vo=V.__c,Go=V.unmount,Ko=V.__;function Et(e,t){V.__h&&V.__h(K,e,mt||t),mt=0;var n=K.__H||(K.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return mt=1,Ta(Yo,e)}function Ta(e,t,n){var o=Et(Ge++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Yo(void 0,t),function(r){var a=(o.__N||o.__)[0],i=o.t(a,r);En(a,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=K,!K.__f)){K.__f=!0;var s=K.shouldComponentUpdate;K.shouldComponentUpdate=function(r,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=r;if(l.__.some(function(d){d.__N&&(m=!0,En(d.__[0],d.__N[0])||(u=!0))}),s){var p=s.call(this,r,a,i);return m?p||u:p}return!m||u}}return o.__}function $e(e,t){var n=Et(Ge++,3);!V.__s&&Un(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,K.__H.__h.push(n))}function De(e,t){var n=Et(Ge++,4);!V.__s&&Un(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,K.__h.push(n))}function se(e){return mt=5,M(function(){return{current:e}},[])}function M(e,t){var n=Et(Ge++,7);return Un(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Nt(e,t){return mt=8,M(function(){return e},t)}function Pa(){var e;do{for(;e=Nn.shift();)try{ut(e)}catch(n){V.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=zo.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ut),t.__h.some(In),t.__h=[]}catch(n){t.__h=[],V.__e(n,e.__v)}}}while(Nn.length)}V.__b=function(e){K=null,jo&&jo(e)},V.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ko&&Ko(e,t)},V.__r=function(e){Wo&&Wo(e),Ge=0;var t=(K=e.__c).__H;t&&(Ln==K?K.__h=[]:(t.__h.some(ut),t.__h.some(In),Ge=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ln=K},V.diffed=function(e){qo&&qo(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Xo(zo.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ln=K=null},V.__c=function(e,t){t.some(function(n){try{n.__h.some(ut),n.__h=n.__h.filter(function(o){return!o.__||In(o)})}catch(o){n.__h=[function(){throw o}]}}),Vo&&Vo(e,t)},V.unmount=function(e){Go&&Go(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Xo(Nn.push(s))}else ut(s)}catch(r){t=r}}),o.__H=void 0,t&&V.__e(t,o.__v))};var Jo=typeof requestAnimationFrame=="function";function Ca(e){var t,n=function(){clearTimeout(o),Jo&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Jo&&(t=requestAnimationFrame(n))}function Xo(e){e!=1&&Ho==V.requestAnimationFrame||((Ho=V.requestAnimationFrame)||Ca)(Pa)}function ut(e){var t=K,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),K=t}function In(e){var t=K;e.__c=e.__(),K=t}function Un(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!En(n,e[o])})}function Yo(e,t){return typeof t=="function"?t(e):t}var Oa=Symbol.for("preact-signals");function Bt(){if(_e>1)_e--;else{var e,t=!1;for((function(){var s=Ut;for(Ut=void 0;s!==void 0;){var r=s.S;if(r.v===s.v)for(var a=r.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=r.i);s=s.o}})();ft!==void 0;){var n=ft;for(ft=void 0,It++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Qo(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=o}}if(It=0,_e--,t)throw e}}function Bn(e){if(_e>0)return e();Dn=++Ma,_e++;try{return e()}finally{Bt()}}var pt,F=void 0;function dt(e){var t=F,n=pt;F=void 0,pt=void 0;try{return e()}finally{F=t,pt=n}}var ft=void 0,_e=0,It=0,Ma=0,Dn=0,Ut=void 0,Dt=0;function Zo(e){if(F!==void 0){var t=e.n;if(t===void 0||t.t!==F)return t={i:0,S:e,p:F.s,n:void 0,t:F,e:void 0,x:void 0,r:t},F.s!==void 0&&(F.s.n=t),F.s=t,e.n=t,32&F.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=F.s,t.n=void 0,F.s.n=t,F.s=t),t}}function z(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}z.prototype.brand=Oa;z.prototype.h=function(){return!0};z.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:dt(function(){var o;(o=t.W)==null||o.call(t)}))};z.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&dt(function(){var s;(s=t.Z)==null||s.call(t)}))}};z.prototype.subscribe=function(e){var t=this;return he(function(){var n=t.value;dt(function(){return e(n)})},{name:"sub"})};z.prototype.valueOf=function(){return this.value};z.prototype.toString=function(){return this.value+""};z.prototype.toJSON=function(){return this.value};z.prototype.peek=function(){var e=this;return dt(function(){return e.value})};Object.defineProperty(z.prototype,"value",{get:function(){var e=Zo(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(It>100)throw new Error("Cycle detected");(function(n){_e!==0&&It===0&&n.l!==Dn&&(n.l=Dn,Ut={S:n,v:n.v,i:n.i,o:Ut})})(this),this.v=e,this.i++,Dt++,_e++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Bt()}}}});function le(e,t){return new z(e,t)}function Qo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function er(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function tr(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function Be(e,t){z.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Dt-1,this.f=4}Be.prototype=new z;Be.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Dt))return!0;if(this.g=Dt,this.f|=1,this.i>0&&!Qo(this))return this.f&=-2,!0;var e=F;try{er(this),F=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return F=e,tr(this),this.f&=-2,!0};Be.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}z.prototype.S.call(this,e)};Be.prototype.U=function(e){if(this.t!==void 0&&(z.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Be.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Be.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Zo(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ke(e,t){return new Be(e,t)}function nr(e){var t=e.j;if(e.j=void 0,typeof t=="function"){_e++;var n=F;F=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,Fn(e),o}finally{F=n,Bt()}}}function Fn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,nr(e)}function Aa(e){if(F!==this)throw new Error("Out-of-order effect");tr(this),F=e,this.f&=-2;try{8&this.f&&Fn(this)}finally{Bt()}}function Ke(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,pt&&pt.push(this)}Ke.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Ke.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,nr(this),er(this),_e++;var e=F;return F=this,Aa.bind(this,e)};Ke.prototype.N=function(){2&this.f||(this.f|=2,this.u=ft,ft=this)};Ke.prototype.d=function(){this.f|=8,1&this.f||Fn(this)};Ke.prototype.dispose=function(){this.d()};function he(e,t){var n=new Ke(e,t);try{n.c()}catch(s){throw n.d(),s}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var or,Ht,Ft,La=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var rr=[];he(function(){or=this.N})();function Je(e,t){L[e]=t.bind(null,L[e]||function(){})}function ht(e){if(Ft){var t=Ft;Ft=void 0,t()}Ft=e&&e.S()}function sr(e){var t=this,n=e.data,o=Na(n);o.name="ReactiveDom",o.value=n;var s=M(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=ke(function(){var f=o.value.value;return f===0?0:f===!0?"":f||""}),u=ke(function(){return!Array.isArray(m.value)&&!Rn(m.value)}),p=he(function(){if(this.N=ar,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),r=s[0],a=s[1];return r.value?a.peek():a.value}sr.displayName="ReactiveTextNode";Object.defineProperties(z.prototype,{constructor:{configurable:!0,value:Lt(Ue,null).constructor},type:{configurable:!0,value:sr},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Je("__b",function(e,t){if(ht(),Ht=void 0,typeof t.type=="string"){var n,o=t.props;for(var s in o)if(s!=="children"){var r=o[s];r instanceof z&&(n||(t.__np=n={}),n[s]=r,o[s]=r.peek())}}e(t)});Je("__r",function(e,t){if(e(t),t.type!==Ue){ht();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(s,r){var a;return he(function(){a=this},{name:r}),a.c=s,a})((function(s){return function(){var r;La&&((r=this.y)==null||r.call(this)),s.__$f|=1,s.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Ht=o,ht(n)}});Je("__e",function(e,t,n,o){ht(),Ht=void 0,e(t,n,o)});Je("diffed",function(e,t){ht(),Ht=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,s=t.props,r=n.U;if(r)for(var a in r){var i=r[a];i===void 0||o&&a in o||(i.d(),r[a]=void 0)}if(o){r||(r={},n.U=r);for(var l in o){var m=r[l],u=o[l];m===void 0?(m=Ea(n,l,u,s),r[l]=m):m.o(u,s)}}}e(t)});function Ea(e,t,n,o){var s=t in e&&e.ownerSVGElement===void 0,r=le(n);return{o:function(a,i){r.value=a,o=i},d:he(function(){this.N=ar;var a=r.value.value;o[t]!==a&&(o[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}Je("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var s in o){var r=o[s];r&&r.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});Je("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});Ve.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var r=2&this.__$f;if(!(o||r||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Na(e,t){return M(function(){return le(e,t)},[])}var Ia=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Ua(){Bn(function(){for(var e;e=rr.shift();)or.call(e)})}function ar(){rr.push(this)===1&&(L.requestAnimationFrame||Ia)(Ua)}var Da=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function Ba(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function Fa(e){return e.split("/").filter(t=>t!=="").map(Ba)}function Hn(){return{path:Fa(location.pathname),params:new URLSearchParams(location.search)}}var b=le({path:[],params:new URLSearchParams});function Xe(...e){return"/"+e.map(Da).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[o,s]of Object.entries(t)){n.delete(o);for(let r of s===null?[]:typeof s=="string"?[s]:s)n.append(o,r)}return n}function ae(e,t){let n=t.toString();return n===""?e:e+"?"+n}function Se(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=Hn()}function C(e,t=!1){Se(ae(location.pathname,Z(b.value.params,e)),t)}function Re(e){return ae(Xe(...b.value.path),Z(b.value.params,e))}function Ha(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let o=e.get(n);o!==null&&t.set(n,o)}return t}function D(e,t={}){return ae(Xe(...e),Z(Ha(b.value.params),t))}function ja(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&o&&(e.preventDefault(),Se(t.pathname+t.search),scrollTo(0,0))}function ir(){addEventListener("popstate",()=>b.value=Hn()),addEventListener("click",ja),b.value=Hn()}function bt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function v(e){if(e<0)return"-"+v(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,r]of t){let a=e/r;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):bt(a))+" "+s}let n=Math.round(e/1e9),o=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(o/60)} h ${o%60} min`}var Wa={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function lr(e){let t=e.trim(),n=null;for(;t!=="";){let o=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!o)return null;n=(n??0)+Number(o[1])*Wa[o[2]||"ms"],t=t.slice(o[0].length)}return n===null?null:Math.round(n)}function ce(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):bt(t))+" "+n;t/=1e3}return bt(t)+" TB"}function _(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?bt(e/1e6)+" M":bt(e/1e9)+" G"}function ve(e,t){return`${_(e)} ${t}${e===1?"":"s"}`}function H(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function me(e,t){return t==="ns"?v(e):t==="bytes"?ce(e):_(e)}var gt=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),o=`${gt(n.getHours())}:${gt(n.getMinutes())}`;if(t>=6e10)return o;let s=`${o}:${gt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function xe(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${gt(t.getMonth()+1)}-${gt(t.getDate())}`}function pe(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function ge(e){return e||"(no name)"}function ne(e){return e.slice(e.lastIndexOf(".")+1)}function Te(e){return e.split(".").slice(-2).join(".")}var ur=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var a=t[r++],i=t[r]?(t[0]|=a?1:2,n[t[r++]]):t[++r];a===3?o[0]=i:a===4?o[1]=Object.assign(o[1]||{},i):a===5?(o[1]=o[1]||{})[t[++r]]=i:a===6?o[1][t[++r]]+=i+"":a?(s=e.apply(i,ur(e,i,n,["",null])),o.push(s),i[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(i)}return o},cr=new Map;function mr(e){var t=cr.get(this);return t||(t=new Map,cr.set(this,t)),(t=ur(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,a="",i="",l=[0],m=function(d){r===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):r===3&&(d||a)?(l.push(3,d,a),r=2):r===2&&a==="..."&&d?l.push(4,d,0):r===2&&a&&!d?l.push(5,0,!0,a):r>=5&&((a||!d&&r===5)&&(l.push(r,0,a,s),r=6),d&&(l.push(r,d,0,s),r=6)),a=""},u=0;u<n.length;u++){u&&(r===1&&m(),m(u));for(var p=0;p<n[u].length;p++)o=n[u][p],r===1?o==="<"?(m(),l=[l],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:i?o===i?i="":a+=o:o==='"'||o==="'"?i=o:o===">"?(m(),r=1):r&&(o==="="?(r=5,s=a,a=""):o==="/"&&(r<5||n[u][p+1]===">")?(m(),r===3&&(l=l[0]),r=l,(l=l[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(m(),r=2):a+=o),r===3&&a==="!--"&&(r=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=mr.bind(Lt);function qa(e,t){return new Promise(n=>{let o=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(o),n()))})}async function jt(e,t){for(let n=0;;n++){let o=await fetch(e,t);if(o.status!==503||n===5)return o;let s=Number(o.headers.get("retry-after"))||1;await qa(s*1e3,t.signal)}}async function Wt(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ie=le(null),$t=le(!1),pr="/api/v1/login",fr={"loupe-page":"1"},dr=e=>`the collector cannot be reached: ${String(e)}`;async function hr(e){if(!e.ok)return Wt(e);let t=await e.json();return ie.value={is_needed:t.is_needed,identity:t.identity},null}async function gr(e,t={}){try{return await hr(await fetch(pr,{method:e,headers:{...fr,...t}}))}catch(n){return dr(n)}}async function br(){await jt(pr,{headers:fr}).then(hr).catch(dr)!==null&&(ie.value={is_needed:!1,identity:null})}async function $r(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await gr("POST",{authorization:`Bearer ${e}`});return $t.value&&=t!==null,t}async function _r(){let e=await gr("DELETE");return $t.value&&=e!==null,e}function vr(){$t.value||=ie.value?.identity!=null,ie.value={is_needed:!0,identity:null}}var jn=0;function xr(){return jn>0}async function Va(e,t){let n=await jt(e,{signal:t,headers:{accept:"application/json"}}),{ok:o,status:s}=n;s===401&&vr();let r=o?await n.json():null,a=o?null:await Wt(n);return{data:r,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[o,s]=P(n);return De(()=>{if(e===null){s(n);return}let r=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),l=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>r.signal.aborted||u(p);return jn++,Va(e,r.signal).then(m(i),m(l)).finally(()=>jn--),()=>r.abort()},[e,t]),o}var Vt=["5m","15m","1h","6h","1d","7d","30d"],yr="1h",Ga=5e3,Ka={s:1,m:60,h:3600,d:86400},wr=()=>BigInt(Date.now())*1000000n,E=le(wr());function Wn(){E.value=wr()}function kr(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Ka[t[2]])*1000000000n:null}function qt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",o]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(o||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var _t=ke(()=>{let e=b.value.params.get("last")??yr;return kr(e)===null?yr:e}),Fe=ke(()=>b.value.params.get("live")==="1"),ee=ke(()=>{let{params:e}=b.value,t=qt(e.get("to")??"")??E.value;return{from:qt(e.get("from")??"")??t-kr(_t.value),to:t}}),Ja=18e10;function Gt(e,t,n,{from:o,to:s}){let r=n.lastIndexOf(!0),a=Number(s-e)-(r+1)*t,i=r>=0&&a>0&&a<=Ja;return Math.max(1,(Number(s-o)-(i?a:0))/1e9)}function Sr(){let e=0;he(()=>{if(clearInterval(e),Fe.value){let t=()=>document.hidden||xr()||Wn();e=window.setInterval(t,Ga)}})}var He=le(0),qn=new Map;function B(e){let t=qn.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),qn.set(e,t)),t}function Vn(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Rr(e,t,n){let o=Vn(t);return"#"+Vn(e).map((r,a)=>Math.round(r+(o[a]-r)*n)).map(r=>r.toString(16).padStart(2,"0")).join("")}var Xa=.2;function Kt(e){let[t,n,o]=Vn(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*o>Xa?"#101113":"#ffffff"}function Tr(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{qn=new Map,He.value++})}var za={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Ya={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function Y(e){let t=e.startsWith("other: ")?e.slice(7):e;return za[e]??{name:t,token:"other"}}function ze(e){return Ya[e]??"other: other"}function Jt(e){return e==="."?null:Y(ze(e))}var Za={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Pe(e){return(e.startsWith("jdk.")?Za[e.slice(4)]:void 0)??"other: "+e}var Qa=/^(java|javax|jdk|sun|com\.sun)\./;function Ye(e){return Qa.test(e)}function ue(e,t,n){return D(["c",e,t],n===void 0?{}:{at:String(n)})}function Xt(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function zt({t0_ns:e,columns:t,rows:n}){let o=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[o]??0))),values:Object.fromEntries(t.map((r,a)=>[r,s[a]??null]))}))}var ei=1e3,Pr=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function ti(e,t,n,o,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Pr(e.url)===Pr(t)?Math.min(ei,Math.max(s,o)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Yt(e,t,n){let[o,s]=P([]),[,r]=P(""),a=se({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=ti(a.current,e,n,o.length,t);let{rows:i,cursor:l,before:m}=a.current,u=l?`&cursor=${encodeURIComponent(l)}`:"",p=R(`${e}&limit=${i}${u}`,n);$e(()=>{p.data&&!p.isLoading&&s([...m,...zt(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:o,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:o},r(d)}}}var ni=["recording","instance","context","where","trace","thread","id"],oi=["recording","instance","context"],ri=["min_duration_ns","max_duration_ns"];function be(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function vt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Zt(e,t,n){for(let o of n)t.getAll(o).forEach(s=>e.append(o,s))}function Gn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Cr=30000000000n;function Kn({from:e,to:t}){return{from:e-Cr,to:t+Cr}}function Or(e,t,n=""){Gn(e,Kn(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Ze({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Qe(e,t){let n=new URLSearchParams,o=Ze(e);o!==null&&n.set("service",o),Zt(n,e.params,ni);let s=be(e.params.get("box"));return s?Or(n,s):(Gn(n,t),Zt(n,e.params,ri)),n}function Mr(e,t){let n=Qe(e,t),o=be(e.params.get("base_box"));if(!o)return Zt(n,e.params,["base"]),n;Or(n,o,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let r of["recording","instance","context","where"])e.params.getAll(r).forEach(a=>n.append("base_"+r,a));return n}function Ar(e,t){let n=new URLSearchParams,o=Ze(e);o!==null&&n.set("service",o),Zt(n,e.params,oi),Gn(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return ae("/api/v1/"+e,Z(t,n))}function oe({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${Y(e).token})`}}
  ></span>`}function Er({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,o=`var(--${Y(e).token})`;return c`<div class="bar" style=${{width:n,background:o}}></div>`}var Lr=120,Jn=22;function Nr({values:e,label:t}){let n=e.reduce((r,a)=>Math.max(r,a??0),1),o="",s=!1;return e.forEach((r,a)=>{if(r===null){s=!1;return}let i=(a+.5)/e.length*Lr,l=Jn-1-r/n*(Jn-3);o+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Lr} ${Jn}"
  >
    <path d=${o} />
  </svg>`}var si=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${v(Number(e))}`],["max_duration_ns",e=>`\u2264 ${v(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function ai(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}function ii(e){e.preventDefault();let t=e.currentTarget,n=o=>t.elements.namedItem(o).value.trim();if(n("key")!==""){let o=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),o])]}),t.reset()}}function Qt({keys:e=[],values:t=[]}){let n=si.flatMap(([o,s])=>b.value.params.getAll(o).map(r=>c`<span class="chip" key=${o+r} title=${r}>
          ${s(r)}
          <button
            class="plain"
            aria-label=${`take away ${s(r)}`}
            onClick=${()=>ai(o,r)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${ii} aria-label="Add a condition on an attribute">
      <input
        name="key"
        list="where-keys"
        placeholder="attribute"
        aria-label="attribute"
        autocomplete="off"
      />
      <select name="op" aria-label="comparison">
        ${["=","!=","^=",">=","<="].map(o=>c`<option>${o}</option>`)}
      </select>
      <input
        name="value"
        list="where-values"
        placeholder="value"
        aria-label="value"
        autocomplete="off"
      />
      <button>add</button>
      <datalist id="where-keys">${e.map(o=>c`<option value=${o} />`)}</datalist>
      <datalist id="where-values">
        ${t.map(o=>c`<option value=${o} />`)}
      </datalist>
    </form>
  </div>`}function Ir(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function li(e,t,n=!1){let[o,s=""]=e.split("?"),r=[...new URLSearchParams(s)].map(([i,l])=>` \\
  --data-urlencode ${Ir(`${i}=${l}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${r.length>0?"G":""}${a} ${Ir(t+o)}${r.join("")}`}async function ci(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function U({url:e}){let[t,n]=P(!1);if(e===null)return null;let o=li(e,location.origin,ie.value?.is_needed);return c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await ci(o),n(!0)}} title=${o}>${t?"copied":"curl"}</button>
  </span>`}var ui=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ce({query:e,value:t="time",frame:n=null}){let o=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},r=(l,m)=>k(m,o,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=k("slice.speedscope.json",o,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${ui.map(([l,m,u])=>c`<a href=${r(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function Ur(e){return ae(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function en(e){return typeof e=="string"?e:JSON.stringify(e)}function Dr(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Xn(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function mi(e){return e.find(t=>!Ye(t))??e[0]??""}function pi({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${pe(e.start)}</dd>
        ${Dr(e).map(([n,o])=>[c`<dt>${n}</dt>`,c`<dd>${en(o)}</dd>`])}
      </dl>
      <ol>
        ${Xn(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function tn({items:e,since:t,contextHref:n,label:o}){let[s,r]=P(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=l.values,$=t===void 0?Q(l.start):"+"+v(Number(l.start-t)),g=Dr(l).map(([A,N])=>`${A}=${en(N)}`),y=`${l.start} ${u} ${d} ${f}`,x=s===y,T=()=>r(x?null:y),w=n&&f!==null&&h?n(String(f),String(h)):null;return c`<tr key=${m} class=${x?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(x)} onClick=${T}>${$}</button>
        </td>
        <td title=${u}>
          <${oe} category=${Pe(String(u))} />${ne(String(u))}
        </td>
        <td class="n">${typeof p=="number"?v(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${Xn(l)[0]}>
          ${Te(mi(Xn(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${w&&c`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${x&&c`<${pi} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class="events stacks">
      <thead>
        <tr>
          ${a.map(l=>c`<th scope="col" class=${l==="duration"?"n":""}>${l}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${e.map(i)}
      </tbody>
    </table>
  </div>`}function j({title:e,children:t}){return c`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function fi({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function W({of:e}){let{chunks:t=0,events:n=0,places:o=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",o>0?`${o} damaged places`:""].filter(r=>r!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function O({title:e,note:t,tools:n,answer:o,className:s,children:r}){let a=o&&o.data!==null&&(o.isLoading||o.problem!==null);return c`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${o&&c`<${fi} answer=${o} />`}
    <div class=${a?"stale":""}>${r}</div>
  </section>`}function di(e,t,n=!1){let o=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=o.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${o}${s},service=NAME${n?",token=@FILE":""}`}function hi({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=b.value,o=Z(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ae(Xe(...t),o)}>look at all of that time</a>.
  </p>`}function Oe(){let e=k("collector",new URLSearchParams),{data:t}=R(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<ee.value.from,o=Ze(b.value),s=a=>di(a,location.hostname,ie.value?.is_needed),r=o===null?"":` of ${o}`;return c`<${j} title="No JVM${r} has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&c`<pre>${s(t.agents)}</pre>`}
    ${t&&n&&c`<${hi} of=${t} />`}
  <//>`}var gi=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,bi=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Br=e=>e.replace(/\$(?=.)/g,"\\$");function Fr(e,{path:t,params:n}){if(gi.test(e))return D(["t",e.toLowerCase()]);let o=t[0]==="s",s=bi.test(e);if(!o)return D(["s"],s?{where:e}:{frame:Br(e)});let r=n.getAll("where").filter(i=>i!==e),a=s?{where:[...r,e]}:{frame:Br(e)};return ae(Xe(...t),Z(n,a))}function $i(){let e=n=>{n.preventDefault();let o=n.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(Se(Fr(s,b.value)),o.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function _i(){let{params:e}=b.value,t=qt(e.get("from")??"")!==null,{from:n,to:o}=ee.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},r=Vt.includes(_t.value)?Vt:[_t.value,...Vt],a=`${pe(n)} to ${pe(o)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${xe(n)} ${Q(n,1e9)} to ${Q(o,1e9)}
        </option>`}
      ${r.map(i=>c`<option value=${i} selected=${!t&&i===_t.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${Wn} title="ask again">refresh</button>
    <button
      aria-pressed=${Fe.value?"true":"false"}
      onClick=${()=>C({live:Fe.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function vi(){let[e,t]=P(null),n=ie.value?.identity,o=async()=>t(await _r());return n==null?null:c`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${o}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var xi=[["services",""],["events","e"],["recordings","r"]];function re({crumbs:e=[],children:t}){let n=b.value.path[0]??"",o=([r,a])=>c`<a href=${D(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${r}
    </a>`,s=({name:r,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${r}</a>`:c`<b>${r}</b>`];return c`<header>
      <a class="logo" href=${D([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${xi.map(o)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${$i} />
      <${_i} />
      <${vi} />
    </header>
    <main>${t}</main>`}var yi=4;function wi(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function J({columns:e,rows:t,rowKey:n,href:o,rowsMax:s,label:r}){let[a,i]=P(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((f,h)=>wi(l(f),l(h))):t).slice(0,s),p=(f,h)=>{let $=a!==h?"none":f.isNumber?"descending":"ascending",g=f.sort?c`<button class="plain" onClick=${()=>i(h)}>${f.name}</button>`:f.name;return c`<th
      class=${(f.isNumber?"n ":"")+(f.sort?"sort":"")}
      title=${f.title}
      scope="col"
      aria-sort=${f.sort?$:void 0}
    >
      ${g}
    </th>`},d=(f,h,$)=>{let g=h.cell(f);return c`<td
      class=${(h.isNumber?"n ":"")+(h.className??"")}
      data-name=${$>0?h.name:void 0}
    >
      ${o&&$===0?c`<a href=${o(f)}>${g}</a>`:g}
    </td>`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
    <table class=${e.length>yi?"stacks":""}>
      <thead class=${e.some(f=>f.sort)?"sorts":""}>
        <tr>
          ${e.map(p)}
        </tr>
      </thead>
      <tbody>
        ${u.map(f=>c`<tr key=${n(f)} class=${o?"opens":""}>
              ${e.map((h,$)=>d(f,h,$))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var ki=100,zn=e=>e===null?"":v(e),et=(e,t)=>b.value.params.getAll(e).includes(t);function Yn({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Si({types:e}){let t=n=>Re({context:et("context",n)?null:n,key:null,where:null,event:null});return c`<${J}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${Yn} href=${t(n)} on=${et("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>_(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>_(n.contexts_out),isNumber:!0},{name:"median",cell:n=>zn(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>zn(n.p99_ns),isNumber:!0}]}
  />`}function Hr({name:e,rows:t}){let n=o=>{let s=`${e}=${o}`,r=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return Re({where:et("where",s)?r:[...r,s],event:null})};return c`<${J}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${o=>o.value}
    columns=${[{name:e,cell:({value:o})=>c`<${Yn}
            href=${n(o)}
            on=${et("where",`${e}=${o}`)}
            name=${o||"(empty)"}
          />`,className:"w"},{name:"all",cell:o=>o.all===null?"":_(o.all),isNumber:!0},{name:"kept",cell:o=>_(o.kept),isNumber:!0},{name:"p99",cell:o=>zn(o.p99_ns),isNumber:!0}]}
  />`}function Ri({name:e}){let t=Qe(b.value,ee.value);t.delete("where");let o=R(k("attributes",t,{limit:"100"}),E.value).data?.keys.find(r=>r.key===e),s=(o?.values??[]).map(r=>({value:r.value,all:null,kept:r.count,p99_ns:r.p99_ns}));return c`<p class="dim">
      ${o?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${Hr} name=${e} rows=${s} />`}`}function Ti({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(r=>r.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let o=[...n.values].sort((r,a)=>a.contexts_in-r.contexts_in).map(r=>({value:r.value,all:r.contexts_in,kept:r.contexts_out,p99_ns:r.p99_ns})),s=({key:r})=>c`<button
      key=${r}
      aria-pressed=${String(r===n.key)}
      onClick=${()=>C({key:r},!0)}
    >
      ${r}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${Ri} name=${n.key} />`:c`<${Hr} name=${n.key} rows=${o} />`}`}function Pi({of:e}){let t=n=>Re({event:et("event",n)?null:n});return c`<${J}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${oe} category=${Pe(n)} /><${Yn}
              href=${t(n)}
              on=${et("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>_(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?v(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Ci({query:e}){let t=b.value.params.get("event"),n=k("events",e,{event:t}),{answer:o,items:s,more:r}=Yt(n,ki,E.value),a=c`<${W} of=${o.data} /><${U} url=${n} />`;return c`<${O} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${o}>
    ${s.length>0&&c`<${tn} label="Events" items=${s} contextHref=${ue} />`}
    ${r&&c`<p><button onClick=${r}>more</button></p>`}
    ${o.data&&s.length===0&&c`<${j} title="No events here" />`}
  <//>`}function jr(){let e=b.value,t=Qe(e,ee.value),n=k("contexts/types",Mi(t)),o=R(n,E.value),s=k("events/types",t),r=R(s,E.value),a=o.data?.types.find(l=>l.type===e.params.get("context")),i=r.data&&`${_(r.data.events)} events`+Oi(r.data.contexts);return c`<${re}>
    <${Qt} />
    <div class="three">
      <${O}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${U} url=${n} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${Si} types=${o.data.types} />`}
        ${o.data?.types.length===0&&c`<${Oe} />`}
      <//>
      <${O} title="Context values" note=${a?.type}><${Ti} of=${a} /><//>
      <${O}
        title="Event types"
        note=${i}
        tools=${c`<${W} of=${r.data} /><${U} url=${s} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${Pi} of=${r.data} />`}
      <//>
    </div>
    <${Ci} query=${t} />
  <//>`}var Oi=e=>e===null?", in contexts or not":` in ${_(e)} contexts`;function Mi(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let o=e.get(n);o!==null&&t.set(n,o)}return t}function Wr(){let[e,t]=P(null),[n,o]=P(!1),s=async r=>{r.preventDefault();let a=r.currentTarget.elements.namedItem("token");o(!0);let i=await $r(a.value.trim());o(!1),t(i),a.select()};return c`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${$t.value&&c`<p role="status">Your session is over.</p>`}
        <form onSubmit=${s}>
          <label for="token">Token</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            ref=${r=>!e&&r?.focus()}
            aria-invalid=${e===null?"false":"true"}
            aria-describedby="token-problem"
          />
          <button disabled=${n}>Log in</button>
        </form>
        <p id="token-problem" class="problem" role="alert">${e}</p>
        <p class="dim">
          This collector shows recordings to those who have a token with the right to read. Who runs
          it has one for you.
        </p>
      </section>
    </main>`}function qr(){return c`<${re}>
    <${j} title="There is nothing here">
      <a href=${D([])}>Services</a> is where everything begins.
    <//>
  <//>`}function Ai(e){return e.replaceAll("_","-")}function xt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[o,s]of Object.entries(n))t.set(o,(t.get(o)??0)+s);return[...t].sort((n,o)=>o[1]-n[1])}function yt({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${Ai(t)} <b>${_(n)}</b></span
        >`)}
  </span>`}var Gr=e=>e.slice(0,19).replace("T"," "),Li=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),nn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Vr=(e,t)=>c`${_(e)} <span class="dim">of ${_(t)}</span>`,Ei=[{name:"service",cell:e=>c`<b>${ge(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>Gr(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${v(nn(e))}, running`:v(nn(e)),isNumber:!0,sort:nn},{name:"contexts kept",cell:e=>Vr(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Vr(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ce(e.bytes_out)} <span class="dim">of ${ce(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Li(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function Ni(){let{params:e}=b.value,{from:t,to:n}=ee.value,o=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&o.set(m,u)}let s=k("recordings",o),r=R(s,E.value),a=r.data?.recordings??[],i=c`<${W} of=${r.data} /><${U} url=${s} />`;return c`<${re}>
    <${O} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${r}>
      ${a.length>0&&c`<${J}
          label="Recordings"
          columns=${Ei}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>D(["r",m.id])}
        />`}
      ${r.data&&a.length===0&&c`<${Oe} />`}
    <//>
  <//>`}var Ii=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>_(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>_(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ce(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ce(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${yt} of=${xt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Me(e,t){return c`<span><b>${e}</b>${t}</span>`}function Ui({of:e}){let t=e.contexts_in?H(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Me(e.is_running?"running":"ended",`${v(nn(e))} since ${Gr(e.start)} UTC`)}
    ${Me(t,`of ${_(e.contexts_in)} contexts kept`)}
    ${Me(_(e.events_out),`of ${_(e.events_in)} events kept`)}
    ${Me(ce(e.bytes_out),`of ${ce(e.bytes_in)} kept`)}
    ${Me(ce(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Me(v(e.waiting.duration_ns),`not compacted yet, ${ce(e.waiting.journal_bytes)}`)}
    ${Me(e.jvm_version,e.jvm_name)} ${Me(e.pid,`process, on ${e.instance}`)}
  </div>`}var Di={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function Bi({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,o])=>c`<li>${_(o)} ${Di[n]??n}</li>`)}
      </ul>`}function Fi({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=k("policies/"+t,new URLSearchParams),o=R(n,E.value),{data:s}=o,r=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${O}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${c`<${U} url=${n} />`}
    answer=${o}
  >
    ${s?.refused&&c`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&c`<${J}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>r(a).join(", "),className:"w"}]}
      />`}
  <//>`}function Hi({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:o}=n,s=[{name:o?`${ge(o.service)}, ${o.instance}`:e}],r=c`<a href=${Ur(e)} download>download .jfr</a><${U} url=${t} />`,a=o?xt(o.types):[];return c`<${re} crumbs=${s}>
    <${O} title="Recording" note=${e} tools=${r} answer=${n}>
      ${o&&c`<${Ui} of=${o} />`}
      ${n.status===404&&c`<${j} title="This collector has no such recording">
          <a href=${D(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${o&&c`<${O}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${yt} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${O} title="Lost" note="what is missing, and should not be"
          ><${Bi} of=${o}
        /><//>
        <${O} title="Event types">
          <${J}
            label="Event types"
            columns=${Ii}
            rows=${Object.entries(o.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${Fi} service=${o.service} />`}
  <//>`}function Kr(){let e=b.value.path[1];return e===void 0?c`<${Ni} />`:c`<${Hi} id=${e} />`}function Jr(e){let[t,n]=P({width:0,height:0,ratio:1});return De(()=>{let o=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=o;n({width:i,height:l,ratio:devicePixelRatio})},r=new ResizeObserver(s);r.observe(o);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{r.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Zn(e,{width:t,height:n,ratio:o}){let[s,r]=[Math.round(t*o),Math.round(n*o)];(e.width!==s||e.height!==r)&&(e.width=s,e.height=r);let a=e.getContext("2d");return a?.setTransform(o,0,0,o,0,0),a?.clearRect(0,0,t,n),a}function Xr(e,{width:t,height:n,ratio:o},s,r){De(()=>{let a=t>0&&e.current&&Zn(e.current,{width:t,height:n,ratio:o});a&&s(a)},[t,n,o,He.value,...r])}function ji(e,t,n){let{clientWidth:o,clientHeight:s,scrollTop:r}=t,a=Zn(e,{width:o,height:s,ratio:devicePixelRatio});a&&n(a,{width:o,height:s,top:r})}function on(e){let{draw:t,height:n,heightMax:o,reveal:s}=e,r=se(null),a=se(null),i=se(t),l=se(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&r.current&&ji(a.current,r.current,i.current)})};$e(()=>{let d=new ResizeObserver(m);return d.observe(r.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),$e(m,[t,n,o,He.value]),$e(()=>{let{scrollTop:d,clientHeight:f}=r.current;s&&s[0]<d?r.current.scrollTop=s[0]:s&&s[1]>d+f&&(r.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),$=f.clientY-h.top+r.current.scrollTop;d?.({x:f.clientX-h.left,y:$,width:h.width,event:f})},p=Math.min(n,o);return c`<div
    class="pane"
    ref=${r}
    style=${{height:`${p}px`}}
    tabindex="0"
    role="application"
    aria-label=${e.label}
    onScroll=${m}
    onKeyDown=${e.onKey}
  >
    <canvas
      ref=${a}
      style=${{height:`${p}px`}}
      onPointerMove=${u(e.onPoint)}
      onPointerDown=${u(e.onDown)}
      onPointerUp=${u(e.onUp)}
      onPointerLeave=${e.onLeave}
    ></canvas>
    <div style=${{height:`${n-p}px`}}></div>
    ${e.children}
  </div>`}var rn=14,sn=8;function tt({at:e,children:t}){let n=se(null);return De(()=>{let{offsetWidth:o,offsetHeight:s,style:r}=n.current,a=e.clientY+rn+s>innerHeight-sn,i=Math.min(e.clientX+rn,innerWidth-o-sn);r.left=`${Math.max(sn,i)}px`,r.top=`${a?Math.max(sn,e.clientY-rn-s):e.clientY+rn}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var to=e=>e.charCodeAt(0);function zr(e){let t=String.fromCharCode(e),[n,o]=[t.toLowerCase(),t.toUpperCase()];return[to(n.length===1?n:t),to(o.length===1?o:t)]}var no=e=>/\w/.test(String.fromCharCode(e)),Yr=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),es=(e,t)=>t>=0&&t<e.length&&no(e.charCodeAt(t)),an=(e,t)=>es(e,t-1),ln=es,Qn={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>an(e,t)!==ln(e,t),"\\B":(e,t)=>an(e,t)===ln(e,t),"\\<":(e,t)=>!an(e,t)&&ln(e,t),"\\>":(e,t)=>an(e,t)&&!ln(e,t)},Zr=e=>e>=48&&e<=57,eo={"\\d":Zr,"\\D":e=>!Zr(e),"\\w":no,"\\W":e=>!no(e),"\\s":Yr,"\\S":e=>!Yr(e)},Qr={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},fe=class extends Error{},oo=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new fe;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new fe;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let o=t;o<t+n;o++)this.add(this.states[o])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new fe;let o=this.atom,s=this.states.length-o;if(n===0){this.states.length=o;return}for(let r=1;r<t;r++)this.copy(o,s);n===1/0&&this.add({jumps:[1,-s]});for(let r=Math.max(t,1);r<n&&n!==1/0;r++)this.copy(o,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(o)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),o=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>o||n>255)throw new fe;if(o!==1/0&&o>255)throw new fe;this.at+=t[0].length,this.repeat(n,o)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,o]=t,s=Object.hasOwn(Qr,o)?Qr[o]:void 0;if(n===":"?!s:o.length!==1)throw new fe;return n===":"?r=>s.test(String.fromCharCode(r)):to(o)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new fe;let o=n;return s=>s>=t&&s<=o}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new fe;t.push(this.range())}this.at++,this.addAtom(o=>zr(o).some(s=>t.some(r=>r(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,o=Object.hasOwn(Qn,n)||Object.hasOwn(eo,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!o&&!/^\\[^0-9A-Za-z]$/.test(n))throw new fe;if(Object.hasOwn(Qn,n))this.atom=null,this.add({holds:Qn[n]});else if(Object.hasOwn(eo,n))this.addAtom(eo[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,r]=zr(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===r)}}};function ts(e){try{return e.length>256?null:new oo(e).parse()}catch(t){if(t instanceof fe)return null;throw t}}function ns(e,t,n){let o=new Int32Array(e.length).fill(-1),s=[],r=(m,u)=>{o[m]!==u&&(o[m]=u,s.push(m),n.count++)},a=[],i=!1,l=(m,u,p)=>{r(u,p);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:f,holds:h,jumps:$,isEnd:g}=e[d];i||=g===!0,f?m.push(d):h?.(t,p)&&r(d+1,p);for(let y of $??[])r(d+y,p)}};for(let m=0;;m++){if(l(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),p=[];for(let d of a)e[d].takes(u)&&l(p,d+1,m+1);a=p}}function mn(e,t=!1){let{level:n}=e,o=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),r=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)r[i.pop()]=u;let p=n[u]-1;s[u]=p<0?-1:i[p],a[u]=p<0?0:l[p],p>=0&&(l[p]+=o[u]),l[n[u]]=a[u],i.push(u),m=o[u]>0?Math.max(m,i.length):m}return i.forEach(u=>r[u]=n.length),{flame:e,weight:o,parent:s,end:r,start:a,depth:m}}function rs(e,t,n,o,s){let{weight:r,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=l.level[d];f>=o&&f<s&&m.push({node:d,x:0,width:n,row:f})}let u=n/(r[t]||1),p=new Float64Array(Math.max(0,s-o));for(let d=t;d<(i[t]??0);){let f=l.level[d];if(f>=s||r[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:r[d]*u,$=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor($),n-1):$;f>=o&&(h>=1||g>=p[f-o])&&(m.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-o]=g+Math.max(h,1)),d++}return m}function ss(e,t,n,o,s){let{weight:r,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&o>=0&&o<n?m:-1;let u=a[t]+o*(r[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+r[m];if(p&&l.level[m]===s)return m;m=p?m+1:i[m]}return-1}function as(e,t,n,o){let{weight:s,end:r,parent:a,flame:i}=e,l=i.level[n];switch(o){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?is(e,t)[l+1]:n+1<r[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=o==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<r[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function is(e,t){let n=[];for(let o=t;o>=0;o=e.parent[o])n.unshift(o);return n}var un=4;function ls(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**un).toString(36).padStart(un,"0")}function pn(e,t){return is(e,t).map(o=>e.flame.names[e.flame.name[o]]).slice(1).map(ls).join("")}function fn(e,t){let{names:n,name:o}=e.flame,s=0;for(let r=0;r<t.length;r+=un){let a=t.slice(r,r+un),i=s+1;for(;i<(e.end[s]??0)&&ls(n[o[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var Wi=1024,qi=5e7;function cs(e){let t=/^\/(.+)\/$/.exec(e);if(!t){let i=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(i),{isOver:()=>!1})}let n=ts(t[1]),o=new Map,s={count:0},r=()=>s.count>qi;return n&&Object.assign(i=>(o.has(i)||o.set(i,!r()&&ns(n,i.slice(0,Wi),s)),o.get(i)),{isOver:r})}function us(e,t){let{flame:n,end:o,weight:s}=e,r=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=r[n.name[i]]===1;a+=l?s[i]:0,i=l?o[i]:i+1}return{names:r,weight:a}}var cn=(e,t)=>t>0?e/t:0;function ms({value:e,base_value:t,requests:n,...o},s){let r=o.base_requests??0,a=Math.max(cn(o.total,n),cn(o.base_total??0,r)),i=cn(e[s],n)-cn(t?.[s]??0,r);return a>0?i/a:0}function ps(e){let{flame:t,end:n}=e,o=t.names.map((r,a)=>{let i=t.kinds[a]??".";return{name:r,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let r=1;r<t.level.length;r++){let a=t.name[r],i=o[a];i.self+=t.self[r],i.baseSelf+=t.base_self?.[r]??0,r>=s[a]&&(s[a]=n[r],i.total+=t.value[r],i.baseTotal+=t.base_value?.[r]??0)}return o.filter((r,a)=>s[a]>0)}function Vi({flame:e,parent:t},n){let o=r=>r>0&&e.kinds[e.name[r]]===".",s=o(n)||!o(t[n])?n:t[n];for(let r=s;o(r);r=t[r])if(!Ye(e.names[e.name[r]]))return r;return s}function os({flame:e,parent:t},n){let o=Float64Array.from(e.level,(s,r)=>n?.[r]??0);for(let s=1;s<o.length;s++)o[t[s]]-=n?.[s]??0;return o}function fs(e,t){let{flame:n}=e,o=os(e,n.value),s=os(e,n.base_value),r=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||o[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[Vi(e,i)]],p=r.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=o[i],p.base+=s[i],r.set(m+u,p)}return[...r.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var de=18,Gi=22,ds=4,Ki=5,Ji="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function Xi(e){return e.split(".").slice(0,-2).join(".")}function zi(e){if(Ye(e))return"frame-jdk";let t=7;for(let n of Xi(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Ki}`}function Yi({names:e,kinds:t}){return e.map((n,o)=>{let s=Jt(t[o]??".");return B(o===0?"frame-root":s?s.token:zi(n))})}var ro=32,so=e=>({fill:e,ink:Kt(e)});function hs(e){if(e.base_value===void 0){let s=Yi(e).map(so);return e.name.map(r=>s[r])}let t=s=>Array.from({length:ro+1},(r,a)=>so(Rr(B("frame-same"),B(s),a/ro))),[n,o]=[t("frame-more"),t("frame-less")];return e.name.map((s,r)=>{let a=r===0?0:ms(e,r),i=Math.round(ro*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:o)[i]})}function Zi(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,o=e.lastIndexOf(".",n-2)+1;return[e.slice(o),e.slice(n)].find(r=>r.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function gs(e,t,n,o){let{flame:s,shades:r,found:a,marks:i,zoom:l}=t,m=B("ink"),u=so(B("accent"));e.font=Ji,e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:$}of n){let g=$*de-o,y=s.name[d],x=d!==l&&s.level[d]<s.level[l],T=a!==null&&a.names[y]===1,w=x||a!==null&&!T,{fill:A,ink:N}=T?u:r[d];if(e.globalAlpha=w?.6:1,e.fillStyle=A,e.fillRect(f,g,Math.max(h-.5,.5),de-1),h>=Gi){let G=Math.floor((h-2*ds)/p);e.globalAlpha=1,e.fillStyle=w?m:N,e.fillText(Zi(s.names[y],G),f+ds,g+de/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),de-3))}}var Qi=24,el=3,ao=(e,t)=>H(t>0?e/t:0);function tl({names:e,name:t,value:n,self:o,total:s,unit:r,requests:a},i){let l=me(n[i]/Math.max(1,a),r),m=me(o[i]/Math.max(1,a),r);return`${e[t[i]]}, ${ao(n[i],s)}, ${l} each, own ${m}`}function nl(e,t){let{value:n,self:o,requests:s,total:r,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:o[t],requests:s,whole:r};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},p]}function ol({tree:e,node:t,zoom:n}){let{flame:o}=e,{unit:s,names:r,name:a,value:i}=o,l=nl(o,t),m=(u,p)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${me(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${ao(p(d),d.whole)}</td>
            <td class="n dim">${me(p(d),s)}</td>`)}
    </tr>`;return c`<b>${r[a[t]]}</b>
    <table>
      ${l.length>1&&c`<tr>
          <th></th>
          ${l.map(u=>c`<th colspan="3" class="n">${u.name}</th>`)}
        </tr>`}
      <tr>
        <th></th>
        ${l.map(()=>c`<th class="n">each</th>
              <th class="n">share</th>
              <th class="n">in all</th>`)}
      </tr>
      ${m("total",u=>u.total)} ${m("own",u=>u.self)}
    </table>
    ${n>0&&c`<div class="dim">${ao(i[t],i[n])} of ${r[a[n]]}</div>`}`}function bs({tree:e,zoom:t,found:n,onZoom:o}){let{flame:s}=e,[r,a]=P(null),[i,l]=P(null),m=M(()=>i===null?-1:fn(e,i),[e,i]),u=r?.node??-1,p=M(()=>hs(s),[s,He.value]),d=Nt((w,{width:A,top:N,height:G})=>{let te=Math.floor(N/de),qe=rs(e,t,A,te,Math.ceil((N+G)/de));gs(w,{flame:s,shades:p,zoom:t,found:n,marks:[m,u]},qe,N)},[e,t,n,m,u,p]),f=({x:w,y:A,width:N})=>ss(e,t,N,w,Math.floor(A/de)),h=w=>{let A=f(w),{clientX:N,clientY:G}=w.event;a(A<0?null:{node:A,at:{clientX:N,clientY:G}})},$=w=>{let A=f(w);A>=0&&w.event.button===0&&o(A)},g=w=>{let A=m<0?t:m;if(w.key.startsWith("Arrow")){let N=m<0?t:as(e,t,A,w.key);l(pn(e,N)),a(null)}else if(w.key==="Enter")o(A);else if(w.key==="Escape")o(0);else if(w.key==="Backspace")o(Math.max(0,e.parent[t]));else return;w.preventDefault()},y=m>=0?m:t,x=s.level[y],T=[Math.max(0,x-el)*de,(x+1)*de];return c`<${on}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*de}
      heightMax=${Qi*de}
      draw=${d}
      reveal=${T}
      onPoint=${h}
      onUp=${$}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&tl(s,m)}</div>
    ${r&&c`<${tt} at=${r.at}><${ol} tree=${e} node=${r.node} zoom=${t} /><//>`}`}var rl=500;function sl(e){let{unit:t,total:n,requests:o,base_requests:s}=e,r=p=>me(p/Math.max(1,o),t),a=p=>c`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${al} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>r(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),l=p=>H(n>0?p.total/n:0),m=p=>me(p/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,l)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function al({kind:e}){let t=Jt(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function $s({tree:e,matches:t}){let n=ps(e).filter(o=>!t||t(o.name));return n.sort((o,s)=>s.self-o.self||s.total-o.total),c`<div class="frames">
    <${J}
      label="Frames"
      columns=${sl(e.flame)}
      rows=${n}
      rowsMax=${rl}
      rowKey=${o=>o.name}
    />
  </div>`}var il=8;function dn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function _s({url:e,answer:t}){let{data:n}=t,o=M(()=>n&&n.requests>0?fs(mn(n),il):[],[n]),s=b.value.params.get("frame"),r=(l,m=0)=>me(l/Math.max(1,m),"ns"),a=l=>{let m=dn(l.name);return c`<tr key=${l.name+l.kind}>
      <td title=${l.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${oe} category=${ze(l.kind)} />${Te(l.name)}
        </button>
      </td>
      <td class="n">${r(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${r(l.base,n.base_requests)}</td>`}
      <td class="n dim">${H(l.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=c`<${W} of=${n} /><${U} url=${e} />`;return c`<${O} title="Top frames" tools=${i} answer=${t} className="top-frames">
    <table class="frames">
      <thead>
        <tr>
          <th scope="col">frame</th>
          <th scope="col" class="n">each</th>
          ${n?.base_value&&c`<th scope="col" class="n">base</th>`}
          <th scope="col" class="n">share</th>
        </tr>
      </thead>
      <tbody>
        ${o.map(a)}
      </tbody>
    </table>
  <//>`}var io=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function hn({isOn:e,onChange:t,title:n,children:o}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${o}
  </button>`}function ll(e){let t=e.get("value")??"";return io.some(([n])=>n===t)?t:"time"}function cl({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${io.map(([t,n])=>c`<${hn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function ul({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,o=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${hn}
      isOn=${n||o}
      title="compare with ${n?"the second box":"all other contexts of the range"}"
      onChange=${()=>C(n||o?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${hn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function ml({found:e,flame:t,matches:n}){let o=b.value.params.get("find")??"",s=o!==""&&n===null,r=b.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&r?H(e.weight/r):H(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${o}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function pl(){let e=b.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function fl({flame:e}){let t=(r,a)=>c`<span><i class="dot" style=${{background:`var(--${r})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((r,a)=>a[1]-r[1]),o=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=r=>H(e.total>0?r/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([r,a])=>r==="."?t("frame-root",`${o} ${s(a)}`):c`<span>
              <${oe} category=${ze(r)} />${Y(ze(r)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${_(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function dl({requests:e,total:t,unit:n,...o}){let s=me(t/Math.max(1,e),n),r=o.base_requests??0,a=me((o.base_total??0)/Math.max(1,r),n),i=o.base_value?`; base: ${_(r)}, ${a} each`:"";return`${ve(e,"context")}, ${s} each${i}`}function gn(e){return k("flamegraph",e,{value:"time",frame:null})}function nt({query:e,tick:t,whole:n}){let{params:o}=b.value,s=ll(o),r=o.get("frame"),a=Z(e,{value:s,frame:r}),i=k("flamegraph",a),l=n!==void 0&&i===gn(e),m=R(l?null:i,t),u=m.problem===null?n?.data??null:null,p=l?n:{...m,data:m.data??u},d=p.data,f=o.get("width")==="base"&&d?.base_value!==void 0,h=M(()=>d&&mn(d,f),[d,f]),$=o.get("find")??"",g=M(()=>$===""?null:cs($),[$]),y=M(()=>h&&g&&us(h,g),[h,g]),x=o.get("flame")==="table",T=!h||h.weight.length===0||!(h.weight[0]>0),w=h?fn(h,o.get("zoom")??""):0,A=h&&c`<${bs}
      tree=${h}
      zoom=${w}
      found=${y}
      onZoom=${te=>C({zoom:pn(h,te)||null})}
    />`,N=c`<${W} of=${d} /><${Ce}
      query=${e}
      value=${s}
      frame=${r}
    /><${U} url=${i} />`,G=d?dl(d):"";return c`<${O} title="Flame graph" note=${G} tools=${N} answer=${p}>
    <div class="flame-tools">
      <${cl} value=${s} />
      <${pl} />
      <${ul} flame=${d} />
      <${ml} found=${y} flame=${d} matches=${g} />
      ${w>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${hn}
        isOn=${x}
        onChange=${()=>C({flame:x?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&T&&c`<${j} title="No ${io.find(([te])=>te===s)[1]} in this selection" />`}
    ${!T&&(x?c`<${$s} tree=${h} matches=${g} />`:A)}
    ${d&&!T&&c`<${fl} flame=${d} />`}
  <//>`}function lo(e){let t=[20];for(let{boxes:n}of e){let o=n.reduce((s,r)=>Math.max(s,r.level+1),0);t.push(t[t.length-1]+20+o*20+8)}return t}function co({boxes:e},{from:t,to:n},o){let s=o/Math.max(1,n-t),r=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(o,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,o-2);r.push({box:a,x:u,width:m,y:20+a.level*20})}return r}function vs(e,t){return t<e[0]?-1:e.findIndex((n,o)=>o+1<e.length&&t<e[o+1])}function xs(e,t,n,o,s){let r=co(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&o>=i.x-1&&o<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-o)-i.width/2;return r.sort((i,l)=>a(i)-a(l)),r[0]?.box??null}function ys(e){let t=[...e].sort((o,s)=>o.start-s.start||s.duration-o.duration),n=[];return t.map(o=>(n=n.filter(s=>s>o.start),n.push(o.start+o.duration),{...o,level:n.length-1}))}function ws({from:e,to:t},n){let o=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,o))),r=[1,2,5,10].map(i=>i*s).find(i=>i>=o)??1,a=[];for(let i=Math.ceil(e/r)*r;i<=t;i+=r)a.push(i===0?0:i);return a}function ks(e,t,n){let o=({boxes:r})=>[...r].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let r=o(e[t.lane]),a=r[r.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let r=t.lane+s;r>=0&&r<e.length;r+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=o(e[r]).sort((l,m)=>a(l)-a(m));if(i)return{lane:r,box:i}}return t}var hl=560,gl=110,bl=4,$l=28,Rs=5,_l="11px Inter, system-ui, sans-serif",vl=500;function xl(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[o,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return o<s?{from:o,to:s}:t}function bn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function yl(e,t,n){let o=e.measureText(t).width,s=Math.floor(t.length*n/o)-1;return o<=n?t:s>1?t.slice(0,s)+"\u2026":""}function uo({count:e,name:t,duration:n}){return`${e>1?`${_(e)} \xD7 `:""}${ne(t)} \xB7 ${v(n)}`}function wl(e,t,n,o){let{box:s,x:r,width:a}=t,i=s.kind==="context",l=B(i?"hover":Y(s.kind).token);e.fillStyle=l,e.fillRect(r,n,a,18),(i||o)&&(e.strokeStyle=B(o?"ink":"none"),e.lineWidth=o?2:1,e.strokeRect(r+.5,n+.5,Math.max(1,a-1),17)),a>=$l&&(e.fillStyle=i?B("ink"):Kt(l),e.fillText(yl(e,uo(s),a-2*Rs),r+Rs,n+20/2-1))}function kl(e,t,n,o){let s=n/(t.to-t.from);e.fillStyle=B("panel"),e.fillRect(0,0,n,18);for(let r of ws(t,n/gl)){let a=Math.round((r-t.from)*s),i=r===0?"0":v(r),l=e.measureText(i).width;e.fillStyle=B("line"),e.fillRect(Math.min(a,n-1),16,1,o),e.fillStyle=B("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function Sl(e,t,n,o){return Nt((s,{width:r,top:a,height:i})=>{let l=lo(e);s.font=_l,s.textBaseline="middle",kl(s,t,r,i),s.save(),s.beginPath(),s.rect(0,18,r,i),s.clip(),e.forEach((m,u)=>{let p=l[u]-a;p>i||l[u+1]-a<0||co(m,t,r).forEach(d=>wl(s,d,p+d.y,n.includes(d.box)))}),s.restore(),o&&(s.fillStyle=B("sel"),s.fillRect(o[0],0,o[1]-o[0],i))},[e,t.from,t.to,...n,o?.[0],o?.[1]])}function Rl({title:e},t){return`${e}: ${Y(t.kind).name}, ${uo(t)}, at ${v(t.start)}`}function Tl({lanes:e}){let t=e.flatMap(n=>n.boxes.map(o=>({lane:n,box:o})));return c`<${J}
    label="What is on the axis"
    rows=${t}
    rowsMax=${vl}
    rowKey=${({lane:n,box:o})=>`${n.key} ${o.level} ${o.start} ${o.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>v(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${oe} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>_(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>v(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Ts({lanes:e,all:t,hrefOf:n,onOpen:o,label:s}){let r=xl(b.value.params.get("part"),t),[a,i]=P(null),[l,m]=P(null),[u,p]=P(null),[d,f]=P(!1),h=M(()=>lo(e),[e]),$=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=Sl(e,r,[$?.box??null,a?.box??null],u),y=({x:S,y:I,width:X})=>{let q=vs(h,I),Ee=q<0?null:xs(e[q],r,X,S,I-h[q]);return Ee&&{lane:q,box:Ee}},x=S=>{if(u){p([u[0],Math.max(0,Math.min(S.x,S.width))]),i(null);return}let I=y(S),{clientX:X,clientY:q}=S.event;i(I&&{...I,at:{clientX:X,clientY:q}})},T=({lane:S,box:I})=>{let X=n?.(e[S],I)??null;X!==null&&o?o(X):bn({from:I.start,to:I.start+Math.max(1,I.duration)})},w=({x:S,event:I})=>{I.button===0&&I.pointerType!=="touch"&&(I.target.setPointerCapture(I.pointerId),p([S,S]))},A=S=>{p(null);let[I=0,X=0]=u?[...u].sort((Ee,$a)=>Ee-$a):[],q=y(S);if(X-I>=bl){let Ee=(r.to-r.from)/S.width;bn({from:r.from+I*Ee,to:r.from+X*Ee})}else q&&T(q)},N=e.findIndex(({boxes:S})=>S.length>0),G=S=>{if(S.key.startsWith("Arrow")&&N>=0)m($?ks(e,$,S.key):{lane:N,box:e[N].boxes[0]});else if(S.key==="Enter"&&$)T($);else if(S.key==="Escape"||S.key==="Backspace")bn(null);else return;S.preventDefault()},te=$?h[$.lane]+20+$.box.level*20:0,qe=b.value.params.get("part")!==null;return c`<${on}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${hl}
      draw=${g}
      reveal=${$?[te-20-20,te+20]:void 0}
      onPoint=${x}
      onDown=${w}
      onUp=${A}
      onLeave=${()=>i(null)}
      onKey=${G}
    >
      ${e.map((S,I)=>c`<div class="lane-title" key=${S.key} style=${{top:`${h[I]}px`}}>
            ${S.href?c`<a href=${S.href}>${S.title}</a>`:S.title}
            <small title=${S.note}>${S.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${$&&Rl(e[$.lane],$.box)}</div>
    ${a&&c`<${tt} at=${a.at}>
        <b>${uo(a.box)}</b>
        <div>${a.box.name}, ${Y(a.box.kind).name}</div>
        <div class="dim">at ${v(a.box.start)}</div>
      <//>`}
    ${qe&&c`<button onClick=${()=>bn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${S=>f(S.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${Tl} lanes=${e} />`}
    </details>`}var Pl=3;function Cl(e,{category:t,is_count:n}){let o=e.slices.find(a=>a.category===t),s=(n?o?.events:o?.total_ns)??0,r=e.requests?s/e.requests:0;return n?`${r.toFixed(1)} x`:v(r)}function Ol({of:e}){return c`<ul class="repeated">
    ${e.repeated.map(t=>c`<li
          title=${`${t.frame}: ${_(t.events)} in ${ve(t.requests,"context")}, ${v(t.total_ns)} in all`}
        >
          ${_(t.per_request)} x ${Te(t.frame)}
          <span class="dim"> ${Y(t.category).name}, ${v(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Ml({slice:e,of:t,largest:n,base:o,hrefOf:s}){let r=s&&!e.is_count,a=(p,d)=>r?c`<a href=${s(e.category,d)}>${p}</a>`:p,i=p=>e.is_count?`${(p.events/t.requests).toFixed(1)} x`:v(p.total_ns/t.requests),l=p=>e.is_count?"":H(p.total_ns/Math.max(1,t.total_ns)),m=e.top.slice(0,Pl).filter(p=>e.is_count||p.total_ns>0),u=r?"opens":"";return c`<tr
      class=${u}
      title=${`${v(e.total_ns)} in all, ${_(e.events)} events`}
    >
      <th scope="row">
        <${oe} category=${e.category} />${a(Y(e.category).name,null)}
      </th>
      <td class="fill"><${Er} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${i(e)}</td>
      ${o&&c`<td class="n dim">${Cl(o,e)}</td>`}
      <td class="n dim">${l(e)}</td>
    </tr>
    ${m.map(p=>c`<tr class=${`frame ${u}`} title=${p.frame}>
            <td colspan="2">${a(Te(p.frame),p.frame)}</td>
            <td class="n">${i(p)}</td>
            ${o&&c`<td></td>`}
            <td class="n dim">${l(p)}</td>
          </tr>
          ${p.via&&c`<tr class="frame via" title=${p.via}>
              <td colspan="2">via ${Te(p.via)}</td>
              <td colspan=${o?3:2}></td>
            </tr>`}`)}`}function mo({of:e,base:t,hrefOf:n}){let o=e.slices.reduce((s,r)=>Math.max(s,r.total_ns),1);return c`<table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th></th>
          <th scope="col" class="n">each</th>
          ${t&&c`<th scope="col" class="n" title="each of those to compare with">base</th>`}
          <th scope="col" class="n">share</th>
        </tr>
      </thead>
      <tbody>
        ${e.slices.map(s=>c`<${Ml}
              key=${s.category}
              slice=${s}
              of=${e}
              largest=${o}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&c`<${Ol} of=${e} />`}`}function $n({query:e,base:t=null,tick:n,hrefOf:o}){let s=k("why",e),r=R(s,n),a=R(t&&k("why",t),n),{data:i}=r,l=c`<${W} of=${i} /><${U} url=${s} />`,m=i&&i.requests>0?`mean of ${ve(i.requests,"context")}, ${v(i.total_ns/i.requests)} each`:"";return c`<${O}
    title="Why"
    note=${m}
    tools=${l}
    answer=${r}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${mo} of=${i} base=${t&&a.data} hrefOf=${o} />`}
    ${i?.requests===0&&c`<${j} title="No kept context is in this selection" />`}
  <//>`}var po=8192,Ps=60000000000n,Cs=5,Al=2000000000n;function Os(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Ms({t0_ns:e,events:t,is_truncated:n}){return zt({...t,t0_ns:e,next:null,is_truncated:n})}function fo(e){let t=new Map,n=(o,s)=>o[e.events.columns.indexOf(s)]??null;for(let o of e.events.rows){let s=n(o,"fields"),r=Os(s,"previousOwner"),[a,i]=[Number(n(o,"start")),Number(n(o,"duration"))];if(n(o,"type")!=="jdk.JavaMonitorEnter"||r===null)continue;let l=Os(s,"monitorClass")??"",m={thread:r,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(r)??m;t.set(r,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((o,s)=>s.waited-o.waited)}function ho(e,t){let n=Number(BigInt(e.t0_ns)-t),o=e.lanes.map(({recording:s,thread:r})=>({key:`${s} ${r??""}`,title:r??"JVM",recording:s,thread:r,boxes:[]}));for(let[s,r,a,i,l,m,u,p]of e.rows){let d={level:r,start:a+n,duration:i,kind:l,name:m,count:u,id:p};o[s]?.boxes.push(d)}return o}function Ll(e,t,n){return zt(e).flatMap(({start:o,values:s})=>{let r=String(s.type),a=s.context===null&&!n.has(r),i=Number(s.duration??0),l=Pe(r),m={level:0,start:Number(o-t),duration:i,kind:l,name:r};return a?[{...m,count:1,id:null}]:[]})}function El(e,t,n,o){let s=BigInt(e.t0_ns),a=ho(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),l=Ll(o,s,new Set([e.type,...i])),m=ys([...a,...l]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${ne(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function Nl(e,t){let n=BigInt(e.t0_ns),o=new URLSearchParams({recording:e.recording});o.set("thread",t?.thread??""),o.set("from",String(n+BigInt(t?.from??0)-Al)),o.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?k(m,o,u):null,r=R(s("timeline",{width:String(po)})),a=R(s("events",{limit:"1000",columns:"name"})),i=M(()=>t&&r.data&&a.data?El(e,t,r.data,a.data):null,[e,t?.thread,r.data,a.data]),l=[r,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:l}}function Il(e){let t=M(()=>fo(e),[e]),n=[];for(let i=0;i<Cs;i++){let l=n.every(m=>m.isAnswered);n.push(Nl(e,l?t[i]:void 0))}let o=t.slice(Cs),s=v(o.reduce((i,l)=>i+l.waited,0)),r={key:"more owners",title:`${o.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return M(()=>[...a.filter(i=>i!==null),...o.length>0?[r]:[]],[e,...a])}function Ul(e){let t=Xt(e.attributes),n=BigInt(e.t0_ns),o=new URLSearchParams({from:String(n-Ps)});o.set("to",String(n+BigInt(e.duration)+Ps));let s=String(po),r=R(t&&k("timeline",o,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,o)).data?.recordings;return M(()=>(r?ho(r,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:D(["t",t])}}),[e,r,i])}function As(e,t){let n=R(k("timeline",t,{width:String(po)})).data,o=Il(e),s=Ul(e);return M(()=>{let r=n?ho(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...o.map(({thread:p})=>p)].includes(u.thread),i=r.filter(({thread:u})=>u===null),l=r.filter(({thread:u})=>u!==null),m=`this one, ${v(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...l.map(u=>({...u,note:m})),...o,...s.filter(a)]},[e,n,o,s])}var Ls=300000000000n,Dl=100,ot=({t0_ns:e})=>BigInt(e);function go(e){let t=ot(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function Bl(e){let t=go(e);if(b.value.params.get("base")==="rest"){let n=ot(e);t.set("from",String(n-Ls)),t.set("to",String(n+Ls)),t.set("context",e.type),t.set("base","rest")}return t}function Fl({context:e,jvm:t}){let n=ot(e),o=Xt(e.attributes),s=([r,a])=>[c`<dt>${r}</dt>`,c`<dd>
      ${a===o&&o!==null?c`<a class="link" href=${D(["t",o])}>${o}</a>`:en(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${pe(n)}>${xe(n)} ${Q(n)}</dd>
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <dt>JVM</dt>
    <dd>
      <a class="link" href=${D(["r",e.recording])}
        >${t?t.instance:e.recording}</a
      >
      ${t&&c`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>
    ${e.parent&&[c`<dt>within</dt>`,c`<dd>
          <a class="link" href=${Es(e,e.parent)}
            >${ne(e.parent.type)}, ${v(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Es(e,{id:t,start:n}){return ue(e.recording,t,ot(e)+BigInt(Math.round(n)))}function Hl({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let o=n/Math.max(1,e.total_ns),s=`${Y(t).name} ${H(o)}`,r=`var(--${Y(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*o}%`,background:r}}
      ></div>`})}
  </div>`}function jl({context:e}){let t=fo(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:o,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${oe} category=${Pe(n)} />${_(o)} × ${ne(n)}
              </td>
              <td class="dim w">${s}</td>
            </tr>`)}
      </tbody>
    </table>
    ${e.kept_because.length===0&&c`<p class="dim">the contexts in it</p>`}
    ${t.length>0&&c`<h2 class="second">Who had the monitor</h2>
        <table>
          <tbody>
            ${t.map(n=>c`<tr key=${n.thread}>
                  <td class="w"><b>${n.thread}</b></td>
                  <td class="w">${ne(n.monitor)}</td>
                  <td class="n">${v(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Wl({context:e}){return c`<${O} title="Contexts in it" note=${_(e.children.length)}>
    <${J}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Dl}
      rowKey=${t=>t.id}
      href=${t=>Es(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+v(t.start),isNumber:!0},{name:"duration",cell:t=>v(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function ql({context:e,tick:t}){let n=M(()=>go(e),[e]),o=As(e,n),s=M(()=>Ms(e),[e]),r=(i,{id:l,start:m})=>l===null||l===e.id?null:ue(i.recording,l,ot(e)+BigInt(Math.round(m))),a=c`<${U} url=${k("timeline",n)} />`;return c`<${O}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Ts}
        label="Threads on one axis"
        lanes=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${r}
        onOpen=${Se}
      />
    <//>
    ${e.children.length>0&&c`<${Wl} context=${e} />`}
    <${nt} query=${Bl(e)} tick=${t} />
    <${O} title="Events" note=${_(s.length)}>
      ${s.length>0?c`<${tn}
              items=${s}
              since=${ot(e)}
              label="Events of the request"
            />`:c`<${j} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Ns(){let{path:e,params:t}=b.value,[,n="",o=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,r=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,o].map(encodeURIComponent).join("/"),i=k(a,r),l=R(i,E.value),m=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,p=u?`${ne(u.type)}, ${v(u.duration)}`:o,d=[{name:"services",href:D([])},...m?[{name:ge(m.service),href:D(["s",m.service])}]:[],{name:p}],f=u&&go(u),h=c`<${W} of=${u} /> ${f&&c`<${Ce} query=${f} />`}
    <${U} url=${i} />`;return c`<${re} crumbs=${d}>
    ${u?c`<div class="three">
              <${O}
                title=${ne(u.type)}
                note=${v(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${Fl} context=${u} jvm=${m} />
              <//>
              <${O} title=${`Why ${v(u.duration)}`}>
                <${Hl} why=${u.why} /><${mo} of=${u.why} base=${null} />
              <//>
              <${O} title="Kept because"><${jl} context=${u} /><//>
            </div>
            <${ql} context=${u} tick=${E.value} />`:c`<${O} title="Request" tools=${h} answer=${l} />`}
  <//>`}var Vl=100,Gl=10,Kl=1.96;function Jl(e,t,n){let o=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),r=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return o/s*Math.exp(-Kl*r)}function Xl({contexts:e,base_contexts:t,keys:n},o){let s=r=>t>0?Jl(r,e,t):r.count;return n.filter(({key:r,label:a})=>!o.has(r)&&!o.has(a)).flatMap(({key:r,values:a})=>a.map(i=>({...i,key:r}))).filter(r=>r.count>0).map(r=>[r,s(r)]).sort((r,a)=>a[1]-r[1]).map(([r])=>r)}function zl({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function Yl({contexts:e,base_contexts:t}){let o=[{name:"attribute",cell:r=>r.key},{name:"value",cell:r=>c`<b>${r.value===""?"(empty)":r.value}</b>`,className:"cut"},{name:"p99",cell:r=>r.p99_ns===null?"":v(r.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:r=>c`<span title=${`${_(r.count)} of ${_(e)}`}>
          ${H(r.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:r=>c`<span
        class=${(r.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${_(r.base_count)} of ${_(t)} to compare with`}
      >
        ${zl(r)}
      </span>`,isNumber:!0};return t>0?[...o,s]:o}function Zl({key:e,value:t}){let n=`${e}=${t}`,o=b.value.params.getAll("where").filter(s=>s!==n);return Re({where:[...o,n]})}function Ql({data:e}){let[t,n]=P(!1),o=b.value.params.getAll("where"),s=Xl(e,new Set(o.map(i=>/^[^=<>!^]*/.exec(i)[0]))),r=t?s:s.slice(0,Gl),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${J}
      label="Attributes"
      columns=${Yl(e)}
      rows=${r}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${Zl}
    />
    ${r.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${_(s.length-r.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function Is({query:e,against:t,tick:n}){let o=k("attributes",e,{limit:String(Vl)}),s=R(o,n),{data:r}=s,a=c`<${W} of=${r} /><${U} url=${o} />`;return c`<${O}
    title="Attributes"
    note=${r&&r.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${r&&r.contexts>0&&c`<${Ql} data=${r} />`}
  <//>`}function Us({name:e,all:t,options:n}){let o=b.value.params.get(e)??"",r=o===""||n.some(([i])=>i===o)?n:[[o,o],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${o===""}>${t}</option>
    ${r.map(([i,l])=>c`<option value=${i} selected=${i===o}>${l}</option>`)}
  </select>`}function ec(){let{params:e}=b.value,t=(n,o)=>{let s=e.get(n),r=a=>{let i=a.currentTarget,l=lr(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${o}
      aria-label=${o}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?v(Number(s)):""}
      onChange=${r}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function Ds({types:e,instances:t}){let n=b.value.params.get("context"),o=e.filter(({type:r})=>n===null||r===n).flatMap(r=>r.attributes),s=o.flatMap(r=>r.values.map(({value:a})=>a));return c`<div class="choosers">
    <${Us}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:r,contexts_in:a})=>[r,`${r} (${_(a)})`])}
    />
    <${Us}
      name="instance"
      all="all JVMs"
      options=${t.map(r=>[r,r])}
    />
    <${ec} />
    <${Qt}
      keys=${[...new Set(o.map(({key:r})=>r))]}
      values=${[...new Set(s)]}
    />
  </div>`}var tc=[1,1.189207115002721,1.4142135623730951,1.681792830507429],nc=e=>tc[e&3]*2**(e>>2);function Bs(e){return e<0?1:Math.floor(nc(e+1))}function Ae(e,{column:t,row:n}){return t*e.rows+n}function rt(e){let t=[];for(let o of e)for(let[s,r]of o)t[s+1]=(t[s+1]??0)+r;let n=[];return t.forEach((o,s)=>n.push([s-1,o])),n}function je(e,t){let n=e.reduce((s,[,r])=>s+r,0),o=Math.max(1,Math.ceil(t*n));for(let[s,r]of e){if(o<=r)return s<0?1:Math.floor(2**((s+o/r)/4));o-=r}return null}function st(e,t,n){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,r=-1/0;for(let u of e.columns)s=Math.min(s,u[0]?.[0]??s),r=Math.max(r,u.at(-1)?.[0]??r);let a=1;for(;Math.floor(r/a)-Math.floor(s/a)>=n;)a*=2;let i=s>r?0:Math.floor(s/a),l={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:i,buckets:a,rows:s>r?0:Math.floor(r/a)-i+1,cells:new Map,most:0,exemplars:new Map},m=(u,p)=>({column:Math.floor(u/o),row:Math.floor(p/a)-i});e.columns.forEach((u,p)=>{for(let[d,f,h]of u){let $=m(p,d),g=l.cells.get(Ae(l,$))??{...$,all:0,kept:0};g.all+=f,g.kept+=h,l.cells.set(Ae(l,$),g),l.most=Math.max(l.most,g.all)}});for(let[u,p,d,f]of e.exemplars)l.exemplars.set(Ae(l,m(u,p)),{recording:d,id:f});return l}function Hs(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function at(e,t,n){let[o,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[r,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+r)*e.buckets;return{from:e.t0+e.step*BigInt(o),to:e.t0+e.step*BigInt(s+1),min:i<0?0:Bs(i-1)+1,max:Bs((e.first+a+1)*e.buckets-1)}}function _n(e,t,n){let o=at(e,n,n),s=o.from<t.to&&o.to>t.from,r=o.max>Math.min(t.min,t.max-1)||o.min>=t.min;return s&&o.min<=t.max&&r}function We(e,t){let n={all:0,kept:0};for(let o of e.cells.values())_n(e,t,o)&&(n.all+=o.all,n.kept+=o.kept);return n}function js(e,t){return[...e.cells.values()].filter(n=>_n(e,t,n)).sort((n,o)=>o.row-n.row||o.column-n.column).flatMap(n=>e.exemplars.get(Ae(e,n))??[])}function vn(e,t,{column:n,row:o}){let s=t.width/e.columns,r=t.height/e.rows,a=t.y+t.height-(o+1)*r;return{x:t.x+n*s,y:a,width:s,height:r}}function Ws(e,t,n,o){let s=(r,a)=>Math.max(0,Math.min(a-1,Math.floor(r*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(o-t.y)/t.height,e.rows)}}function $o(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function bo(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function St(e,t,n){let o=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-o/e.rows)}function _o(e,t,n){let[o,s]=[t.x,t.x+t.width],[r,a]=[t.y,t.y+t.height],i=Math.max(o,bo(e,t,n.from)),l=Math.max(r,St(e,t,n.max)),m=Math.min(s,bo(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,St(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function vo(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function qs(e,t,n,o){let s=[],r=a=>{let i=St(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:o(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)r(a*i);return s.sort((a,i)=>i.at-a.at)}var Fs=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function Vs(e,t,n,o,s){let{from:r,to:a}=vo(e),i=Number(a-r)/1e9*(n/t.width),l=Fs.find(p=>p>=i)??Fs.at(-1),m=BigInt(l)*1000000000n,u=[];for(let p=(r+o+m-1n)/m*m-o;p<a;p+=m)u.push({at:bo(e,t,p),text:s(p,l*1e9)});return u}var oc=4,rc={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Le(e){return be(b.value.params.get(e))}function Rt(e,t){let n=e&&vt(e);C(t?{base_box:n,base:null}:{box:n,...e?{min_duration_ns:null,max_duration_ns:null}:{}})}function sc(){Rt(null,Le("base_box")!==null)}function xo({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function Js(e,t){return e.column===t.column&&e.row===t.row}function Ks(e,t,n){let o=(s,r)=>Math.max(0,Math.min(r-1,s));return{column:o(t.column+n.column,e.columns),row:o(t.row+n.row,e.rows)}}function ac(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(o=>o.column));return{column:n,row:Math.max(0,...t.map(o=>o.column===n?o.row:0))}}function it({grid:e,isRate:t},{from:n,to:o}){return t?at(e,{...n,row:0},{...o,row:e.rows-1}):at(e,n,o)}function Xs(e,t){let n=e.exemplars.get(Ae(e,t));n&&Se(ue(n.recording,n.id))}function zs(e){let{grid:t,plot:n}=e,[o,s]=P(null),[r,a]=P(null),i=se(null),l=({offsetX:g,offsetY:y})=>Ws(t,n,g,y),m=g=>{let{offsetX:y,offsetY:x}=g;if(g.button===0&&t.rows>0&&$o(n,y,x)){g.currentTarget.setPointerCapture(g.pointerId);let T=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x:y,y:x,isLong:!1,isBase:T})}},u=g=>{let{offsetX:y,offsetY:x}=g;if(o){let N=o.isLong||Math.hypot(y-o.x,x-o.y)>=oc;s({...o,to:l(g),isLong:N})}let{clientX:T,clientY:w}=g,A=t.rows>0&&$o(n,y,x);a(A?{place:l(g),clientX:T,clientY:w}:null)},p=g=>{if(s(null),!o)return;if(g.altKey&&!o.isLong){Xs(t,o.from);return}let y=it(e,o),x=!o.isLong&&We(t,y).all===0;Rt(x?null:y,o.isBase)},d=g=>{let y=i.current,x=y&&_n(t,y,l(g))?y:it(e,{from:l(g),to:l(g)});C({box:vt(x)},!0),xo(x)},f=({detail:g})=>{i.current=g>1?i.current:Le("box")},h=()=>a(null),$=()=>s(null);return{drag:o?.isLong?o:null,hover:o?null:r,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:$,onDblClick:d}}}function Ys(e){let{grid:t}=e,[n,o]=P(null),s=i=>{let l=rc[i.key];if(l&&t.rows>0){let m=n?Ks(t,n.to,l):ac(t);o({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)Xs(t,n.to);else if(i.key==="Enter"&&n)Rt(it(e,n),i.shiftKey||e.isComparing);else if(i.key==="Escape")o(null),sc();else return;i.preventDefault()},r=i=>Ks(t,i,{column:0,row:0});return{cursor:n&&{from:r(n.from),to:r(n.to)},on:{onKeyDown:s,onBlur:()=>o(null)}}}var xn=52,ic=20,Zs=6,lc=52,cc=72,uc=26,mc=5,pc=60000000000n;function Qs(e,t,n){let o=e-xn-(n?lc:0);return{x:xn,y:Zs,width:Math.max(1,o),height:Math.max(1,t-Zs-ic)}}function fc(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*pc}function dc(e,t){let n=Q(e,t);return n==="00:00"?xe(e).slice(5):n}function hc(e,t){let n=o=>v(o).replace(/\.0+ /," ");return{times:Vs(e,t,cc,fc(e.t0),dc),durations:e.rows===0?[]:qs(e,t,uc,n)}}function gc(e,t,n,o){e.moveTo(t-o,n),e.lineTo(t,n),e.lineTo(t,n+o)}function bc(e,t,n,o){e.fillStyle=B("kept"),e.beginPath();let s=-1;for(let r of t.cells.values()){if(r.kept===0)continue;r.column!==s&&(e.fill(),e.beginPath(),s=r.column);let{x:a,y:i,width:l,height:m}=vn(t,n,r);gc(e,a+l-o,i,Math.min(mc,l/2,m/2))}e.fill()}function ea(e,t,n){let o=["h0","h1","h2","h3","h4","h5"].map(B),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let r of t.cells.values()){let{x:a,y:i,width:l,height:m}=vn(t,n,r);e.fillStyle=o[Hs(r.all,t.most)],e.fillRect(a,i,l-s,m-s)}bc(e,t,n,s),wo(e,t,n)}function wo(e,t,n){let{times:o,durations:s}=hc(t,n);e.fillStyle=B("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:r,text:a}of s)e.fillText(a,xn-8,r),e.fillRect(xn-5,Math.round(r),4,1);e.textBaseline="alphabetic";for(let{at:r,text:a}of o){let i=e.measureText(a).width/2;e.fillRect(Math.round(r),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(r-i,n.x+n.width-2*i),n.y+n.height+16)}}function yo(e,t,n,o){t&&(e.fillStyle=B("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(o),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function ta(e,t,n,o){yo(e,o.base&&_o(t,n,o.base),B("soft"),[4,3]),yo(e,o.box&&_o(t,n,o.box),B("accent"),[]);for(let s of o.cells)yo(e,vn(t,n,s),B("ink"),[])}function na({step_ns:e,columns:t},n){let o=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,r)=>{let a=t.slice(r*o,(r+1)*o),i=rt(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:je(i,.5),p99:je(i,.99)}})}function oa(e){return`${_(Number(e.toPrecision(3)))}/s`}function $c(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function _c(e,t,n){let o=!1;e.beginPath();for(let s of t)s&&o?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),o=s!==null;e.stroke()}function ra(e,t,n,o){let s=n.width/t.columns,r=$c(Math.max(.001,...o.map(a=>a.perSecond)));e.fillStyle=B("h1"),o.forEach(({perSecond:a},i)=>{let l=a/r*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=B(i);let l=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*s,St(t,n,p)]};_c(e,o.map(l),s)}wo(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(oa(r*a),n.x+n.width+6,i+(a===1?5:0))}}function sa({of:{perSecond:e,p50:t,p99:n}}){let o=s=>s===null?"-":v(s);return c`<b>${oa(e)}</b><br />median ${o(t)}, p99 ${o(n)}`}function aa(){let e=(t,n)=>c`<span><span class="dot" style=${{background:`var(--${t})`}}></span>${n}</span>`;return c`${e("h1","contexts/s, right")}${e("cpu","median")}${e("lock","p99")}`}var ko=6e10;function yn({from:e,to:t,min:n,max:o}){let s=e%BigInt(ko)===0n&&t%BigInt(ko)===0n,r=i=>Q(i,s?ko:1e9),a=n<=1?`up to ${v(o)}`:`${v(n)} to ${v(o)}`;return`${r(e)} to ${r(t)}, ${a}`}function So({all:e,kept:t}){return`${_(t)} kept of ${_(e)}`}var vc=5,xc=6;function yc({view:{grid:e},hover:t,rates:n}){let{place:o}=t,s=Ae(e,o),r=e.cells.get(s),a=n?.[o.column];if(!r&&!a)return null;let[i,l]=yn(at(e,o,o)).split(", "),m=r&&`${_(r.all)} contexts, ${_(r.kept)} kept`,u=a?c`<${sa} of=${a} /><br />${i}`:c`<b>${l}</b><br />${i}<br />${m}
        ${e.exemplars.has(s)&&c`<br />Alt+click opens one`}`;return c`<${tt} at=${t}>${u}<//>`}var wc={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function kc(e,t){let n=e??wc,o=Math.max(1,t.width/vc),s=Math.max(1,t.height/xc);return M(()=>st(n,o,s),[n,o,s])}function Sc({data:e,isRate:t,isComparing:n,onPoint:o}){let s=se(null),r=Jr(s),a=Qs(r.width,r.height,t),i=kc(e,a),l=M(()=>t&&e?na(e,i):null,[t,e,i]),m={grid:i,plot:a,isRate:t,isComparing:n},{drag:u,hover:p,on:d}=zs(m),{cursor:f,on:h}=Ys(m),$=u??(f&&!Js(f.from,f.to)?f:null),g=$&&it(m,$),y=u?.isBase??n,x={box:!y&&g||Le("box"),base:y&&g||Le("base_box"),cells:[t?null:p?.place,f?.to].filter(G=>G!=null)},T=G=>{l?ra(G,i,a,l):e&&ea(G,i,a),ta(G,i,a,x)},{column:w,row:A}=p?.place??{};Xr(s,r,T,[i,l,b.value,n,u,f,w,A]);let N=f&&it(m,f);return c`<div class="heatmap">
    <canvas
      ref=${s}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label="All contexts by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away."
      onPointerEnter=${o}
      onFocus=${o}
      ...${d}
      ...${h}
    ></canvas>
    ${p&&c`<${yc} view=${m} hover=${p} rates=${l} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${N&&`${yn(N)}: ${So(We(i,N))}`}
    </div>
    ${e&&c`<${Pc} data=${e} most=${i.most} isRate=${t} />`}
  </div>`}function Rc({most:e}){let t=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),n=o=>c`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return c`<span
    >contexts in a cell
    ${t.map((o,s)=>o<(t[s+1]??e+1)&&c` ${n(s)}${_(o)}`)}
    ${e>1&&c` to ${_(e)}`}</span
  >`}var Tc="Counted by chunk: a context is in the column in which the middle of its chunk lies. The panels below have the kept contexts that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).";function la({data:e,box:t,isBase:n}){let o=M(()=>st(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${n?"base_box":"box"}`}
    title=${Tc}
    onClick=${()=>Rt(null,n)}
  >
    ${n?"compared with":"selected"} <b>${yn(t)}</b>${" "}
    ${So(We(o,t))} by chunk <i>×</i>
  </button>`}function Pc({data:e,most:t,isRate:n}){let o=[t>0&&c`<${Rc} most=${t} />`,c`<span><span class="dot kept"></span>has kept ones</span>`],[s,r]=[Le("box"),Le("base_box")];return c`<div class="legend">
    ${n?c`<${aa} />`:o}
    ${s&&c`<${la} data=${e} box=${s} isBase=${!1} />`}
    ${r&&c`<${la} data=${e} box=${r} isBase=${!0} />`}
  </div>`}function Cc({data:e}){let[t,n]=P(!1),o=(r,a)=>{let i=rt([r]),[l,m]=[1,2].map(p=>r.reduce((d,f)=>d+f[p],0)),u=p=>v(je(i,p));return c`<tr>
      <td>${Q(BigInt(e.t0_ns)+BigInt(a)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${_(l)}</td>
      <td class="n">${_(m)}</td>
      <td class="n">${u(.5)}</td>
      <td class="n">${u(.99)}</td>
    </tr>`},s=["contexts","kept","median","p99"].map(r=>c`<th class="n">${r}</th>`);return c`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts by time">
        <table>
          <thead>
            <tr>
              <th>from</th>
              ${s}
            </tr>
          </thead>
          <tbody>
            ${e.columns.map((r,a)=>r.length>0&&o(r,a))}
          </tbody>
        </table>
      </div>`}
  </details>`}function ca({answer:e,url:t,note:n,onPoint:o}){let[s,r]=P(!1),a=b.value.params.get("view")==="rate",i=Le("box"),{data:l}=e,m=M(()=>l&&c`<${Cc} data=${l} />`,[l]),u=(d,f,h)=>c`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:d})}>
      ${f}
    </button>`,p=c`<${W} of=${l} />
    ${i&&c`<button class="plain" onClick=${()=>xo(i)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${s?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>r(!s)}
      >
        compare
      </button></span
    >
    <span class="tabs">${u(null,"duration",!a)} ${u("rate","rate",a)}</span>
    <${U} url=${t} />`;return c`<${O}
    title="All contexts"
    note=${n}
    tools=${p}
    answer=${e}
    className="heatmap-panel"
  >
    <${Sc} data=${l} isRate=${a} isComparing=${s} onPoint=${o} />
    ${m}
  <//>`}var Oc=3;function Mc({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&xt(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${yt} of=${n} />
      </p>`:null}function Ac(e,t){return vt({...e,from:e.from-t,to:e.to+t})}function Lc({grid:e,heatUrl:t,box:n,kept:o}){let{data:s}=R(t),r=v(Number(e.step)).replace(/ 0 (s|min)$/,""),a=s?js(st(s,1/0,1/0),n).slice(0,Oc):[],i=({recording:l,id:m},u)=>c`<a class="link" key=${m} href=${ue(l,m)}>${u+1}</a>${" "}`;return c`<${j} title="No kept context began in this box">
    <p>
      The heat map has ${_(o)} kept ones here: it counts a context in the column in which the
      middle of its chunk lies, and chunks that are longer than a minute reach farther than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Ac(n,e.step)})}>
        ${r} more on either side
      </button>
      ${a.length>0&&c`${" "}or open one of them: ${a.map(i)}`}
    </p>
  <//>`}function ua({heat:e,heatUrl:t,query:n,recordings:o,isNarrowed:s}){let r=M(()=>st(e,1/0,1/0),[e]),a=be(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),l=(h,$)=>Number(n.get(h)??$),m=a??{...vo(r),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:u,kept:p}=We(r,m),d=o[0];if(o.length===0)return c`<${Oe} />`;let f=(h,$)=>c`<${j} title=${h}>${$}<//>`;return s?f("No kept context is like this","Take a condition away to see more."):u===0&&a?f("No context is in this box","Choose a coloured cell."):u===0&&i?f("No context is like this","Take a condition away, or look at a longer time."):u===0?f("No contexts in this time",o.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?c`<${Lc} grid=${r} heatUrl=${t} box=${a} kept=${p} />`:c`<${j} title=${`Nothing is kept of these ${_(u)} contexts`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${d&&c`<${Mc} of=${d} />`}
  <//>`}var Ec=12,wn=[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]];function To(e){let t=e.get("sort");return wn.some(([n])=>n===t)?t:wn[0][0]}function Nc({start:e,values:t}){let n=s=>String(t[s]??""),o=Object.entries(t).filter(([s,r])=>s.startsWith("attr.")&&r!==null).map(([s,r])=>[s.slice(5),r]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),attributes:Object.fromEntries(o)}}function Ic({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,o=`blocked ${v(e)}, ${H(n)}`;return c`<div class="stack" title=${o} role="img" aria-label=${o}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Ro=(e,t)=>new Set(e.map(t)).size>1;function Uc(e,t){let n=[...new Set(e.flatMap(a=>Object.keys(a.attributes)))],o=Ro(e,a=>xe(a.start)),s=a=>c`<span title=${pe(a.start)}>
      ${o?`${xe(a.start).slice(5)} `:""}${Q(a.start)}
    </span>`,r=[[Ro(e,a=>a.type),{name:"type",cell:a=>ne(a.type)}],[Ro(e,a=>a.recording),{name:"JVM",cell:a=>t.get(a.recording)??a.recording.slice(0,8)}]];return[{name:"start",cell:s},{name:"duration",cell:a=>c`<b>${v(a.duration)}</b>`,isNumber:!0},{name:"blocked",cell:a=>c`<${Ic} of=${a} />`},{name:"events",cell:a=>_(a.triggers),isNumber:!0},...r.flatMap(([a,i])=>a?[i]:[]),...n.slice(0,Ec).map(a=>({name:a,cell:i=>Dc(i.attributes[a]),className:"cut"})),{name:"thread",cell:a=>c`<span title=${a.thread}>${a.thread}</span>`,className:"dim cut"}]}function Dc(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function Bc(){let e=To(b.value.params),t=n=>C({sort:n===wn[0][0]?null:n});return c`<span class="tabs" role="group" aria-label="Order">
    ${wn.map(([n,o])=>c`<button
          key=${n}
          aria-pressed=${e===n?"true":"false"}
          onClick=${()=>t(n)}
        >
          ${o}
        </button>`)}
  </span>`}function ma({pages:e,url:t,query:n,instances:o,eventsHref:s}){let{answer:r,items:a,more:i}=e,l=a.map(Nc),m=c`<${W} of=${r.data} />
    <${Bc} />
    <a href=${s}>events</a>
    <${Ce} query=${n} value=${b.value.params.get("value")??void 0} />
    <${U} url=${t} />`,u=be(b.value.params.get("box")),p=u&&Kn(u),d=r.data&&`${_(l.length)} of ${_(r.data.matched)}`+(p?`, began ${Q(p.from,1e9)} to ${Q(p.to,1e9)}`:"");return c`<${O}
    title="Kept contexts"
    note=${d}
    tools=${m}
    answer=${r}
    className="requests"
  >
    ${l.length>0&&c`<${J}
        label="Kept contexts"
        columns=${Uc(l,o)}
        rows=${l}
        rowKey=${f=>f.recording+f.id}
        href=${f=>ue(f.recording,f.id,f.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Fc=50,Hc=6n*3600000000000n,Po=60000000000n,pa=["trace","thread","id"];function jc({from:e,to:t}){let n=Fe.value?(e+Po-1n)/Po*Po:e;return{from:n<t?n:e,to:t}}function Wc(e,t){return e.getAll("where").length-t.getAll("where").length>0||pa.some(o=>e.has(o))}function qc(e){let t=new URLSearchParams;for(let[n,o]of e)n.startsWith("base_")&&t.append(n.slice(5),o);return t.size>0?t:null}function Vc({t0_ns:e,step_ns:t,columns:n},o){let s=n.map(r=>r.length>0);return Gt(BigInt(e),t,s,o)}function Gc({data:e,seconds:t,jvms:n}){let o=rt(e.columns),s=m=>{let u=je(o,m);return u===null?"-":v(u)},r=m=>(n?.recordings??[]).reduce((u,p)=>u+m(p),0),a=r(m=>m.bytes_out),i=r(m=>m.bytes_in),l=(m,u,p="")=>c`<span title=${p}><b>${m}</b>${u}</span>`;return c`<div class="facts">
    ${l(`${_(Number((e.all/t).toPrecision(3)))}/s`,`contexts, ${_(e.all)}`)}
    ${n&&l(_(n.recordings.length),"JVMs","that ran in this time")}
    ${l(s(.5),"median")} ${l(s(.99),"p99")}
    ${l(e.all>0?H(e.kept/e.all):"-",`kept, ${_(e.kept)}`)}
    ${i>0&&l(`${ce(a)} of ${ce(i)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Kc(e,t){let n=["lock","park","io","cpu"].includes(e),o=`[${e==="unaccounted"?"not accounted":e}]`;return Re({value:n?e:null,frame:t!==null?dn(t):n?null:dn(o),zoom:null})}function Jc({heat:e,heatUrl:t,recordings:n,isNarrowed:o}){let{params:s}=b.value,r=Qe(b.value,ee.value),a=Mr(b.value,ee.value),i=s.has("box")&&Fe.value?0:E.value,l=["box","where","min_duration_ns","max_duration_ns",...pa].some(x=>s.has(x)),u=a.has("base")||s.has("base_box")||!l?a:Z(a,{base:"rest"}),p=k("contexts",r,{sort:To(s)}),d=Yt(p,Fc,i),f=R(gn(a),i),{data:h}=d.answer;if(h?.matched===0&&!h.is_truncated&&e.data)return c`<section>
      <${ua}
        heat=${e.data}
        heatUrl=${t}
        query=${r}
        recordings=${n}
        isNarrowed=${o}
      />
    </section>`;let $=new Map(n.map(x=>[x.id,x.instance])),g=r.get("service"),y=s.has("box")?ae("/e",r):ae("/e",Z(s,{service:g,sort:null,view:null}));return c`<div class="three">
      <${$n} query=${r} base=${qc(a)} tick=${i} hrefOf=${Kc} />
      <${Is}
        query=${u}
        tick=${i}
        against=${s.has("base_box")?"the other box":"the rest"}
      />
      <${_s} url=${gn(a)} answer=${f} />
    </div>
    <${nt} query=${a} tick=${i} whole=${f} />
    <${ma}
      pages=${d}
      url=${p}
      query=${r}
      instances=${$}
      eventsHref=${y}
    />`}function Xc(e,t){return[e&&e.unknown>0&&`${_(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(o=>o).join("; ")}function zc(e,t){let n=k("contexts/heatmap",e),o=R(t&&!e.has("where")?n:null,E.value),s=k("contexts/heatmap",e,{exemplars:"0"}),r=R(o.data?null:s,E.value),a=o.data?o:r,{data:i}=a,l=e.has("where")&&i!==null&&i.all===0&&i.unknown>0,m=k("contexts/heatmap",Z(e,{where:null})),u=R(l?m:null,E.value);return l&&u.data?{heat:u,heatUrl:m,isOfAll:!0}:{heat:a,heatUrl:n,isOfAll:!1}}function Yc(e){let[t,n]=P(!1);return $e(()=>{e&&n(!0)},[e]),t}function fa(){let{params:e}=b.value,{from:t,to:n}=ee.value,o=jc(ee.value),s=Ar(b.value,o),[r,a]=P(!1),{heat:i,heatUrl:l,isOfAll:m}=zc(s,r),u=Yc(i.data!==null||i.problem!==null),p=Z(s,{where:null,context:null}),d=R(u?k("contexts/types",p):null,E.value),f=Z(p,{recording:null}),h=R(u?k("recordings",f):null,E.value),$=h.data?.recordings??[],g=m||Wc(e,s),y=n-t<=Hc||e.get("whole")==="1"||be(e.get("box"))!==null||e.has("trace"),x=Ze(b.value),T=[{name:"services",href:D([])},{name:x===null?"all":ge(x)}],w=i.data?.all===0&&h.data!==null&&$.length===0;return c`<${re} crumbs=${T}>
    ${i.data&&c`<${Gc} data=${i.data} seconds=${Vc(i.data,o)} jvms=${h.data} />`}
    <${Ds}
      types=${d.data?.types??[]}
      instances=${[...new Set($.map(A=>A.instance))]}
    />
    ${!w&&c`<${ca}
        answer=${i}
        url=${l}
        note=${Xc(i.data,g)}
        onPoint=${()=>a(!0)}
      />`}
    ${u&&y&&c`<${Jc}
        heat=${i}
        heatUrl=${l}
        recordings=${$}
        isNarrowed=${g}
      />`}
    ${u&&!y&&c`<section>
        <${j} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var da=e=>e===null?"":v(e);function Zc(e,t){let n=({contexts_in:s,spark:r})=>{let a=r.map(l=>l!==null),i=e?Gt(BigInt(e.t0_ns),e.step_ns,a,t):1;return s/i};return[{name:"service",cell:s=>c`<b>${ge(s.service)}</b>`,sort:s=>s.service},{name:"JVMs",cell:s=>_(s.jvms),isNumber:!0,sort:s=>s.jvms},{name:"contexts/s",title:"of all types together",cell:s=>_(Number(n(s).toPrecision(3))),isNumber:!0,sort:n},{name:"median",cell:s=>da(s.p50_ns),isNumber:!0,sort:s=>s.p50_ns??-1},{name:"p99",cell:s=>c`<b>${da(s.p99_ns)}</b>`,isNumber:!0,sort:s=>s.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:s=>s.contexts_in?H(s.contexts_out/s.contexts_in):"",isNumber:!0,sort:s=>s.contexts_out},{name:"most time of the kept",cell:({top:s})=>s&&c`<${oe} category=${s.category} />${Y(s.category).name}
      <span class="dim"> ${H(s.share)}</span>`},{name:"p99 over time",cell:s=>c`<${Nr} values=${s.spark} label=${`p99 of ${s.service} over time`} />`}]}function ha(){let{from:e,to:t}=ee.value,n=new URLSearchParams({from:String(e),to:String(t)}),o=k("services",n),s=R(o,E.value),r=s.data?.services??[],a=c`<${J}
    label="Services"
    columns=${Zc(s.data,ee.value)}
    rows=${r}
    rowKey=${m=>m.service}
    href=${m=>D(["s",m.service])}
  />`,i=s.data!==null&&r.length===0,l=c`<${W} of=${s.data} /><${U} url=${o} />`;return c`<${re}>
    <${O} title="Services" note="by all their contexts" tools=${l} answer=${s}>
      ${r.length>0&&a} ${i&&c`<${Oe} />`}
    <//>
  <//>`}function Qc({columns:e,rows:t,recordings:n},o){let s=(r,a)=>r[e.indexOf(a)]??null;return t.map(r=>{let a=String(s(r,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&r[m]!==null&&r[m]!==o?[`${l.slice(5)}=${r[m]}`]:[]);return{recording:a,id:String(s(r,"id")),type:String(s(r,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(r,"thread")??""),start:Number(s(r,"start")),duration:Number(s(r,"duration")),blocked:Number(s(r,"blocked")),attributes:i.join(" ")}})}function eu({rows:e,first:t}){let n=e.reduce((s,r)=>Math.max(s,r.start+r.duration),1),o=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${v(n)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(s=>c`<tr class="opens" key=${s.recording+s.id}>
              <td title=${`${s.instance}, ${s.thread}`}>
                <a href=${ue(s.recording,s.id,t+BigInt(Math.round(s.start)))}
                  ><b>${s.service}</b></a
                >
                <small class="dim"> ${s.thread}</small>
              </td>
              <td title=${s.attributes}>
                ${ne(s.type)} <small class="dim">${s.attributes}</small>
              </td>
              <td class="n dim">+${v(s.start)}</td>
              <td class="n">${v(s.duration)}</td>
              <td
                class="axis"
                title=${`${v(s.blocked)} of ${v(s.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{marginLeft:o(s.start),width:o(s.duration)}}
                >
                  <div
                    style=${{width:`${100*s.blocked/Math.max(1,s.duration)}%`}}
                  ></div>
                </div>
              </td>
            </tr>`)}
      </tbody>
    </table>
  </div>`}var tu=e=>e===null?"":pe(BigInt(e));function ga({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,o=n===null?"":` since ${tu(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${o||" from now on"}.</p>`}function nu({of:e}){return e.state==="eliminated"?c`<${j} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${ga} of=${e} />
      <//>`:c`<${j} title="Not seen">
        No context of this trace is known here. <${ga} of=${e} />
      <//>`}function ba(){let e=b.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:o}=n,s=o?Qc(o,e):[],r=BigInt(o?.t0_ns??"0"),a=ou(e,r,s),i=new Set(s.map(p=>p.service)).size,l=new Set(s.map(p=>p.recording)).size,m=c`<${W} of=${o} />
    ${s.length>0&&c`<${Ce} query=${a} />`} <${U} url=${t} />`,u=s.length>0&&`${ve(s.length,"context")} kept, ${ve(i,"service")}, ${ve(l,"JVM")}, from ${pe(r)}`;return c`<${re} crumbs=${[{name:`trace ${e}`}]}>
    <${O} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${eu} rows=${s} first=${r} />`}
      ${o&&s.length===0&&c`<${nu} of=${o} />`}
    <//>
    ${s.length>0&&c`<${$n} query=${a} tick=${E.value} />
        <${nt} query=${a} tick=${E.value} />`}
  <//>`}function ou(e,t,n){let o=n.reduce((r,a)=>Math.max(r,a.start),0),s=t+BigInt(Math.ceil(o))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function ru([e]){switch(e){case void 0:return ha;case"c":return Ns;case"e":return jr;case"r":return Kr;case"s":return fa;case"t":return ba;default:return qr}}var su={s:"all services",e:"events",r:"recordings"};function au(){let{path:e}=b.value;return ie.value===null?null:ie.value.is_needed&&ie.value.identity===null?c`<${Wr} />`:c`<${ru(e)} key=${e.join("/")} />`}ir();Sr();Tr();br();he(()=>{let{path:e}=b.value,[t,...n]=e,o=n.length===0?su[t??""]??t:ge(n.at(-1));document.title=[...o===void 0?[]:[o],"Loupe"].join(" \xB7 ")});Fo(c`<${au} />`,document.body);})();
