"use strict";(()=>{var M,fr,dn,be,fn,yt,pr,vt,dr,hn,pn,Ns,tt=Symbol.for("pv"),wt={},kt=[],Es=/^m(i|n|o|s|text|space)$/,gn=Array.isArray,bn=kt.slice,Me=Object.assign;function Pe(e){e&&e.parentNode&&e.remove()}function St(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?bn.call(arguments,2):n),et(e,a,r,s,null)}function et(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:tt,__v:s||++fr,__i:-1,__u:0};return!s&&M.vnode&&M.vnode(o),o}function Oe(e){return e.children}function Be(e,t){this.props=e,this.context=t,this.__g=0}function $e(e,t){if(t==null)return e.__&&$e(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:$e(e)}function Is(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Me({constructor:tt},n)).__v=n.__v+1,M.vnode&&M.vnode(t),$n(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||$e(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,vr(s,t,o),n.__=n.__e=null,t.__e!=r&&hr(t))}function hr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),hr(e)}function ur(e){(8&e.__g||(e.__g|=8,be.push(e),yt++))&&fn==M.debounceRendering||((fn=M.debounceRendering)||queueMicrotask)(gr)}function gr(){try{for(var e,t=1;be.length;)be.length>t&&be.sort(pr),e=be.shift(),t=be.length,8&e.__g&&Is(e)}finally{(yt=be.length)&&(fn||queueMicrotask)(gr)}}function br(e,t,n,r,s,o,a,i,l,m,u){var f,d,p,h,v,g,x=r.__k||kt,y=t.length;for(l=Us(n,t,x,l,y),f=0;f<y;f++)(p=n.__k[f])!=null&&(d=~p.__i&&x[p.__i]||wt,p.__i=f,g=$n(e,p,d,s,o,a,i,l,m,u),h=p.__e,(d.ref!=p.ref||8&d.__u)&&(d.ref&&_n(d.ref,null,p,d),p.ref&&u.push(p.ref,p.__c||h,p)),v=v||h,4&p.__u?(l=$r(p,l,e,!d.__v),d.__e&&(d.__e=null)):typeof p.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),p.__u&=-21);return n.__e=v,l}function Us(e,t,n,r,s){var o,a,i,l,m,u,f,d,p,h=n.length,v=h,g=0,x=0,y=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[o]=et(null,a):gn(a)?a=y[o]=et(Oe,{children:a}):a.constructor===tt&&a.__b?a=y[o]=et(a.type,a.props,a.key,a.ref,a.__v):y[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Ds(a,n,l,v))&&(v--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,x=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):y[o]=null;if(x){for(u=[],f=[],o=0;o<s;o++)if((a=y[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[p=g+d>>1]<a.__i?g=p+1:d=p;u[g]=a.__i,f[o]=g+1}for(g=u.length;o--;)f[o]&&(f[o]==g?g--:y[o].__u|=4)}if(v)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=$e(i)),vn(i,i));return r}function $r(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=$r(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=$e(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ds(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function mr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function _t(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||mr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||mr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=pn[t]||(pn[t]=Bs(t)),(e.__a||(e.__a={}))[t]=hn,o=t!=(t=t.replace(dr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Bs(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[vt]==null)t[vt]=hn++;else if(t[vt]<this.__a[e])return;return n(M.event?M.event(t):t)}}}function $n(e,t,n,r,s,o,a,i,l,m){var u,f,d,p,h,v,g,x,y,T,w,A,U,se,ae,De,S,N,J=t.type;if(t.constructor!==tt)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,f=o=[],u.nodeType==8?i=xt(u,o):o.push(u),i=o[0]||i),(u=M.__b)&&u(t);e:if(typeof J=="function"){d=a.length;try{if(x=t.props,y=(u=J.prototype)&&u.render,T=(u=J.contextType)&&r[u.__c],w=u?T?T.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(y?t.__c=p=new J(x,w):(t.__c=p=new Be(x,w),p.constructor=J,p.render=Hs),T&&T.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),y&&(p.__s||(p.__s=p.state),J.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=Me({},p.__s)),Me(p.__s,J.getDerivedStateFromProps(x,p.__s)))),h=p.props,v=p.state,p.__v=t,n.__c){if(x!==h&&y&&!J.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(x,w),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(x,p.__s,w)===!1){t.__v!=n.__v&&(p.props=x,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(W){W&&(W.__=t)}),kt.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&a.push(p),i=$e(n);break e}p.componentWillUpdate&&p.componentWillUpdate(x,p.__s,w),y&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(h,v,g)})}else y&&!J.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),y&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=w,p.props=x,p.__P=e,p.__g&=-5,A=M.__r,U=y?25:0;do p.__g&=-9,A&&A(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++U<25);y&&(kt.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=Me({},r,p.getChildContext())),y&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(h,v)),se=u&&u.type===Oe&&u.key==null?u.props.children:u,x.__P&&(u=i,s=(e=x.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(W){W&&vn(W,W)}),n.__k=null),i=n.__k?$e(n,0):null),i=br(e,gn(se)?se:[se],t,n,r,s,o,a,i,l,m),x.__P&&(t.__e=null,i=u),t.__u&=-161,f&&f.some(Pe),p.__h.length&&a.push(p),1&p.__g&&(p.__g&=-4)}catch(W){if(a.length=d,t.__v=null,l||o)if(W&&W.then){if(t.__u|=128|l,o){for(~(S=o.indexOf(i||void 0))||(S=o.length);(N=o[S-1])&&N.nodeType==8;)S--;for(;S<o.length;S++)if(N=o[S])if(o[S]=null,ae){if(N==De)break}else{if(N.nodeType!=8)break;N.data.startsWith("$s")&&(De=xt(ae=N))}}if(!ae){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;ae=i}(u=xt(ae=t.__c.__z||(t.__c.__z=ae)))?(t.__e=ae,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Pe);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),W&&W.then||_r(t),M.__e(W,t,n)}}else i=t.__e=Fs(n.__e,t,n,r,s,o,a,l,m,e);return(u=M.diffed)&&u(t),i}function xt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function _r(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(_r))}function vr(e,t,n){for(var r=0;r<n.length;)_n(n[r++],n[r++],n[r++]);M.__c&&M.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){M.__e(o,s.__v)}})}function Fs(e,t,n,r,s,o,a,i,l,m){var u,f,d,p,h,v,g,x,y=n.props||wt,T=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(x=m.ownerDocument||document,!w)return x.createTextNode(T);e=x.createElementNS(s,w,T.is?T:m),i&&(M.__m&&M.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&T.defaultValue!=null?null:o&&bn.call(m.childNodes),!i&&o)for(y={},u=0;u<e.attributes.length;u++)y[(h=e.attributes[u]).name]=h.value;for(u in y)h=y[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in T||u=="value"&&"defaultValue"in T||u=="checked"&&"defaultChecked"in T||_t(e,u,null,h,s);for(u in T)h=T[u],u=="children"?p=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?v=h:u=="checked"?g=h:i&&typeof h!="function"||y[u]===h||_t(e,u,h,y[u],s);f?(i||d&&(f.__html==d.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Es.test(w))&&(s="http://www.w3.org/1999/xhtml"),br(m,gn(p)?p:[p],t,n,r,s,o,a,o?o[0]:n.__k&&$e(n,0),i,l),o&&o.some(Pe)),i&&w!="textarea"||(u="value",w=="progress"&&v==null?e.removeAttribute(u):v==null||v===e[u]&&(w!="progress"||v)||_t(e,u,v,y[u],s),u="checked",g!=null&&g!=e[u]&&_t(e,u,g,y[u],s))}else y===T||i&&e.data==T||(e.data=T);return e}function _n(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){M.__e(s,n)}}function vn(e,t,n){var r,s,o,a;if(M.unmount&&M.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||_n(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){M.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&vn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=xt(r,o=[]))&&(r==e.__e&&o.some(Pe),Pe(s),Pe(r)),n||Pe(e.__e),e.__e=e.__c=e.__=null}function Hs(e,t,n){return this.constructor(e,n)}function xr(e,t){var n,r,s,o;M.__&&M.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=et(Oe,{children:[e]}),s=[],o=[],$n(t,t.__k,r||wt,wt,t.namespaceURI,r?null:t.firstChild?bn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),vr(s,t.__k,o),t.__k.props.children=null}M={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw yt=0,e}},fr=0,dn=function(e){return e!=null&&e.constructor===tt},Be.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Me({},this.state)),typeof e=="function"&&(e=e(Me({},n),this.props)),e&&(Me(n,e),this.__v&&(t&&this.__k.push(t),ur(this)))},Be.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ur(this))},Be.prototype.render=Oe,be=[],yt=0,pr=function(e,t){return e.__v.__b-t.__v.__b},vt=Symbol(),dr=/(PointerCapture)$|Capture$/i,hn=0,pn={},Ns=0;var Fe,G,xn,yr,yn=Object.is,rt=0,Or=[],wn=[],V=M,wr=V.__b,kr=V.__r,Sr=V.diffed,Rr=V.__c,Tr=V.unmount,Cr=V.__;function Rt(e,t){V.__h&&V.__h(G,e,rt||t),rt=0;var n=G.__H||(G.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return rt=1,js(Lr,e)}function js(e,t,n){var r=Rt(Fe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Lr(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);yn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=G,!G.__f)){G.__f=!0;var s=G.shouldComponentUpdate;G.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,yn(d.__[0],d.__N[0])||(u=!0))}),s){var f=s.call(this,o,a,i);return m?f||u:f}return!m||u}}return r.__}function pe(e,t){var n=Rt(Fe++,3);!V.__s&&Sn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,G.__H.__h.push(n))}function ot(e,t){var n=Rt(Fe++,4);!V.__s&&Sn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,G.__h.push(n))}function ie(e){return rt=5,E(function(){return{current:e}},[])}function E(e,t){var n=Rt(Fe++,7);return Sn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Tt(e,t){return rt=8,E(function(){return e},t)}function qs(){var e;do{for(;e=wn.shift();)try{nt(e)}catch(n){V.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Or.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(nt),t.__h.some(kn),t.__h=[]}catch(n){t.__h=[],V.__e(n,e.__v)}}}while(wn.length)}V.__b=function(e){G=null,wr&&wr(e)},V.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Cr&&Cr(e,t)},V.__r=function(e){kr&&kr(e),Fe=0;var t=(G=e.__c).__H;t&&(xn==G?G.__h=[]:(t.__h.some(nt),t.__h.some(kn),Fe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),xn=G},V.diffed=function(e){Sr&&Sr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Mr(Or.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),xn=G=null},V.__c=function(e,t){t.some(function(n){try{n.__h.some(nt),n.__h=n.__h.filter(function(r){return!r.__||kn(r)})}catch(r){n.__h=[function(){throw r}]}}),Rr&&Rr(e,t)},V.unmount=function(e){Tr&&Tr(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Mr(wn.push(s))}else nt(s)}catch(o){t=o}}),r.__H=void 0,t&&V.__e(t,r.__v))};var Pr=typeof requestAnimationFrame=="function";function Ws(e){var t,n=function(){clearTimeout(r),Pr&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Pr&&(t=requestAnimationFrame(n))}function Mr(e){e!=1&&yr==V.requestAnimationFrame||((yr=V.requestAnimationFrame)||Ws)(qs)}function nt(e){var t=G,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),G=t}function kn(e){var t=G;e.__c=e.__(),G=t}function Sn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!yn(n,e[r])})}function Lr(e,t){return typeof t=="function"?t(e):t}var Vs=Symbol.for("preact-signals");function Ot(){if(de>1)de--;else{var e,t=!1;for((function(){var s=Pt;for(Pt=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();at!==void 0;){var n=at;for(at=void 0,Ct++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Nr(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(Ct=0,de--,t)throw e}}function Tn(e){if(de>0)return e();Rn=++Gs,de++;try{return e()}finally{Ot()}}var st,F=void 0;function it(e){var t=F,n=st;F=void 0,st=void 0;try{return e()}finally{F=t,st=n}}var at=void 0,de=0,Ct=0,Gs=0,Rn=0,Pt=void 0,Mt=0;function Ar(e){if(F!==void 0){var t=e.n;if(t===void 0||t.t!==F)return t={i:0,S:e,p:F.s,n:void 0,t:F,e:void 0,x:void 0,r:t},F.s!==void 0&&(F.s.n=t),F.s=t,e.n=t,32&F.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=F.s,t.n=void 0,F.s.n=t,F.s=t),t}}function z(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}z.prototype.brand=Vs;z.prototype.h=function(){return!0};z.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:it(function(){var r;(r=t.W)==null||r.call(t)}))};z.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&it(function(){var s;(s=t.Z)==null||s.call(t)}))}};z.prototype.subscribe=function(e){var t=this;return me(function(){var n=t.value;it(function(){return e(n)})},{name:"sub"})};z.prototype.valueOf=function(){return this.value};z.prototype.toString=function(){return this.value+""};z.prototype.toJSON=function(){return this.value};z.prototype.peek=function(){var e=this;return it(function(){return e.value})};Object.defineProperty(z.prototype,"value",{get:function(){var e=Ar(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Ct>100)throw new Error("Cycle detected");(function(n){de!==0&&Ct===0&&n.l!==Rn&&(n.l=Rn,Pt={S:n,v:n.v,i:n.i,o:Pt})})(this),this.v=e,this.i++,Mt++,de++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Ot()}}}});function fe(e,t){return new z(e,t)}function Nr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Er(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Ir(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Le(e,t){z.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Mt-1,this.f=4}Le.prototype=new z;Le.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Mt))return!0;if(this.g=Mt,this.f|=1,this.i>0&&!Nr(this))return this.f&=-2,!0;var e=F;try{Er(this),F=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return F=e,Ir(this),this.f&=-2,!0};Le.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}z.prototype.S.call(this,e)};Le.prototype.U=function(e){if(this.t!==void 0&&(z.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Le.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Le.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Ar(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function _e(e,t){return new Le(e,t)}function Ur(e){var t=e.j;if(e.j=void 0,typeof t=="function"){de++;var n=F;F=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Cn(e),r}finally{F=n,Ot()}}}function Cn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Ur(e)}function Ks(e){if(F!==this)throw new Error("Out-of-order effect");Ir(this),F=e,this.f&=-2;try{8&this.f&&Cn(this)}finally{Ot()}}function He(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,st&&st.push(this)}He.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};He.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Ur(this),Er(this),de++;var e=F;return F=this,Ks.bind(this,e)};He.prototype.N=function(){2&this.f||(this.f|=2,this.u=at,at=this)};He.prototype.d=function(){this.f|=8,1&this.f||Cn(this)};He.prototype.dispose=function(){this.d()};function me(e,t){var n=new He(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Dr,At,Lt,Js=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Br=[];me(function(){Dr=this.N})();function je(e,t){M[e]=t.bind(null,M[e]||function(){})}function lt(e){if(Lt){var t=Lt;Lt=void 0,t()}Lt=e&&e.S()}function Fr(e){var t=this,n=e.data,r=Xs(n);r.name="ReactiveDom",r.value=n;var s=E(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=_e(function(){var p=r.value.value;return p===0?0:p===!0?"":p||""}),u=_e(function(){return!Array.isArray(m.value)&&!dn(m.value)}),f=me(function(){if(this.N=Hr,u.value){var p=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=p)}}),d=t.__$u.d;return t.__$u.d=function(){f(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}Fr.displayName="ReactiveTextNode";Object.defineProperties(z.prototype,{constructor:{configurable:!0,value:St(Oe,null).constructor},type:{configurable:!0,value:Fr},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});je("__b",function(e,t){if(lt(),At=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof z&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});je("__r",function(e,t){if(e(t),t.type!==Oe){lt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return me(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;Js&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),At=r,lt(n)}});je("__e",function(e,t,n,r){lt(),At=void 0,e(t,n,r)});je("diffed",function(e,t){lt(),At=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=zs(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function zs(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=fe(n);return{o:function(a,i){o.value=a,r=i},d:me(function(){this.N=Hr;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}je("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});je("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});Be.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Xs(e,t){return E(function(){return fe(e,t)},[])}var Ys=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Qs(){Tn(function(){for(var e;e=Br.shift();)Dr.call(e)})}function Hr(){Br.push(this)===1&&(M.requestAnimationFrame||Ys)(Qs)}function Pn(){return{path:location.pathname.split("/").filter(t=>t!=="").map(decodeURIComponent),params:new URLSearchParams(location.search)}}var b=fe({path:[],params:new URLSearchParams});function qe(...e){return"/"+e.map(encodeURIComponent).join("/")}function X(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function re(e,t){let n=t.toString();return n===""?e:e+"?"+n}function ve(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=Pn()}function C(e,t=!1){ve(re(location.pathname,X(b.value.params,e)),t)}function xe(e){return re(qe(...b.value.path),X(b.value.params,e))}function Zs(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function L(e,t={}){return re(qe(...e),X(Zs(b.value.params),t))}function ea(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),ve(t.pathname+t.search),scrollTo(0,0))}function jr(){addEventListener("popstate",()=>b.value=Pn()),addEventListener("click",ea),b.value=Pn()}var Wr=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,Wr(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},qr=new Map;function Vr(e){var t=qr.get(this);return t||(t=new Map,qr.set(this,t)),(t=Wr(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var f=0;f<n[u].length;f++)r=n[u][f],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][f+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=Vr.bind(St);var Et=["5m","15m","1h","6h","1d","7d","30d"],Gr="1h",ta=5e3,na={s:1,m:60,h:3600,d:86400},Kr=()=>BigInt(Date.now())*1000000n,H=fe(Kr());function Mn(){H.value=Kr()}function Jr(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*na[t[2]])*1000000000n:null}function Nt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var ct=_e(()=>{let e=b.value.params.get("last")??Gr;return Jr(e)===null?Gr:e}),Ae=_e(()=>b.value.params.get("live")==="1"),Q=_e(()=>{let{params:e}=b.value,t=Nt(e.get("to")??"")??H.value;return{from:Nt(e.get("from")??"")??t-Jr(ct.value),to:t}});function zr(){let e=0;me(()=>{clearInterval(e),Ae.value&&(e=window.setInterval(()=>document.hidden||Mn(),ta))})}var Ne=fe(0),On=new Map;function D(e){let t=On.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),On.set(e,t)),t}function Ln(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Xr(e,t,n){let r=Ln(t);return"#"+Ln(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var ra=.2;function It(e){let[t,n,r]=Ln(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>ra?"#101113":"#ffffff"}function Yr(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{On=new Map,Ne.value++})}var oa=5,sa=1;function aa(e,t){return new Promise(n=>{let r=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function ia(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}async function la(e,t){for(let n=0;;n++){let r=await fetch(e,{signal:t,headers:{accept:"application/json"}});if(r.ok)return{data:await r.json(),problem:null,status:r.status,isLoading:!1};if(r.status!==503||n===oa)return{data:null,problem:await ia(r),status:r.status,isLoading:!1};let s=Number(r.headers.get("retry-after"))||sa;await aa(s*1e3,t)}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=O(n);return pe(()=>{if(e===null){s(n);return}let o=new AbortController;return s(a=>({...a,isLoading:!0})),la(e,o.signal).then(s,a=>{if(!o.signal.aborted){let i=`the collector cannot be reached: ${String(a)}`;s(l=>({...l,problem:i,status:0,isLoading:!1}))}}),()=>o.abort()},[e,t]),r}function mt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function _(e){if(e<0)return"-"+_(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):mt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ca={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Qr(e){let t=/^\s*(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|s|min|h)?\s*$/.exec(e);return t?Math.round(Number(t[1])*ca[t[2]??"ms"]):null}function oe(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):mt(t))+" "+n;t/=1e3}return mt(t)+" TB"}function $(e){return e<1e6?e.toLocaleString("en-US"):e<9995e5?mt(e/1e6)+" M":mt(e/1e9)+" G"}function B(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function le(e,t){return t==="ns"?_(e):t==="bytes"?oe(e):$(e)}var ut=e=>String(e).padStart(2,"0");function te(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${ut(n.getHours())}:${ut(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${ut(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function he(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${ut(t.getMonth()+1)}-${ut(t.getDate())}`}function ce(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function Z(e){return e.slice(e.lastIndexOf(".")+1)}function We(e){return e.split(".").slice(-2).join(".")}var ua={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},unaccounted:{name:"not accounted",token:"none"}},ma={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc","-":"unaccounted"};function Y(e){let t=e.startsWith("other: ")?e.slice(7):e;return ua[e]??{name:t,token:"other"}}function Ve(e){return ma[e]??"other: other"}function Ut(e){return e==="."?null:Y(Ve(e))}var fa={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function ye(e){return(e.startsWith("jdk.")?fa[e.slice(4)]:void 0)??"other: "+e}var pa=/^(java|javax|jdk|sun|com\.sun)\./;function Ge(e){return pa.test(e)}function Dt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}function Bt(e,t){let n=`${e} ${String(t)}`,[r,s]=O({key:n,cursor:"",before:[]}),{cursor:o,before:a}=r.key===n?r:{cursor:"",before:[]},i=e&&o?`${e}&cursor=${encodeURIComponent(o)}`:e,l=R(i,t),[m,u]=O([]);pe(()=>{l.data&&!l.isLoading&&u([...a,...Dt(l.data)])},[l.data]);let f=l.isLoading?null:l.data?.next??null;return{answer:l,items:m,more:f===null?null:()=>s({key:n,cursor:f,before:m})}}var da=["recording","instance","context","where","trace","thread","id"],ha=["recording","instance","context"],ga=["min_duration_ns","max_duration_ns"];function we(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function ft(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Ft(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function An(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Zr=30000000000n;function eo(e,t,n=""){An(e,{from:t.from-Zr,to:t.to+Zr},n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Ht({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Ke(e,t){let n=new URLSearchParams,r=Ht(e);r!==null&&n.set("service",r),Ft(n,e.params,da);let s=we(e.params.get("box"));return s?eo(n,s):(An(n,t),Ft(n,e.params,ga)),n}function to(e,t){let n=Ke(e,t),r=we(e.params.get("base_box"));if(!r)return Ft(n,e.params,["base"]),n;eo(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function no(e,t){let n=new URLSearchParams,r=Ht(e);r!==null&&n.set("service",r),Ft(n,e.params,ha),An(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return re("/api/v1/"+e,X(t,n))}function ee({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${Y(e).token})`}}
  ></span>`}function oo({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${Y(e).token})`;return c`<div class="bar" style=${{width:n,background:r}}></div>`}var ro=120,Nn=22;function so({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*ro,l=Nn-1-o/n*(Nn-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${ro} ${Nn}"
  >
    <path d=${r} />
  </svg>`}var ba=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${_(Number(e))}`],["max_duration_ns",e=>`\u2264 ${_(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function $a(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}function _a(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function jt({keys:e=[],values:t=[]}){let n=ba.flatMap(([r,s])=>b.value.params.getAll(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>$a(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${_a} aria-label="Add a condition on an attribute">
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
  </div>`}function ao(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function io(e,t){let[n,r=""]=e.split("?"),s=[...new URLSearchParams(r)].map(([o,a])=>` \\
  --data-urlencode ${ao(`${o}=${a}`)}`);return`curl -f${s.length>0?"G":""} ${ao(t+n)}${s.join("")}`}function I({url:e}){let[t,n]=O(!1);return e===null?null:c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await navigator.clipboard.writeText(io(e,location.origin)),n(!0)}} title=${io(e,location.origin)}>
      ${t?"copied":"curl"}
    </button>
  </span>`}var va=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function ke({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(l,m)=>k(m,r,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=k("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${va.map(([l,m,u])=>c`<a href=${o(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function lo(e){return re(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function qt(e){return typeof e=="string"?e:JSON.stringify(e)}function co(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function En(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function xa(e){return e.find(t=>!Ge(t))??e[0]??""}function ya({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${ce(e.start)}</dd>
        ${co(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${qt(r)}</dd>`])}
      </dl>
      <ol>
        ${En(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function Wt({items:e,since:t,contextHref:n,label:r}){let[s,o]=O(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:f,thread:d,recording:p,context:h}=l.values,v=t===void 0?te(l.start):"+"+_(Number(l.start-t)),g=co(l).map(([w,A])=>`${w}=${qt(A)}`),x=()=>o(s===m?null:m),y=s===m,T=n&&p!==null&&h?n(String(p),String(h)):null;return c`<tr key=${m} class=${y?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(y)} onClick=${x}>${v}</button>
        </td>
        <td title=${u}>
          <${ee} category=${ye(String(u))} />${Z(String(u))}
        </td>
        <td class="n">${typeof f=="number"?_(f):""}</td>
        <td class="cut">${d}</td>
        <td class="cut" title=${En(l)[0]}>${We(xa(En(l)))}</td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td>${T&&c`<a href=${T}>open</a>`}</td>`}
      </tr>
      ${y&&c`<${ya} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function wa({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function q({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function P({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r?.isLoading===!0&&r.data!==null;return c`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&c`<${wa} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function ka(e,t){return`-agentpath:/path/to/libloupe.so=collector=${e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t)},service=NAME`}function Sa({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=b.value,r=X(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:
    <a class="link" href=${re(qe(...t),r)}>look at all of that time</a>.
  </p>`}function Se(){let e=k("collector",new URLSearchParams),{data:t}=R(e,H.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<Q.value.from;return c`<${j} title="No JVM has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&c`<pre>${ka(t.agents,location.hostname)}</pre>`}
    ${t&&n&&c`<${Sa} of=${t} />`}
  <//>`}var Ra=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Ta=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/;function uo(e,{path:t,params:n}){if(Ra.test(e))return L(["t",e.toLowerCase()]);let r=t[0]==="s",s=Ta.test(e);if(!r)return L(["s"],s?{where:e}:{frame:e});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:e};return re(qe(...t),X(n,a))}function Ca(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(ve(uo(s,b.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function Pa(){let{params:e}=b.value,t=Nt(e.get("from")??"")!==null,{from:n,to:r}=Q.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=Et.includes(ct.value)?Et:[ct.value,...Et],a=`${ce(n)} to ${ce(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${he(n)} ${te(n,1e9)} to ${te(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===ct.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${Mn} title="ask again">refresh</button>
    <button
      aria-pressed=${Ae.value?"true":"false"}
      onClick=${()=>C({live:Ae.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}var Ma=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([o,a])=>c`<a href=${L(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${L([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Ma.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${Ca} />
      <${Pa} />
    </header>
    <main>${t}</main>`}function Oa(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=O(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((p,h)=>Oa(l(p),l(h))):t).slice(0,s),f=(p,h)=>{let v=a!==h?"none":p.isNumber?"descending":"ascending",g=p.sort?c`<button class="plain" onClick=${()=>i(h)}>${p.name}</button>`:p.name;return c`<th
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
  </div>`}var In=e=>e===null?"":_(e),Je=(e,t)=>b.value.params.getAll(e).includes(t);function Un({href:e,on:t,name:n}){return c`<a href=${e} class=${t?"on":""} aria-current=${t?"true":void 0}
    >${n}</a
  >`}function La({types:e}){let t=n=>xe({context:Je("context",n)?null:n,key:null,where:null,event:null});return c`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${Un} href=${t(n)} on=${Je("context",n)} name=${n} />`},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>In(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>In(n.p99_ns),isNumber:!0}]}
  />`}function mo({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return xe({where:Je("where",s)?o:[...o,s],event:null})};return c`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${Un}
            href=${n(r)}
            on=${Je("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>In(r.p99_ns),isNumber:!0}]}
  />`}function Aa({name:e}){let t=Ke(b.value,Q.value);t.delete("where");let r=R(k("attributes",t,{limit:"100"}),H.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${mo} name=${e} rows=${s} />`}`}function Na({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${Aa} name=${n.key} />`:c`<${mo} name=${n.key} rows=${r} />`}`}function Ea({of:e}){let t=n=>xe({event:Je("event",n)?null:n});return c`<${K}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${ee} category=${ye(n)} /><${Un}
              href=${t(n)}
              on=${Je("event",n)}
              name=${n}
            />`,sort:n=>n.type},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?_(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Ia({query:e}){let t=b.value.params.get("event"),n=k("events",e,{event:t,limit:"100"}),{answer:r,items:s,more:o}=Bt(n,H.value),a=c`<${q} of=${r.data} /><${I} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${Wt}
        label="Events"
        items=${s}
        contextHref=${(l,m)=>L(["c",l,m])}
      />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${j} title="No events here" />`}
  <//>`}function fo(){let e=b.value,t=Ke(e,Q.value),n=k("contexts/types",Da(t)),r=R(n,H.value),s=k("events/types",t),o=R(s,H.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${$(o.data.events)} events`+Ua(o.data.contexts);return c`<${ne}>
    <${jt} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${La} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Se} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${Na} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${q} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&c`<${Ea} of=${o.data} />`}
      <//>
    </div>
    <${Ia} query=${t} />
  <//>`}var Ua=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function Da(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function po(){return c`<${ne}>
    <${j} title="There is nothing here">
      <a href=${L([])}>Services</a> is where everything begins.
    <//>
  <//>`}function Ba(e){return e.replaceAll("_","-")}function pt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function dt({of:e}){return c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${Ba(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var go=e=>e.slice(0,19).replace("T"," "),Fa=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Vt=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,ho=(e,t)=>c`${$(e)} <span class="dim">of ${$(t)}</span>`,Ha=[{name:"service",cell:e=>c`<b>${e.service}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>go(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${_(Vt(e))}, running`:_(Vt(e)),isNumber:!0,sort:Vt},{name:"contexts kept",cell:e=>ho(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>ho(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${oe(e.bytes_out)} <span class="dim">of ${oe(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Fa(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function ja(){let{params:e}=b.value,{from:t,to:n}=Q.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=k("recordings",r),o=R(s),a=o.data?.recordings??[],i=c`<${q} of=${o.data} /><${I} url=${s} />`;return c`<${ne}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${K}
          label="Recordings"
          columns=${Ha}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>L(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Se} />`}
    <//>
  <//>`}var qa=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>oe(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>oe(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${dt} of=${pt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Re(e,t){return c`<span><b>${e}</b>${t}</span>`}function Wa({of:e}){let t=e.contexts_in?B(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Re(e.is_running?"running":"ended",`${_(Vt(e))} since ${go(e.start)} UTC`)}
    ${Re(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${Re($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${Re(oe(e.bytes_out),`of ${oe(e.bytes_in)} kept`)}
    ${Re(oe(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Re(_(e.waiting.duration_ns),`not compacted yet, ${oe(e.waiting.journal_bytes)}`)}
    ${Re(e.jvm_version,e.jvm_name)} ${Re(e.pid,`process, on ${e.instance}`)}
  </div>`}var Va={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk"};function Ga({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${$(r)} ${Va[n]??n}</li>`)}
      </ul>`}function Ka({service:e}){let t=k("policies/"+encodeURIComponent(e),new URLSearchParams),n=R(t,H.value),{data:r}=n,s=o=>Object.entries(o.settings).map(([a,i])=>`${a}=${i}`);return c`<${P}
    title="Policy"
    note=${r&&(r.file??"none: the JVM's own settings")}
    tools=${c`<${I} url=${t} />`}
    answer=${n}
  >
    ${r?.refused&&c`<p class="missing">${r.refused.problem}</p>`}
    ${r&&r.events.length>0&&c`<${K}
        label="Policy"
        rows=${r.events}
        rowKey=${o=>o.event}
        columns=${[{name:"event",cell:o=>o.event},{name:"settings",cell:o=>s(o).join(", "),className:"w"}]}
      />`}
  <//>`}function Ja({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,H.value),{data:r}=n,s=[{name:r?`${r.service}, ${r.instance}`:e}],o=c`<a href=${lo(e)} download>download .jfr</a><${I} url=${t} />`,a=r?pt(r.types):[];return c`<${ne} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${Wa} of=${r} />`}
      ${n.status===404&&c`<${j} title="This collector has no such recording">
          <a href=${L(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          <${dt} of=${a} />
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${Ga} of=${r}
        /><//>
        <${P} title="Event types">
          <${K}
            label="Event types"
            columns=${qa}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${Ka} service=${r.service} />`}
  <//>`}function bo(){let e=b.value.path[1];return e===void 0?c`<${ja} />`:c`<${Ja} id=${e} />`}function ge(e,t,n){return L(["c",e,t],n===void 0?{}:{at:String(n)})}function Gt(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function za(e,t,n){let r=devicePixelRatio||1,[s,o]=[t.clientWidth,t.clientHeight],[a,i]=[Math.round(s*r),Math.round(o*r)];(e.width!==a||e.height!==i)&&(e.width=a,e.height=i);let l=e.getContext("2d");l&&(l.setTransform(r,0,0,r,0,0),l.clearRect(0,0,s,o),n(l,{width:s,height:o,top:t.scrollTop}))}function Kt(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=ie(null),a=ie(null),i=ie(t),l=ie(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&za(a.current,o.current,i.current)})};pe(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),pe(m,[t,n,r,Ne.value]),pe(()=>{let{scrollTop:d,clientHeight:p}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+p&&(o.current.scrollTop=s[1]-p)},[s?.[0],s?.[1]]);let u=d=>p=>{let h=a.current.getBoundingClientRect(),v=p.clientY-h.top+o.current.scrollTop;d?.({x:p.clientX-h.left,y:v,width:h.width,event:p})},f=Math.min(n,r);return c`<div
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
  </div>`}var Jt=14,zt=8;function ze({at:e,children:t}){let n=ie(null);return ot(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+Jt+s>innerHeight-zt,i=Math.min(e.clientX+Jt,innerWidth-r-zt);o.left=`${Math.max(zt,i)}px`,o.top=`${a?Math.max(zt,e.clientY-Jt-s):e.clientY+Jt}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}function Qt(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let f=n[u]-1;s[u]=f<0?-1:i[f],a[u]=f<0?0:l[f],f>=0&&(l[f]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function _o(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let p=l.level[d];p>=r&&p<s&&m.push({node:d,x:0,width:n,row:p})}let u=n/(o[t]||1),f=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let p=l.level[d];if(p>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,v=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(v),n-1):v;p>=r&&(h>=1||g>=f[p-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:p}),f[p-r]=g+Math.max(h,1)),d++}return m}function vo(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let f=u>=a[m]&&u<a[m]+o[m];if(f&&l.level[m]===s)return m;m=f?m+1:i[m]}return-1}function xo(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?yo(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function yo(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var Yt=4;function wo(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**Yt).toString(36).padStart(Yt,"0")}function Zt(e,t){return yo(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(wo).join("")}function en(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=Yt){let a=t.slice(o,o+Yt),i=s+1;for(;i<(e.end[s]??0)&&wo(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}function Dn(e){let t=/^\/(.+)\/$/.exec(e);if(!t){let n=e.toLowerCase();return r=>r.toLowerCase().includes(n)}try{let n=new RegExp(t[1],"i");return r=>n.test(r)}catch{return null}}function ko(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var Xt=(e,t)=>t>0?e/t:0;function So({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(Xt(r.total,n),Xt(r.base_total??0,o)),i=Xt(e[s],n)-Xt(t?.[s]??0,o);return a>0?i/a:0}function Ro(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function Xa({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!Ge(e.names[e.name[o]]))return o;return s}function $o({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function To(e,t){let{flame:n}=e,r=$o(e,n.value),s=$o(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[Xa(e,i)]],f=o.get(m+u)??{name:u,kind:m,value:0,base:0};f.value+=r[i],f.base+=s[i],o.set(m+u,f)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var ue=18,Ya=22,Co=4,Qa=5,Za="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function ei(e){return e.split(".").slice(0,-2).join(".")}function ti(e){if(Ge(e))return"frame-jdk";let t=7;for(let n of ei(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Qa}`}function ni({names:e,kinds:t}){return e.map((n,r)=>{let s=Ut(t[r]??".");return D(r===0?"frame-root":s?s.token:ti(n))})}var Bn=32,Fn=e=>({fill:e,ink:It(e)});function Po(e){if(e.base_value===void 0){let s=ni(e).map(Fn);return e.name.map(o=>s[o])}let t=s=>Array.from({length:Bn+1},(o,a)=>Fn(Xr(D("frame-same"),D(s),a/Bn))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:So(e,o),i=Math.round(Bn*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function ri(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Mo(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=D("ink"),u=Fn(D("accent"));e.font=Za,e.textBaseline="middle";let f=e.measureText("0123456789").width/10;for(let{node:d,x:p,width:h,row:v}of n){let g=v*ue-r,x=s.name[d],y=d!==l&&s.level[d]<s.level[l],T=a!==null&&a.names[x]===1,w=y||a!==null&&!T,{fill:A,ink:U}=T?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=A,e.fillRect(p,g,Math.max(h-.5,.5),ue-1),h>=Ya){let se=Math.floor((h-2*Co)/f);e.globalAlpha=1,e.fillStyle=w?m:U,e.fillText(ri(s.names[x],se),p+Co,g+ue/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(p+1,g+1,Math.max(h-2,1),ue-3))}}var oi=24,si=3,Hn=(e,t)=>B(t>0?e/t:0);function ai({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=le(n[i]/Math.max(1,a),o),m=le(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${Hn(n[i],s)}, ${l} each, own ${m}`}function ii(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let f={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},f]}function li({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=ii(r,t),m=(u,f)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${le(f(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${Hn(f(d),d.whole)}</td>
            <td class="n dim">${le(f(d),s)}</td>`)}
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
    ${n>0&&c`<div class="dim">${Hn(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Oo({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=O(null),[i,l]=O(null),m=E(()=>i===null?-1:en(e,i),[e,i]),u=o?.node??-1,f=E(()=>Po(s),[s,Ne.value]),d=Tt((w,{width:A,top:U,height:se})=>{let ae=Math.floor(U/ue),De=_o(e,t,A,ae,Math.ceil((U+se)/ue));Mo(w,{flame:s,shades:f,zoom:t,found:n,marks:[m,u]},De,U)},[e,t,n,m,u,f]),p=({x:w,y:A,width:U})=>vo(e,t,U,w,Math.floor(A/ue)),h=w=>{let A=p(w),{clientX:U,clientY:se}=w.event;a(A<0?null:{node:A,at:{clientX:U,clientY:se}})},v=w=>{let A=p(w);A>=0&&w.event.button===0&&r(A)},g=w=>{let A=m<0?t:m;if(w.key.startsWith("Arrow")){let U=m<0?t:xo(e,t,A,w.key);l(Zt(e,U)),a(null)}else if(w.key==="Enter")r(A);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},x=m>=0?m:t,y=s.level[x],T=[Math.max(0,y-si)*ue,(y+1)*ue];return c`<${Kt}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*ue}
      heightMax=${oi*ue}
      draw=${d}
      reveal=${T}
      onPoint=${h}
      onUp=${v}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&ai(s,m)}</div>
    ${o&&c`<${ze} at=${o.at}><${li} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var ci=500;function ui(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=f=>le(f/Math.max(1,r),t),a=f=>c`<button
      class="plain"
      title="${f.name}: find it in the graph"
      onClick=${()=>C({find:f.name,flame:null,zoom:null})}
    >
      <${mi} kind=${f.kind} />${f.name}
    </button>`,i=(f,d,p=h=>o(d(h)))=>({name:f,cell:p,isNumber:!0,sort:d}),l=f=>B(n>0?f.total/n:0),m=f=>le(f/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:f=>f.name},i("own, each",f=>f.self),i("total, each",f=>f.total),i("share",f=>f.total,l)];return e.base_value===void 0?u:u.concat(i("base own",f=>f.baseSelf,f=>m(f.baseSelf)),i("base total",f=>f.baseTotal,f=>m(f.baseTotal)))}function mi({kind:e}){let t=Ut(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Lo({tree:e,matches:t}){let n=Ro(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${K}
      label="Frames"
      columns=${ui(e.flame)}
      rows=${n}
      rowsMax=${ci}
      rowKey=${r=>r.name}
    />
  </div>`}var fi=8,pi=2048;function tn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Ao({query:e,tick:t}){let n=k("flamegraph",e,{max_nodes:String(pi)}),r=R(n,t),{data:s}=r,o=s&&s.requests>0?To(Qt(s),fi):[],a=b.value.params.get("frame"),i=(u,f=0)=>le(u/Math.max(1,f),"ns"),l=u=>{let f=tn(u.name);return c`<tr key=${u.name+u.kind}>
      <td title=${u.name}>
        <button
          class="plain"
          aria-pressed=${a===f?"true":"false"}
          onClick=${()=>C({frame:a===f?null:f,zoom:null})}
        >
          <${ee} category=${Ve(u.kind)} />${We(u.name)}
        </button>
      </td>
      <td class="n">${i(u.value,s?.requests)}</td>
      ${s?.base_value&&c`<td class="n dim">${i(u.base,s.base_requests)}</td>`}
      <td class="n dim">${B(u.value/Math.max(1,s?.total??0))}</td>
    </tr>`},m=c`<${q} of=${s} /><${I} url=${n} />`;return c`<${P} title="Top frames" tools=${m} answer=${r} className="top-frames">
    <table class="frames">
      <thead>
        <tr>
          <th scope="col">frame</th>
          <th scope="col" class="n">each</th>
          ${s?.base_value&&c`<th scope="col" class="n">base</th>`}
          <th scope="col" class="n">share</th>
        </tr>
      </thead>
      <tbody>
        ${o.map(l)}
      </tbody>
    </table>
  <//>`}var jn=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function nn({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function di(e){let t=e.get("value")??"";return jn.some(([n])=>n===t)?t:"time"}function hi({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${jn.map(([t,n])=>c`<${nn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function gi({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${nn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all other contexts of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${nn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function bi({found:e,flame:t}){let n=b.value.params.get("find")??"",r=n!==""&&Dn(n)===null,s=b.value.params.get("width")==="base"&&t?.base_total||t?.total,o=e&&s?B(e.weight/s):B(0);return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${n}
      onInput=${i=>{let{value:l}=i.currentTarget;C({find:l===""?null:l},!0)}}
    /><span role="status"
      >${r?"no regular expression":e?`${o} found`:""}</span
    >`}function $i(){let e=b.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function _i({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>B(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${ee} category=${Ve(o)} />${Y(Ve(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${$(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function vi({requests:e,total:t,unit:n,...r}){let s=le(t/Math.max(1,e),n),o=r.base_requests??0,a=le((r.base_total??0)/Math.max(1,o),n),i=r.base_value?`; base: ${$(o)}, ${a} each`:"";return`${$(e)} ${e===1?"context":"contexts"}, ${s} each${i}`}function rn({query:e,tick:t}){let{params:n}=b.value,r=di(n),s=n.get("frame"),o=X(e,{value:r,frame:s}),a=k("flamegraph",o),i=R(a,t),l=i.data,m=n.get("width")==="base"&&l?.base_value!==void 0,u=E(()=>l&&Qt(l,m),[l,m]),f=n.get("find")??"",d=E(()=>f===""?null:Dn(f),[f]),p=E(()=>u&&d&&ko(u,d),[u,d]),h=n.get("flame")==="table",v=!u||u.weight.length===0||!(u.weight[0]>0),g=u?en(u,n.get("zoom")??""):0,x=u&&c`<${Oo}
      tree=${u}
      zoom=${g}
      found=${p}
      onZoom=${w=>C({zoom:Zt(u,w)||null})}
    />`,y=c`<${q} of=${l} /><${ke}
      query=${e}
      value=${r}
      frame=${s}
    /><${I} url=${a} />`,T=l?vi(l):"";return c`<${P} title="Flame graph" note=${T} tools=${y} answer=${i}>
    <div class="flame-tools">
      <${hi} value=${r} />
      <${$i} />
      <${gi} flame=${l} />
      <${bi} found=${p} flame=${l} />
      ${g>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${nn}
        isOn=${h}
        onChange=${()=>C({flame:h?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${l&&v&&c`<${j} title="No ${jn.find(([w])=>w===r)[1]} in this selection" />`}
    ${!v&&(h?c`<${Lo} tree=${u} matches=${d} />`:x)}
    ${l&&!v&&c`<${_i} flame=${l} />`}
  <//>`}function qn(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Wn({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function No(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Eo(e,t,n,r,s){let o=Wn(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Io(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Uo({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Do(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var xi=560,yi=110,wi=4,ki=28,Fo=5,Si="11px Inter, system-ui, sans-serif",Ri=500;function Ti(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function on(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Ci(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function Vn({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${Z(t)} \xB7 ${_(n)}`}function Pi(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=D(i?"hover":Y(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=D(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=ki&&(e.fillStyle=i?D("ink"):It(l),e.fillText(Ci(e,Vn(s),a-2*Fo),o+Fo,n+20/2-1))}function Mi(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=D("panel"),e.fillRect(0,0,n,18);for(let o of Uo(t,n/yi)){let a=Math.round((o-t.from)*s),i=o===0?"0":_(o),l=e.measureText(i).width;e.fillStyle=D("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=D("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function Oi(e,t,n,r){return Tt((s,{width:o,top:a,height:i})=>{let l=qn(e);s.font=Si,s.textBaseline="middle",Mi(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let f=l[u]-a;f>i||l[u+1]-a<0||Wn(m,t,o).forEach(d=>Pi(s,d,f+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=D("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function Li({title:e},t){return`${e}: ${Y(t.kind).name}, ${Vn(t)}, at ${_(t.start)}`}function Ai({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Ri}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>_(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${ee} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>_(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Ho({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Ti(b.value.params.get("part"),t),[a,i]=O(null),[l,m]=O(null),[u,f]=O(null),[d,p]=O(!1),h=E(()=>qn(e),[e]),v=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=Oi(e,o,[v?.box??null,a?.box??null],u),x=({x:S,y:N,width:J})=>{let W=No(h,N),Ce=W<0?null:Eo(e[W],o,J,S,N-h[W]);return Ce&&{lane:W,box:Ce}},y=S=>{if(u){f([u[0],Math.max(0,Math.min(S.x,S.width))]),i(null);return}let N=x(S),{clientX:J,clientY:W}=S.event;i(N&&{...N,at:{clientX:J,clientY:W}})},T=({lane:S,box:N})=>{let J=n?.(e[S],N)??null;J!==null&&r?r(J):on({from:N.start,to:N.start+Math.max(1,N.duration)})},w=({x:S,event:N})=>{N.button===0&&N.pointerType!=="touch"&&(N.target.setPointerCapture(N.pointerId),f([S,S]))},A=S=>{f(null);let[N=0,J=0]=u?[...u].sort((Ce,As)=>Ce-As):[],W=x(S);if(J-N>=wi){let Ce=(o.to-o.from)/S.width;on({from:o.from+N*Ce,to:o.from+J*Ce})}else W&&T(W)},U=e.findIndex(({boxes:S})=>S.length>0),se=S=>{if(S.key.startsWith("Arrow")&&U>=0)m(v?Do(e,v,S.key):{lane:U,box:e[U].boxes[0]});else if(S.key==="Enter"&&v)T(v);else if(S.key==="Escape"||S.key==="Backspace")on(null);else return;S.preventDefault()},ae=v?h[v.lane]+20+v.box.level*20:0,De=b.value.params.get("part")!==null;return c`<${Kt}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${xi}
      draw=${g}
      reveal=${v?[ae-20-20,ae+20]:void 0}
      onPoint=${y}
      onDown=${w}
      onUp=${A}
      onLeave=${()=>i(null)}
      onKey=${se}
    >
      ${e.map((S,N)=>c`<div class="lane-title" key=${S.key} style=${{top:`${h[N]}px`}}>
            ${S.href?c`<a href=${S.href}>${S.title}</a>`:S.title}
            <small title=${S.note}>${S.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${v&&Li(e[v.lane],v.box)}</div>
    ${a&&c`<${ze} at=${a.at}>
        <b>${Vn(a.box)}</b>
        <div>${a.box.name}, ${Y(a.box.kind).name}</div>
        <div class="dim">at ${_(a.box.start)}</div>
      <//>`}
    ${De&&c`<button onClick=${()=>on(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${S=>p(S.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${Ai} lanes=${e} />`}
    </details>`}var Ni=3;function Ei(e,t){let n=e.slices.find(r=>r.category===t);return _(e.requests?(n?.total_ns??0)/e.requests:0)}function Ii({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=(m,u)=>s?c`<a href=${s(e.category,u)}>${m}</a>`:m,a=e.total_ns/t.requests,i=e.top.slice(0,Ni).filter(m=>m.total_ns>0),l=s?"opens":"";return c`<tr
      class=${l}
      title=${`${_(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ee} category=${e.category} />${o(Y(e.category).name,null)}
      </th>
      <td class="fill"><${oo} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${_(a)}</td>
      ${r&&c`<td class="n dim">${Ei(r,e.category)}</td>`}
      <td class="n dim">${B(e.total_ns/Math.max(1,t.total_ns))}</td>
    </tr>
    ${i.map(m=>c`<tr class=${`frame ${l}`} title=${m.frame}>
          <td colspan="2">${o(We(m.frame),m.frame)}</td>
          <td class="n">${_(m.total_ns/t.requests)}</td>
          ${r&&c`<td></td>`}
          <td class="n dim">${B(m.total_ns/Math.max(1,t.total_ns))}</td>
        </tr>`)}`}function Gn({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return c`<table class="why">
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
      ${e.slices.map(s=>c`<${Ii}
            key=${s.category}
            slice=${s}
            of=${e}
            largest=${r}
            base=${t}
            hrefOf=${n}
          />`)}
    </tbody>
  </table>`}function sn({query:e,base:t=null,tick:n,hrefOf:r}){let s=k("why",e),o=R(s,n),a=R(t&&k("why",t),n),{data:i}=o,l=c`<${q} of=${i} /><${I} url=${s} />`,m=i&&i.requests>0?`mean of ${$(i.requests)} contexts, ${_(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${m}
    tools=${l}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${Gn} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${j} title="No kept context is in this selection" />`}
  <//>`}var Kn=8192,jo=60000000000n,Ui=2000000000n;function qo(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Wo({t0_ns:e,events:t,is_truncated:n}){return Dt({...t,t0_ns:e,next:null,is_truncated:n})}function Jn(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=qo(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=qo(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:f,from:d,to:p}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:f+1,from:Math.min(d,a),to:Math.max(p,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function zn(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,f]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:f};r[s]?.boxes.push(d)}return r}function Di(e,t,n){return Dt(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=ye(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function Bi(e,t,n,r){let s=BigInt(e.t0_ns),a=zn(n,s).filter(({thread:f})=>f===t.thread).flatMap(({boxes:f})=>f),i=a.filter(({kind:f})=>f==="context").map(({name:f})=>f),l=Di(r,s,new Set([e.type,...i])),m=Io([...a,...l]).filter(f=>f.start<=t.to&&f.start+f.duration>=t.from),u=`had the monitor of ${Z(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function Fi(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Ui)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(i,l)=>t?k(i,r,l):null,o=R(s("timeline",{width:String(Kn)})).data,a=R(s("events",{limit:"1000",columns:"name"})).data;return E(()=>t&&o&&a?Bi(e,t,o,a):null,[e,o,a])}function Hi(e){let t=Gt(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-jo)});r.set("to",String(n+BigInt(e.duration)+jo));let s=String(Kn),o=R(t&&k("timeline",r,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return E(()=>(o?zn(o,n):[]).map(m=>{let u=i?.[m.recording],f=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:f,href:t===null?void 0:L(["t",t])}}),[e,o,i])}function Vo(e,t){let n=E(()=>Jn(e)[0],[e]),r=R(k("timeline",t,{width:String(Kn)})).data,s=Fi(e,n),o=Hi(e);return E(()=>{let a=r?zn(r,BigInt(e.t0_ns)):[],i=f=>f.recording!==e.recording||![null,e.thread,s?.thread].includes(f.thread),l=a.filter(({thread:f})=>f===null),m=a.filter(({thread:f})=>f!==null),u=`this one, ${_(e.duration)}`;return[...l.map(f=>({...f,note:"pauses: GC, safepoints"})),...m.map(f=>({...f,note:u})),...s?[s]:[],...o.filter(i)]},[e,r,s,o])}var Go=300000000000n,ji=100,Xe=({t0_ns:e})=>BigInt(e);function Xn(e){let t=Xe(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function qi(e){let t=Xn(e);if(b.value.params.get("base")==="rest"){let n=Xe(e);t.set("from",String(n-Go)),t.set("to",String(n+Go)),t.set("context",e.type),t.set("base","rest")}return t}function Wi({context:e,jvm:t}){let n=Xe(e),r=Gt(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${L(["t",r])}>${r}</a>`:qt(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${ce(n)}>${he(n)} ${te(n)}</dd>
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <dt>JVM</dt>
    <dd>
      <a class="link" href=${L(["r",e.recording])}
        >${t?t.instance:e.recording}</a
      >
      ${t&&c`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>
    ${e.parent&&[c`<dt>within</dt>`,c`<dd>
          <a class="link" href=${Ko(e,e.parent)}
            >${Z(e.parent.type)}, ${_(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Ko(e,{id:t,start:n}){return ge(e.recording,t,Xe(e)+BigInt(Math.round(n)))}function Vi({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${Y(t).name} ${B(r)}`,o=`var(--${Y(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function Gi({context:e}){let t=Jn(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${ee} category=${ye(n)} />${$(r)} × ${Z(n)}
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
                  <td class="w">${Z(n.monitor)}</td>
                  <td class="n">${_(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Ki({context:e}){return c`<${P} title="Contexts in it" note=${$(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${ji}
      rowKey=${t=>t.id}
      href=${t=>Ko(e,t)}
      columns=${[{name:"context",cell:t=>t.type},{name:"after",cell:t=>"+"+_(t.start),isNumber:!0},{name:"duration",cell:t=>_(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Ji({context:e,tick:t}){let n=E(()=>Xn(e),[e]),r=Vo(e,n),s=E(()=>Wo(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:ge(i.recording,l,Xe(e)+BigInt(Math.round(m))),a=c`<${I} url=${k("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Ho}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${ve}
      />
    <//>
    ${e.children.length>0&&c`<${Ki} context=${e} />`}
    <${rn} query=${qi(e)} tick=${t} />
    <${P} title="Events" note=${$(s.length)}>
      ${s.length>0?c`<${Wt}
              items=${s}
              since=${Xe(e)}
              label="Events of the request"
            />`:c`<${j} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Jo(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=k(a,o),l=R(i,H.value),m=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,f=u?`${Z(u.type)}, ${_(u.duration)}`:r,d=[{name:"services",href:L([])},...m?[{name:m.service,href:L(["s",m.service])}]:[],{name:f}],p=u&&Xn(u),h=c`<${q} of=${u} /> ${p&&c`<${ke} query=${p} />`}
    <${I} url=${i} />`;return c`<${ne} crumbs=${d}>
    ${u?c`<div class="three">
              <${P}
                title=${Z(u.type)}
                note=${_(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${Wi} context=${u} jvm=${m} />
              <//>
              <${P} title=${`Why ${_(u.duration)}`}>
                <${Vi} why=${u.why} /><${Gn} of=${u.why} base=${null} />
              <//>
              <${P} title="Kept because"><${Gi} context=${u} /><//>
            </div>
            <${Ji} context=${u} tick=${H.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var zi=100,Xi=10,Yi=1.96;function Qi(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-Yi*o)}function Zi({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?Qi(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function el({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function tl({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":_(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${$(o.count)} of ${$(e)}`}>
          ${B(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${$(o.base_count)} of ${$(t)} to compare with`}
      >
        ${el(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function nl({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return xe({where:[...r,n]})}function rl({data:e}){let[t,n]=O(!1),r=b.value.params.getAll("where"),s=Zi(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,Xi),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${K}
      label="Attributes"
      columns=${tl(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${nl}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${$(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function zo({query:e,against:t,tick:n}){let r=k("attributes",e,{limit:String(zi)}),s=R(r,n),{data:o}=s,a=c`<${q} of=${o} /><${I} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${rl} data=${o} />`}
  <//>`}function Xo({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function ol(){let{params:e}=b.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=Qr(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?_(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function Yo({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${Xo}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${$(a)})`])}
    />
    <${Xo}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${ol} />
    <${jt}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}function Qo(e){let[t,n]=O({width:0,height:0,ratio:1});return ot(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Zo(e,{width:t,height:n,ratio:r},s,o){ot(()=>{let a=requestAnimationFrame(()=>{let i=e.current,l=i?.getContext("2d");i&&l&&(i.width=Math.round(t*r),i.height=Math.round(n*r),l.scale(r,r),s(l))});return()=>cancelAnimationFrame(a)},[t,n,r,Ne.value,...o])}var sl=[1,1.189207115002721,1.4142135623730951,1.681792830507429],al=e=>sl[e&3]*2**(e>>2);function es(e){return e<0?1:Math.floor(al(e+1))}function Te(e,{column:t,row:n}){return t*e.rows+n}function Ye(e){let t=new Map;for(let[n,r]of e.flat())t.set(n,(t.get(n)??0)+r);return[...t].sort((n,r)=>n[0]-r[0])}function Ee(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function an(e,t,n){let r=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,o=-1/0;for(let[u]of e.columns.flat())s=Math.min(s,u),o=Math.max(o,u);let a=1;for(;Math.floor(o/a)-Math.floor(s/a)>=n;)a*=2;let i=s>o?0:Math.floor(s/a),l={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(r),columns:Math.ceil(e.columns.length/r),first:i,buckets:a,rows:s>o?0:Math.floor(o/a)-i+1,cells:new Map,most:0,exemplars:new Map},m=(u,f)=>({column:Math.floor(u/r),row:Math.floor(f/a)-i});e.columns.forEach((u,f)=>{for(let[d,p,h]of u){let v=m(f,d),g=l.cells.get(Te(l,v))??{...v,all:0,kept:0};g.all+=p,g.kept+=h,l.cells.set(Te(l,v),g),l.most=Math.max(l.most,g.all)}});for(let[u,f,d,p]of e.exemplars)l.exemplars.set(Te(l,m(u,f)),{recording:d,id:p});return l}function ns(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Qe(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0?0:es(i-1)+1,max:es((e.first+a+1)*e.buckets-1)}}function ln(e,t,n){let r=Qe(e,n,n);return r.from<t.to&&r.to>t.from&&r.min<=t.max&&r.max>=t.min}function Ie(e,t){let n={all:0,kept:0};for(let r of e.cells.values())ln(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function rs(e,t){return[...e.cells.values()].filter(n=>ln(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Te(e,n))??[])}function Qn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function os(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Zn(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function Yn(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function bt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function er(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,Yn(e,t,n.from)),l=Math.max(o,bt(e,t,n.max)),m=Math.min(s,Yn(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,bt(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function tr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ss(e,t,n,r){let s=[],o=a=>{let i=bt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var ts=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function as(e,t,n,r,s){let{from:o,to:a}=tr(e),i=Number(a-o)/1e9*(n/t.width),l=ts.find(f=>f>=i)??ts.at(-1),m=BigInt(l)*1000000000n,u=[];for(let f=(o+r+m-1n)/m*m-r;f<a;f+=m)u.push({at:Yn(e,t,f),text:s(f,l*1e9)});return u}var il=4,ll={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Ue(e){return we(b.value.params.get(e))}function $t(e,t){let n=e&&ft(e);C(t?{base_box:n,base:null}:{box:n,...e?{min_duration_ns:null,max_duration_ns:null}:{}})}function cl(){$t(null,Ue("base_box")!==null)}function nr({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function cs(e,t){return e.column===t.column&&e.row===t.row}function ls(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function ul(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function Ze({grid:e,isRate:t},{from:n,to:r}){return t?Qe(e,{...n,row:0},{...r,row:e.rows-1}):Qe(e,n,r)}function us(e,t){let n=e.exemplars.get(Te(e,t));n&&ve(ge(n.recording,n.id))}function ms(e){let{grid:t,plot:n}=e,[r,s]=O(null),[o,a]=O(null),i=ie(null),l=({offsetX:g,offsetY:x})=>os(t,n,g,x),m=g=>{let{offsetX:x,offsetY:y}=g;if(g.button===0&&t.rows>0&&Zn(n,x,y)){g.currentTarget.setPointerCapture(g.pointerId);let T=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x,y,isLong:!1,isBase:T})}},u=g=>{let{offsetX:x,offsetY:y}=g;if(r){let U=r.isLong||Math.hypot(x-r.x,y-r.y)>=il;s({...r,to:l(g),isLong:U})}let{clientX:T,clientY:w}=g,A=t.rows>0&&Zn(n,x,y);a(A?{place:l(g),clientX:T,clientY:w}:null)},f=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){us(t,r.from);return}let x=Ze(e,r),y=!r.isLong&&Ie(t,x).all===0;$t(y?null:x,r.isBase)},d=g=>{let x=i.current,y=x&&ln(t,x,l(g))?x:Ze(e,{from:l(g),to:l(g)});C({box:ft(y)},!0),nr(y)},p=({detail:g})=>{i.current=g>1?i.current:Ue("box")},h=()=>a(null),v=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:p,onPointerDown:m,onPointerMove:u,onPointerUp:f,onPointerLeave:h,onPointerCancel:v,onDblClick:d}}}function fs(e){let{grid:t}=e,[n,r]=O(null),s=i=>{let l=ll[i.key];if(l&&t.rows>0){let m=n?ls(t,n.to,l):ul(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)us(t,n.to);else if(i.key==="Enter"&&n)$t(Ze(e,n),i.shiftKey||e.isComparing);else if(i.key==="Escape")r(null),cl();else return;i.preventDefault()},o=i=>ls(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var cn=52,ml=20,ps=6,fl=52,pl=72,dl=26,hl=60000000000n;function ds(e,t,n){let r=e-cn-(n?fl:0);return{x:cn,y:ps,width:Math.max(1,r),height:Math.max(1,t-ps-ml)}}function gl(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*hl}function bl(e,t){let n=te(e,t);return n==="00:00"?he(e).slice(5):n}function $l(e,t){let n=r=>_(r).replace(/\.0+ /," ");return{times:as(e,t,pl,gl(e.t0),bl),durations:e.rows===0?[]:ss(e,t,dl,n)}}function hs(e,t,n){let r=["h0","h1","h2","h3","h4","h5"].map(D);e.strokeStyle=D("kept"),e.lineWidth=1;for(let s of t.cells.values()){let{x:o,y:a,width:i,height:l}=Qn(t,n,s),m=Math.min(i,l)>4?1:0;e.fillStyle=r[ns(s.all,t.most)],e.fillRect(o,a,i-m,l-m),s.kept>0&&e.strokeRect(o+.5,a+.5,i-m-1,l-m-1)}or(e,t,n)}function or(e,t,n){let{times:r,durations:s}=$l(t,n);e.fillStyle=D("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,cn-8,o),e.fillRect(cn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function rr(e,t,n,r){t&&(e.fillStyle=D("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function gs(e,t,n,r){rr(e,r.base&&er(t,n,r.base),D("soft"),[4,3]),rr(e,r.box&&er(t,n,r.box),D("accent"),[]);for(let s of r.cells)rr(e,Qn(t,n,s),D("ink"),[])}function bs({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=Ye(a);return{perSecond:i.reduce((u,[,f])=>u+f,0)/(a.length*(e/1e9)),p50:Ee(i,.5),p99:Ee(i,.99)}})}function $s(e){return`${$(Number(e.toPrecision(3)))}/s`}function _l(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function vl(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function _s(e,t,n,r){let s=n.width/t.columns,o=_l(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=D("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=D(i);let l=(m,u)=>{let f=m[a];return f===null?null:[n.x+(u+.5)*s,bt(t,n,f)]};vl(e,r.map(l),s)}or(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText($s(o*a),n.x+n.width+6,i+(a===1?5:0))}}function vs({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":_(s);return c`<b>${$s(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function xs(){let e=(t,n)=>c`<span><span class="dot" style=${{background:`var(--${t})`}}></span>${n}</span>`;return c`${e("h1","contexts/s, right")}${e("cpu","median")}${e("lock","p99")}`}var sr=6e10;function un({from:e,to:t,min:n,max:r}){let s=e%BigInt(sr)===0n&&t%BigInt(sr)===0n,o=i=>te(i,s?sr:1e9),a=n<=1?`up to ${_(r)}`:`${_(n)} to ${_(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function ar({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var xl=5,yl=6;function wl({view:{grid:e},hover:t,rates:n}){let{place:r}=t,s=Te(e,r),o=e.cells.get(s),a=n?.[r.column];if(!o&&!a)return null;let[i,l]=un(Qe(e,r,r)).split(", "),m=o&&`${$(o.all)} contexts, ${$(o.kept)} kept`,u=a?c`<${vs} of=${a} /><br />${i}`:c`<b>${l}</b><br />${i}<br />${m}
        ${e.exemplars.has(s)&&c`<br />Alt+click opens one`}`;return c`<${ze} at=${t}>${u}<//>`}function kl(e,t){let n=Math.max(1,t.width/xl),r=Math.max(1,t.height/yl);return E(()=>an(e,n,r),[e,n,r])}function Sl({data:e,isRate:t,isComparing:n}){let r=ie(null),s=Qo(r),o=ds(s.width,s.height,t),a=kl(e,o),i=E(()=>t?bs(e,a):null,[t,e,a]),l={grid:a,plot:o,isRate:t,isComparing:n},{drag:m,hover:u,on:f}=ms(l),{cursor:d,on:p}=fs(l),h=m??(d&&!cs(d.from,d.to)?d:null),v=h&&Ze(l,h),g=m?.isBase??n,x={box:!g&&v||Ue("box"),base:g&&v||Ue("base_box"),cells:[t?null:u?.place,d?.to].filter(U=>U!=null)},y=U=>{i?_s(U,a,o,i):hs(U,a,o),gs(U,a,o,x)},{column:T,row:w}=u?.place??{};Zo(r,s,y,[a,i,b.value,n,m,d,T,w]);let A=d&&Ze(l,d);return c`<div class="heatmap">
    <canvas
      ref=${r}
      tabindex="0"
      role="application"
      aria-roledescription="heat map"
      aria-label="All contexts by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away."
      ...${f}
      ...${p}
    ></canvas>
    ${u&&c`<${wl} view=${l} hover=${u} rates=${i} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${A&&`${un(A)}: ${ar(Ie(a,A))}`}
    </div>
    <${Tl} grid=${a} isRate=${t} />
  </div>`}function Rl({most:e}){let t=Array.from({length:5},(r,s)=>Math.ceil((e+1)**(s/5))),n=r=>c`<span class="dot" style=${{background:`var(--h${r+1})`}}></span>`;return c`<span
    >contexts in a cell
    ${t.map((r,s)=>r<(t[s+1]??e+1)&&c` ${n(s)}${$(r)}`)}
    ${e>1&&c` to ${$(e)}`}</span
  >`}function ws({grid:e,name:t}){let n=Ue(t);return n?c`<button
    class=${`chip ${t}`}
    title=${"take the selection away (Escape)"}
    onClick=${()=>$t(null,t==="base_box")}
  >
    ${t==="box"?"selected":"compared with"} <b>${un(n)}</b>${" "}
    ${ar(Ie(e,n))} <i>×</i>
  </button>`:null}function Tl({grid:e,isRate:t}){let n=[e.most>0&&c`<${Rl} most=${e.most} />`,c`<span><span class="dot kept"></span>has kept ones</span>`];return c`<div class="legend">
    ${t?c`<${xs} />`:n}
    <${ws} grid=${e} name="box" />
    <${ws} grid=${e} name="base_box" />
  </div>`}function Cl({data:e}){let[t,n]=O(!1),r=(o,a)=>{let i=Ye([o]),[l,m]=[1,2].map(f=>o.reduce((d,p)=>d+p[f],0)),u=f=>_(Ee(i,f));return c`<tr>
      <td>${te(BigInt(e.t0_ns)+BigInt(a)*BigInt(e.step_ns),1e9)}</td>
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
  </details>`}function ks({answer:e,url:t,note:n}){let[r,s]=O(!1),o=b.value.params.get("view")==="rate",a=Ue("box"),{data:i}=e,l=E(()=>i&&c`<${Cl} data=${i} />`,[i]),m=(d,p,h)=>c`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:d})}>
      ${p}
    </button>`,u=c`<${q} of=${i} />
    ${a&&c`<button class="plain" onClick=${()=>nr(a)}>zoom in</button>`}
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
    <${I} url=${t} />`,f=i&&c`<${Sl} data=${i} isRate=${o} isComparing=${r} />`;return c`<${P}
    title="All contexts"
    note=${n}
    tools=${u}
    answer=${e}
    className="heatmap-panel"
  >
    ${f?[f,l]:c`<div class="heatmap"><canvas></canvas></div>`}
  <//>`}var Pl=3;function Ml({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&pt(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${L(["r",e.id])}>${e.instance}</a>, since it started:
        <${dt} of=${n} />
      </p>`:null}function Ol(e,t){return ft({...e,from:e.from-t,to:e.to+t})}function Ll({grid:e,box:t,kept:n}){let r=_(Number(e.step)).replace(/ 0 (s|min)$/,""),s=rs(e,t).slice(0,Pl),o=({recording:a,id:i},l)=>c`<a class="link" key=${i} href=${ge(a,i)}>${l+1}</a>${" "}`;return c`<${j} title="No kept context began in this box">
    <p>
      The heat map has ${$(n)} kept ones here: it counts a context in the column in which the
      middle of its chunk lies, and chunks that are longer than a minute reach farther than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Ol(t,e.step)})}>
        ${r} more on either side
      </button>
      ${s.length>0&&c`${" "}or open one of them: ${s.map(o)}`}
    </p>
  <//>`}function Ss({grid:e,query:t,recordings:n,isNarrowed:r}){let s=we(b.value.params.get("box")),o=["where","min_duration_ns","max_duration_ns","context"].some(d=>t.has(d)),a=(d,p)=>Number(t.get(d)??p),i=s??{...tr(e),min:a("min_duration_ns",0),max:a("max_duration_ns",1/0)},{all:l,kept:m}=Ie(e,i),u=n[0];if(n.length===0)return c`<${Se} />`;let f=(d,p)=>c`<${j} title=${d}>${p}<//>`;return r?f("No kept context is like this","Take a condition away to see more."):l===0&&s?f("No context is in this box","Choose a coloured cell."):l===0&&o?f("No context is like this","Take a condition away, or look at a longer time."):l===0?f("No contexts in this time",n.some(d=>d.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):m>0&&s?c`<${Ll} grid=${e} box=${s} kept=${m} />`:c`<${j} title=${`Nothing is kept of these ${$(l)} contexts`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${u&&c`<${Ml} of=${u} />`}
  <//>`}var Al=12,mn=[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]];function lr(e){let t=e.get("sort");return mn.some(([n])=>n===t)?t:mn[0][0]}function Nl({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),attributes:Object.fromEntries(r)}}function El({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${_(e)}, ${B(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var ir=(e,t)=>new Set(e.map(t)).size>1;function Il(e,t){let n=[...new Set(e.flatMap(a=>Object.keys(a.attributes)))],r=ir(e,a=>he(a.start)),s=a=>c`<span title=${ce(a.start)}>
      ${r?`${he(a.start).slice(5)} `:""}${te(a.start)}
    </span>`,o=[[ir(e,a=>a.type),{name:"type",cell:a=>Z(a.type)}],[ir(e,a=>a.recording),{name:"JVM",cell:a=>t.get(a.recording)??a.recording.slice(0,8)}]];return[{name:"start",cell:s},{name:"duration",cell:a=>c`<b>${_(a.duration)}</b>`,isNumber:!0},{name:"blocked",cell:a=>c`<${El} of=${a} />`},{name:"events",cell:a=>$(a.triggers),isNumber:!0},...o.flatMap(([a,i])=>a?[i]:[]),...n.slice(0,Al).map(a=>({name:a,cell:i=>Ul(i.attributes[a]),className:"cut"})),{name:"thread",cell:a=>a.thread,className:"dim cut"}]}function Ul(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function Dl(){let e=lr(b.value.params),t=n=>C({sort:n===mn[0][0]?null:n});return c`<span class="tabs" role="group" aria-label="Order">
    ${mn.map(([n,r])=>c`<button
          key=${n}
          aria-pressed=${e===n?"true":"false"}
          onClick=${()=>t(n)}
        >
          ${r}
        </button>`)}
  </span>`}function Rs({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(Nl),m=c`<${q} of=${o.data} />
    <${Dl} />
    <a href=${s}>events</a>
    <${ke} query=${n} value=${b.value.params.get("value")??void 0} />
    <${I} url=${t} />`,u=o.data&&`${$(l.length)} of ${$(o.data.matched)}`;return c`<${P}
    title="Kept contexts"
    note=${u}
    tools=${m}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${K}
        label="Kept contexts"
        columns=${Il(l,r)}
        rows=${l}
        rowKey=${f=>f.recording+f.id}
        href=${f=>ge(f.recording,f.id,f.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Bl=50,Fl=6n*3600000000000n,cr=60000000000n,Ts=["trace","thread","id"];function Hl({from:e,to:t}){let n=Ae.value?(e+cr-1n)/cr*cr:e;return{from:n<t?n:e,to:t}}function jl(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ts.some(r=>e.has(r))}function ql(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?t:null}var Wl=18e10;function Vl({t0_ns:e,step_ns:t,columns:n},{from:r,to:s}){let o=n.map(l=>l.length>0).lastIndexOf(!0),a=Number(s-BigInt(e))-(o+1)*t,i=o>=0&&a>0&&a<=Wl;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function Gl({data:e,seconds:t,jvms:n}){let r=Ye(e.columns),s=m=>{let u=Ee(r,m);return u===null?"-":_(u)},o=m=>(n?.recordings??[]).reduce((u,f)=>u+m(f),0),a=o(m=>m.bytes_out),i=o(m=>m.bytes_in),l=(m,u,f="")=>c`<span title=${f}><b>${m}</b>${u}</span>`;return c`<div class="facts">
    ${l(`${$(Number((e.all/t).toPrecision(3)))}/s`,`contexts, ${$(e.all)}`)}
    ${n&&l($(n.recordings.length),"JVMs","that ran in this time")}
    ${l(s(.5),"median")} ${l(s(.99),"p99")}
    ${l(e.all>0?B(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${i>0&&l(`${oe(a)} of ${oe(i)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Kl(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return xe({value:n?e:null,frame:t!==null?tn(t):n?null:tn(r),zoom:null})}function Jl({heat:e,recordings:t,isNarrowed:n}){let{params:r}=b.value,s=Ke(b.value,Q.value),o=to(b.value,Q.value),a=r.has("box")&&Ae.value?0:H.value,i=["box","where","min_duration_ns","max_duration_ns",...Ts].some(x=>r.has(x)),m=o.has("base")||r.has("base_box")||!i?o:X(o,{base:"rest"}),u=k("contexts",s,{sort:lr(r),limit:String(Bl)}),f=Bt(u,a),d=E(()=>e.data&&an(e.data,1/0,1/0),[e.data]),{data:p}=f.answer;if(p?.matched===0&&!p.is_truncated&&d)return c`<section>
      <${Ss} grid=${d} query=${s} recordings=${t} isNarrowed=${n} />
    </section>`;let h=new Map(t.map(x=>[x.id,x.instance])),v=s.get("service"),g=r.has("box")?re("/e",s):re("/e",X(r,{service:v,sort:null,view:null}));return c`<div class="three">
      <${sn} query=${s} base=${ql(o)} tick=${a} hrefOf=${Kl} />
      <${zo}
        query=${m}
        tick=${a}
        against=${r.has("base_box")?"the other box":"the rest"}
      />
      <${Ao} query=${o} tick=${a} />
    </div>
    <${rn} query=${o} tick=${a} />
    <${Rs}
      pages=${f}
      url=${u}
      query=${s}
      instances=${h}
      eventsHref=${g}
    />`}function zl(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Xl(e){let t=k("contexts/heatmap",e),n=R(t,H.value),{data:r}=n,s=e.has("where")&&r!==null&&r.all===0&&r.unknown>0,o=k("contexts/heatmap",X(e,{where:null})),a=R(s?o:null,H.value);return s&&a.data?{heat:a,heatUrl:o,isOfAll:!0}:{heat:n,heatUrl:t,isOfAll:!1}}function Cs(){let{params:e,path:t}=b.value,{from:n,to:r}=Q.value,s=Hl(Q.value),o=no(b.value,s),{heat:a,heatUrl:i,isOfAll:l}=Xl(o),m=a.data!==null||a.problem!==null,u=X(o,{where:null,context:null}),f=R(m?k("contexts/types",u):null,H.value),d=X(u,{recording:null}),p=R(m?k("recordings",d):null,H.value),h=p.data?.recordings??[],v=l||jl(e,o),g=r-n<=Fl||e.get("whole")==="1"||we(e.get("box"))!==null||e.has("trace"),x=Ht(b.value),y=[{name:"services",href:L([])},{name:t[0]==="s"&&t[1]?t[1]:x??"all"}],T=a.data?.all===0&&p.data!==null&&h.length===0;return c`<${ne} crumbs=${y}>
    ${a.data&&c`<${Gl} data=${a.data} seconds=${Vl(a.data,s)} jvms=${p.data} />`}
    <${Yo}
      types=${f.data?.types??[]}
      instances=${[...new Set(h.map(w=>w.instance))]}
    />
    ${!T&&c`<${ks} answer=${a} url=${i} note=${zl(a.data,v)} />`}
    ${m&&g&&c`<${Jl} heat=${a} recordings=${h} isNarrowed=${v} />`}
    ${m&&!g&&c`<section>
        <${j} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Ps=e=>e===null?"":_(e);function Yl(e){return[{name:"service",cell:n=>c`<b>${n.service}</b>`,sort:n=>n.service},{name:"JVMs",cell:n=>$(n.jvms),isNumber:!0,sort:n=>n.jvms},{name:"contexts/s",title:"of all types together",cell:n=>$(Number((n.contexts_in/e).toPrecision(3))),isNumber:!0,sort:n=>n.contexts_in},{name:"median",cell:n=>Ps(n.p50_ns),isNumber:!0,sort:n=>n.p50_ns??-1},{name:"p99",cell:n=>c`<b>${Ps(n.p99_ns)}</b>`,isNumber:!0,sort:n=>n.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:n=>n.contexts_in?B(n.contexts_out/n.contexts_in):"",isNumber:!0,sort:n=>n.contexts_out},{name:"most time of the kept",cell:({top:n})=>n&&c`<${ee} category=${n.category} />${Y(n.category).name}
      <span class="dim"> ${B(n.share)}</span>`},{name:"p99 over time",cell:n=>c`<${so} values=${n.spark} label=${`p99 of ${n.service} over time`} />`}]}function Ms(){let{from:e,to:t}=Q.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=k("services",n),s=R(r),o=s.data?.services??[],a=Math.max(1,Number(t-e)/1e9),i=c`<${K}
    label="Services"
    columns=${Yl(a)}
    rows=${o}
    rowKey=${u=>u.service}
    href=${u=>L(["s",u.service])}
  />`,l=s.data!==null&&o.length===0,m=c`<${q} of=${s.data} /><${I} url=${r} />`;return c`<${ne}>
    <${P} title="Services" note="by all their contexts" tools=${m} answer=${s}>
      ${o.length>0&&i} ${l&&c`<${Se} />`}
    <//>
  <//>`}function Ql({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function Zl({rows:e}){let t=e.reduce((r,s)=>Math.max(r,s.start+s.duration),1),n=r=>`${100*r/t}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${_(t)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(r=>c`<tr class="opens" key=${r.recording+r.id}>
              <td title=${`${r.instance}, ${r.thread}`}>
                <a href=${L(["c",r.recording,r.id])}><b>${r.service}</b></a>
                <small class="dim"> ${r.thread}</small>
              </td>
              <td title=${r.attributes}>
                ${Z(r.type)} <small class="dim">${r.attributes}</small>
              </td>
              <td class="n dim">+${_(r.start)}</td>
              <td class="n">${_(r.duration)}</td>
              <td
                class="axis"
                title=${`${_(r.blocked)} of ${_(r.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{marginLeft:n(r.start),width:n(r.duration)}}
                >
                  <div
                    style=${{width:`${100*r.blocked/Math.max(1,r.duration)}%`}}
                  ></div>
                </div>
              </td>
            </tr>`)}
      </tbody>
    </table>
  </div>`}var ec=e=>e===null?"":ce(BigInt(e));function Os({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${ec(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function tc({of:e}){return e.state==="eliminated"?c`<${j} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Os} of=${e} />
      <//>`:c`<${j} title="Not seen">
        No context of this trace is known here. <${Os} of=${e} />
      <//>`}function Ls(){let e=b.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,H.value),{data:r}=n,s=r?Ql(r,e):[],o=new URLSearchParams({trace:e}),a=BigInt(r?.t0_ns??"0"),i=new Set(s.map(f=>f.service)).size,l=new Set(s.map(f=>f.recording)).size,m=c`<${q} of=${r} />
    ${s.length>0&&c`<${ke} query=${o} />`} <${I} url=${t} />`,u=s.length>0&&`${s.length} contexts kept, ${i} services, ${l} JVMs, from ${ce(a)}`;return c`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${Zl} rows=${s} />`}
      ${r&&s.length===0&&c`<${tc} of=${r} />`}
    <//>
    ${s.length>0&&c`<${sn} query=${nc(o,a,s)} tick=${H.value} />`}
  <//>`}function nc(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=new URLSearchParams(e);return s.set("from",String(t)),s.set("to",String(t+BigInt(Math.ceil(r))+1n)),s}function rc([e]){switch(e){case void 0:return Ms;case"c":return Jo;case"e":return fo;case"r":return bo;case"s":return Cs;case"t":return Ls;default:return po}}var oc={s:"all services",e:"events",r:"recordings"};function sc(){let{path:e}=b.value;return c`<${rc(e)} key=${e.join("/")} />`}jr();zr();Yr();me(()=>{let{path:e}=b.value,t=e.length===1?oc[e[0]]??e[0]:e.at(-1);document.title=[...t?[t]:[],"Loupe"].join(" \xB7 ")});xr(c`<${sc} />`,document.body);})();
