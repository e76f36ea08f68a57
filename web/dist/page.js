"use strict";(()=>{var E,zr,Un,Me,Ln,jt,Xr,Ft,Jr,In,Nn,ei,yt=Symbol.for("pv"),Wt={},Vt=[],ti=/^m(i|n|o|s|text|space)$/,Dn=Array.isArray,Bn=Vt.slice,je=Object.assign;function He(e){e&&e.parentNode&&e.remove()}function Kt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Bn.call(arguments,2):n),_t(e,a,r,s,null)}function _t(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:yt,__v:s||++zr,__i:-1,__u:0};return!s&&E.vnode&&E.vnode(o),o}function We(e){return e.children}function Ze(e,t){this.props=e,this.context=t,this.__g=0}function Ae(e,t){if(t==null)return e.__&&Ae(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ae(e)}function ni(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=je({constructor:yt},n)).__v=n.__v+1,E.vnode&&E.vnode(t),qn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Ae(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,no(s,t,o),n.__=n.__e=null,t.__e!=r&&Yr(t))}function Yr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Yr(e)}function Kr(e){(8&e.__g||(e.__g|=8,Me.push(e),jt++))&&Ln==E.debounceRendering||((Ln=E.debounceRendering)||queueMicrotask)(Zr)}function Zr(){try{for(var e,t=1;Me.length;)Me.length>t&&Me.sort(Xr),e=Me.shift(),t=Me.length,8&e.__g&&ni(e)}finally{(jt=Me.length)&&(Ln||queueMicrotask)(Zr)}}function Qr(e,t,n,r,s,o,a,i,l,m,u){var f,d,p,h,b,g,w=r.__k||Vt,_=t.length;for(l=ri(n,t,w,l,_),f=0;f<_;f++)(p=n.__k[f])!=null&&(d=~p.__i&&w[p.__i]||Wt,p.__i=f,g=qn(e,p,d,s,o,a,i,l,m,u),h=p.__e,(d.ref!=p.ref||8&d.__u)&&(d.ref&&Fn(d.ref,null,p,d),p.ref&&u.push(p.ref,p.__c||h,p)),b=b||h,4&p.__u?(l=eo(p,l,e,!d.__v),d.__e&&(d.__e=null)):typeof p.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),p.__u&=-21);return n.__e=b,l}function ri(e,t,n,r,s){var o,a,i,l,m,u,f,d,p,h=n.length,b=h,g=0,w=0,_=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=_[o]=_t(null,a):Dn(a)?a=_[o]=_t(We,{children:a}):a.constructor===yt&&a.__b?a=_[o]=_t(a.type,a.props,a.key,a.ref,a.__v):_[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=oi(a,n,l,b))&&(b--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,w=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):_[o]=null;if(w){for(u=[],f=[],o=0;o<s;o++)if((a=_[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[p=g+d>>1]<a.__i?g=p+1:d=p;u[g]=a.__i,f[o]=g+1}for(g=u.length;o--;)f[o]&&(f[o]==g?g--:_[o].__u|=4)}if(b)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Ae(i)),Hn(i,i));return r}function eo(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=eo(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ae(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function oi(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function Gr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function qt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Gr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Gr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Nn[t]||(Nn[t]=si(t)),(e.__a||(e.__a={}))[t]=In,o=t!=(t=t.replace(Jr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function si(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ft]==null)t[Ft]=In++;else if(t[Ft]<this.__a[e])return;return n(E.event?E.event(t):t)}}}function qn(e,t,n,r,s,o,a,i,l,m){var u,f,d,p,h,b,g,w,_,S,x,M,L,z,j,Pe,T,D,J=t.type;if(t.constructor!==yt)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,f=o=[],u.nodeType==8?i=Ht(u,o):o.push(u),i=o[0]||i),(u=E.__b)&&u(t);e:if(typeof J=="function"){d=a.length;try{if(w=t.props,_=(u=J.prototype)&&u.render,S=(u=J.contextType)&&r[u.__c],x=u?S?S.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(_?t.__c=p=new J(w,x):(t.__c=p=new Ze(w,x),p.constructor=J,p.render=ii),S&&S.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),_&&(p.__s||(p.__s=p.state),J.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=je({},p.__s)),je(p.__s,J.getDerivedStateFromProps(w,p.__s)))),h=p.props,b=p.state,p.__v=t,n.__c){if(w!==h&&_&&!J.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(w,x),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(w,p.__s,x)===!1){t.__v!=n.__v&&(p.props=w,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(V){V&&(V.__=t)}),Vt.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&a.push(p),i=Ae(n);break e}p.componentWillUpdate&&p.componentWillUpdate(w,p.__s,x),_&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(h,b,g)})}else _&&!J.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),_&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=x,p.props=w,p.__P=e,p.__g&=-5,M=E.__r,L=_?25:0;do p.__g&=-9,M&&M(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++L<25);_&&(Vt.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=je({},r,p.getChildContext())),_&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(h,b)),z=u&&u.type===We&&u.key==null?u.props.children:u,w.__P&&(u=i,s=(e=w.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(V){V&&Hn(V,V)}),n.__k=null),i=n.__k?Ae(n,0):null),i=Qr(e,Dn(z)?z:[z],t,n,r,s,o,a,i,l,m),w.__P&&(t.__e=null,i=u),t.__u&=-161,f&&f.some(He),p.__h.length&&a.push(p),1&p.__g&&(p.__g&=-4)}catch(V){if(a.length=d,t.__v=null,l||o)if(V&&V.then){if(t.__u|=128|l,o){for(~(T=o.indexOf(i||void 0))||(T=o.length);(D=o[T-1])&&D.nodeType==8;)T--;for(;T<o.length;T++)if(D=o[T])if(o[T]=null,j){if(D==Pe)break}else{if(D.nodeType!=8)break;D.data.startsWith("$s")&&(Pe=Ht(j=D))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(u=Ht(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(He);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),V&&V.then||to(t),E.__e(V,t,n)}}else i=t.__e=ai(n.__e,t,n,r,s,o,a,l,m,e);return(u=E.diffed)&&u(t),i}function Ht(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function to(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(to))}function no(e,t,n){for(var r=0;r<n.length;)Fn(n[r++],n[r++],n[r++]);E.__c&&E.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){E.__e(o,s.__v)}})}function ai(e,t,n,r,s,o,a,i,l,m){var u,f,d,p,h,b,g,w,_=n.props||Wt,S=t.props,x=t.type;if(x=="svg"?s="http://www.w3.org/2000/svg":x=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(x?h.localName==x:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(w=m.ownerDocument||document,!x)return w.createTextNode(S);e=w.createElementNS(s,x,S.is?S:m),i&&(E.__m&&E.__m(t,o),i=!1),o=null}if(x){if(m=x=="template"&&e.content||e,o=x=="textarea"&&S.defaultValue!=null?null:o&&Bn.call(m.childNodes),!i&&o)for(_={},u=0;u<e.attributes.length;u++)_[(h=e.attributes[u]).name]=h.value;for(u in _)h=_[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in S||qt(e,u,null,h,s);for(u in S)h=S[u],u=="children"?p=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?b=h:u=="checked"?g=h:i&&typeof h!="function"||_[u]===h||qt(e,u,h,_[u],s);f?(i||d&&(f.__html==d.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(d&&(e.textContent=""),(x=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&ti.test(x))&&(s="http://www.w3.org/1999/xhtml"),Qr(m,Dn(p)?p:[p],t,n,r,s,o,a,o?o[0]:n.__k&&Ae(n,0),i,l),o&&o.some(He)),i&&x!="textarea"||(u="value",x=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(x!="progress"||b)||qt(e,u,b,_[u],s),u="checked",g!=null&&g!=e[u]&&qt(e,u,g,_[u],s))}else _===S||i&&e.data==S||(e.data=S);return e}function Fn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){E.__e(s,n)}}function Hn(e,t,n){var r,s,o,a;if(E.unmount&&E.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Fn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){E.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Hn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Ht(r,o=[]))&&(r==e.__e&&o.some(He),He(s),He(r)),n||He(e.__e),e.__e=e.__c=e.__=null}function ii(e,t,n){return this.constructor(e,n)}function ro(e,t){var n,r,s,o;E.__&&E.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=_t(We,{children:[e]}),s=[],o=[],qn(t,t.__k,r||Wt,Wt,t.namespaceURI,r?null:t.firstChild?Bn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),no(s,t.__k,o),t.__k.props.children=null}E={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw jt=0,e}},zr=0,Un=function(e){return e!=null&&e.constructor===yt},Ze.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=je({},this.state)),typeof e=="function"&&(e=e(je({},n),this.props)),e&&(je(n,e),this.__v&&(t&&this.__k.push(t),Kr(this)))},Ze.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Kr(this))},Ze.prototype.render=We,Me=[],jt=0,Xr=function(e,t){return e.__v.__b-t.__v.__b},Ft=Symbol(),Jr=/(PointerCapture)$|Capture$/i,In=0,Nn={},ei=0;var Qe,X,jn,oo,Wn=Object.is,xt=0,po=[],Vn=[],G=E,so=G.__b,ao=G.__r,io=G.diffed,lo=G.__c,co=G.unmount,uo=G.__;function Gt(e,t){G.__h&&G.__h(X,e,xt||t),xt=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return xt=1,li(ho,e)}function li(e,t,n){var r=Gt(Qe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ho(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Wn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,Wn(d.__[0],d.__N[0])||(u=!0))}),s){var f=s.call(this,o,a,i);return m?f||u:f}return!m||u}}return r.__}function ce(e,t){var n=Gt(Qe++,3);!G.__s&&Gn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function Ve(e,t){var n=Gt(Qe++,4);!G.__s&&Gn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function ne(e){return xt=5,A(function(){return{current:e}},[])}function A(e,t){var n=Gt(Qe++,7);return Gn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function zt(e,t){return xt=8,A(function(){return e},t)}function ci(){var e;do{for(;e=Vn.shift();)try{wt(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=po.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(wt),t.__h.some(Kn),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(Vn.length)}G.__b=function(e){X=null,so&&so(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),uo&&uo(e,t)},G.__r=function(e){ao&&ao(e),Qe=0;var t=(X=e.__c).__H;t&&(jn==X?X.__h=[]:(t.__h.some(wt),t.__h.some(Kn),Qe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),jn=X},G.diffed=function(e){io&&io(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&fo(po.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),jn=X=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some(wt),n.__h=n.__h.filter(function(r){return!r.__||Kn(r)})}catch(r){n.__h=[function(){throw r}]}}),lo&&lo(e,t)},G.unmount=function(e){co&&co(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,fo(Vn.push(s))}else wt(s)}catch(o){t=o}}),r.__H=void 0,t&&G.__e(t,r.__v))};var mo=typeof requestAnimationFrame=="function";function ui(e){var t,n=function(){clearTimeout(r),mo&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);mo&&(t=requestAnimationFrame(n))}function fo(e){e!=1&&oo==G.requestAnimationFrame||((oo=G.requestAnimationFrame)||ui)(ci)}function wt(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function Kn(e){var t=X;e.__c=e.__(),X=t}function Gn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Wn(n,e[r])})}function ho(e,t){return typeof t=="function"?t(e):t}var mi=Symbol.for("preact-signals");function Zt(){if(Se>1)Se--;else{var e,t=!1;for((function(){var s=Jt;for(Jt=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();St!==void 0;){var n=St;for(St=void 0,Xt++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&bo(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(Xt=0,Se--,t)throw e}}function Xn(e){if(Se>0)return e();zn=++fi,Se++;try{return e()}finally{Zt()}}var kt,W=void 0;function Rt(e){var t=W,n=kt;W=void 0,kt=void 0;try{return e()}finally{W=t,kt=n}}var St=void 0,Se=0,Xt=0,fi=0,zn=0,Jt=void 0,Yt=0;function go(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Y(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Y.prototype.brand=mi;Y.prototype.h=function(){return!0};Y.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Rt(function(){var r;(r=t.W)==null||r.call(t)}))};Y.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Rt(function(){var s;(s=t.Z)==null||s.call(t)}))}};Y.prototype.subscribe=function(e){var t=this;return be(function(){var n=t.value;Rt(function(){return e(n)})},{name:"sub"})};Y.prototype.valueOf=function(){return this.value};Y.prototype.toString=function(){return this.value+""};Y.prototype.toJSON=function(){return this.value};Y.prototype.peek=function(){var e=this;return Rt(function(){return e.value})};Object.defineProperty(Y.prototype,"value",{get:function(){var e=go(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Xt>100)throw new Error("Cycle detected");(function(n){Se!==0&&Xt===0&&n.l!==zn&&(n.l=zn,Jt={S:n,v:n.v,i:n.i,o:Jt})})(this),this.v=e,this.i++,Yt++,Se++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Zt()}}}});function se(e,t){return new Y(e,t)}function bo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function $o(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function vo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Ke(e,t){Y.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Yt-1,this.f=4}Ke.prototype=new Y;Ke.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Yt))return!0;if(this.g=Yt,this.f|=1,this.i>0&&!bo(this))return this.f&=-2,!0;var e=W;try{$o(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,vo(this),this.f&=-2,!0};Ke.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Y.prototype.S.call(this,e)};Ke.prototype.U=function(e){if(this.t!==void 0&&(Y.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Ke.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Ke.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=go(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Ee(e,t){return new Ke(e,t)}function _o(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Se++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Jn(e),r}finally{W=n,Zt()}}}function Jn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,_o(e)}function pi(e){if(W!==this)throw new Error("Out-of-order effect");vo(this),W=e,this.f&=-2;try{8&this.f&&Jn(this)}finally{Zt()}}function et(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,kt&&kt.push(this)}et.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};et.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,_o(this),$o(this),Se++;var e=W;return W=this,pi.bind(this,e)};et.prototype.N=function(){2&this.f||(this.f|=2,this.u=St,St=this)};et.prototype.d=function(){this.f|=8,1&this.f||Jn(this)};et.prototype.dispose=function(){this.d()};function be(e,t){var n=new et(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var yo,en,Qt,di=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var wo=[];be(function(){yo=this.N})();function tt(e,t){E[e]=t.bind(null,E[e]||function(){})}function Tt(e){if(Qt){var t=Qt;Qt=void 0,t()}Qt=e&&e.S()}function xo(e){var t=this,n=e.data,r=gi(n);r.name="ReactiveDom",r.value=n;var s=A(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=Ee(function(){var p=r.value.value;return p===0?0:p===!0?"":p||""}),u=Ee(function(){return!Array.isArray(m.value)&&!Un(m.value)}),f=be(function(){if(this.N=ko,u.value){var p=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=p)}}),d=t.__$u.d;return t.__$u.d=function(){f(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}xo.displayName="ReactiveTextNode";Object.defineProperties(Y.prototype,{constructor:{configurable:!0,value:Kt(We,null).constructor},type:{configurable:!0,value:xo},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});tt("__b",function(e,t){if(Tt(),en=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Y&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});tt("__r",function(e,t){if(e(t),t.type!==We){Tt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return be(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;di&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),en=r,Tt(n)}});tt("__e",function(e,t,n,r){Tt(),en=void 0,e(t,n,r)});tt("diffed",function(e,t){Tt(),en=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=hi(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function hi(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=se(n);return{o:function(a,i){o.value=a,r=i},d:be(function(){this.N=ko;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}tt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});tt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});Ze.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function gi(e,t){return A(function(){return se(e,t)},[])}var bi=function(e){queueMicrotask(function(){queueMicrotask(e)})};function $i(){Xn(function(){for(var e;e=wo.shift();)yo.call(e)})}function ko(){wo.push(this)===1&&(E.requestAnimationFrame||bi)($i)}function vi(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var So=globalThis.document?.currentScript,$e=So?vi(So.src):"";function Yn(e,t=$e){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var _i=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function yi(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function wi(e){return Yn(e).split("/").filter(t=>t!=="").map(yi)}function Zn(){return{path:wi(location.pathname),params:new URLSearchParams(location.search)}}var $=se({path:[],params:new URLSearchParams});function ve(...e){return $e+"/"+e.map(_i).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ie(e,t){let n=t.toString();return n===""?e:e+"?"+n}function fe(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Zn()}function C(e,t=!1){fe(ie(location.pathname,Z($.value.params,e)),t)}function ye(e){return ie(ve(...$.value.path),Z($.value.params,e))}function xi(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function B(e,t={}){return ie(ve(...e),Z(xi($.value.params),t))}function ki(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith($e+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(Yn(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),fe(t.pathname+t.search),scrollTo(0,0))}function Ro(){addEventListener("popstate",()=>$.value=Zn()),addEventListener("click",ki),$.value=Zn()}function Ct(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):Ct(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var Si={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function To(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*Si[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ue(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Ct(t))+" "+n;t/=1e3}return Ct(t)+" TB"}function v(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Ct(e/1e6)+" M":Ct(e/1e9)+" G"}function Re(e,t){return`${v(e)} ${t}${e===1?"":"s"}`}function q(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function pe(e,t){return t==="ns"?y(e):t==="bytes"?ue(e):v(e)}var Ot=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${Ot(n.getHours())}:${Ot(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${Ot(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function Te(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${Ot(t.getMonth()+1)}-${Ot(t.getDate())}`}function de(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function _e(e){return e||"(no name)"}function re(e){return e.slice(e.lastIndexOf(".")+1)}function Le(e){return e.split(".").slice(-2).join(".")}var Co=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,Co(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},Oo=new Map;function Po(e){var t=Oo.get(this);return t||(t=new Map,Oo.set(this,t)),(t=Co(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var f=0;f<n[u].length;f++)r=n[u][f],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][f+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=Po.bind(Kt);function Ri(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function nt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await Ri(s*1e3,t.signal)}}async function Ge(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var le=se(null),Pt=se(!1),Mo=$e+"/api/v1/login",Ao={"loupe-page":"1"},Eo=e=>`the collector cannot be reached: ${String(e)}`;async function Lo(e){if(!e.ok)return Ge(e);let t=await e.json();return le.value={is_needed:t.is_needed,identity:t.identity},null}async function No(e,t={}){try{return await Lo(await fetch(Mo,{method:e,headers:{...Ao,...t}}))}catch(n){return Eo(n)}}async function Uo(){await nt(Mo,{headers:Ao}).then(Lo).catch(Eo)!==null&&(le.value={is_needed:!1,identity:null})}async function Io(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await No("POST",{authorization:`Bearer ${e}`});return Pt.value&&=t!==null,t}async function Do(){let e=await No("DELETE");return Pt.value&&=e!==null,e}function Bo(){Pt.value||=le.value?.identity!=null,le.value={is_needed:!0,identity:null}}var Qn=0;function qo(){return Qn>0}async function Ti(e,t){let n=await nt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&Bo();let o=r?await n.json():null,a=r?null:await Ge(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=O(n);return Ve(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:f})=>u.problem===null||a(u)?u:{...u,data:f}),l=u=>{let f=`the collector cannot be reached: ${String(u)}`;i({...n,problem:f,isLoading:!1})},m=u=>f=>o.signal.aborted||u(f);return Qn++,Ti(e,o.signal).then(m(i),m(l)).finally(()=>Qn--),()=>o.abort()},[e,t]),r}var Oi={s:1,m:60,h:3600,d:86400};function Mt(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Oi[t[2]])*1000000000n:null}function we(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var tn=["5m","15m","1h","6h","1d","7d","30d"],Fo="1h",Ci=5e3,Ho=()=>BigInt(Date.now())*1000000n,N=se(Ho());function er(){N.value=Ho()}var At=Ee(()=>{let e=$.value.params.get("last")??Fo;return Mt(e)===null?Fo:e}),ze=Ee(()=>$.value.params.get("live")==="1"),ee=Ee(()=>{let{params:e}=$.value,t=we(e.get("to")??"")??N.value,n=we(e.get("from")??"");return{from:n!==null&&n<t?n:t-Mt(At.value),to:t}}),Pi=18e10;function nn(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=Pi;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function jo(){let e=0;be(()=>{if(clearInterval(e),ze.value){let t=()=>document.hidden||qo()||er();e=window.setInterval(t,Ci)}})}var Oe=se(0),tr=new Map;function U(e){let t=tr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),tr.set(e,t)),t}function rt(e){return`${U("t1")} ${U(e)}`}function nr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Wo(e,t,n){let r=nr(t);return"#"+nr(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var Mi=.2;function ot(e){let[t,n,r]=nr(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>Mi?"#101113":"#ffffff"}function Vo(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{tr=new Map,Oe.value++})}var Ai=["recording","instance","context","where","trace","thread","id"],Ei=["recording","instance","context"],Li=["min_duration_ns","max_duration_ns"];function st(e){return/^\d{1,19}$/.test(e)}function me(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Et(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function rr(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function or(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Ko=30000000000n;function sr({from:e,to:t}){return{from:e-Ko,to:t+Ko}}function Go(e,t,n=""){or(e,sr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function at({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function it(e,t){let n=new URLSearchParams,r=at(e);r!==null&&n.set("service",r),rr(n,e.params,Ai);let s=me(e.params.get("box"));if(s)Go(n,s);else{or(n,t);for(let o of Li)e.params.getAll(o).filter(st).forEach(a=>n.append(o,a))}return n}function zo(e,t){let n=it(e,t),r=me(e.params.get("base_box"));if(!r)return rr(n,e.params,["base"]),n;Go(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function Xo(e,t){let n=new URLSearchParams,r=at(e);r!==null&&n.set("service",r),rr(n,e.params,Ei),or(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return ie($e+"/api/v1/"+e,Z(t,n))}function ar({text:e,label:t,title:n,className:r="",children:s}){let o=ne(null),[a,i]=O(!1),l=()=>i(!1);ce(()=>{if(!a)return;let u=({target:d})=>o.current.contains(d)||l(),f=d=>{d.key==="Escape"&&(d.stopPropagation(),l(),o.current.querySelector("summary").focus())};return addEventListener("pointerdown",u,!0),addEventListener("focusin",u),addEventListener("keydown",f,!0),()=>{removeEventListener("pointerdown",u,!0),removeEventListener("focusin",u),removeEventListener("keydown",f,!0)}},[a]);let m=({target:u})=>u.closest("a")&&l();return c`<details
    class=${`menu ${r}`}
    ref=${o}
    open=${a}
    onToggle=${()=>i(o.current.open)}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&c`<div onClick=${m}>${s(l)}</div>`}
  </details>`}function rn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Ni(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,l])=>` \\
  --data-urlencode ${rn(`${i}=${l}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${rn(t+r)}${o.join("")}`}async function Ui(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function I({url:e}){return e===null?null:c`<${ar} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>c`<${Ii} url=${e} />`}
      <//>`}function Ii({url:e}){let[t,n]=O(!1),r=Ni(e,location.origin,le.value?.is_needed);return c`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:o})=>{await Ui(r,o),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var Di=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ne({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(m,u)=>k(u,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(u)?s:{}}),a=k("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<${ar} text="download">${()=>c`${Di.map(([m,u,f])=>c`<a href=${o(m,u)} download title=${f}
            >${m}<small>${f}</small></a
          >`)}
      <a href=${$e+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function Jo(e){return`${$e}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var lt=se(null),Yo={accept:"application/json"};async function Bi(e){let t=await nt(k("collector",new URLSearchParams),{headers:Yo});if(!t.ok)return Ge(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${rn(e.name)}\` shows a file on your machine`;let n=await fetch(k("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...Yo,"loupe-page":"1"},body:e});return n.ok?await n.json():Ge(n)}async function qi(e){lt.value={name:e.name,problem:null};let t=await Bi(e).catch(r=>`it cannot be sent: ${String(r)}`);if(typeof t=="string"){lt.value={name:e.name,problem:t};return}lt.value=null;let n=new URLSearchParams({from:t.from_ns,to:t.to_ns});fe(ie(ve("s",t.service),n))}function Fi(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Hi(e){let[t]=e.dataTransfer?.files??[];t&&(e.preventDefault(),qi(t))}function Zo(){addEventListener("dragover",Fi),addEventListener("drop",Hi)}function Qo(){if(lt.value===null)return null;let{name:e,problem:t}=lt.value;return t===null?c`<div class="upload" role="status">Reading ${e} …</div>`:c`<div class="upload" role="alert">
        <span><b>${e}</b>: ${t}</span>
        <button onClick=${()=>lt.value=null}>close</button>
      </div>`}var ji={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Wi={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function oe(e){let t=e.startsWith("other: ")?e.slice(7):e;return ji[e]??{name:t,token:"other"}}function ct(e){return Wi[e]??"other: other"}function on(e){return e==="."?null:oe(ct(e))}var Vi={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Ue(e){return(e.startsWith("jdk.")?Vi[e.slice(4)]:void 0)??"other: "+e}var Ki=/^(java|javax|jdk|sun|com\.sun)\./;function ut(e){return Ki.test(e)}function Ce(e,t,n){return Xe("contexts",e,t,n)}function Xe(e,t,n,r){return B([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function sn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function an({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var Gi=1e3,es=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function zi(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&es(e.url)===es(t)?Math.min(Gi,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function ln(e,t,n){let[r,s]=O([]),[,o]=O(""),a=ne({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=zi(a.current,e,n,r.length,t);let{rows:i,cursor:l,before:m}=a.current,u=l?`&cursor=${encodeURIComponent(l)}`:"",f=R(`${e}&limit=${i}${u}`,n);ce(()=>{f.data&&!f.isLoading&&s([...m,...an(f.data)])},[f.data]);let d=f.isLoading?null:f.data?.next??null;return{answer:f,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}function ae({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${oe(e).token})`}}
  ></span>`}function cn({of:e}){return e&&c`<${ae} category=${e.category} />${oe(e.category).name}
      <span class="dim"> ${q(e.share)}</span>`}var Xi=.07,Ji=.16;function ns({parts:e,total:t,each:n}){let r=e.filter(m=>m.total_ns>0),s=m=>m.total_ns/Math.max(1,t),o=m=>oe(m.category).name,a=m=>s(m)<Xi?"":s(m)<Ji?o(m):`${o(m)} ${n(m)}`,i=m=>Oe.value>=0&&ot(U(oe(m.category).token)),l=r.map(m=>`${o(m)} ${q(s(m))}`).join(", ");return c`<div class="stacked" role="img" aria-label=${l}>
    ${r.map(m=>c`<span
          key=${m.category}
          title=${`${o(m)} ${n(m)}, ${q(s(m))}`}
          style=${{flexGrow:s(m),background:`var(--${oe(m.category).token})`,color:i(m)}}
          >${a(m)}</span
        >`)}
  </div>`}var ts=120,ir=22;function rs({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*ts,l=ir-1-o/n*(ir-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${ts} ${ir}"
  >
    <path d=${r} />
  </svg>`}var os="a time with its date, such as 2026-01-02T15:04:05Z, or nanoseconds since 1970",ss="FROM,TO,MIN,MAX, all in nanoseconds",as=e=>t=>e.includes(t),is={from:[e=>we(e)!==null,os],to:[e=>we(e)!==null,os],last:[e=>Mt(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[st,"a number of nanoseconds"],max_duration_ns:[st,"a number of nanoseconds"],box:[e=>me(e)!==null,ss],base_box:[e=>me(e)!==null,ss],unit:[as(["requests","contexts"]),"requests or contexts"],live:[as(["1"]),"1"]};function lr(e,t){return is[e]?.[0](t)??!0}function ls(e){let t=[...e].filter(([a,i])=>!lr(a,i)).map(([a,i])=>({name:a,value:i,wanted:is[a][1]})),[n,r]=[e.get("from")??"",e.get("to")??""],[s,o]=[we(n),we(r)];return s!==null&&o!==null&&s>=o?[...t,{name:"from",value:n,wanted:"before to"}]:t}var Yi=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Zi(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}var Qi=e=>$.value.params.getAll(e).filter(t=>lr(e,t));function el(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}function un({keys:e=[],values:t=[]}){let n=Yi.flatMap(([r,s])=>Qi(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Zi(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${el} aria-label="Add a condition on an attribute">
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
  </div>`}function mn(e){return typeof e=="string"?e:JSON.stringify(e)}function cs(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function cr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function tl(e){return e.find(t=>!ut(t))??e[0]??""}function nl({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${de(e.start)}</dd>
        ${cs(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${mn(r)}</dd>`])}
      </dl>
      <ol>
        ${cr(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function fn({items:e,since:t,contextHref:n,label:r}){let[s,o]=O(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:f,thread:d,recording:p,context:h}=l.values,b=t===void 0?Q(l.start):"+"+y(Number(l.start-t)),g=cs(l).map(([M,L])=>`${M}=${mn(L)}`),w=`${l.start} ${u} ${d} ${p}`,_=s===w,S=()=>o(_?null:w),x=n&&p!==null&&h?n(String(p),String(h)):null;return c`<tr key=${m} class=${_?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(_)} onClick=${S}>${b}</button>
        </td>
        <td title=${u}>
          <${ae} category=${Ue(String(u))} />${re(String(u))}
        </td>
        <td class="n">${typeof f=="number"?y(f):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${cr(l)[0]}>
          ${Le(tl(cr(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${x&&c`<a href=${x}>open</a>`}</td>`}
      </tr>
      ${_&&c`<${nl} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function F({title:e,children:t}){return c`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function rl({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function ol({name:e,value:t,wanted:n}){let r=$.value.params.getAll(e).filter(s=>s!==t);return c`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function us(){return ls($.value.params).map(e=>c`<${ol} key=${`${e.name} ${e.value}`} ...${e} />`)}function sl({lines:e}){return c`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>c`<div></div>`)}
  </div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}var al=5;function P(e){let{title:t,note:n,tools:r,answer:s,className:o,lines:a=al,children:i}=e,l=s&&s.data!==null&&(s.isLoading||s.problem!==null);return c`<section class=${o} aria-busy=${s?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${s&&c`<${rl} answer=${s} />`}
    ${s?.data===null&&s.isLoading&&a>0&&c`<${sl} lines=${a} />`}
    <div class=${l?"stale":""}>${i}</div>
  </section>`}function il(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function ll({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=$.value,r=Z(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ie(ve(...t),r)}>look at all of that time</a>.
  </p>`}function Ie(){let e=k("collector",new URLSearchParams),{data:t}=R(e,N.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<ee.value.from,r=at($.value),s=a=>il(a,location.hostname,le.value?.is_needed);if(t?.takes_files&&!n)return c`<${F} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let o=r===null?"":` of ${r}`;return c`<${F} title="No JVM${o} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&c`Start one with this option, and it is here within seconds:
        <pre>${s(t.agents)}</pre>`}
    ${t&&n&&c`<${ll} of=${t} />`}
  <//>`}var cl=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,ul=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,ms=e=>e.replace(/\$(?=.)/g,"\\$");function fs(e,{path:t,params:n}){if(cl.test(e))return B(["t",e.toLowerCase()]);let r=t[0]==="s",s=ul.test(e);if(!r)return B(["s"],s?{where:e}:{frame:ms(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:ms(e)};return ie(ve(...t),Z(n,a))}function ml(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(fe(fs(s,$.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function fl(){let{params:e}=$.value,t=we(e.get("from")??"")!==null,{from:n,to:r}=ee.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=tn.includes(At.value)?tn:[At.value,...tn],a=`${de(n)} to ${de(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${Te(n)} ${Q(n,1e9)} to ${Q(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===At.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${er} title="ask again">refresh</button>
    <button
      aria-pressed=${ze.value?"true":"false"}
      onClick=${()=>C({live:ze.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function pl(){let[e,t]=O(null),n=le.value?.identity,r=async()=>t(await Do());return n==null?null:c`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var dl=[["services",""],["events","e"],["recordings","r"]];function te({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([o,a])=>c`<a href=${B(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${B([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${dl.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${ml} />
      <${fl} />
      <${pl} />
    </header>
    <main><${us} />${t}</main>`}var hl=4;function gl(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=O(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((p,h)=>gl(l(p),l(h))):t).slice(0,s),f=(p,h)=>{let b=a!==h?"none":p.isNumber?"descending":"ascending",g=p.sort?c`<button class="plain" onClick=${()=>i(h)}>${p.name}</button>`:p.name;return c`<th
      class=${(p.isNumber?"n ":"")+(p.sort?"sort":"")}
      title=${p.title}
      scope="col"
      aria-sort=${p.sort?b:void 0}
    >
      ${g}
    </th>`},d=(p,h,b)=>{let g=h.cell(p);return c`<td
      class=${(h.isNumber?"n ":"")+(h.className??"")}
      data-name=${b>0?h.name:void 0}
    >
      ${r&&b===0?c`<a href=${r(p)}>${g}</a>`:g}
    </td>`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class=${e.length>hl?"stacks":""}>
      <thead class=${e.some(p=>p.sort)?"sorts":""}>
        <tr>
          ${e.map(f)}
        </tr>
      </thead>
      <tbody>
        ${u.map(p=>c`<tr key=${n(p)} class=${r?"opens":""}>
              ${e.map((h,b)=>d(p,h,b))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var bl=100,ur=e=>e===null?"":y(e),mt=(e,t)=>$.value.params.getAll(e).includes(t);function mr({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function $l({types:e}){let t=n=>ye({context:mt("context",n)?null:n,key:null,where:null,event:null});return c`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${mr} href=${t(n)} on=${mt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>v(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>v(n.contexts_out),isNumber:!0},{name:"median",cell:n=>ur(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>ur(n.p99_ns),isNumber:!0}]}
  />`}function ps({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return ye({where:mt("where",s)?o:[...o,s],event:null})};return c`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${mr}
            href=${n(r)}
            on=${mt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":v(r.all),isNumber:!0},{name:"kept",cell:r=>v(r.kept),isNumber:!0},{name:"p99",cell:r=>ur(r.p99_ns),isNumber:!0}]}
  />`}function vl({name:e}){let t=it($.value,ee.value);t.delete("where");let r=R(k("attributes",t,{limit:"100"}),N.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${ps} name=${e} rows=${s} />`}`}function _l({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${vl} name=${n.key} />`:c`<${ps} name=${n.key} rows=${r} />`}`}function yl({of:e}){let t=n=>ye({event:mt("event",n)?null:n});return c`<${K}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${ae} category=${Ue(n)} /><${mr}
              href=${t(n)}
              on=${mt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>v(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function wl({query:e}){let t=$.value.params.get("event"),n=k("events",e,{event:t}),{answer:r,items:s,more:o}=ln(n,bl,N.value),a=c`<${H} of=${r.data} /><${I} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${fn} label="Events" items=${s} contextHref=${Ce} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${F} title="No events here" />`}
  <//>`}function ds(){let e=$.value,t=it(e,ee.value),n=k("contexts/types",kl(t)),r=R(n,N.value),s=k("events/types",t),o=R(s,N.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${v(o.data.events)} events`+xl(o.data.contexts);return c`<${te}>
    <${un} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${$l} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Ie} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${_l} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${H} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${yl} of=${o.data} />`}
      <//>
    </div>
    <${wl} query=${t} />
  <//>`}var xl=e=>e===null?", in contexts or not":` in ${v(e)} contexts`;function kl(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function hs(){let[e,t]=O(null),[n,r]=O(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await Io(a.value.trim());r(!1),t(i),a.select()};return c`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Pt.value&&c`<p role="status">Your session is over.</p>`}
        <form onSubmit=${s}>
          <label for="token">Token</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            ref=${o=>!e&&o?.focus()}
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
    </main>`}function gs(){return c`<${te}>
    <section>
      <${F} title="There is nothing here">
        <a class="link" href=${B([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function Sl(e){return e.replaceAll("_","-")}function Lt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function Nt({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${Sl(t)} <b>${v(n)}</b></span
        >`)}
  </span>`}var $s=e=>e.slice(0,19).replace("T"," "),Rl=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),pn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,bs=(e,t)=>c`${v(e)} <span class="dim">of ${v(t)}</span>`,Tl=[{name:"service",cell:e=>c`<b>${_e(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>$s(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${y(pn(e))}, running`:y(pn(e)),isNumber:!0,sort:pn},{name:"contexts kept",cell:e=>bs(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>bs(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ue(e.bytes_out)} <span class="dim">of ${ue(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Rl(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function Ol(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=k("recordings",r),o=R(s,N.value),a=o.data?.recordings??[],i=c`<${H} of=${o.data} /><${I} url=${s} />`;return c`<${te}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${K}
          label="Recordings"
          columns=${Tl}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>B(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Ie} />`}
    <//>
  <//>`}var Cl=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>v(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>v(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ue(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ue(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${Nt} of=${Lt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function De(e,t){return c`<span><b>${e}</b>${t}</span>`}function Pl({of:e}){let t=e.contexts_in?q(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${De(e.is_running?"running":"ended",`${y(pn(e))} since ${$s(e.start)} UTC`)}
    ${De(t,`of ${v(e.contexts_in)} contexts kept`)}
    ${De(v(e.events_out),`of ${v(e.events_in)} events kept`)}
    ${De(ue(e.bytes_out),`of ${ue(e.bytes_in)} kept`)}
    ${De(ue(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&De(y(e.waiting.duration_ns),`not compacted yet, ${ue(e.waiting.journal_bytes)}`)}
    ${De(e.jvm_version,e.jvm_name)} ${De(e.pid,`process, on ${e.instance}`)}
  </div>`}var Ml={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function Al({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${v(r)} ${Ml[n]??n}</li>`)}
      </ul>`}function El({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=k("policies/"+t,new URLSearchParams),r=R(n,N.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${P}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${c`<${I} url=${n} />`}
    answer=${r}
  >
    ${s?.refused&&c`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&c`<${K}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>o(a).join(", "),className:"w"}]}
      />`}
  <//>`}function Ll({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=[{name:r?`${_e(r.service)}, ${r.instance}`:e}],o=c`<a href=${Jo(e)} download>download .jfr</a><${I} url=${t} />`,a=r?Lt(r.types):[];return c`<${te} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${Pl} of=${r} />`}
      ${n.status===404&&c`<${F} title="This collector has no such recording">
          <a href=${B(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${Nt} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${Al} of=${r}
        /><//>
        <${P} title="Event types">
          <${K}
            label="Event types"
            columns=${Cl}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${El} service=${r.service} />`}
  <//>`}function vs(){let e=$.value.path[1];return e===void 0?c`<${Ol} />`:c`<${Ll} id=${e} />`}function xe(e){return e==="requests"?"request":"context"}var Nl=["context","thread","trace","id","box","base_box"];function _s(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:Nl.some(n=>e.has(n))?"contexts":null}function ke(e){return e.get("unit")==="requests"?"requests":"contexts"}function ft(e,t){return Z(e,{unit:t==="requests"?t:null})}function ys(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:l,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:l,spark:m,top:u}}function ws(e){let[t,n]=O({width:0,height:0,ratio:1});return Ve(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function fr(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function xs(e,{width:t,height:n,ratio:r},s,o){Ve(()=>{let a=t>0&&e.current&&fr(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Oe.value,...o])}function Ul(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=fr(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function dn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=ne(null),a=ne(null),i=ne(t),l=ne(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&Ul(a.current,o.current,i.current)})};ce(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),ce(m,[t,n,r,Oe.value]),ce(()=>{let{scrollTop:d,clientHeight:p}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+p&&(o.current.scrollTop=s[1]-p)},[s?.[0],s?.[1]]);let u=d=>p=>{let h=a.current.getBoundingClientRect(),b=p.clientY-h.top+o.current.scrollTop;d?.({x:p.clientX-h.left,y:b,width:h.width,event:p})},f=Math.min(n,r);return c`<div
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
  </div>`}var hn=14,gn=8;function pt({at:e,children:t}){let n=ne(null);return Ve(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+hn+s>innerHeight-gn,i=Math.min(e.clientX+hn,innerWidth-r-gn);o.left=`${Math.max(gn,i)}px`,o.top=`${a?Math.max(gn,e.clientY-hn-s):e.clientY+hn}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var hr=e=>e.charCodeAt(0);function ks(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[hr(n.length===1?n:t),hr(r.length===1?r:t)]}var gr=e=>/\w/.test(String.fromCharCode(e)),Ss=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),Os=(e,t)=>t>=0&&t<e.length&&gr(e.charCodeAt(t)),bn=(e,t)=>Os(e,t-1),$n=Os,pr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>bn(e,t)!==$n(e,t),"\\B":(e,t)=>bn(e,t)===$n(e,t),"\\<":(e,t)=>!bn(e,t)&&$n(e,t),"\\>":(e,t)=>bn(e,t)&&!$n(e,t)},Rs=e=>e>=48&&e<=57,dr={"\\d":Rs,"\\D":e=>!Rs(e),"\\w":gr,"\\W":e=>!gr(e),"\\s":Ss,"\\S":e=>!Ss(e)},Ts={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},he=class extends Error{},br=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new he;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new he;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new he;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new he;if(r!==1/0&&r>255)throw new he;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(Ts,r)?Ts[r]:void 0;if(n===":"?!s:r.length!==1)throw new he;return n===":"?o=>s.test(String.fromCharCode(o)):hr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new he;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new he;t.push(this.range())}this.at++,this.addAtom(r=>ks(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(pr,n)||Object.hasOwn(dr,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new he;if(Object.hasOwn(pr,n))this.atom=null,this.add({holds:pr[n]});else if(Object.hasOwn(dr,n))this.addAtom(dr[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=ks(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function Cs(e){try{return e.length>256?null:new br(e).parse()}catch(t){if(t instanceof he)return null;throw t}}function Ps(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,l=(m,u,f)=>{o(u,f);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:p,holds:h,jumps:b,isEnd:g}=e[d];i||=g===!0,p?m.push(d):h?.(t,f)&&o(d+1,f);for(let w of b??[])o(d+w,f)}};for(let m=0;;m++){if(l(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),f=[];for(let d of a)e[d].takes(u)&&l(f,d+1,m+1);a=f}}function yn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let f=n[u]-1;s[u]=f<0?-1:i[f],a[u]=f<0?0:l[f],f>=0&&(l[f]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function As(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let p=l.level[d];p>=r&&p<s&&m.push({node:d,x:0,width:n,row:p})}let u=n/(o[t]||1),f=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let p=l.level[d];if(p>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,b=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(b),n-1):b;p>=r&&(h>=1||g>=f[p-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:p}),f[p-r]=g+Math.max(h,1)),d++}return m}function Es(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let f=u>=a[m]&&u<a[m]+o[m];if(f&&l.level[m]===s)return m;m=f?m+1:i[m]}return-1}function Ls(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?Ns(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function Ns(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var _n=4;function Us(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**_n).toString(36).padStart(_n,"0")}function wn(e,t){return Ns(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Us).join("")}function xn(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=_n){let a=t.slice(o,o+_n),i=s+1;for(;i<(e.end[s]??0)&&Us(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var Il=1024,Dl=5e7;function Is(e,t=Dl){let n=/^\/(.+)\/$/.exec(e);if(!n){let l=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(l),{isOver:()=>!1})}let r=Cs(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(l=>(s.has(l)||s.set(l,!a()&&Ps(r,l.slice(0,Il),o)),s.get(l)),{isOver:a})}function Ds(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var vn=(e,t)=>t>0?e/t:0;function Bs({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(vn(r.total,n),vn(r.base_total??0,o)),i=vn(e[s],n)-vn(t?.[s]??0,o);return a>0?i/a:0}function qs(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function Bl({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!ut(e.names[e.name[o]]))return o;return s}function Ms({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Fs(e,t){let{flame:n}=e,r=Ms(e,n.value),s=Ms(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[Bl(e,i)]],f=o.get(m+u)??{name:u,kind:m,value:0,base:0};f.value+=r[i],f.base+=s[i],o.set(m+u,f)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var ge=18,ql=22,Hs=4,Fl=5;function Hl(e){return e.split(".").slice(0,-2).join(".")}function jl(e){if(ut(e))return"frame-jdk";let t=7;for(let n of Hl(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Fl}`}function Wl({names:e,kinds:t}){return e.map((n,r)=>{let s=on(t[r]??".");return U(r===0?"frame-root":s?s.token:jl(n))})}var $r=32,vr=e=>({fill:e,ink:ot(e)});function js(e){if(e.base_value===void 0){let s=Wl(e).map(vr);return e.name.map(o=>s[o])}let t=s=>Array.from({length:$r+1},(o,a)=>vr(Wo(U("frame-same"),U(s),a/$r))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:Bs(e,o),i=Math.round($r*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Vl(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ws(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=U("ink"),u=vr(U("accent"));e.font=rt("mono"),e.textBaseline="middle";let f=e.measureText("0123456789").width/10;for(let{node:d,x:p,width:h,row:b}of n){let g=b*ge-r,w=s.name[d],_=d!==l&&s.level[d]<s.level[l],S=a!==null&&a.names[w]===1,x=_||a!==null&&!S,{fill:M,ink:L}=S?u:o[d];if(e.globalAlpha=x?.6:1,e.fillStyle=M,e.fillRect(p,g,Math.max(h-.5,.5),ge-1),h>=ql){let z=Math.floor((h-2*Hs)/f);e.globalAlpha=1,e.fillStyle=x?m:L,e.fillText(Vl(s.names[w],z),p+Hs,g+ge/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(p+1,g+1,Math.max(h-2,1),ge-3))}}var Kl=24,Gl=3,_r=(e,t)=>q(t>0?e/t:0);function zl({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=pe(n[i]/Math.max(1,a),o),m=pe(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${_r(n[i],s)}, ${l} each, own ${m}`}function Xl(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let f={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},f]}function Jl({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=Xl(r,t),m=(u,f)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${pe(f(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${_r(f(d),d.whole)}</td>
            <td class="n dim">${pe(f(d),s)}</td>`)}
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
    ${n>0&&c`<div class="dim">${_r(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Vs({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=O(null),[i,l]=O(null),m=A(()=>i===null?-1:xn(e,i),[e,i]),u=o?.node??-1,f=A(()=>js(s),[s,Oe.value]),d=zt((x,{width:M,top:L,height:z})=>{let j=Math.floor(L/ge),Pe=As(e,t,M,j,Math.ceil((L+z)/ge));Ws(x,{flame:s,shades:f,zoom:t,found:n,marks:[m,u]},Pe,L)},[e,t,n,m,u,f]),p=({x,y:M,width:L})=>Es(e,t,L,x,Math.floor(M/ge)),h=x=>{let M=p(x),{clientX:L,clientY:z}=x.event;a(M<0?null:{node:M,at:{clientX:L,clientY:z}})},b=x=>{let M=p(x);M>=0&&x.event.button===0&&r(M)},g=x=>{let M=m<0?t:m;if(x.key.startsWith("Arrow")){let L=m<0?t:Ls(e,t,M,x.key);l(wn(e,L)),a(null)}else if(x.key==="Enter")r(M);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},w=m>=0?m:t,_=s.level[w],S=[Math.max(0,_-Gl)*ge,(_+1)*ge];return c`<${dn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*ge}
      heightMax=${Kl*ge}
      draw=${d}
      reveal=${S}
      onPoint=${h}
      onUp=${b}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&zl(s,m)}</div>
    ${o&&c`<${pt} at=${o.at}><${Jl} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Yl=20,Zl=16;function Ql(e){let t=e.slice(-Zl),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function kn({name:e,title:t=e}){if(e.length<=Yl)return c`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Ql(e);return c`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var ec=500;function tc(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=f=>pe(f/Math.max(1,r),t),a=f=>c`<button
      class="plain"
      title="${f.name}: find it in the graph"
      onClick=${()=>C({find:f.name,flame:null,zoom:null})}
    >
      <${nc} kind=${f.kind} />${f.name}
    </button>`,i=(f,d,p=h=>o(d(h)))=>({name:f,cell:p,isNumber:!0,sort:d}),l=f=>q(n>0?f.total/n:0),m=f=>pe(f/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:f=>f.name},i("own, each",f=>f.self),i("total, each",f=>f.total),i("share",f=>f.total,l)];return e.base_value===void 0?u:u.concat(i("base own",f=>f.baseSelf,f=>m(f.baseSelf)),i("base total",f=>f.baseTotal,f=>m(f.baseTotal)))}function nc({kind:e}){let t=on(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Ks({tree:e,matches:t}){let n=qs(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${K}
      label="Frames"
      columns=${tc(e.flame)}
      rows=${n}
      rowsMax=${ec}
      rowKey=${r=>r.name}
    />
  </div>`}var rc=8;function Sn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Gs({url:e,answer:t}){let{data:n}=t,r=A(()=>n&&n.requests>0?Fs(yn(n),rc):[],[n]),s=$.value.params.get("frame"),o=(l,m=0)=>pe(l/Math.max(1,m),"ns"),a=l=>{let m=Sn(l.name);return c`<tr key=${l.name+l.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${ae} category=${ct(l.kind)} /><${kn}
            name=${Le(l.name)}
            title=${l.name}
          />
        </button>
      </td>
      <td class="n">${o(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${o(l.base,n.base_requests)}</td>`}
      <td class="n dim">${q(l.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=c`<${H} of=${n} /><${I} url=${e} />`;return c`<${P} title="Top frames" tools=${i} answer=${t} className="top-frames">
    ${r.length>0&&c`<table class="frames">
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
      </table>`}
  <//>`}var yr=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function Rn({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function oc(e){let t=e.get("value")??"";return yr.some(([n])=>n===t)?t:"time"}function sc({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${yr.map(([t,n])=>c`<${Rn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function ac({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${Rn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${Rn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function ic({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",s=r!==""&&n===null,o=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?q(e.weight/o):q(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function lc(){let e=$.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function cc({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>q(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${ae} category=${ct(o)} />${oe(ct(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${v(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function uc({requests:e,total:t,unit:n,...r},s){let o=pe(t/Math.max(1,e),n),a=r.base_requests??0,i=pe((r.base_total??0)/Math.max(1,a),n),l=r.base_value?`; base: ${v(a)}, ${i} each`:"";return`${Re(e,s)}, ${o} each${l}`}function Tn(e){return k("flamegraph",e,{value:"time",frame:null})}function dt({query:e,tick:t,whole:n}){let{params:r}=$.value,s=oc(r),o=r.get("frame"),a=Z(e,{value:s,frame:o}),i=k("flamegraph",a),l=n!==void 0&&i===Tn(e),m=R(l?null:i,t),u=m.problem===null?n?.data??null:null,f=l?n:{...m,data:m.data??u},d=f.data,p=r.get("width")==="base"&&d?.base_value!==void 0,h=A(()=>d&&yn(d,p),[d,p]),b=r.get("find")??"",g=A(()=>b===""?null:Is(b),[b]),w=A(()=>h&&g&&Ds(h,g),[h,g]),_=r.get("flame")==="table",S=!h||h.weight.length===0||!(h.weight[0]>0),x=h?xn(h,r.get("zoom")??""):0,M=h&&c`<${Vs}
      tree=${h}
      zoom=${x}
      found=${w}
      onZoom=${j=>C({zoom:wn(h,j)||null})}
    />`,L=c`<${H} of=${d} /><${Ne}
      query=${e}
      value=${s}
      frame=${o}
    /><${I} url=${i} />`,z=d?uc(d,xe(ke(e))):"";return c`<${P} title="Flame graph" note=${z} tools=${L} answer=${f}>
    <div class="flame-tools">
      <${sc} value=${s} />
      <${lc} />
      <${ac} flame=${d} />
      <${ic} found=${w} flame=${d} matches=${g} />
      ${x>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${Rn}
        isOn=${_}
        onChange=${()=>C({flame:_?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&S&&c`<${F} title="No ${yr.find(([j])=>j===s)[1]} in this selection" />`}
    ${!S&&(_?c`<${Ks} tree=${h} matches=${g} />`:M)}
    ${d&&!S&&c`<${cc} flame=${d} />`}
  <//>`}function wr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function xr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function zs(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Xs(e,t,n,r,s){let o=xr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Js(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Ys({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Zs(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var mc=560,fc=110,pc=4,dc=28,ea=5,hc=500;function gc(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function On(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function bc(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function kr({count:e,name:t,duration:n}){return`${e>1?`${v(e)} \xD7 `:""}${re(t)} \xB7 ${y(n)}`}function $c(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=U(i?"hover":oe(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=U(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=dc&&(e.fillStyle=i?U("ink"):ot(l),e.fillText(bc(e,kr(s),a-2*ea),o+ea,n+20/2-1))}function vc(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=U("panel"),e.fillRect(0,0,n,18);for(let o of Ys(t,n/fc)){let a=Math.round((o-t.from)*s),i=o===0?"0":y(o),l=e.measureText(i).width;e.fillStyle=U("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=U("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function _c(e,t,n,r){return zt((s,{width:o,top:a,height:i})=>{let l=wr(e);s.font=rt("sans"),s.textBaseline="middle",vc(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let f=l[u]-a;f>i||l[u+1]-a<0||xr(m,t,o).forEach(d=>$c(s,d,f+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=U("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function yc({title:e},t){return`${e}: ${oe(t.kind).name}, ${kr(t)}, at ${y(t.start)}`}function wc({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${hc}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${ae} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>v(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function ta({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=gc($.value.params.get("part"),t),[a,i]=O(null),[l,m]=O(null),[u,f]=O(null),[d,p]=O(!1),h=A(()=>wr(e),[e]),b=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=_c(e,o,[b?.box??null,a?.box??null],u),w=({x:T,y:D,width:J})=>{let V=zs(h,D),Fe=V<0?null:Xs(e[V],o,J,T,D-h[V]);return Fe&&{lane:V,box:Fe}},_=T=>{if(u){f([u[0],Math.max(0,Math.min(T.x,T.width))]),i(null);return}let D=w(T),{clientX:J,clientY:V}=T.event;i(D&&{...D,at:{clientX:J,clientY:V}})},S=({lane:T,box:D})=>{let J=n?.(e[T],D)??null;J!==null&&r?r(J):On({from:D.start,to:D.start+Math.max(1,D.duration)})},x=({x:T,event:D})=>{D.button===0&&D.pointerType!=="touch"&&(D.target.setPointerCapture(D.pointerId),f([T,T]))},M=T=>{f(null);let[D=0,J=0]=u?[...u].sort((Fe,Qa)=>Fe-Qa):[],V=w(T);if(J-D>=pc){let Fe=(o.to-o.from)/T.width;On({from:o.from+D*Fe,to:o.from+J*Fe})}else V&&S(V)},L=e.findIndex(({boxes:T})=>T.length>0),z=T=>{if(T.key.startsWith("Arrow")&&L>=0)m(b?Zs(e,b,T.key):{lane:L,box:e[L].boxes[0]});else if(T.key==="Enter"&&b)S(b);else if(T.key==="Escape"||T.key==="Backspace")On(null);else return;T.preventDefault()},j=b?h[b.lane]+20+b.box.level*20:0,Pe=$.value.params.get("part")!==null;return c`<${dn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${mc}
      draw=${g}
      reveal=${b?[j-20-20,j+20]:void 0}
      onPoint=${_}
      onDown=${x}
      onUp=${M}
      onLeave=${()=>i(null)}
      onKey=${z}
    >
      ${e.map((T,D)=>c`<div class="lane-title" key=${T.key} style=${{top:`${h[D]}px`}}>
            ${T.href?c`<a href=${T.href}>${T.title}</a>`:T.title}
            <small title=${T.note}>${T.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${b&&yc(e[b.lane],b.box)}</div>
    ${a&&c`<${pt} at=${a.at}>
        <b>${kr(a.box)}</b>
        <div>${a.box.name}, ${oe(a.box.kind).name}</div>
        <div class="dim">at ${y(a.box.start)}</div>
      <//>`}
    ${Pe&&c`<button onClick=${()=>On(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${T=>p(T.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${wc} lanes=${e} />`}
    </details>`}var xc=3,kc=.001;function Sc({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var na=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):v(Math.round(n))} \xD7`};function Rc(e,{category:t,is_count:n}){let r=e.slices.find(s=>s.category===t);return n?na(r?.events??0,e.requests):y((r?.total_ns??0)/Math.max(1,e.requests))}function Tc({of:e}){return c`<ul class="repeated">
    ${e.repeated.map(t=>c`<li
          title=${`${t.frame}: ${v(t.events)} in ${Re(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${v(t.per_request)} × ${Le(t.frame)}
          <span class="dim"> ${oe(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Oc({slice:e,of:t,base:n,hrefOf:r}){let s=r&&!e.is_count,o=(f,d)=>s?c`<a href=${r(e.category,d)}>${f}</a>`:f,a=f=>({each:e.is_count?"":y(f.total_ns/t.requests),share:e.is_count?"":q(f.total_ns/Math.max(1,t.total_ns)),often:na(f.events,t.requests)}),i=Math.max(1,t.total_ns*kc),l=e.top.slice(0,xc).filter(f=>e.is_count||f.total_ns>=i),m=s?"opens":"",u=(f,d)=>{let{each:p,share:h,often:b}=a(f);return c`<td class="n">${p}</td>
      ${n&&c`<td class="n dim">${d}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${b}</td>`};return c`<tr
      class=${m}
      title=${`${y(e.total_ns)} in all, ${v(e.events)} events`}
    >
      <th scope="row">
        <${ae} category=${e.category} />${o(oe(e.category).name,null)}
      </th>
      ${u(e,n?Rc(n,e):"")}
    </tr>
    ${l.map(f=>c`<tr class=${`frame ${m}`}>
          <td>
            <div class="frame-name">
              ${o(c`<${kn} name=${Le(f.frame)} title=${f.frame} />`,f.frame)}
              ${f.via&&c`<span class="via dim" title=${f.via}>via ${Le(f.via)}</span>`}
            </div>
          </td>
          ${u(f,"")}
        </tr>`)}`}function Sr({of:e,base:t,hrefOf:n}){let r=e.slices.filter(Sc),s=({total_ns:o})=>y(o/e.requests);return c`<${ns} parts=${r} total=${e.total_ns} each=${s} />
    <table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&c`<th scope="col" class="n" title="each of those to compare with">base</th>`}
          <th scope="col" class="n">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${r.map(o=>c`<${Oc}
              key=${o.category}
              slice=${o}
              of=${e}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&c`<${Tc} of=${e} />`}`}function Cn({query:e,base:t=null,tick:n,hrefOf:r}){let s=k("why",e),o=R(s,n),a=R(t&&k("why",t),n),{data:i}=o,l=xe(ke(e)),m=c`<${H} of=${i} /><${I} url=${s} />`,u=i&&i.requests>0?`mean of ${Re(i.requests,l)}, ${y(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${u}
    tools=${m}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${Sr} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${F} title=${`No kept ${l} is in this selection`} />`}
  <//>`}var Rr=8192,ra=60000000000n,oa=5,Cc=2000000000n;function sa(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function aa({t0_ns:e,events:t,is_truncated:n}){return an({...t,t0_ns:e,next:null,is_truncated:n})}function Tr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=sa(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=sa(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:f,from:d,to:p}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:f+1,from:Math.min(d,a),to:Math.max(p,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function Or(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,f]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:f};r[s]?.boxes.push(d)}return r}function Pc(e,t,n){return an(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=Ue(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function Mc(e,t,n,r){let s=BigInt(e.t0_ns),a=Or(n,s).filter(({thread:f})=>f===t.thread).flatMap(({boxes:f})=>f),i=a.filter(({kind:f})=>f==="context").map(({name:f})=>f),l=Pc(r,s,new Set([e.type,...i])),m=Js([...a,...l]).filter(f=>f.start<=t.to&&f.start+f.duration>=t.from),u=`had the monitor of ${re(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function Ac(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Cc)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?k(m,r,u):null,o=R(s("timeline",{width:String(Rr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=A(()=>t&&o.data&&a.data?Mc(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),l=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:l}}function Ec(e){let t=A(()=>Tr(e),[e]),n=[];for(let i=0;i<oa;i++){let l=n.every(m=>m.isAnswered);n.push(Ac(e,l?t[i]:void 0))}let r=t.slice(oa),s=y(r.reduce((i,l)=>i+l.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return A(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function Lc(e){let t=sn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-ra)});r.set("to",String(n+BigInt(e.duration)+ra));let s=String(Rr),o=R(t&&k("timeline",r,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return A(()=>(o?Or(o,n):[]).map(m=>{let u=i?.[m.recording],f=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:f,href:t===null?void 0:B(["t",t])}}),[e,o,i])}function ia(e,t){let n=R(k("timeline",t,{width:String(Rr)})).data,r=Ec(e),s=Lc(e);return A(()=>{let o=n?Or(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:f})=>f)].includes(u.thread),i=o.filter(({thread:u})=>u===null),l=o.filter(({thread:u})=>u!==null),m=`this one, ${y(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...l.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var la=300000000000n,Nc=100,ht=({t0_ns:e})=>BigInt(e);function Cr(e){let t=ht(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function Uc(e){let t=Cr(e);if($.value.params.get("base")==="rest"){let n=ht(e);t.set("from",String(n-la)),t.set("to",String(n+la)),t.set("context",e.type),t.set("base","rest")}return t}function Ic({context:e,jvm:t}){let n=ht(e),r=sn(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${B(["t",r])}>${r}</a>`:mn(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${de(n)}>${Te(n)} ${Q(n)}</dd>
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <dt>JVM</dt>
    <dd>
      <a class="link" href=${B(["r",e.recording])}
        >${t?t.instance:e.recording}</a
      >
      ${t&&c`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>
    ${e.parent&&[c`<dt>within</dt>`,c`<dd>
          <a class="link" href=${ca(e,e.parent)}
            >${re(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function ca(e,{id:t,start:n}){return Ce(e.recording,t,ht(e)+BigInt(Math.round(n)))}function Dc({context:e}){let t=Tr(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${ae} category=${Ue(n)} />${v(r)} × ${re(n)}
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
                  <td class="w">${re(n.monitor)}</td>
                  <td class="n">${y(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Bc({context:e}){return c`<${P} title="Contexts in it" note=${v(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Nc}
      rowKey=${t=>t.id}
      href=${t=>ca(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function qc({context:e,tick:t}){let n=A(()=>Cr(e),[e]),r=ia(e,n),s=A(()=>aa(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:Ce(i.recording,l,ht(e)+BigInt(Math.round(m))),a=c`<${I} url=${k("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${ta}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${fe}
      />
    <//>
    ${e.children.length>0&&c`<${Bc} context=${e} />`}
    <${dt} query=${Uc(e)} tick=${t} />
    <${P} title="Events" note=${v(s.length)}>
      ${s.length>0?c`<${fn}
              items=${s}
              since=${ht(e)}
              label="Events of the request"
            />`:c`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function ua(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=k(a,o),l=R(i,N.value),m=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,f=u?`${re(u.type)}, ${y(u.duration)}`:r,d=[{name:"services",href:B([])},...m?[{name:_e(m.service),href:B(["s",m.service])}]:[],{name:f}],p=u&&Cr(u),h=c`<${H} of=${u} /> ${p&&c`<${Ne} query=${p} />`}
    <${I} url=${i} />`;return c`<${te} crumbs=${d}>
    ${u?c`<div class="three">
              <${P}
                title=${re(u.type)}
                note=${y(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${Ic} context=${u} jvm=${m} />
              <//>
              <${P} title=${`Why ${y(u.duration)}`} className="why-panel">
                <${Sr} of=${u.why} base=${null} />
              <//>
              <${P} title="Kept because"><${Dc} context=${u} /><//>
            </div>
            <${qc} context=${u} tick=${N.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var Fc=100,Hc=10,jc=1.96;function Wc(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-jc*o)}function Vc({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?Wc(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function Kc({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function Gc({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":y(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${v(o.count)} of ${v(e)}`}>
          ${q(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${v(o.base_count)} of ${v(t)} to compare with`}
      >
        ${Kc(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function zc({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(s=>s!==n);return ye({where:[...r,n]})}function Xc({data:e}){let[t,n]=O(!1),r=$.value.params.getAll("where"),s=Vc(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,Hc),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${K}
      label="Attributes"
      columns=${Gc(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${zc}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${v(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function ma({query:e,against:t,tick:n}){let r=k("attributes",e,{limit:String(Fc)}),s=R(r,n),{data:o}=s,a=c`<${H} of=${o} /><${I} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${Xc} data=${o} />`}
  <//>`}function fa({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function Jc(){let{params:e}=$.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=To(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&st(s)?y(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function pa({types:e,instances:t}){let n=$.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${fa}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${v(a)})`])}
    />
    <${fa}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${Jc} />
    <${un}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Yc=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Zc=e=>Yc[e&3]*2**(e>>2);function da(e){return e<0?1:Math.floor(Zc(e+1))}function Be(e,{column:t,row:n}){return t*e.rows+n}function gt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function Je(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function bt(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let l=1;for(;Math.floor(a/l)-Math.floor(o/l)>=n;)l*=2;let m=o>a?0:Math.floor(o/l),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:m,buckets:l,hasShorter:i,rows:o>a?0:Math.floor(a/l)-m+1,cells:new Map,most:0,exemplars:new Map},f=(d,p)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(p/l)-m)});e.columns.forEach((d,p)=>{for(let[h,b,g]of d){let w=f(p,h),_=u.cells.get(Be(u,w))??{...w,all:0,kept:0};_.all+=b,_.kept+=g,u.cells.set(Be(u,w),_),u.most=Math.max(u.most,_.all)}});for(let[d,p,h,b]of e.exemplars)u.exemplars.set(Be(u,f(d,p)),{recording:h,id:b});return u}function ga(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function $t(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:da(i-1)+1,max:da((e.first+a+1)*e.buckets-1)}}function Pn(e,t,n){let r=$t(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function Ye(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Pn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function ba(e,t){return[...e.cells.values()].filter(n=>Pn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Be(e,n))??[])}function Mn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function $a(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Mr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function Pr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Dt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function Ar(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,Pr(e,t,n.from)),l=Math.max(o,Dt(e,t,n.max)),m=Math.min(s,Pr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,Dt(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function Er(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function va(e,t,n,r){let s=[],o=a=>{let i=Dt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var ha=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function _a(e,t,n,r,s){let{from:o,to:a}=Er(e),i=Number(a-o)/1e9*(n/t.width),l=ha.find(f=>f>=i)??ha.at(-1),m=BigInt(l)*1000000000n,u=[];for(let f=(o+r+m-1n)/m*m-r;f<a;f+=m)u.push({at:Pr(e,t,f),text:s(f,l*1e9)});return u}var Qc=4,eu={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function qe(e){return me($.value.params.get(e))}var xa=e=>e==="requests"?{unit:e}:{};function Bt(e,t,n){let r=e&&Et(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=xa(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function tu(e){Bt(null,qe("base_box")!==null,e)}function Lr({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function ka(e,t){return e.column===t.column&&e.row===t.row}function wa(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function nu(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function vt({grid:e,isRate:t},{from:n,to:r}){return t?$t(e,{...n,row:0},{...r,row:e.rows-1}):$t(e,n,r)}function Sa({grid:e,unit:t},n){let r=e.exemplars.get(Be(e,n));r&&fe(Xe(t,r.recording,r.id))}function Ra(e){let{grid:t,plot:n}=e,[r,s]=O(null),[o,a]=O(null),i=ne(null),l=({offsetX:g,offsetY:w})=>$a(t,n,g,w),m=g=>{let{offsetX:w,offsetY:_}=g;if(g.button===0&&t.rows>0&&Mr(n,w,_)){g.currentTarget.setPointerCapture(g.pointerId);let S=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x:w,y:_,isLong:!1,isBase:S})}},u=g=>{let{offsetX:w,offsetY:_}=g;if(r){let L=r.isLong||Math.hypot(w-r.x,_-r.y)>=Qc;s({...r,to:l(g),isLong:L})}let{clientX:S,clientY:x}=g,M=t.rows>0&&Mr(n,w,_);a(M?{place:l(g),clientX:S,clientY:x}:null)},f=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){Sa(e,r.from);return}let w=vt(e,r),_=!r.isLong&&Ye(t,w).all===0;Bt(_?null:w,r.isBase,e.unit)},d=g=>{let w=i.current,_=w&&Pn(t,w,l(g))?w:vt(e,{from:l(g),to:l(g)});C({box:Et(_),...xa(e.unit)},!0),Lr(_)},p=({detail:g})=>{i.current=g>1?i.current:qe("box")},h=()=>a(null),b=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:p,onPointerDown:m,onPointerMove:u,onPointerUp:f,onPointerLeave:h,onPointerCancel:b,onDblClick:d}}}function Ta(e){let{grid:t}=e,[n,r]=O(null),s=i=>{let l=eu[i.key];if(l&&t.rows>0){let m=n?wa(t,n.to,l):nu(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)Sa(e,n.to);else if(i.key==="Enter"&&n)Bt(vt(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),tu(e.unit);else return;i.preventDefault()},o=i=>wa(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var An=52,ru=20,Oa=6,ou=52,su=72,au=26,iu=5,lu=60000000000n;function Ca(e,t,n){let r=e-An-(n?ou:0);return{x:An,y:Oa,width:Math.max(1,r),height:Math.max(1,t-Oa-ru)}}function cu(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*lu}function uu(e,t){let n=Q(e,t);return n==="00:00"?Te(e).slice(5):n}function mu(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:_a(e,t,su,cu(e.t0),uu),durations:e.rows===0?[]:va(e,t,au,n)}}function fu(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function pu(e,t,n,r,s){e.fillStyle=U("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:l,width:m,height:u}=Mn(t,n,a);fu(e,i+m-r,l,Math.min(iu,m/2,u/2))}e.fill()}function du({all:e,kept:t},n){return n==="requests"?t<e:t>0}function Pa(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(U),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:l,width:m,height:u}=Mn(t,n,a);e.fillStyle=s[ga(a.all,t.most)],e.fillRect(i,l,m-o,u-o)}pu(e,t,n,o,a=>du(a,r)),Ur(e,t,n)}function Ur(e,t,n){let{times:r,durations:s}=mu(t,n);e.fillStyle=U("faint"),e.font=rt("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,An-8,o),e.fillRect(An-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function Nr(e,t,n,r){t&&(e.fillStyle=U("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function Ma(e,t,n,r){Nr(e,r.base&&Ar(t,n,r.base),U("soft"),[4,3]),Nr(e,r.box&&Ar(t,n,r.box),U("accent"),[]);for(let s of r.cells)Nr(e,Mn(t,n,s),U("ink"),[])}function Aa({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=gt(a);return{perSecond:i.reduce((u,[,f])=>u+f,0)/(a.length*(e/1e9)),p50:Je(i,.5),p99:Je(i,.99)}})}function Ea(e){return`${v(Number(e.toPrecision(3)))}/s`}function hu(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function gu(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function La(e,t,n,r){let s=n.width/t.columns,o=hu(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=U("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=U(i);let l=(m,u)=>{let f=m[a];return f===null?null:[n.x+(u+.5)*s,Dt(t,n,f)]};gu(e,r.map(l),s)}Ur(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Ea(o*a),n.x+n.width+6,i+(a===1?5:0))}}function Na({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":y(s);return c`<b>${Ea(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Ua({unit:e}){let t=(n,r)=>c`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return c`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Ir=6e10;function En({from:e,to:t,min:n,max:r}){let s=e%BigInt(Ir)===0n&&t%BigInt(Ir)===0n,o=i=>Q(i,s?Ir:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function Dr({all:e,kept:t}){return`${v(t)} kept of ${v(e)}`}var $u=5,vu=6;function _u({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=Be(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[l,m]=En($t(e,s,s)).split(", "),u=a&&`${v(a.all)} ${t}, ${v(a.kept)} kept`,f=i?c`<${Na} of=${i} /><br />${l}`:c`<b>${m}</b><br />${l}<br />${u}
        ${e.exemplars.has(o)&&c`<br />Alt+click opens one`}`;return c`<${pt} at=${n}>${f}<//>`}var yu={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function wu(e,t,n){let r=e??yu,s=Math.max(1,t.width/$u),o=Math.max(1,t.height/vu);return A(()=>bt(r,s,o,n),[r,s,o,n])}function xu({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=ne(null),a=ws(o),i=Ca(a.width,a.height,n),l=wu(e,i,t==="requests"&&!n?79:null),m=A(()=>n&&e?Aa(e,l):null,[n,e,l]),u={grid:l,plot:i,unit:t,isRate:n,isComparing:r},{drag:f,hover:d,on:p}=Ra(u),{cursor:h,on:b}=Ta(u),g=f??(h&&!ka(h.from,h.to)?h:null),w=g&&vt(u,g),_=f?.isBase??r,S={box:!_&&w||qe("box"),base:_&&w||qe("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},x=j=>{m?La(j,l,i,m):e&&Pa(j,l,i,t),Ma(j,l,i,S)},{column:M,row:L}=d?.place??{};xs(o,a,x,[l,m,$.value,r,f,h,M,L]);let z=h&&vt(u,h);return c`<div class="heatmap">
    <canvas
      ref=${o}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${s}
      onFocus=${s}
      ...${p}
      ...${b}
    ></canvas>
    ${d&&c`<${_u} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${z&&`${En(z)}: ${Dr(Ye(l,z))}`}
    </div>
    ${e&&c`<${Ru} data=${e} unit=${t} most=${l.most} isRate=${n} />`}
  </div>`}function ku({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>c`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return c`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&c` ${r(o)}${v(s)}`)}
    ${e>1&&c` to ${v(e)}`}</span
  >`}var Su=e=>`Counted by chunk: a ${xe(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).`;function Da({data:e,unit:t,box:n,isBase:r}){let s=A(()=>bt(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Su(t)}
    onClick=${()=>Bt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${En(n)}</b>${" "}
    ${Dr(Ye(s,n))} by chunk <i>×</i>
  </button>`}function Ru({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&c`<${ku} most=${n} unit=${t} />`,c`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[qe("box"),qe("base_box")];return c`<div class="legend">
    ${r?c`<${Ua} unit=${t} />`:s}
    ${o&&c`<${Da} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&c`<${Da} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Tu({data:e,unit:t}){let[n,r]=O(!1),s=(a,i)=>{let l=gt([a]),[m,u]=[1,2].map(d=>a.reduce((p,h)=>p+h[d],0)),f=d=>y(Je(l,d));return c`<tr>
      <td>${Q(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${v(m)}</td>
      <td class="n">${v(u)}</td>
      <td class="n">${f(.5)}</td>
      <td class="n">${f(.99)}</td>
    </tr>`},o=[t,"kept","median","p99"].map(a=>c`<th class="n">${a}</th>`);return c`<details
    class="as-table"
    onToggle=${a=>r(a.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${n&&c`<div class="scroll" tabindex="0" role="region" aria-label=${`All ${t} by time`}>
        <table>
          <thead>
            <tr>
              <th>from</th>
              ${o}
            </tr>
          </thead>
          <tbody>
            ${e.columns.map((a,i)=>a.length>0&&s(a,i))}
          </tbody>
        </table>
      </div>`}
  </details>`}function Ou({unit:e}){let t=n=>c`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return c`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Ba({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=O(!1),l=$.value.params.get("view")==="rate",m=qe("box"),{data:u}=e,f=A(()=>u&&c`<${Tu} data=${u} unit=${n} />`,[u,n]),d=(h,b,g)=>c`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${b}
    </button>`,p=c`<${H} of=${u} />
    ${m&&c`<button class="plain" onClick=${()=>Lr(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&c`<${Ou} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!l)} ${d("rate","rate",l)}</span>
    <${I} url=${t} />`;return c`<${P}
    title=${`All ${n}`}
    note=${s}
    tools=${p}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${xu}
      data=${u}
      unit=${n}
      isRate=${l}
      isComparing=${a}
      onPoint=${o}
    />
    ${f}
  <//>`}var Cu=3;function Pu({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Lt(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${B(["r",e.id])}>${e.instance}</a>, since it started:
        <${Nt} of=${n} />
      </p>`:null}function Mu(e,t){return Et({...e,from:e.from-t,to:e.to+t})}function Au({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?ba(bt(o,1/0,1/0),n).slice(0,Cu):[],l=({recording:m,id:u},f)=>c`<a class="link" key=${u} href=${Xe(s,m,u)}>${f+1}</a>${" "}`;return c`<${F} title=${`No kept ${xe(s)} began in this box`}>
    <p>
      The heat map has ${v(r)} kept ones here: it counts a ${xe(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Mu(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&c`${" "}or open one of them: ${i.map(l)}`}
    </p>
  <//>`}function qa({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=A(()=>bt(e,1/0,1/0),[e]),a=me($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),l=(g,w)=>Number(n.get(g)??w),m=a??{...Er(o),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:u,kept:f}=Ye(o,m),d=ke(n),p=xe(d),h=r[0];if(r.length===0)return c`<${Ie} />`;let b=(g,w)=>c`<${F} title=${g}>${w}<//>`;return s?b(`No kept ${p} is like this`,"Take a condition away to see more."):u===0&&a?b(`No ${p} is in this box`,"Choose a coloured cell."):u===0&&i?b(`No ${p} is like this`,"Take a condition away, or look at a longer time."):u===0?b(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):f>0&&a?c`<${Au}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${f}
      unit=${d}
    />`:c`<${F} title=${`Nothing is kept of these ${v(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&c`<${Pu} of=${h} />`}
  <//>`}var Eu=12,qr={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function Fr(e,t){let n=e.get("sort");return qr[t].some(([r])=>r===n)?n:qr[t][0][0]}function Lu({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function Nu({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${q(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Br=(e,t)=>new Set(e.map(t)).size>1,Uu={contexts:[{name:"blocked",cell:e=>c`<${Nu} of=${e} />`},{name:"events",cell:e=>v(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>v(e.parts),isNumber:!0}]},Iu={contexts:{name:"thread",cell:e=>c`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}};function Du(e,t,n){let r=[...new Set(e.flatMap(l=>Object.keys(l.attributes)))],s=Br(e,l=>Te(l.start)),o=l=>c`<span title=${de(l.start)}>
      ${s?`${Te(l.start).slice(5)} `:""}${Q(l.start)}
    </span>`,a=(l,m)=>[e.some(u=>u[l]>0),{name:l,title:m,cell:u=>u[l]>0?y(u[l]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Br(e,l=>l.type),{name:"type",cell:l=>re(l.type)}],[Br(e,l=>l.recording),{name:"JVM",cell:l=>t.get(l.recording)??l.recording.slice(0,8)}]];return[{name:"start",cell:o},{name:"duration",cell:l=>c`<b>${y(l.duration)}</b>`,isNumber:!0},...Uu[n],...i.flatMap(([l,m])=>l?[m]:[]),...r.slice(0,Eu).map(l=>({name:l,cell:m=>Bu(m.attributes[l]),className:"cut"})),Iu[n]]}function Bu(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function qu({unit:e}){let t=qr[e],n=Fr($.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return c`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>c`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function Fa({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(Lu),m=ke(n),u=c`<${H} of=${o.data} />
    <${qu} unit=${m} />
    <a href=${s}>events</a>
    <${Ne} query=${n} value=${$.value.params.get("value")??void 0} />
    <${I} url=${t} />`,f=me($.value.params.get("box")),d=f&&sr(f),p=o.data&&`${v(l.length)} of ${v(o.data.matched)}`+(d?`, began ${Q(d.from,1e9)} to ${Q(d.to,1e9)}`:"");return c`<${P}
    title=${`Kept ${m}`}
    note=${p}
    tools=${u}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${K}
        label=${`Kept ${m}`}
        columns=${Du(l,r,m)}
        rows=${l}
        rowKey=${h=>h.recording+h.id}
        href=${h=>Xe(m,h.recording,h.id,h.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Hr=10,jr=["http_route","http.route","route","endpoint"],Fu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Hu(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!Fu.test(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>jr.includes(s)?jr.indexOf(s):jr.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function ju(e,t){return e.flatMap(r=>{let{type:s,requests_in:o,requests_out:a,p50_ns:i,p99_ns:l,top:m}=r,u=r.attributes.find(b=>b.key===t)?.values??[];if(u.length===0)return[{type:s,value:null,all:o,kept:a,p50_ns:i,p99_ns:l,top:m}];let f=u.map(({value:b,requests_in:g,requests_out:w,..._})=>{let{p50_ns:S,p99_ns:x,top:M}=_;return{type:s,value:b,all:g,kept:w,p50_ns:S,p99_ns:x,top:M}}),d=f.reduce((b,g)=>b-g.all,o),p=f.reduce((b,g)=>b-g.kept,a),h={type:s,value:null,all:d,kept:p,p50_ns:null,p99_ns:null,top:null};return d>0?[...f,h]:f}).sort((r,s)=>s.all-r.all)}var Wr=(e,t)=>`${e}=${t}`,ja=e=>$.value.params.getAll("where").includes(e);function Wu(e,t){let n=Wr(e,t),r=$.value.params.getAll("where").filter(s=>!s.startsWith(Wr(e,"")));return ye({where:ja(n)?r:[...r,n]})}function Vu({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&c` <span class="dim">${s}</span>`;if(r===null||t===null)return c`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=ja(Wr(t,r));return c`<a
      href=${Wu(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}var Ha=e=>e===null?"":y(e);function Ku(e,t,n){return[{name:e??"type",cell:r=>c`<${Vu} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},{name:"per second",cell:r=>c`<span title=${`${v(r.all)} requests`}>
          ${t===null?"":v(Number((r.all/t).toPrecision(3)))}
        </span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Ha(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Ha(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"most time of the kept",cell:r=>c`<${cn} of=${r.top} />`},{name:"kept",cell:r=>c`<span title=${`${v(r.kept)} of ${v(r.all)}`}>
          ${r.all>0?q(r.kept/r.all):""}
        </span>`,isNumber:!0,sort:r=>r.kept}]}function Gu({keys:e,chosen:t}){return c`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>c`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Wa({answer:e,url:t,requests:n,seconds:r}){let[s,o]=O(!1),a=Hu(n),i=$.value.params.get("key"),l=i!==null&&a.includes(i)?i:a[0]??null,m=ju(n,l),u=l===null||n.length>1,f=c`<${H} of=${e.data} />
    ${l!==null&&a.length>1&&c`by <${Gu} keys=${a} chosen=${l} />`}
    <${I} url=${t} />`;return c`<${P}
    title="Routes"
    note=${m.length>0?`${v(m.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    ${m.length>0&&c`<${K}
        label="Routes"
        columns=${Ku(l,r,u)}
        rows=${m}
        rowKey=${d=>`${d.type} ${d.value}`}
        rowsMax=${s?void 0:Hr}
      />`}
    ${m.length>Hr&&!s&&c`<button class="plain more" onClick=${()=>o(!0)}>
        ${v(m.length-Hr)} more
      </button>`}
  <//>`}var zu=50,Xu=6n*3600000000000n,Vr=60000000000n,Ka=["trace","thread","id"];function Ju({from:e,to:t}){let n=ze.value?(e+Vr-1n)/Vr*Vr:e;return{from:n<t?n:e,to:t}}function Yu(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ka.some(r=>e.has(r))}function Zu(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?ft(t,ke(e)):null}function Qu({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return nn(BigInt(e),t,s,r)}function em({data:e,seconds:t,jvms:n,unit:r}){let s=gt(e.columns),o=u=>{let f=Je(s,u);return f===null?"-":y(f)},a=u=>(n?.recordings??[]).reduce((f,d)=>f+u(d),0),i=a(u=>u.bytes_out),l=a(u=>u.bytes_in),m=(u,f,d="")=>c`<span title=${d}><b>${u}</b>${f}</span>`;return c`<div class="facts">
    ${m(`${v(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${v(e.all)}`)}
    ${n&&m(v(n.recordings.length),"JVMs","that ran in this time")}
    ${m(o(.5),"median")} ${m(o(.99),"p99")}
    ${m(e.all>0?q(e.kept/e.all):"-",`kept, ${v(e.kept)}`)}
    ${l>0&&m(`${ue(i)} of ${ue(l)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function tm(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return ye({value:n?e:null,frame:t!==null?Sn(t):n?null:Sn(r),zoom:null})}function nm({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=$.value,a=ft(it($.value,ee.value),n),i=ft(zo($.value,ee.value),n),l=o.has("box")&&ze.value?0:N.value,m=["box","where","min_duration_ns","max_duration_ns",...Ka].some(x=>o.has(x)),f=i.has("base")||o.has("base_box")||!m?i:Z(i,{base:"rest"}),d=k(n,ft(a,"contexts"),{sort:Fr(o,n)}),p=ln(d,zu,l),h=R(Tn(i),l),{data:b}=p.answer;if(b?.matched===0&&!b.is_truncated&&e.data)return c`<section>
      <${qa}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let g=new Map(r.map(x=>[x.id,x.instance])),_={service:a.get("service"),sort:null,view:null,unit:null,key:null},S=o.has("box")&&n==="contexts"?ie(ve("e"),a):ie(ve("e"),Z(o,{..._,box:null,base_box:null}));return c`<div class="one-and-two">
      <${Cn} query=${a} base=${Zu(i)} tick=${l} hrefOf=${tm} />
      <${ma}
        query=${f}
        tick=${l}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
      <${Gs} url=${Tn(i)} answer=${h} />
    </div>
    <${dt} query=${i} tick=${l} whole=${h} />
    <${Fa}
      pages=${p}
      url=${d}
      query=${a}
      instances=${g}
      eventsHref=${S}
    />`}function rm(e,t){return[e&&e.unknown>0&&`${v(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Va(e,t,n){let r=k("contexts/heatmap",e),s=n&&t&&!e.has("where"),o=R(s?r:null,N.value),a=k("contexts/heatmap",e,{exemplars:"0"}),i=R(n&&!o.data?a:null,N.value),l=o.data?o:i,{data:m}=l,u=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,f=k("contexts/heatmap",Z(e,{where:null})),d=R(u?f:null,N.value);return u&&d.data?{heat:d,heatUrl:f,isOfAll:!0}:{heat:l,heatUrl:r,isOfAll:!1}}function om(e,t){let n=_s($.value.params),r=n!=="contexts",s=Va(ft(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),l=Va(e,t,i);return i?{...l,unit:"contexts"}:{...s,unit:"requests"}}function sm(e){let[t,n]=O(!1);return ce(()=>{e&&n(!0)},[e]),t}function Ga(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=Ju(ee.value),s=Xo($.value,r),[o,a]=O(!1),{heat:i,heatUrl:l,isOfAll:m,unit:u}=om(s,o),f=sm(i.data!==null||i.problem!==null),d=Z(s,{where:null,context:null}),p=k("contexts/types",d),h=R(u==="requests"||f?p:null,N.value),b=h.data?.requests??[],g=i.data&&Qu(i.data,r),w=Z(d,{recording:null}),_=R(f?k("recordings",w):null,N.value),S=_.data?.recordings??[],x=m||Yu(e,s),M=n-t<=Xu||e.get("whole")==="1"||me(e.get("box"))!==null||e.has("trace"),L=at($.value),z=[{name:"services",href:B([])},{name:L===null?"all":_e(L)}],j=i.data?.all===0&&_.data!==null&&S.length===0;return c`<${te} crumbs=${z}>
    ${i.data&&c`<${em} data=${i.data} seconds=${g} jvms=${_.data} unit=${u} />`}
    <${pa}
      types=${h.data?.types??[]}
      instances=${[...new Set(S.map(Pe=>Pe.instance))]}
    />
    ${u==="requests"&&c`<${Wa}
        answer=${h}
        url=${p}
        requests=${b}
        seconds=${g}
      />`}
    ${!j&&c`<${Ba}
        answer=${i}
        url=${l}
        unit=${u}
        isEither=${b.length>0}
        note=${rm(i.data,x)}
        onPoint=${()=>a(!0)}
      />`}
    ${f&&M&&c`<${nm}
        key=${u}
        heat=${i}
        heatUrl=${l}
        unit=${u}
        recordings=${S}
        isNarrowed=${x}
      />`}
    ${f&&!M&&c`<section>
        <${F} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var za=e=>e===null?"":y(e);function am(e,t){let n=({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?nn(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a};return[{name:"service",cell:r=>c`<b>${_e(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>v(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>v(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>c`${v(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>za(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${za(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?q(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>c`<${cn} of=${r.top} />`},{name:"p99 over time",cell:r=>c`<${rs} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function Xa(){let{from:e,to:t}=ee.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=k("services",n),s=R(r,N.value),o=(s.data?.services??[]).map(ys),a=c`<${K}
    label="Services"
    columns=${am(s.data,ee.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>B(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,l=c`<${H} of=${s.data} /><${I} url=${r} />`;return c`<${te}>
    <${P}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${l}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&c`<${Ie} />`}
    <//>
  <//>`}function im({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function lm({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${y(n)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(s=>c`<tr class="opens" key=${s.recording+s.id}>
              <td title=${`${s.instance}, ${s.thread}`}>
                <a href=${Ce(s.recording,s.id,t+BigInt(Math.round(s.start)))}
                  ><b>${s.service}</b></a
                >
                <small class="dim"> ${s.thread}</small>
              </td>
              <td title=${s.attributes}>
                ${re(s.type)} <small class="dim">${s.attributes}</small>
              </td>
              <td class="n dim">+${y(s.start)}</td>
              <td class="n">${y(s.duration)}</td>
              <td
                class="axis"
                title=${`${y(s.blocked)} of ${y(s.duration)} blocked`}
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
  </div>`}var cm=e=>e===null?"":de(BigInt(e));function Ja({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${cm(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function um({of:e}){return e.state==="eliminated"?c`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Ja} of=${e} />
      <//>`:c`<${F} title="Not seen">
        No context of this trace is known here. <${Ja} of=${e} />
      <//>`}function Ya(){let e=$.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=r?im(r,e):[],o=BigInt(r?.t0_ns??"0"),a=mm(e,o,s),i=new Set(s.map(f=>f.service)).size,l=new Set(s.map(f=>f.recording)).size,m=c`<${H} of=${r} />
    ${s.length>0&&c`<${Ne} query=${a} />`} <${I} url=${t} />`,u=s.length>0&&`${Re(s.length,"context")} kept, ${Re(i,"service")}, ${Re(l,"JVM")}, from ${de(o)}`;return c`<${te} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${lm} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${um} of=${r} />`}
    <//>
    ${s.length>0&&c`<${Cn} query=${a} tick=${N.value} />
        <${dt} query=${a} tick=${N.value} />`}
  <//>`}function mm(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function Za(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(k(o,new URLSearchParams,{from:s})),{data:i}=a,l=i?.parts[0];ce(()=>{if(i&&l){let u=BigInt(i.t0_ns)+BigInt(Math.round(l.start));fe(Ce(n,l.id,u),!0)}},[i]);let m=[{name:"services",href:B([])},{name:"request"}];return c`<${te} crumbs=${m}>
    <${P} title="Request" note=${r} answer=${a}>
      ${i&&!l&&c`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function fm([e]){switch(e){case void 0:return Xa;case"c":return ua;case"e":return ds;case"q":return Za;case"r":return vs;case"s":return Ga;case"t":return Ya;default:return gs}}var pm={s:"all services",e:"events",r:"recordings"};function dm(){let{path:e}=$.value;return le.value===null?null:le.value.is_needed&&le.value.identity===null?c`<${hs} />`:c`<${fm(e)} key=${e.join("/")} /> <${Qo} />`}Ro();jo();Vo();Uo();Zo();be(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?pm[t??""]??t:_e(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});ro(c`<${dm} />`,document.body);})();
