"use strict";(()=>{var O,br,bn,ge,hn,Rt,$r,kt,_r,$n,gn,Hs,st=Symbol.for("pv"),Tt={},Ct=[],js=/^m(i|n|o|s|text|space)$/,_n=Array.isArray,vn=Ct.slice,Me=Object.assign;function Pe(e){e&&e.parentNode&&e.remove()}function Pt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?vn.call(arguments,2):n),ot(e,a,r,s,null)}function ot(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:st,__v:s||++br,__i:-1,__u:0};return!s&&O.vnode&&O.vnode(o),o}function Oe(e){return e.children}function He(e,t){this.props=e,this.context=t,this.__g=0}function be(e,t){if(t==null)return e.__&&be(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:be(e)}function Ws(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Me({constructor:st},n)).__v=n.__v+1,O.vnode&&O.vnode(t),xn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||be(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Sr(s,t,o),n.__=n.__e=null,t.__e!=r&&vr(t))}function vr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),vr(e)}function hr(e){(8&e.__g||(e.__g|=8,ge.push(e),Rt++))&&hn==O.debounceRendering||((hn=O.debounceRendering)||queueMicrotask)(xr)}function xr(){try{for(var e,t=1;ge.length;)ge.length>t&&ge.sort($r),e=ge.shift(),t=ge.length,8&e.__g&&Ws(e)}finally{(Rt=ge.length)&&(hn||queueMicrotask)(xr)}}function yr(e,t,n,r,s,o,a,i,l,m,u){var f,d,p,h,v,g,y=r.__k||Ct,x=t.length;for(l=qs(n,t,y,l,x),f=0;f<x;f++)(p=n.__k[f])!=null&&(d=~p.__i&&y[p.__i]||Tt,p.__i=f,g=xn(e,p,d,s,o,a,i,l,m,u),h=p.__e,(d.ref!=p.ref||8&d.__u)&&(d.ref&&yn(d.ref,null,p,d),p.ref&&u.push(p.ref,p.__c||h,p)),v=v||h,4&p.__u?(l=wr(p,l,e,!d.__v),d.__e&&(d.__e=null)):typeof p.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),p.__u&=-21);return n.__e=v,l}function qs(e,t,n,r,s){var o,a,i,l,m,u,f,d,p,h=n.length,v=h,g=0,y=0,x=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=x[o]=ot(null,a):_n(a)?a=x[o]=ot(Oe,{children:a}):a.constructor===st&&a.__b?a=x[o]=ot(a.type,a.props,a.key,a.ref,a.__v):x[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Vs(a,n,l,v))&&(v--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,y=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):x[o]=null;if(y){for(u=[],f=[],o=0;o<s;o++)if((a=x[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[p=g+d>>1]<a.__i?g=p+1:d=p;u[g]=a.__i,f[o]=g+1}for(g=u.length;o--;)f[o]&&(f[o]==g?g--:x[o].__u|=4)}if(v)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=be(i)),wn(i,i));return r}function wr(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=wr(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=be(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Vs(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function gr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function wt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||gr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||gr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=gn[t]||(gn[t]=Gs(t)),(e.__a||(e.__a={}))[t]=$n,o=t!=(t=t.replace(_r,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Gs(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[kt]==null)t[kt]=$n++;else if(t[kt]<this.__a[e])return;return n(O.event?O.event(t):t)}}}function xn(e,t,n,r,s,o,a,i,l,m){var u,f,d,p,h,v,g,y,x,R,w,L,U,G,ee,Fe,k,N,z=t.type;if(t.constructor!==st)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,f=o=[],u.nodeType==8?i=St(u,o):o.push(u),i=o[0]||i),(u=O.__b)&&u(t);e:if(typeof z=="function"){d=a.length;try{if(y=t.props,x=(u=z.prototype)&&u.render,R=(u=z.contextType)&&r[u.__c],w=u?R?R.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(x?t.__c=p=new z(y,w):(t.__c=p=new He(y,w),p.constructor=z,p.render=Js),R&&R.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),x&&(p.__s||(p.__s=p.state),z.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=Me({},p.__s)),Me(p.__s,z.getDerivedStateFromProps(y,p.__s)))),h=p.props,v=p.state,p.__v=t,n.__c){if(y!==h&&x&&!z.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(y,w),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(y,p.__s,w)===!1){t.__v!=n.__v&&(p.props=y,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(q){q&&(q.__=t)}),Ct.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&a.push(p),i=be(n);break e}p.componentWillUpdate&&p.componentWillUpdate(y,p.__s,w),x&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(h,v,g)})}else x&&!z.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),x&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=w,p.props=y,p.__P=e,p.__g&=-5,L=O.__r,U=x?25:0;do p.__g&=-9,L&&L(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++U<25);x&&(Ct.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=Me({},r,p.getChildContext())),x&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(h,v)),G=u&&u.type===Oe&&u.key==null?u.props.children:u,y.__P&&(u=i,s=(e=y.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(q){q&&wn(q,q)}),n.__k=null),i=n.__k?be(n,0):null),i=yr(e,_n(G)?G:[G],t,n,r,s,o,a,i,l,m),y.__P&&(t.__e=null,i=u),t.__u&=-161,f&&f.some(Pe),p.__h.length&&a.push(p),1&p.__g&&(p.__g&=-4)}catch(q){if(a.length=d,t.__v=null,l||o)if(q&&q.then){if(t.__u|=128|l,o){for(~(k=o.indexOf(i||void 0))||(k=o.length);(N=o[k-1])&&N.nodeType==8;)k--;for(;k<o.length;k++)if(N=o[k])if(o[k]=null,ee){if(N==Fe)break}else{if(N.nodeType!=8)break;N.data.startsWith("$s")&&(Fe=St(ee=N))}}if(!ee){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;ee=i}(u=St(ee=t.__c.__z||(t.__c.__z=ee)))?(t.__e=ee,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Pe);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),q&&q.then||kr(t),O.__e(q,t,n)}}else i=t.__e=Ks(n.__e,t,n,r,s,o,a,l,m,e);return(u=O.diffed)&&u(t),i}function St(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function kr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(kr))}function Sr(e,t,n){for(var r=0;r<n.length;)yn(n[r++],n[r++],n[r++]);O.__c&&O.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){O.__e(o,s.__v)}})}function Ks(e,t,n,r,s,o,a,i,l,m){var u,f,d,p,h,v,g,y,x=n.props||Tt,R=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(y=m.ownerDocument||document,!w)return y.createTextNode(R);e=y.createElementNS(s,w,R.is?R:m),i&&(O.__m&&O.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&R.defaultValue!=null?null:o&&vn.call(m.childNodes),!i&&o)for(x={},u=0;u<e.attributes.length;u++)x[(h=e.attributes[u]).name]=h.value;for(u in x)h=x[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in R||u=="value"&&"defaultValue"in R||u=="checked"&&"defaultChecked"in R||wt(e,u,null,h,s);for(u in R)h=R[u],u=="children"?p=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?v=h:u=="checked"?g=h:i&&typeof h!="function"||x[u]===h||wt(e,u,h,x[u],s);f?(i||d&&(f.__html==d.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&js.test(w))&&(s="http://www.w3.org/1999/xhtml"),yr(m,_n(p)?p:[p],t,n,r,s,o,a,o?o[0]:n.__k&&be(n,0),i,l),o&&o.some(Pe)),i&&w!="textarea"||(u="value",w=="progress"&&v==null?e.removeAttribute(u):v==null||v===e[u]&&(w!="progress"||v)||wt(e,u,v,x[u],s),u="checked",g!=null&&g!=e[u]&&wt(e,u,g,x[u],s))}else x===R||i&&e.data==R||(e.data=R);return e}function yn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){O.__e(s,n)}}function wn(e,t,n){var r,s,o,a;if(O.unmount&&O.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||yn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){O.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&wn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=St(r,o=[]))&&(r==e.__e&&o.some(Pe),Pe(s),Pe(r)),n||Pe(e.__e),e.__e=e.__c=e.__=null}function Js(e,t,n){return this.constructor(e,n)}function Rr(e,t){var n,r,s,o;O.__&&O.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ot(Oe,{children:[e]}),s=[],o=[],xn(t,t.__k,r||Tt,Tt,t.namespaceURI,r?null:t.firstChild?vn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),Sr(s,t.__k,o),t.__k.props.children=null}O={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Rt=0,e}},br=0,bn=function(e){return e!=null&&e.constructor===st},He.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Me({},this.state)),typeof e=="function"&&(e=e(Me({},n),this.props)),e&&(Me(n,e),this.__v&&(t&&this.__k.push(t),hr(this)))},He.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),hr(this))},He.prototype.render=Oe,ge=[],Rt=0,$r=function(e,t){return e.__v.__b-t.__v.__b},kt=Symbol(),_r=/(PointerCapture)$|Capture$/i,$n=0,gn={},Hs=0;var je,K,kn,Tr,Sn=Object.is,it=0,Ir=[],Rn=[],V=O,Cr=V.__b,Pr=V.__r,Mr=V.diffed,Or=V.__c,Ar=V.unmount,Lr=V.__;function Mt(e,t){V.__h&&V.__h(K,e,it||t),it=0;var n=K.__H||(K.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function A(e){return it=1,zs(Ur,e)}function zs(e,t,n){var r=Mt(je++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Ur(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Sn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=K,!K.__f)){K.__f=!0;var s=K.shouldComponentUpdate;K.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,Sn(d.__[0],d.__N[0])||(u=!0))}),s){var f=s.call(this,o,a,i);return m?f||u:f}return!m||u}}return r.__}function Ae(e,t){var n=Mt(je++,3);!V.__s&&Cn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,K.__H.__h.push(n))}function Le(e,t){var n=Mt(je++,4);!V.__s&&Cn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,K.__h.push(n))}function le(e){return it=5,M(function(){return{current:e}},[])}function M(e,t){var n=Mt(je++,7);return Cn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Ot(e,t){return it=8,M(function(){return e},t)}function Xs(){var e;do{for(;e=Rn.shift();)try{at(e)}catch(n){V.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ir.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(at),t.__h.some(Tn),t.__h=[]}catch(n){t.__h=[],V.__e(n,e.__v)}}}while(Rn.length)}V.__b=function(e){K=null,Cr&&Cr(e)},V.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Lr&&Lr(e,t)},V.__r=function(e){Pr&&Pr(e),je=0;var t=(K=e.__c).__H;t&&(kn==K?K.__h=[]:(t.__h.some(at),t.__h.some(Tn),je=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),kn=K},V.diffed=function(e){Mr&&Mr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Er(Ir.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),kn=K=null},V.__c=function(e,t){t.some(function(n){try{n.__h.some(at),n.__h=n.__h.filter(function(r){return!r.__||Tn(r)})}catch(r){n.__h=[function(){throw r}]}}),Or&&Or(e,t)},V.unmount=function(e){Ar&&Ar(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Er(Rn.push(s))}else at(s)}catch(o){t=o}}),r.__H=void 0,t&&V.__e(t,r.__v))};var Nr=typeof requestAnimationFrame=="function";function Ys(e){var t,n=function(){clearTimeout(r),Nr&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Nr&&(t=requestAnimationFrame(n))}function Er(e){e!=1&&Tr==V.requestAnimationFrame||((Tr=V.requestAnimationFrame)||Ys)(Xs)}function at(e){var t=K,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),K=t}function Tn(e){var t=K;e.__c=e.__(),K=t}function Cn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Sn(n,e[r])})}function Ur(e,t){return typeof t=="function"?t(e):t}var Qs=Symbol.for("preact-signals");function Et(){if(de>1)de--;else{var e,t=!1;for((function(){var s=Lt;for(Lt=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();ct!==void 0;){var n=ct;for(ct=void 0,At++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Br(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(At=0,de--,t)throw e}}function Mn(e){if(de>0)return e();Pn=++Zs,de++;try{return e()}finally{Et()}}var lt,H=void 0;function ut(e){var t=H,n=lt;H=void 0,lt=void 0;try{return e()}finally{H=t,lt=n}}var ct=void 0,de=0,At=0,Zs=0,Pn=0,Lt=void 0,Nt=0;function Dr(e){if(H!==void 0){var t=e.n;if(t===void 0||t.t!==H)return t={i:0,S:e,p:H.s,n:void 0,t:H,e:void 0,x:void 0,r:t},H.s!==void 0&&(H.s.n=t),H.s=t,e.n=t,32&H.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=H.s,t.n=void 0,H.s.n=t,H.s=t),t}}function X(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}X.prototype.brand=Qs;X.prototype.h=function(){return!0};X.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:ut(function(){var r;(r=t.W)==null||r.call(t)}))};X.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&ut(function(){var s;(s=t.Z)==null||s.call(t)}))}};X.prototype.subscribe=function(e){var t=this;return fe(function(){var n=t.value;ut(function(){return e(n)})},{name:"sub"})};X.prototype.valueOf=function(){return this.value};X.prototype.toString=function(){return this.value+""};X.prototype.toJSON=function(){return this.value};X.prototype.peek=function(){var e=this;return ut(function(){return e.value})};Object.defineProperty(X.prototype,"value",{get:function(){var e=Dr(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(At>100)throw new Error("Cycle detected");(function(n){de!==0&&At===0&&n.l!==Pn&&(n.l=Pn,Lt={S:n,v:n.v,i:n.i,o:Lt})})(this),this.v=e,this.i++,Nt++,de++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Et()}}}});function pe(e,t){return new X(e,t)}function Br(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Fr(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Hr(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Ne(e,t){X.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Nt-1,this.f=4}Ne.prototype=new X;Ne.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Nt))return!0;if(this.g=Nt,this.f|=1,this.i>0&&!Br(this))return this.f&=-2,!0;var e=H;try{Fr(this),H=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return H=e,Hr(this),this.f&=-2,!0};Ne.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}X.prototype.S.call(this,e)};Ne.prototype.U=function(e){if(this.t!==void 0&&(X.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Ne.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Ne.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Dr(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function $e(e,t){return new Ne(e,t)}function jr(e){var t=e.j;if(e.j=void 0,typeof t=="function"){de++;var n=H;H=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,On(e),r}finally{H=n,Et()}}}function On(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,jr(e)}function ea(e){if(H!==this)throw new Error("Out-of-order effect");Hr(this),H=e,this.f&=-2;try{8&this.f&&On(this)}finally{Et()}}function We(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,lt&&lt.push(this)}We.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};We.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,jr(this),Fr(this),de++;var e=H;return H=this,ea.bind(this,e)};We.prototype.N=function(){2&this.f||(this.f|=2,this.u=ct,ct=this)};We.prototype.d=function(){this.f|=8,1&this.f||On(this)};We.prototype.dispose=function(){this.d()};function fe(e,t){var n=new We(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Wr,Ut,It,ta=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var qr=[];fe(function(){Wr=this.N})();function qe(e,t){O[e]=t.bind(null,O[e]||function(){})}function mt(e){if(It){var t=It;It=void 0,t()}It=e&&e.S()}function Vr(e){var t=this,n=e.data,r=ra(n);r.name="ReactiveDom",r.value=n;var s=M(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=$e(function(){var p=r.value.value;return p===0?0:p===!0?"":p||""}),u=$e(function(){return!Array.isArray(m.value)&&!bn(m.value)}),f=fe(function(){if(this.N=Gr,u.value){var p=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=p)}}),d=t.__$u.d;return t.__$u.d=function(){f(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}Vr.displayName="ReactiveTextNode";Object.defineProperties(X.prototype,{constructor:{configurable:!0,value:Pt(Oe,null).constructor},type:{configurable:!0,value:Vr},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});qe("__b",function(e,t){if(mt(),Ut=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof X&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});qe("__r",function(e,t){if(e(t),t.type!==Oe){mt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return fe(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;ta&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Ut=r,mt(n)}});qe("__e",function(e,t,n,r){mt(),Ut=void 0,e(t,n,r)});qe("diffed",function(e,t){mt(),Ut=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=na(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function na(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=pe(n);return{o:function(a,i){o.value=a,r=i},d:fe(function(){this.N=Gr;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}qe("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});qe("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});He.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function ra(e,t){return M(function(){return pe(e,t)},[])}var oa=function(e){queueMicrotask(function(){queueMicrotask(e)})};function sa(){Mn(function(){for(var e;e=qr.shift();)Wr.call(e)})}function Gr(){qr.push(this)===1&&(O.requestAnimationFrame||oa)(sa)}function aa(e){try{return decodeURIComponent(e)}catch{return e}}function An(){return{path:location.pathname.split("/").filter(t=>t!=="").map(aa),params:new URLSearchParams(location.search)}}var b=pe({path:[],params:new URLSearchParams});function Ve(...e){return"/"+e.map(encodeURIComponent).join("/")}function Y(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function se(e,t){let n=t.toString();return n===""?e:e+"?"+n}function _e(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=An()}function C(e,t=!1){_e(se(location.pathname,Y(b.value.params,e)),t)}function ve(e){return se(Ve(...b.value.path),Y(b.value.params,e))}function ia(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function D(e,t={}){return se(Ve(...e),Y(ia(b.value.params),t))}function la(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),_e(t.pathname+t.search),scrollTo(0,0))}function Kr(){addEventListener("popstate",()=>b.value=An()),addEventListener("click",la),b.value=An()}var zr=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,zr(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},Jr=new Map;function Xr(e){var t=Jr.get(this);return t||(t=new Map,Jr.set(this,t)),(t=zr(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var f=0;f<n[u].length;f++)r=n[u][f],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][f+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=Xr.bind(Pt);var Ln=0;function Yr(){return Ln>0}var ca=5,ua=1;function ma(e,t){return new Promise(n=>{let r=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function fa(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}async function pa(e,t){for(let n=0;;n++){let r=await fetch(e,{signal:t,headers:{accept:"application/json"}});if(r.ok)return{data:await r.json(),problem:null,status:r.status,isLoading:!1};if(r.status!==503||n===ca)return{data:null,problem:await fa(r),status:r.status,isLoading:!1};let s=Number(r.headers.get("retry-after"))||ua;await ma(s*1e3,t)}}function T(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=A(n);return Le(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:f})=>u.problem===null||a(u)?u:{...u,data:f}),l=u=>{let f=`the collector cannot be reached: ${String(u)}`;i({...n,problem:f,isLoading:!1})},m=u=>f=>o.signal.aborted||u(f);return Ln++,pa(e,o.signal).then(m(i),m(l)).finally(()=>Ln--),()=>o.abort()},[e,t]),r}var Bt=["5m","15m","1h","6h","1d","7d","30d"],Qr="1h",da=5e3,ha={s:1,m:60,h:3600,d:86400},Zr=()=>BigInt(Date.now())*1000000n,E=pe(Zr());function Nn(){E.value=Zr()}function eo(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*ha[t[2]])*1000000000n:null}function Dt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var ft=$e(()=>{let e=b.value.params.get("last")??Qr;return eo(e)===null?Qr:e}),Ee=$e(()=>b.value.params.get("live")==="1"),Q=$e(()=>{let{params:e}=b.value,t=Dt(e.get("to")??"")??E.value;return{from:Dt(e.get("from")??"")??t-eo(ft.value),to:t}}),ga=18e10;function Ft(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=ga;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function to(){let e=0;fe(()=>{if(clearInterval(e),Ee.value){let t=()=>document.hidden||Yr()||Nn();e=window.setInterval(t,da)}})}var Ie=pe(0),En=new Map;function B(e){let t=En.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),En.set(e,t)),t}function In(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function no(e,t,n){let r=In(t);return"#"+In(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var ba=.2;function Ht(e){let[t,n,r]=In(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>ba?"#101113":"#ffffff"}function ro(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{En=new Map,Ie.value++})}function dt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function _(e){if(e<0)return"-"+_(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):dt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var $a={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function oo(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*$a[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ae(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):dt(t))+" "+n;t/=1e3}return dt(t)+" TB"}function $(e){return e<1e6?e.toLocaleString("en-US"):e<9995e5?dt(e/1e6)+" M":dt(e/1e9)+" G"}function xe(e,t){return`${$(e)} ${t}${e===1?"":"s"}`}function F(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ce(e,t){return t==="ns"?_(e):t==="bytes"?ae(e):$(e)}var pt=e=>String(e).padStart(2,"0");function re(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${pt(n.getHours())}:${pt(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${pt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function he(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${pt(t.getMonth()+1)}-${pt(t.getDate())}`}function ue(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function te(e){return e.slice(e.lastIndexOf(".")+1)}function Ge(e){return e.split(".").slice(-2).join(".")}var _a={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},unaccounted:{name:"not accounted",token:"none"}},va={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc","-":"unaccounted"};function Z(e){let t=e.startsWith("other: ")?e.slice(7):e;return _a[e]??{name:t,token:"other"}}function Ke(e){return va[e]??"other: other"}function jt(e){return e==="."?null:Z(Ke(e))}var xa={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function ye(e){return(e.startsWith("jdk.")?xa[e.slice(4)]:void 0)??"other: "+e}var ya=/^(java|javax|jdk|sun|com\.sun)\./;function Je(e){return ya.test(e)}function ie(e,t,n){return D(["c",e,t],n===void 0?{}:{at:String(n)})}function Wt(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function qt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}function Vt(e,t){let n=`${e} ${String(t)}`,[r,s]=A({key:n,cursor:"",before:[]}),{cursor:o,before:a}=r.key===n?r:{cursor:"",before:[]},i=e&&o?`${e}&cursor=${encodeURIComponent(o)}`:e,l=T(i,t),[m,u]=A([]);Ae(()=>{l.data&&!l.isLoading&&u([...a,...qt(l.data)])},[l.data]);let f=l.isLoading?null:l.data?.next??null;return{answer:l,items:m,more:f===null?null:()=>s({key:n,cursor:f,before:m})}}var wa=["recording","instance","context","where","trace","thread","id"],ka=["recording","instance","context"],Sa=["min_duration_ns","max_duration_ns"];function we(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function ht(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Gt(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function Un(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var so=30000000000n;function ao(e,t,n=""){Un(e,{from:t.from-so,to:t.to+so},n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function ze({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Xe(e,t){let n=new URLSearchParams,r=ze(e);r!==null&&n.set("service",r),Gt(n,e.params,wa);let s=we(e.params.get("box"));return s?ao(n,s):(Un(n,t),Gt(n,e.params,Sa)),n}function io(e,t){let n=Xe(e,t),r=we(e.params.get("base_box"));if(!r)return Gt(n,e.params,["base"]),n;ao(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function lo(e,t){let n=new URLSearchParams,r=ze(e);r!==null&&n.set("service",r),Gt(n,e.params,ka),Un(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return se("/api/v1/"+e,Y(t,n))}function ne({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${Z(e).token})`}}
  ></span>`}function uo({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${Z(e).token})`;return c`<div class="bar" style=${{width:n,background:r}}></div>`}var co=120,Dn=22;function mo({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*co,l=Dn-1-o/n*(Dn-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${co} ${Dn}"
  >
    <path d=${r} />
  </svg>`}var Ra=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${_(Number(e))}`],["max_duration_ns",e=>`\u2264 ${_(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ta(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}function Ca(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function Kt({keys:e=[],values:t=[]}){let n=Ra.flatMap(([r,s])=>b.value.params.getAll(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Ta(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Ca} aria-label="Add a condition on an attribute">
      <input
        name="key"
        list="where-keys"
        placeholder="attribute"
        aria-label="attribute"
        autocomplete="off"
      />
      <select name="op" aria-label="comparison">
        ${["=","!=","^=",">=","<="].map(r=>c`<option>${r}</option>`)}
      </select>
      <input
        name="value"
        list="where-values"
        placeholder="value"
        aria-label="value"
        autocomplete="off"
      />
      <button>add</button>
      <datalist id="where-keys">${e.map(r=>c`<option value=${r} />`)}</datalist>
      <datalist id="where-values">
        ${t.map(r=>c`<option value=${r} />`)}
      </datalist>
    </form>
  </div>`}function fo(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function po(e,t){let[n,r=""]=e.split("?"),s=[...new URLSearchParams(r)].map(([o,a])=>` \\
  --data-urlencode ${fo(`${o}=${a}`)}`);return`curl -f${s.length>0?"G":""} ${fo(t+n)}${s.join("")}`}async function Pa(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function I({url:e}){let[t,n]=A(!1);return e===null?null:c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await Pa(po(e,location.origin)),n(!0)}} title=${po(e,location.origin)}>
      ${t?"copied":"curl"}
    </button>
  </span>`}var Ma=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function ke({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(l,m)=>S(m,r,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=S("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${Ma.map(([l,m,u])=>c`<a href=${o(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function ho(e){return se(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function Jt(e){return typeof e=="string"?e:JSON.stringify(e)}function go(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Bn(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Oa(e){return e.find(t=>!Je(t))??e[0]??""}function Aa({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${ue(e.start)}</dd>
        ${go(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${Jt(r)}</dd>`])}
      </dl>
      <ol>
        ${Bn(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function zt({items:e,since:t,contextHref:n,label:r}){let[s,o]=A(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:f,thread:d,recording:p,context:h}=l.values,v=t===void 0?re(l.start):"+"+_(Number(l.start-t)),g=go(l).map(([w,L])=>`${w}=${Jt(L)}`),y=()=>o(s===m?null:m),x=s===m,R=n&&p!==null&&h?n(String(p),String(h)):null;return c`<tr key=${m} class=${x?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(x)} onClick=${y}>${v}</button>
        </td>
        <td title=${u}>
          <${ne} category=${ye(String(u))} />${te(String(u))}
        </td>
        <td class="n">${typeof f=="number"?_(f):""}</td>
        <td class="cut">${d}</td>
        <td class="cut" title=${Bn(l)[0]}>${Ge(Oa(Bn(l)))}</td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td>${R&&c`<a href=${R}>open</a>`}</td>`}
      </tr>
      ${x&&c`<${Aa} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
    <table class="events">
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
  </div>`}function La({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function W({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function P({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r&&r.data!==null&&(r.isLoading||r.problem!==null);return c`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&c`<${La} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function Na(e,t){return`-agentpath:/path/to/libloupe.so=collector=${e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t)},service=NAME`}function Ea({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=b.value,r=Y(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${se(Ve(...t),r)}>look at all of that time</a>.
  </p>`}function Se(){let e=S("collector",new URLSearchParams),{data:t}=T(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<Q.value.from,r=ze(b.value),s=r===null?"":` of ${r}`;return c`<${j} title="No JVM${s} has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&c`<pre>${Na(t.agents,location.hostname)}</pre>`}
    ${t&&n&&c`<${Ea} of=${t} />`}
  <//>`}var Ia=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Ua=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,bo=e=>e.replace(/\$(?=.)/g,"\\$");function $o(e,{path:t,params:n}){if(Ia.test(e))return D(["t",e.toLowerCase()]);let r=t[0]==="s",s=Ua.test(e);if(!r)return D(["s"],s?{where:e}:{frame:bo(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:bo(e)};return se(Ve(...t),Y(n,a))}function Da(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(_e($o(s,b.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function Ba(){let{params:e}=b.value,t=Dt(e.get("from")??"")!==null,{from:n,to:r}=Q.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=Bt.includes(ft.value)?Bt:[ft.value,...Bt],a=`${ue(n)} to ${ue(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${he(n)} ${re(n,1e9)} to ${re(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===ft.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${Nn} title="ask again">refresh</button>
    <button
      aria-pressed=${Ee.value?"true":"false"}
      onClick=${()=>C({live:Ee.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}var Fa=[["services",""],["events","e"],["recordings","r"]];function oe({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([o,a])=>c`<a href=${D(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${D([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Fa.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${Da} />
      <${Ba} />
    </header>
    <main>${t}</main>`}function Ha(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function J({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=A(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((p,h)=>Ha(l(p),l(h))):t).slice(0,s),f=(p,h)=>{let v=a!==h?"none":p.isNumber?"descending":"ascending",g=p.sort?c`<button class="plain" onClick=${()=>i(h)}>${p.name}</button>`:p.name;return c`<th
      class=${p.isNumber?"n":""}
      title=${p.title}
      scope="col"
      aria-sort=${p.sort?v:void 0}
    >
      ${g}
    </th>`},d=(p,h,v)=>{let g=h.cell(p);return c`<td class=${(h.isNumber?"n ":"")+(h.className??"")}>
      ${r&&v===0?c`<a href=${r(p)}>${g}</a>`:g}
    </td>`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table>
      <thead>
        <tr>
          ${e.map(f)}
        </tr>
      </thead>
      <tbody>
        ${u.map(p=>c`<tr key=${n(p)} class=${r?"opens":""}>
              ${e.map((h,v)=>d(p,h,v))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var Fn=e=>e===null?"":_(e),Ye=(e,t)=>b.value.params.getAll(e).includes(t);function Hn({href:e,on:t,name:n}){return c`<a href=${e} class=${t?"on":""} aria-current=${t?"true":void 0}
    >${n}</a
  >`}function ja({types:e}){let t=n=>ve({context:Ye("context",n)?null:n,key:null,where:null,event:null});return c`<${J}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${Hn} href=${t(n)} on=${Ye("context",n)} name=${n} />`},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>Fn(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>Fn(n.p99_ns),isNumber:!0}]}
  />`}function _o({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return ve({where:Ye("where",s)?o:[...o,s],event:null})};return c`<${J}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${Hn}
            href=${n(r)}
            on=${Ye("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>Fn(r.p99_ns),isNumber:!0}]}
  />`}function Wa({name:e}){let t=Xe(b.value,Q.value);t.delete("where");let r=T(S("attributes",t,{limit:"100"}),E.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${_o} name=${e} rows=${s} />`}`}function qa({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${Wa} name=${n.key} />`:c`<${_o} name=${n.key} rows=${r} />`}`}function Va({of:e}){let t=n=>ve({event:Ye("event",n)?null:n});return c`<${J}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${ne} category=${ye(n)} /><${Hn}
              href=${t(n)}
              on=${Ye("event",n)}
              name=${n}
            />`,sort:n=>n.type},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?_(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Ga({query:e}){let t=b.value.params.get("event"),n=S("events",e,{event:t,limit:"100"}),{answer:r,items:s,more:o}=Vt(n,E.value),a=c`<${W} of=${r.data} /><${I} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${zt} label="Events" items=${s} contextHref=${ie} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${j} title="No events here" />`}
  <//>`}function vo(){let e=b.value,t=Xe(e,Q.value),n=S("contexts/types",Ja(t)),r=T(n,E.value),s=S("events/types",t),o=T(s,E.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${$(o.data.events)} events`+Ka(o.data.contexts);return c`<${oe}>
    <${Kt} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${ja} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Se} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${qa} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${W} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${Va} of=${o.data} />`}
      <//>
    </div>
    <${Ga} query=${t} />
  <//>`}var Ka=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function Ja(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function xo(){return c`<${oe}>
    <${j} title="There is nothing here">
      <a href=${D([])}>Services</a> is where everything begins.
    <//>
  <//>`}function za(e){return e.replaceAll("_","-")}function gt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function bt({of:e}){return c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${za(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var wo=e=>e.slice(0,19).replace("T"," "),Xa=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Xt=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,yo=(e,t)=>c`${$(e)} <span class="dim">of ${$(t)}</span>`,Ya=[{name:"service",cell:e=>c`<b>${e.service}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>wo(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${_(Xt(e))}, running`:_(Xt(e)),isNumber:!0,sort:Xt},{name:"contexts kept",cell:e=>yo(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>yo(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ae(e.bytes_out)} <span class="dim">of ${ae(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Xa(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function Qa(){let{params:e}=b.value,{from:t,to:n}=Q.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=S("recordings",r),o=T(s,E.value),a=o.data?.recordings??[],i=c`<${W} of=${o.data} /><${I} url=${s} />`;return c`<${oe}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${J}
          label="Recordings"
          columns=${Ya}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>D(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Se} />`}
    <//>
  <//>`}var Za=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ae(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ae(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${bt} of=${gt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Re(e,t){return c`<span><b>${e}</b>${t}</span>`}function ei({of:e}){let t=e.contexts_in?F(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Re(e.is_running?"running":"ended",`${_(Xt(e))} since ${wo(e.start)} UTC`)}
    ${Re(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${Re($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${Re(ae(e.bytes_out),`of ${ae(e.bytes_in)} kept`)}
    ${Re(ae(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Re(_(e.waiting.duration_ns),`not compacted yet, ${ae(e.waiting.journal_bytes)}`)}
    ${Re(e.jvm_version,e.jvm_name)} ${Re(e.pid,`process, on ${e.instance}`)}
  </div>`}var ti={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk"};function ni({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${$(r)} ${ti[n]??n}</li>`)}
      </ul>`}function ri({service:e}){let t=S("policies/"+encodeURIComponent(e),new URLSearchParams),n=T(t,E.value),{data:r}=n,s=o=>Object.entries(o.settings).map(([a,i])=>`${a}=${i}`);return c`<${P}
    title="Policy"
    note=${r&&(r.file??"none: the JVM's own settings")}
    tools=${c`<${I} url=${t} />`}
    answer=${n}
  >
    ${r?.refused&&c`<p class="missing">${r.refused.problem}</p>`}
    ${r&&r.events.length>0&&c`<${J}
        label="Policy"
        rows=${r.events}
        rowKey=${o=>o.event}
        columns=${[{name:"event",cell:o=>o.event},{name:"settings",cell:o=>s(o).join(", "),className:"w"}]}
      />`}
  <//>`}function oi({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=T(t,E.value),{data:r}=n,s=[{name:r?`${r.service}, ${r.instance}`:e}],o=c`<a href=${ho(e)} download>download .jfr</a><${I} url=${t} />`,a=r?gt(r.types):[];return c`<${oe} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${ei} of=${r} />`}
      ${n.status===404&&c`<${j} title="This collector has no such recording">
          <a href=${D(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          <${bt} of=${a} />
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${ni} of=${r}
        /><//>
        <${P} title="Event types">
          <${J}
            label="Event types"
            columns=${Za}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${ri} service=${r.service} />`}
  <//>`}function ko(){let e=b.value.path[1];return e===void 0?c`<${Qa} />`:c`<${oi} id=${e} />`}function So(e){let[t,n]=A({width:0,height:0,ratio:1});return Le(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function jn(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Ro(e,{width:t,height:n,ratio:r},s,o){Le(()=>{let a=requestAnimationFrame(()=>{let i=e.current&&jn(e.current,{width:t,height:n,ratio:r});i&&s(i)});return()=>cancelAnimationFrame(a)},[t,n,r,Ie.value,...o])}function si(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=jn(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function Yt(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=le(null),a=le(null),i=le(t),l=le(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&si(a.current,o.current,i.current)})};Ae(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),Ae(m,[t,n,r,Ie.value]),Ae(()=>{let{scrollTop:d,clientHeight:p}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+p&&(o.current.scrollTop=s[1]-p)},[s?.[0],s?.[1]]);let u=d=>p=>{let h=a.current.getBoundingClientRect(),v=p.clientY-h.top+o.current.scrollTop;d?.({x:p.clientX-h.left,y:v,width:h.width,event:p})},f=Math.min(n,r);return c`<div
    class="pane"
    ref=${o}
    style=${{height:`${f}px`}}
    tabindex="0"
    role="application"
    aria-label=${e.label}
    onScroll=${m}
    onKeyDown=${e.onKey}
  >
    <canvas
      ref=${a}
      style=${{height:`${f}px`}}
      onPointerMove=${u(e.onPoint)}
      onPointerDown=${u(e.onDown)}
      onPointerUp=${u(e.onUp)}
      onPointerLeave=${e.onLeave}
    ></canvas>
    <div style=${{height:`${n-f}px`}}></div>
    ${e.children}
  </div>`}var Qt=14,Zt=8;function Qe({at:e,children:t}){let n=le(null);return Le(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+Qt+s>innerHeight-Zt,i=Math.min(e.clientX+Qt,innerWidth-r-Zt);o.left=`${Math.max(Zt,i)}px`,o.top=`${a?Math.max(Zt,e.clientY-Qt-s):e.clientY+Qt}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}function nn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let f=n[u]-1;s[u]=f<0?-1:i[f],a[u]=f<0?0:l[f],f>=0&&(l[f]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function Co(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let p=l.level[d];p>=r&&p<s&&m.push({node:d,x:0,width:n,row:p})}let u=n/(o[t]||1),f=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let p=l.level[d];if(p>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,v=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(v),n-1):v;p>=r&&(h>=1||g>=f[p-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:p}),f[p-r]=g+Math.max(h,1)),d++}return m}function Po(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let f=u>=a[m]&&u<a[m]+o[m];if(f&&l.level[m]===s)return m;m=f?m+1:i[m]}return-1}function Mo(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?Oo(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function Oo(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var tn=4;function Ao(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**tn).toString(36).padStart(tn,"0")}function rn(e,t){return Oo(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Ao).join("")}function on(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=tn){let a=t.slice(o,o+tn),i=s+1;for(;i<(e.end[s]??0)&&Ao(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}function Wn(e){let t=/^\/(.+)\/$/.exec(e);if(!t){let n=e.toLowerCase();return r=>r.toLowerCase().includes(n)}try{let n=new RegExp(t[1],"i");return r=>n.test(r)}catch{return null}}function Lo(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var en=(e,t)=>t>0?e/t:0;function No({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(en(r.total,n),en(r.base_total??0,o)),i=en(e[s],n)-en(t?.[s]??0,o);return a>0?i/a:0}function Eo(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function ai({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!Je(e.names[e.name[o]]))return o;return s}function To({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Io(e,t){let{flame:n}=e,r=To(e,n.value),s=To(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[ai(e,i)]],f=o.get(m+u)??{name:u,kind:m,value:0,base:0};f.value+=r[i],f.base+=s[i],o.set(m+u,f)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var me=18,ii=22,Uo=4,li=5,ci="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function ui(e){return e.split(".").slice(0,-2).join(".")}function mi(e){if(Je(e))return"frame-jdk";let t=7;for(let n of ui(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%li}`}function fi({names:e,kinds:t}){return e.map((n,r)=>{let s=jt(t[r]??".");return B(r===0?"frame-root":s?s.token:mi(n))})}var qn=32,Vn=e=>({fill:e,ink:Ht(e)});function Do(e){if(e.base_value===void 0){let s=fi(e).map(Vn);return e.name.map(o=>s[o])}let t=s=>Array.from({length:qn+1},(o,a)=>Vn(no(B("frame-same"),B(s),a/qn))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:No(e,o),i=Math.round(qn*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function pi(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Bo(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=B("ink"),u=Vn(B("accent"));e.font=ci,e.textBaseline="middle";let f=e.measureText("0123456789").width/10;for(let{node:d,x:p,width:h,row:v}of n){let g=v*me-r,y=s.name[d],x=d!==l&&s.level[d]<s.level[l],R=a!==null&&a.names[y]===1,w=x||a!==null&&!R,{fill:L,ink:U}=R?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=L,e.fillRect(p,g,Math.max(h-.5,.5),me-1),h>=ii){let G=Math.floor((h-2*Uo)/f);e.globalAlpha=1,e.fillStyle=w?m:U,e.fillText(pi(s.names[y],G),p+Uo,g+me/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(p+1,g+1,Math.max(h-2,1),me-3))}}var di=24,hi=3,Gn=(e,t)=>F(t>0?e/t:0);function gi({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=ce(n[i]/Math.max(1,a),o),m=ce(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${Gn(n[i],s)}, ${l} each, own ${m}`}function bi(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let f={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},f]}function $i({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=bi(r,t),m=(u,f)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${ce(f(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${Gn(f(d),d.whole)}</td>
            <td class="n dim">${ce(f(d),s)}</td>`)}
    </tr>`;return c`<b>${o[a[t]]}</b>
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
    ${n>0&&c`<div class="dim">${Gn(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Fo({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=A(null),[i,l]=A(null),m=M(()=>i===null?-1:on(e,i),[e,i]),u=o?.node??-1,f=M(()=>Do(s),[s,Ie.value]),d=Ot((w,{width:L,top:U,height:G})=>{let ee=Math.floor(U/me),Fe=Co(e,t,L,ee,Math.ceil((U+G)/me));Bo(w,{flame:s,shades:f,zoom:t,found:n,marks:[m,u]},Fe,U)},[e,t,n,m,u,f]),p=({x:w,y:L,width:U})=>Po(e,t,U,w,Math.floor(L/me)),h=w=>{let L=p(w),{clientX:U,clientY:G}=w.event;a(L<0?null:{node:L,at:{clientX:U,clientY:G}})},v=w=>{let L=p(w);L>=0&&w.event.button===0&&r(L)},g=w=>{let L=m<0?t:m;if(w.key.startsWith("Arrow")){let U=m<0?t:Mo(e,t,L,w.key);l(rn(e,U)),a(null)}else if(w.key==="Enter")r(L);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},y=m>=0?m:t,x=s.level[y],R=[Math.max(0,x-hi)*me,(x+1)*me];return c`<${Yt}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*me}
      heightMax=${di*me}
      draw=${d}
      reveal=${R}
      onPoint=${h}
      onUp=${v}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&gi(s,m)}</div>
    ${o&&c`<${Qe} at=${o.at}><${$i} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var _i=500;function vi(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=f=>ce(f/Math.max(1,r),t),a=f=>c`<button
      class="plain"
      title="${f.name}: find it in the graph"
      onClick=${()=>C({find:f.name,flame:null,zoom:null})}
    >
      <${xi} kind=${f.kind} />${f.name}
    </button>`,i=(f,d,p=h=>o(d(h)))=>({name:f,cell:p,isNumber:!0,sort:d}),l=f=>F(n>0?f.total/n:0),m=f=>ce(f/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:f=>f.name},i("own, each",f=>f.self),i("total, each",f=>f.total),i("share",f=>f.total,l)];return e.base_value===void 0?u:u.concat(i("base own",f=>f.baseSelf,f=>m(f.baseSelf)),i("base total",f=>f.baseTotal,f=>m(f.baseTotal)))}function xi({kind:e}){let t=jt(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Ho({tree:e,matches:t}){let n=Eo(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${J}
      label="Frames"
      columns=${vi(e.flame)}
      rows=${n}
      rowsMax=${_i}
      rowKey=${r=>r.name}
    />
  </div>`}var yi=8;function sn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function jo({url:e,answer:t}){let{data:n}=t,r=M(()=>n&&n.requests>0?Io(nn(n),yi):[],[n]),s=b.value.params.get("frame"),o=(l,m=0)=>ce(l/Math.max(1,m),"ns"),a=l=>{let m=sn(l.name);return c`<tr key=${l.name+l.kind}>
      <td title=${l.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${ne} category=${Ke(l.kind)} />${Ge(l.name)}
        </button>
      </td>
      <td class="n">${o(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${o(l.base,n.base_requests)}</td>`}
      <td class="n dim">${F(l.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=c`<${W} of=${n} /><${I} url=${e} />`;return c`<${P} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
        ${r.map(a)}
      </tbody>
    </table>
  <//>`}var Kn=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function an({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function wi(e){let t=e.get("value")??"";return Kn.some(([n])=>n===t)?t:"time"}function ki({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${Kn.map(([t,n])=>c`<${an}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Si({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${an}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all other contexts of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${an}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Ri({found:e,flame:t}){let n=b.value.params.get("find")??"",r=n!==""&&Wn(n)===null,s=b.value.params.get("width")==="base"&&t?.base_total||t?.total,o=e&&s?F(e.weight/s):F(0);return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${n}
      onInput=${i=>{let{value:l}=i.currentTarget;C({find:l===""?null:l},!0)}}
    /><span role="status"
      >${r?"no regular expression":e?`${o} found`:""}</span
    >`}function Ti(){let e=b.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Ci({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>F(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${ne} category=${Ke(o)} />${Z(Ke(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${$(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function Pi({requests:e,total:t,unit:n,...r}){let s=ce(t/Math.max(1,e),n),o=r.base_requests??0,a=ce((r.base_total??0)/Math.max(1,o),n),i=r.base_value?`; base: ${$(o)}, ${a} each`:"";return`${xe(e,"context")}, ${s} each${i}`}function ln(e){return S("flamegraph",e,{value:"time",frame:null})}function Ze({query:e,tick:t,whole:n}){let{params:r}=b.value,s=wi(r),o=r.get("frame"),a=Y(e,{value:s,frame:o}),i=S("flamegraph",a),l=n!==void 0&&i===ln(e),m=T(l?null:i,t),u=m.problem===null?n?.data??null:null,f=l?n:{...m,data:m.data??u},d=f.data,p=r.get("width")==="base"&&d?.base_value!==void 0,h=M(()=>d&&nn(d,p),[d,p]),v=r.get("find")??"",g=M(()=>v===""?null:Wn(v),[v]),y=M(()=>h&&g&&Lo(h,g),[h,g]),x=r.get("flame")==="table",R=!h||h.weight.length===0||!(h.weight[0]>0),w=h?on(h,r.get("zoom")??""):0,L=h&&c`<${Fo}
      tree=${h}
      zoom=${w}
      found=${y}
      onZoom=${ee=>C({zoom:rn(h,ee)||null})}
    />`,U=c`<${W} of=${d} /><${ke}
      query=${e}
      value=${s}
      frame=${o}
    /><${I} url=${i} />`,G=d?Pi(d):"";return c`<${P} title="Flame graph" note=${G} tools=${U} answer=${f}>
    <div class="flame-tools">
      <${ki} value=${s} />
      <${Ti} />
      <${Si} flame=${d} />
      <${Ri} found=${y} flame=${d} />
      ${w>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${an}
        isOn=${x}
        onChange=${()=>C({flame:x?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&R&&c`<${j} title="No ${Kn.find(([ee])=>ee===s)[1]} in this selection" />`}
    ${!R&&(x?c`<${Ho} tree=${h} matches=${g} />`:L)}
    ${d&&!R&&c`<${Ci} flame=${d} />`}
  <//>`}function Jn(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function zn({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function Wo(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function qo(e,t,n,r,s){let o=zn(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Vo(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Go({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Ko(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var Mi=560,Oi=110,Ai=4,Li=28,zo=5,Ni="11px Inter, system-ui, sans-serif",Ei=500;function Ii(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function cn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Ui(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function Xn({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${te(t)} \xB7 ${_(n)}`}function Di(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=B(i?"hover":Z(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=B(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=Li&&(e.fillStyle=i?B("ink"):Ht(l),e.fillText(Ui(e,Xn(s),a-2*zo),o+zo,n+20/2-1))}function Bi(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=B("panel"),e.fillRect(0,0,n,18);for(let o of Go(t,n/Oi)){let a=Math.round((o-t.from)*s),i=o===0?"0":_(o),l=e.measureText(i).width;e.fillStyle=B("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=B("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function Fi(e,t,n,r){return Ot((s,{width:o,top:a,height:i})=>{let l=Jn(e);s.font=Ni,s.textBaseline="middle",Bi(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let f=l[u]-a;f>i||l[u+1]-a<0||zn(m,t,o).forEach(d=>Di(s,d,f+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=B("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function Hi({title:e},t){return`${e}: ${Z(t.kind).name}, ${Xn(t)}, at ${_(t.start)}`}function ji({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${J}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Ei}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>_(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${ne} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>_(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Xo({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Ii(b.value.params.get("part"),t),[a,i]=A(null),[l,m]=A(null),[u,f]=A(null),[d,p]=A(!1),h=M(()=>Jn(e),[e]),v=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=Fi(e,o,[v?.box??null,a?.box??null],u),y=({x:k,y:N,width:z})=>{let q=Wo(h,N),Ce=q<0?null:qo(e[q],o,z,k,N-h[q]);return Ce&&{lane:q,box:Ce}},x=k=>{if(u){f([u[0],Math.max(0,Math.min(k.x,k.width))]),i(null);return}let N=y(k),{clientX:z,clientY:q}=k.event;i(N&&{...N,at:{clientX:z,clientY:q}})},R=({lane:k,box:N})=>{let z=n?.(e[k],N)??null;z!==null&&r?r(z):cn({from:N.start,to:N.start+Math.max(1,N.duration)})},w=({x:k,event:N})=>{N.button===0&&N.pointerType!=="touch"&&(N.target.setPointerCapture(N.pointerId),f([k,k]))},L=k=>{f(null);let[N=0,z=0]=u?[...u].sort((Ce,Fs)=>Ce-Fs):[],q=y(k);if(z-N>=Ai){let Ce=(o.to-o.from)/k.width;cn({from:o.from+N*Ce,to:o.from+z*Ce})}else q&&R(q)},U=e.findIndex(({boxes:k})=>k.length>0),G=k=>{if(k.key.startsWith("Arrow")&&U>=0)m(v?Ko(e,v,k.key):{lane:U,box:e[U].boxes[0]});else if(k.key==="Enter"&&v)R(v);else if(k.key==="Escape"||k.key==="Backspace")cn(null);else return;k.preventDefault()},ee=v?h[v.lane]+20+v.box.level*20:0,Fe=b.value.params.get("part")!==null;return c`<${Yt}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Mi}
      draw=${g}
      reveal=${v?[ee-20-20,ee+20]:void 0}
      onPoint=${x}
      onDown=${w}
      onUp=${L}
      onLeave=${()=>i(null)}
      onKey=${G}
    >
      ${e.map((k,N)=>c`<div class="lane-title" key=${k.key} style=${{top:`${h[N]}px`}}>
            ${k.href?c`<a href=${k.href}>${k.title}</a>`:k.title}
            <small title=${k.note}>${k.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${v&&Hi(e[v.lane],v.box)}</div>
    ${a&&c`<${Qe} at=${a.at}>
        <b>${Xn(a.box)}</b>
        <div>${a.box.name}, ${Z(a.box.kind).name}</div>
        <div class="dim">at ${_(a.box.start)}</div>
      <//>`}
    ${Fe&&c`<button onClick=${()=>cn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${k=>p(k.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${ji} lanes=${e} />`}
    </details>`}var Wi=3;function qi(e,t){let n=e.slices.find(r=>r.category===t);return _(e.requests?(n?.total_ns??0)/e.requests:0)}function Vi({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=(m,u)=>s?c`<a href=${s(e.category,u)}>${m}</a>`:m,a=e.total_ns/t.requests,i=e.top.slice(0,Wi).filter(m=>m.total_ns>0),l=s?"opens":"";return c`<tr
      class=${l}
      title=${`${_(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ne} category=${e.category} />${o(Z(e.category).name,null)}
      </th>
      <td class="fill"><${uo} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${_(a)}</td>
      ${r&&c`<td class="n dim">${qi(r,e.category)}</td>`}
      <td class="n dim">${F(e.total_ns/Math.max(1,t.total_ns))}</td>
    </tr>
    ${i.map(m=>c`<tr class=${`frame ${l}`} title=${m.frame}>
          <td colspan="2">${o(Ge(m.frame),m.frame)}</td>
          <td class="n">${_(m.total_ns/t.requests)}</td>
          ${r&&c`<td></td>`}
          <td class="n dim">${F(m.total_ns/Math.max(1,t.total_ns))}</td>
        </tr>`)}`}function Yn({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return c`<table class="why">
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
      ${e.slices.map(s=>c`<${Vi}
            key=${s.category}
            slice=${s}
            of=${e}
            largest=${r}
            base=${t}
            hrefOf=${n}
          />`)}
    </tbody>
  </table>`}function un({query:e,base:t=null,tick:n,hrefOf:r}){let s=S("why",e),o=T(s,n),a=T(t&&S("why",t),n),{data:i}=o,l=c`<${W} of=${i} /><${I} url=${s} />`,m=i&&i.requests>0?`mean of ${xe(i.requests,"context")}, ${_(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${m}
    tools=${l}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${Yn} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${j} title="No kept context is in this selection" />`}
  <//>`}var Qn=8192,Yo=60000000000n,Gi=2000000000n;function Qo(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Zo({t0_ns:e,events:t,is_truncated:n}){return qt({...t,t0_ns:e,next:null,is_truncated:n})}function Zn(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=Qo(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=Qo(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:f,from:d,to:p}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:f+1,from:Math.min(d,a),to:Math.max(p,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function er(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,f]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:f};r[s]?.boxes.push(d)}return r}function Ki(e,t,n){return qt(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=ye(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function Ji(e,t,n,r){let s=BigInt(e.t0_ns),a=er(n,s).filter(({thread:f})=>f===t.thread).flatMap(({boxes:f})=>f),i=a.filter(({kind:f})=>f==="context").map(({name:f})=>f),l=Ki(r,s,new Set([e.type,...i])),m=Vo([...a,...l]).filter(f=>f.start<=t.to&&f.start+f.duration>=t.from),u=`had the monitor of ${te(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function zi(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Gi)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(i,l)=>t?S(i,r,l):null,o=T(s("timeline",{width:String(Qn)})).data,a=T(s("events",{limit:"1000",columns:"name"})).data;return M(()=>t&&o&&a?Ji(e,t,o,a):null,[e,o,a])}function Xi(e){let t=Wt(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Yo)});r.set("to",String(n+BigInt(e.duration)+Yo));let s=String(Qn),o=T(t&&S("timeline",r,{width:s,trace:t})).data,i=T(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return M(()=>(o?er(o,n):[]).map(m=>{let u=i?.[m.recording],f=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:f,href:t===null?void 0:D(["t",t])}}),[e,o,i])}function es(e,t){let n=M(()=>Zn(e)[0],[e]),r=T(S("timeline",t,{width:String(Qn)})).data,s=zi(e,n),o=Xi(e);return M(()=>{let a=r?er(r,BigInt(e.t0_ns)):[],i=f=>f.recording!==e.recording||![null,e.thread,s?.thread].includes(f.thread),l=a.filter(({thread:f})=>f===null),m=a.filter(({thread:f})=>f!==null),u=`this one, ${_(e.duration)}`;return[...l.map(f=>({...f,note:"pauses: GC, safepoints"})),...m.map(f=>({...f,note:u})),...s?[s]:[],...o.filter(i)]},[e,r,s,o])}var ts=300000000000n,Yi=100,et=({t0_ns:e})=>BigInt(e);function tr(e){let t=et(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function Qi(e){let t=tr(e);if(b.value.params.get("base")==="rest"){let n=et(e);t.set("from",String(n-ts)),t.set("to",String(n+ts)),t.set("context",e.type),t.set("base","rest")}return t}function Zi({context:e,jvm:t}){let n=et(e),r=Wt(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${D(["t",r])}>${r}</a>`:Jt(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${ue(n)}>${he(n)} ${re(n)}</dd>
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
          <a class="link" href=${ns(e,e.parent)}
            >${te(e.parent.type)}, ${_(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function ns(e,{id:t,start:n}){return ie(e.recording,t,et(e)+BigInt(Math.round(n)))}function el({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${Z(t).name} ${F(r)}`,o=`var(--${Z(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function tl({context:e}){let t=Zn(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${ne} category=${ye(n)} />${$(r)} × ${te(n)}
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
                  <td class="w">${te(n.monitor)}</td>
                  <td class="n">${_(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function nl({context:e}){return c`<${P} title="Contexts in it" note=${$(e.children.length)}>
    <${J}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Yi}
      rowKey=${t=>t.id}
      href=${t=>ns(e,t)}
      columns=${[{name:"context",cell:t=>t.type},{name:"after",cell:t=>"+"+_(t.start),isNumber:!0},{name:"duration",cell:t=>_(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function rl({context:e,tick:t}){let n=M(()=>tr(e),[e]),r=es(e,n),s=M(()=>Zo(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:ie(i.recording,l,et(e)+BigInt(Math.round(m))),a=c`<${I} url=${S("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Xo}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${_e}
      />
    <//>
    ${e.children.length>0&&c`<${nl} context=${e} />`}
    <${Ze} query=${Qi(e)} tick=${t} />
    <${P} title="Events" note=${$(s.length)}>
      ${s.length>0?c`<${zt}
              items=${s}
              since=${et(e)}
              label="Events of the request"
            />`:c`<${j} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function rs(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,o),l=T(i,E.value),m=T(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,f=u?`${te(u.type)}, ${_(u.duration)}`:r,d=[{name:"services",href:D([])},...m?[{name:m.service,href:D(["s",m.service])}]:[],{name:f}],p=u&&tr(u),h=c`<${W} of=${u} /> ${p&&c`<${ke} query=${p} />`}
    <${I} url=${i} />`;return c`<${oe} crumbs=${d}>
    ${u?c`<div class="three">
              <${P}
                title=${te(u.type)}
                note=${_(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${Zi} context=${u} jvm=${m} />
              <//>
              <${P} title=${`Why ${_(u.duration)}`}>
                <${el} why=${u.why} /><${Yn} of=${u.why} base=${null} />
              <//>
              <${P} title="Kept because"><${tl} context=${u} /><//>
            </div>
            <${rl} context=${u} tick=${E.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var ol=100,sl=10,al=1.96;function il(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-al*o)}function ll({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?il(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function cl({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function ul({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":_(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${$(o.count)} of ${$(e)}`}>
          ${F(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${$(o.base_count)} of ${$(t)} to compare with`}
      >
        ${cl(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function ml({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return ve({where:[...r,n]})}function fl({data:e}){let[t,n]=A(!1),r=b.value.params.getAll("where"),s=ll(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,sl),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${J}
      label="Attributes"
      columns=${ul(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${ml}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${$(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function os({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(ol)}),s=T(r,n),{data:o}=s,a=c`<${W} of=${o} /><${I} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${fl} data=${o} />`}
  <//>`}function ss({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function pl(){let{params:e}=b.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=oo(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?_(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function as({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${ss}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${$(a)})`])}
    />
    <${ss}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${pl} />
    <${Kt}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var dl=[1,1.189207115002721,1.4142135623730951,1.681792830507429],hl=e=>dl[e&3]*2**(e>>2);function is(e){return e<0?1:Math.floor(hl(e+1))}function Te(e,{column:t,row:n}){return t*e.rows+n}function tt(e){let t=new Map;for(let[n,r]of e.flat())t.set(n,(t.get(n)??0)+r);return[...t].sort((n,r)=>n[0]-r[0])}function Ue(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function xt(e,t,n){let r=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,o=-1/0;for(let[u]of e.columns.flat())s=Math.min(s,u),o=Math.max(o,u);let a=1;for(;Math.floor(o/a)-Math.floor(s/a)>=n;)a*=2;let i=s>o?0:Math.floor(s/a),l={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(r),columns:Math.ceil(e.columns.length/r),first:i,buckets:a,rows:s>o?0:Math.floor(o/a)-i+1,cells:new Map,most:0,exemplars:new Map},m=(u,f)=>({column:Math.floor(u/r),row:Math.floor(f/a)-i});e.columns.forEach((u,f)=>{for(let[d,p,h]of u){let v=m(f,d),g=l.cells.get(Te(l,v))??{...v,all:0,kept:0};g.all+=p,g.kept+=h,l.cells.set(Te(l,v),g),l.most=Math.max(l.most,g.all)}});for(let[u,f,d,p]of e.exemplars)l.exemplars.set(Te(l,m(u,f)),{recording:d,id:p});return l}function cs(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function nt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0?0:is(i-1)+1,max:is((e.first+a+1)*e.buckets-1)}}function mn(e,t,n){let r=nt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function De(e,t){let n={all:0,kept:0};for(let r of e.cells.values())mn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function us(e,t){return[...e.cells.values()].filter(n=>mn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Te(e,n))??[])}function rr(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function ms(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function or(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function nr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function vt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function sr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,nr(e,t,n.from)),l=Math.max(o,vt(e,t,n.max)),m=Math.min(s,nr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,vt(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function ar(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function fs(e,t,n,r){let s=[],o=a=>{let i=vt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var ls=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ps(e,t,n,r,s){let{from:o,to:a}=ar(e),i=Number(a-o)/1e9*(n/t.width),l=ls.find(f=>f>=i)??ls.at(-1),m=BigInt(l)*1000000000n,u=[];for(let f=(o+r+m-1n)/m*m-r;f<a;f+=m)u.push({at:nr(e,t,f),text:s(f,l*1e9)});return u}var gl=4,bl={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Be(e){return we(b.value.params.get(e))}function yt(e,t){let n=e&&ht(e);C(t?{base_box:n,base:null}:{box:n,...e?{min_duration_ns:null,max_duration_ns:null}:{}})}function $l(){yt(null,Be("base_box")!==null)}function ir({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function gs(e,t){return e.column===t.column&&e.row===t.row}function hs(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function _l(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function rt({grid:e,isRate:t},{from:n,to:r}){return t?nt(e,{...n,row:0},{...r,row:e.rows-1}):nt(e,n,r)}function bs(e,t){let n=e.exemplars.get(Te(e,t));n&&_e(ie(n.recording,n.id))}function $s(e){let{grid:t,plot:n}=e,[r,s]=A(null),[o,a]=A(null),i=le(null),l=({offsetX:g,offsetY:y})=>ms(t,n,g,y),m=g=>{let{offsetX:y,offsetY:x}=g;if(g.button===0&&t.rows>0&&or(n,y,x)){g.currentTarget.setPointerCapture(g.pointerId);let R=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x:y,y:x,isLong:!1,isBase:R})}},u=g=>{let{offsetX:y,offsetY:x}=g;if(r){let U=r.isLong||Math.hypot(y-r.x,x-r.y)>=gl;s({...r,to:l(g),isLong:U})}let{clientX:R,clientY:w}=g,L=t.rows>0&&or(n,y,x);a(L?{place:l(g),clientX:R,clientY:w}:null)},f=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){bs(t,r.from);return}let y=rt(e,r),x=!r.isLong&&De(t,y).all===0;yt(x?null:y,r.isBase)},d=g=>{let y=i.current,x=y&&mn(t,y,l(g))?y:rt(e,{from:l(g),to:l(g)});C({box:ht(x)},!0),ir(x)},p=({detail:g})=>{i.current=g>1?i.current:Be("box")},h=()=>a(null),v=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:p,onPointerDown:m,onPointerMove:u,onPointerUp:f,onPointerLeave:h,onPointerCancel:v,onDblClick:d}}}function _s(e){let{grid:t}=e,[n,r]=A(null),s=i=>{let l=bl[i.key];if(l&&t.rows>0){let m=n?hs(t,n.to,l):_l(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)bs(t,n.to);else if(i.key==="Enter"&&n)yt(rt(e,n),i.shiftKey||e.isComparing);else if(i.key==="Escape")r(null),$l();else return;i.preventDefault()},o=i=>hs(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var fn=52,vl=20,vs=6,xl=52,yl=72,wl=26,kl=5,Sl=60000000000n;function xs(e,t,n){let r=e-fn-(n?xl:0);return{x:fn,y:vs,width:Math.max(1,r),height:Math.max(1,t-vs-vl)}}function Rl(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*Sl}function Tl(e,t){let n=re(e,t);return n==="00:00"?he(e).slice(5):n}function Cl(e,t){let n=r=>_(r).replace(/\.0+ /," ");return{times:ps(e,t,yl,Rl(e.t0),Tl),durations:e.rows===0?[]:fs(e,t,wl,n)}}function Pl(e,t,n,r){e.beginPath(),e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r),e.fill()}function ys(e,t,n){let r=["h0","h1","h2","h3","h4","h5"].map(B),s=B("kept");for(let o of t.cells.values()){let{x:a,y:i,width:l,height:m}=rr(t,n,o),u=Math.min(l,m)>4?1:0;e.fillStyle=r[cs(o.all,t.most)],e.fillRect(a,i,l-u,m-u),o.kept>0&&(e.fillStyle=s,Pl(e,a+l-u,i,Math.min(kl,l/2,m/2)))}cr(e,t,n)}function cr(e,t,n){let{times:r,durations:s}=Cl(t,n);e.fillStyle=B("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,fn-8,o),e.fillRect(fn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function lr(e,t,n,r){t&&(e.fillStyle=B("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function ws(e,t,n,r){lr(e,r.base&&sr(t,n,r.base),B("soft"),[4,3]),lr(e,r.box&&sr(t,n,r.box),B("accent"),[]);for(let s of r.cells)lr(e,rr(t,n,s),B("ink"),[])}function ks({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=tt(a);return{perSecond:i.reduce((u,[,f])=>u+f,0)/(a.length*(e/1e9)),p50:Ue(i,.5),p99:Ue(i,.99)}})}function Ss(e){return`${$(Number(e.toPrecision(3)))}/s`}function Ml(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Ol(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function Rs(e,t,n,r){let s=n.width/t.columns,o=Ml(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=B("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=B(i);let l=(m,u)=>{let f=m[a];return f===null?null:[n.x+(u+.5)*s,vt(t,n,f)]};Ol(e,r.map(l),s)}cr(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Ss(o*a),n.x+n.width+6,i+(a===1?5:0))}}function Ts({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":_(s);return c`<b>${Ss(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Cs(){let e=(t,n)=>c`<span><span class="dot" style=${{background:`var(--${t})`}}></span>${n}</span>`;return c`${e("h1","contexts/s, right")}${e("cpu","median")}${e("lock","p99")}`}var ur=6e10;function pn({from:e,to:t,min:n,max:r}){let s=e%BigInt(ur)===0n&&t%BigInt(ur)===0n,o=i=>re(i,s?ur:1e9),a=n<=1?`up to ${_(r)}`:`${_(n)} to ${_(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function mr({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var Al=5,Ll=6;function Nl({view:{grid:e},hover:t,rates:n}){let{place:r}=t,s=Te(e,r),o=e.cells.get(s),a=n?.[r.column];if(!o&&!a)return null;let[i,l]=pn(nt(e,r,r)).split(", "),m=o&&`${$(o.all)} contexts, ${$(o.kept)} kept`,u=a?c`<${Ts} of=${a} /><br />${i}`:c`<b>${l}</b><br />${i}<br />${m}
        ${e.exemplars.has(s)&&c`<br />Alt+click opens one`}`;return c`<${Qe} at=${t}>${u}<//>`}function El(e,t){let n=Math.max(1,t.width/Al),r=Math.max(1,t.height/Ll);return M(()=>xt(e,n,r),[e,n,r])}function Il({data:e,isRate:t,isComparing:n}){let r=le(null),s=So(r),o=xs(s.width,s.height,t),a=El(e,o),i=M(()=>xt(e,1/0,1/0),[e]),l=M(()=>t?ks(e,a):null,[t,e,a]),m={grid:a,plot:o,isRate:t,isComparing:n},{drag:u,hover:f,on:d}=$s(m),{cursor:p,on:h}=_s(m),v=u??(p&&!gs(p.from,p.to)?p:null),g=v&&rt(m,v),y=u?.isBase??n,x={box:!y&&g||Be("box"),base:y&&g||Be("base_box"),cells:[t?null:f?.place,p?.to].filter(G=>G!=null)},R=G=>{l?Rs(G,a,o,l):ys(G,a,o),ws(G,a,o,x)},{column:w,row:L}=f?.place??{};Ro(r,s,R,[a,l,b.value,n,u,p,w,L]);let U=p&&rt(m,p);return c`<div class="heatmap">
    <canvas
      ref=${r}
      tabindex="0"
      role="application"
      aria-roledescription="heat map"
      aria-label="All contexts by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away."
      ...${d}
      ...${h}
    ></canvas>
    ${f&&c`<${Nl} view=${m} hover=${f} rates=${l} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${U&&`${pn(U)}: ${mr(De(a,U))}`}
    </div>
    <${Dl} grid=${a} whole=${i} isRate=${t} />
  </div>`}function Ul({most:e}){let t=Array.from({length:5},(r,s)=>Math.ceil((e+1)**(s/5))),n=r=>c`<span class="dot" style=${{background:`var(--h${r+1})`}}></span>`;return c`<span
    >contexts in a cell
    ${t.map((r,s)=>r<(t[s+1]??e+1)&&c` ${n(s)}${$(r)}`)}
    ${e>1&&c` to ${$(e)}`}</span
  >`}function Ms({grid:e,name:t}){let n=Be(t);return n?c`<button
    class=${`chip ${t}`}
    title=${"take the selection away (Escape)"}
    onClick=${()=>yt(null,t==="base_box")}
  >
    ${t==="box"?"selected":"compared with"} <b>${pn(n)}</b>${" "}
    ${mr(De(e,n))} <i>×</i>
  </button>`:null}function Dl({grid:e,whole:t,isRate:n}){let r=[e.most>0&&c`<${Ul} most=${e.most} />`,c`<span><span class="dot kept"></span>has kept ones</span>`];return c`<div class="legend">
    ${n?c`<${Cs} />`:r}
    <${Ms} grid=${t} name="box" />
    <${Ms} grid=${t} name="base_box" />
  </div>`}function Bl({data:e}){let[t,n]=A(!1),r=(o,a)=>{let i=tt([o]),[l,m]=[1,2].map(f=>o.reduce((d,p)=>d+p[f],0)),u=f=>_(Ue(i,f));return c`<tr>
      <td>${re(BigInt(e.t0_ns)+BigInt(a)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${$(l)}</td>
      <td class="n">${$(m)}</td>
      <td class="n">${u(.5)}</td>
      <td class="n">${u(.99)}</td>
    </tr>`},s=["contexts","kept","median","p99"].map(o=>c`<th class="n">${o}</th>`);return c`<details
    class="as-table"
    onToggle=${o=>n(o.currentTarget.open)}
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
            ${e.columns.map((o,a)=>o.length>0&&r(o,a))}
          </tbody>
        </table>
      </div>`}
  </details>`}function Os({answer:e,url:t,note:n}){let[r,s]=A(!1),o=b.value.params.get("view")==="rate",a=Be("box"),{data:i}=e,l=M(()=>i&&c`<${Bl} data=${i} />`,[i]),m=(d,p,h)=>c`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:d})}>
      ${p}
    </button>`,u=c`<${W} of=${i} />
    ${a&&c`<button class="plain" onClick=${()=>ir(a)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${r?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>s(!r)}
      >
        compare
      </button></span
    >
    <span class="tabs">${m(null,"duration",!o)} ${m("rate","rate",o)}</span>
    <${I} url=${t} />`,f=i&&c`<${Il} data=${i} isRate=${o} isComparing=${r} />`;return c`<${P}
    title="All contexts"
    note=${n}
    tools=${u}
    answer=${e}
    className="heatmap-panel"
  >
    ${f?[f,l]:c`<div class="heatmap"><canvas></canvas></div>`}
  <//>`}var Fl=3;function Hl({of:e}){let t=T(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&gt(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${bt} of=${n} />
      </p>`:null}function jl(e,t){return ht({...e,from:e.from-t,to:e.to+t})}function Wl({grid:e,box:t,kept:n}){let r=_(Number(e.step)).replace(/ 0 (s|min)$/,""),s=us(e,t).slice(0,Fl),o=({recording:a,id:i},l)=>c`<a class="link" key=${i} href=${ie(a,i)}>${l+1}</a>${" "}`;return c`<${j} title="No kept context began in this box">
    <p>
      The heat map has ${$(n)} kept ones here: it counts a context in the column in which the
      middle of its chunk lies, and chunks that are longer than a minute reach farther than that.
    </p>
    <p>
      <button onClick=${()=>C({box:jl(t,e.step)})}>
        ${r} more on either side
      </button>
      ${s.length>0&&c`${" "}or open one of them: ${s.map(o)}`}
    </p>
  <//>`}function As({grid:e,query:t,recordings:n,isNarrowed:r}){let s=we(b.value.params.get("box")),o=["where","min_duration_ns","max_duration_ns","context"].some(d=>t.has(d)),a=(d,p)=>Number(t.get(d)??p),i=s??{...ar(e),min:a("min_duration_ns",0),max:a("max_duration_ns",1/0)},{all:l,kept:m}=De(e,i),u=n[0];if(n.length===0)return c`<${Se} />`;let f=(d,p)=>c`<${j} title=${d}>${p}<//>`;return r?f("No kept context is like this","Take a condition away to see more."):l===0&&s?f("No context is in this box","Choose a coloured cell."):l===0&&o?f("No context is like this","Take a condition away, or look at a longer time."):l===0?f("No contexts in this time",n.some(d=>d.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):m>0&&s?c`<${Wl} grid=${e} box=${s} kept=${m} />`:c`<${j} title=${`Nothing is kept of these ${$(l)} contexts`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${u&&c`<${Hl} of=${u} />`}
  <//>`}var ql=12,dn=[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]];function pr(e){let t=e.get("sort");return dn.some(([n])=>n===t)?t:dn[0][0]}function Vl({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),attributes:Object.fromEntries(r)}}function Gl({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${_(e)}, ${F(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var fr=(e,t)=>new Set(e.map(t)).size>1;function Kl(e,t){let n=[...new Set(e.flatMap(a=>Object.keys(a.attributes)))],r=fr(e,a=>he(a.start)),s=a=>c`<span title=${ue(a.start)}>
      ${r?`${he(a.start).slice(5)} `:""}${re(a.start)}
    </span>`,o=[[fr(e,a=>a.type),{name:"type",cell:a=>te(a.type)}],[fr(e,a=>a.recording),{name:"JVM",cell:a=>t.get(a.recording)??a.recording.slice(0,8)}]];return[{name:"start",cell:s},{name:"duration",cell:a=>c`<b>${_(a.duration)}</b>`,isNumber:!0},{name:"blocked",cell:a=>c`<${Gl} of=${a} />`},{name:"events",cell:a=>$(a.triggers),isNumber:!0},...o.flatMap(([a,i])=>a?[i]:[]),...n.slice(0,ql).map(a=>({name:a,cell:i=>Jl(i.attributes[a]),className:"cut"})),{name:"thread",cell:a=>a.thread,className:"dim cut"}]}function Jl(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function zl(){let e=pr(b.value.params),t=n=>C({sort:n===dn[0][0]?null:n});return c`<span class="tabs" role="group" aria-label="Order">
    ${dn.map(([n,r])=>c`<button
          key=${n}
          aria-pressed=${e===n?"true":"false"}
          onClick=${()=>t(n)}
        >
          ${r}
        </button>`)}
  </span>`}function Ls({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(Vl),m=c`<${W} of=${o.data} />
    <${zl} />
    <a href=${s}>events</a>
    <${ke} query=${n} value=${b.value.params.get("value")??void 0} />
    <${I} url=${t} />`,u=o.data&&`${$(l.length)} of ${$(o.data.matched)}`;return c`<${P}
    title="Kept contexts"
    note=${u}
    tools=${m}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${J}
        label="Kept contexts"
        columns=${Kl(l,r)}
        rows=${l}
        rowKey=${f=>f.recording+f.id}
        href=${f=>ie(f.recording,f.id,f.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Xl=50,Yl=6n*3600000000000n,dr=60000000000n,Ns=["trace","thread","id"];function Ql({from:e,to:t}){let n=Ee.value?(e+dr-1n)/dr*dr:e;return{from:n<t?n:e,to:t}}function Zl(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ns.some(r=>e.has(r))}function ec(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?t:null}function tc({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return Ft(BigInt(e),t,s,r)}function nc({data:e,seconds:t,jvms:n}){let r=tt(e.columns),s=m=>{let u=Ue(r,m);return u===null?"-":_(u)},o=m=>(n?.recordings??[]).reduce((u,f)=>u+m(f),0),a=o(m=>m.bytes_out),i=o(m=>m.bytes_in),l=(m,u,f="")=>c`<span title=${f}><b>${m}</b>${u}</span>`;return c`<div class="facts">
    ${l(`${$(Number((e.all/t).toPrecision(3)))}/s`,`contexts, ${$(e.all)}`)}
    ${n&&l($(n.recordings.length),"JVMs","that ran in this time")}
    ${l(s(.5),"median")} ${l(s(.99),"p99")}
    ${l(e.all>0?F(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${i>0&&l(`${ae(a)} of ${ae(i)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function rc(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return ve({value:n?e:null,frame:t!==null?sn(t):n?null:sn(r),zoom:null})}function oc({heat:e,recordings:t,isNarrowed:n}){let{params:r}=b.value,s=Xe(b.value,Q.value),o=io(b.value,Q.value),a=r.has("box")&&Ee.value?0:E.value,i=["box","where","min_duration_ns","max_duration_ns",...Ns].some(x=>r.has(x)),m=o.has("base")||r.has("base_box")||!i?o:Y(o,{base:"rest"}),u=S("contexts",s,{sort:pr(r),limit:String(Xl)}),f=Vt(u,a),d=T(ln(o),a),p=M(()=>e.data&&xt(e.data,1/0,1/0),[e.data]),{data:h}=f.answer;if(h?.matched===0&&!h.is_truncated&&p)return c`<section>
      <${As} grid=${p} query=${s} recordings=${t} isNarrowed=${n} />
    </section>`;let v=new Map(t.map(x=>[x.id,x.instance])),g=s.get("service"),y=r.has("box")?se("/e",s):se("/e",Y(r,{service:g,sort:null,view:null}));return c`<div class="three">
      <${un} query=${s} base=${ec(o)} tick=${a} hrefOf=${rc} />
      <${os}
        query=${m}
        tick=${a}
        against=${r.has("base_box")?"the other box":"the rest"}
      />
      <${jo} url=${ln(o)} answer=${d} />
    </div>
    <${Ze} query=${o} tick=${a} whole=${d} />
    <${Ls}
      pages=${f}
      url=${u}
      query=${s}
      instances=${v}
      eventsHref=${y}
    />`}function sc(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function ac(e){let t=S("contexts/heatmap",e),n=T(t,E.value),{data:r}=n,s=e.has("where")&&r!==null&&r.all===0&&r.unknown>0,o=S("contexts/heatmap",Y(e,{where:null})),a=T(s?o:null,E.value);return s&&a.data?{heat:a,heatUrl:o,isOfAll:!0}:{heat:n,heatUrl:t,isOfAll:!1}}function Es(){let{params:e,path:t}=b.value,{from:n,to:r}=Q.value,s=Ql(Q.value),o=lo(b.value,s),{heat:a,heatUrl:i,isOfAll:l}=ac(o),m=a.data!==null||a.problem!==null,u=Y(o,{where:null,context:null}),f=T(m?S("contexts/types",u):null,E.value),d=Y(u,{recording:null}),p=T(m?S("recordings",d):null,E.value),h=p.data?.recordings??[],v=l||Zl(e,o),g=r-n<=Yl||e.get("whole")==="1"||we(e.get("box"))!==null||e.has("trace"),y=ze(b.value),x=[{name:"services",href:D([])},{name:t[0]==="s"&&t[1]?t[1]:y??"all"}],R=a.data?.all===0&&p.data!==null&&h.length===0;return c`<${oe} crumbs=${x}>
    ${a.data&&c`<${nc} data=${a.data} seconds=${tc(a.data,s)} jvms=${p.data} />`}
    <${as}
      types=${f.data?.types??[]}
      instances=${[...new Set(h.map(w=>w.instance))]}
    />
    ${!R&&c`<${Os} answer=${a} url=${i} note=${sc(a.data,v)} />`}
    ${m&&g&&c`<${oc} heat=${a} recordings=${h} isNarrowed=${v} />`}
    ${m&&!g&&c`<section>
        <${j} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Is=e=>e===null?"":_(e);function ic(e,t){let n=({contexts_in:s,spark:o})=>{let a=o.map(l=>l!==null),i=e?Ft(BigInt(e.t0_ns),e.step_ns,a,t):1;return s/i};return[{name:"service",cell:s=>c`<b>${s.service}</b>`,sort:s=>s.service},{name:"JVMs",cell:s=>$(s.jvms),isNumber:!0,sort:s=>s.jvms},{name:"contexts/s",title:"of all types together",cell:s=>$(Number(n(s).toPrecision(3))),isNumber:!0,sort:n},{name:"median",cell:s=>Is(s.p50_ns),isNumber:!0,sort:s=>s.p50_ns??-1},{name:"p99",cell:s=>c`<b>${Is(s.p99_ns)}</b>`,isNumber:!0,sort:s=>s.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:s=>s.contexts_in?F(s.contexts_out/s.contexts_in):"",isNumber:!0,sort:s=>s.contexts_out},{name:"most time of the kept",cell:({top:s})=>s&&c`<${ne} category=${s.category} />${Z(s.category).name}
      <span class="dim"> ${F(s.share)}</span>`},{name:"p99 over time",cell:s=>c`<${mo} values=${s.spark} label=${`p99 of ${s.service} over time`} />`}]}function Us(){let{from:e,to:t}=Q.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),s=T(r,E.value),o=s.data?.services??[],a=c`<${J}
    label="Services"
    columns=${ic(s.data,Q.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>D(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,l=c`<${W} of=${s.data} /><${I} url=${r} />`;return c`<${oe}>
    <${P} title="Services" note="by all their contexts" tools=${l} answer=${s}>
      ${o.length>0&&a} ${i&&c`<${Se} />`}
    <//>
  <//>`}function lc({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function cc({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${_(n)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(s=>c`<tr class="opens" key=${s.recording+s.id}>
              <td title=${`${s.instance}, ${s.thread}`}>
                <a href=${ie(s.recording,s.id,t+BigInt(Math.round(s.start)))}
                  ><b>${s.service}</b></a
                >
                <small class="dim"> ${s.thread}</small>
              </td>
              <td title=${s.attributes}>
                ${te(s.type)} <small class="dim">${s.attributes}</small>
              </td>
              <td class="n dim">+${_(s.start)}</td>
              <td class="n">${_(s.duration)}</td>
              <td
                class="axis"
                title=${`${_(s.blocked)} of ${_(s.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{marginLeft:r(s.start),width:r(s.duration)}}
                >
                  <div
                    style=${{width:`${100*s.blocked/Math.max(1,s.duration)}%`}}
                  ></div>
                </div>
              </td>
            </tr>`)}
      </tbody>
    </table>
  </div>`}var uc=e=>e===null?"":ue(BigInt(e));function Ds({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${uc(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function mc({of:e}){return e.state==="eliminated"?c`<${j} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Ds} of=${e} />
      <//>`:c`<${j} title="Not seen">
        No context of this trace is known here. <${Ds} of=${e} />
      <//>`}function Bs(){let e=b.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=T(t,E.value),{data:r}=n,s=r?lc(r,e):[],o=BigInt(r?.t0_ns??"0"),a=fc(e,o,s),i=new Set(s.map(f=>f.service)).size,l=new Set(s.map(f=>f.recording)).size,m=c`<${W} of=${r} />
    ${s.length>0&&c`<${ke} query=${a} />`} <${I} url=${t} />`,u=s.length>0&&`${xe(s.length,"context")} kept, ${xe(i,"service")}, ${xe(l,"JVM")}, from ${ue(o)}`;return c`<${oe} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${cc} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${mc} of=${r} />`}
    <//>
    ${s.length>0&&c`<${un} query=${a} tick=${E.value} />
        <${Ze} query=${a} tick=${E.value} />`}
  <//>`}function fc(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function pc([e]){switch(e){case void 0:return Us;case"c":return rs;case"e":return vo;case"r":return ko;case"s":return Es;case"t":return Bs;default:return xo}}var dc={s:"all services",e:"events",r:"recordings"};function hc(){let{path:e}=b.value;return c`<${pc(e)} key=${e.join("/")} />`}Kr();to();ro();fe(()=>{let{path:e}=b.value,t=e.length===1?dc[e[0]]??e[0]:e.at(-1);document.title=[...t?[t]:[],"Loupe"].join(" \xB7 ")});Rr(c`<${hc} />`,document.body);})();
