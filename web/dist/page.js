"use strict";(()=>{var L,ho,Gn,Ae,Vn,Jt,go,zt,bo,zn,Kn,Di,Rt=Symbol.for("pv"),Yt={},Zt=[],qi=/^m(i|n|o|s|text|space)$/,Xn=Array.isArray,Jn=Zt.slice,Ge=Object.assign;function Ke(e){e&&e.parentNode&&e.remove()}function Qt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Jn.call(arguments,2):n),St(e,a,r,s,null)}function St(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Rt,__v:s||++ho,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function ze(e){return e.children}function rt(e,t){this.props=e,this.context=t,this.__g=0}function Ne(e,t){if(t==null)return e.__&&Ne(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ne(e)}function Fi(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Ge({constructor:Rt},n)).__v=n.__v+1,L.vnode&&L.vnode(t),Yn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Ne(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,xo(s,t,o),n.__=n.__e=null,t.__e!=r&&$o(t))}function $o(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),$o(e)}function po(e){(8&e.__g||(e.__g|=8,Ae.push(e),Jt++))&&Vn==L.debounceRendering||((Vn=L.debounceRendering)||queueMicrotask)(vo)}function vo(){try{for(var e,t=1;Ae.length;)Ae.length>t&&Ae.sort(go),e=Ae.shift(),t=Ae.length,8&e.__g&&Fi(e)}finally{(Jt=Ae.length)&&(Vn||queueMicrotask)(vo)}}function _o(e,t,n,r,s,o,a,i,c,u,m){var p,d,f,h,_,g,v=r.__k||Zt,y=t.length;for(c=Hi(n,t,v,c,y),p=0;p<y;p++)(f=n.__k[p])!=null&&(d=~f.__i&&v[f.__i]||Yt,f.__i=p,g=Yn(e,f,d,s,o,a,i,c,u,m),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Zn(d.ref,null,f,d),f.ref&&m.push(f.ref,f.__c||h,f)),_=_||h,4&f.__u?(c=yo(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),f.__u&=-21);return n.__e=_,c}function Hi(e,t,n,r,s){var o,a,i,c,u,m,p,d,f,h=n.length,_=h,g=0,v=0,y=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[o]=St(null,a):Xn(a)?a=y[o]=St(ze,{children:a}):a.constructor===Rt&&a.__b?a=y[o]=St(a.type,a.props,a.key,a.ref,a.__v):y[o]=a,c=o+g,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=ji(a,n,c,_))&&(_--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==c-1?g--:u==c+1?g++:u!=c&&(u>c?g--:g++,v=1)):(~u||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):y[o]=null;if(v){for(m=[],p=[],o=0;o<s;o++)if((a=y[o])&&16&a.__u){for(g=0,d=m.length;g<d;)m[f=g+d>>1]<a.__i?g=f+1:d=f;m[g]=a.__i,p[o]=g+1}for(g=m.length;o--;)p[o]&&(p[o]==g?g--:y[o].__u|=4)}if(_)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Ne(i)),Qn(i,i));return r}function yo(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=yo(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ne(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ji(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&o==null||c&&o==i.key&&a==i.type)return n;if(r>(c?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function fo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Gt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||fo(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||fo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Kn[t]||(Kn[t]=Wi(t)),(e.__a||(e.__a={}))[t]=zn,o=t!=(t=t.replace(bo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Wi(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[zt]==null)t[zt]=zn++;else if(t[zt]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function Yn(e,t,n,r,s,o,a,i,c,u){var m,p,d,f,h,_,g,v,y,k,w,T,A,j,W,Me,O,B,Y=t.type;if(t.constructor!==Rt)return null;128&n.__u&&(c=32&n.__u,m=n.__c.__z)&&(t.__u|=c,p=o=[],m.nodeType==8?i=Xt(m,o):o.push(m),i=o[0]||i),(m=L.__b)&&m(t);e:if(typeof Y=="function"){d=a.length;try{if(v=t.props,y=(m=Y.prototype)&&m.render,k=(m=Y.contextType)&&r[m.__c],w=m?k?k.props.value:m.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(y?t.__c=f=new Y(v,w):(t.__c=f=new rt(v,w),f.constructor=Y,f.render=Ki),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),y&&(f.__s||(f.__s=f.state),Y.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Ge({},f.__s)),Ge(f.__s,Y.getDerivedStateFromProps(v,f.__s)))),h=f.props,_=f.state,f.__v=t,n.__c){if(v!==h&&y&&!Y.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(v,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(v,f.__s,w)===!1){t.__v!=n.__v&&(f.props=v,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(K){K&&(K.__=t)}),Zt.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Ne(n);break e}f.componentWillUpdate&&f.componentWillUpdate(v,f.__s,w),y&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,_,g)})}else y&&!Y.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),y&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=v,f.__P=e,f.__g&=-5,T=L.__r,A=y?25:0;do f.__g&=-9,T&&T(t),m=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++A<25);y&&(Zt.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Ge({},r,f.getChildContext())),y&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,_)),j=m&&m.type===ze&&m.key==null?m.props.children:m,v.__P&&(m=i,s=(e=v.__P).namespaceURI,c=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(K){K&&Qn(K,K)}),n.__k=null),i=n.__k?Ne(n,0):null),i=_o(e,Xn(j)?j:[j],t,n,r,s,o,a,i,c,u),v.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(Ke),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(K){if(a.length=d,t.__v=null,c||o)if(K&&K.then){if(t.__u|=128|c,o){for(~(O=o.indexOf(i||void 0))||(O=o.length);(B=o[O-1])&&B.nodeType==8;)O--;for(;O<o.length;O++)if(B=o[O])if(o[O]=null,W){if(B==Me)break}else{if(B.nodeType!=8)break;B.data.startsWith("$s")&&(Me=Xt(W=B))}}if(!W){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;W=i}(m=Xt(W=t.__c.__z||(t.__c.__z=W)))?(t.__e=W,i=m):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Ke);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),K&&K.then||wo(t),L.__e(K,t,n)}}else i=t.__e=Vi(n.__e,t,n,r,s,o,a,c,u,e);return(m=L.diffed)&&m(t),i}function Xt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function wo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(wo))}function xo(e,t,n){for(var r=0;r<n.length;)Zn(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Vi(e,t,n,r,s,o,a,i,c,u){var m,p,d,f,h,_,g,v,y=n.props||Yt,k=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(m=0;m<o.length;m++)if((h=o[m])&&(w?h.localName==w:h.nodeType==3)){e=h,o[m]=null;break}}if(!e){if(v=u.ownerDocument||document,!w)return v.createTextNode(k);e=v.createElementNS(s,w,k.is?k:u),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(u=w=="template"&&e.content||e,o=w=="textarea"&&k.defaultValue!=null?null:o&&Jn.call(u.childNodes),!i&&o)for(y={},m=0;m<e.attributes.length;m++)y[(h=e.attributes[m]).name]=h.value;for(m in y)h=y[m],m=="dangerouslySetInnerHTML"?d=h:m=="children"||m in k||m=="value"&&"defaultValue"in k||m=="checked"&&"defaultChecked"in k||Gt(e,m,null,h,s);for(m in k)h=k[m],m=="children"?f=h:m=="dangerouslySetInnerHTML"?p=h:m=="value"?_=h:m=="checked"?g=h:i&&typeof h!="function"||y[m]===h||Gt(e,m,h,y[m],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&qi.test(w))&&(s="http://www.w3.org/1999/xhtml"),_o(u,Xn(f)?f:[f],t,n,r,s,o,a,o?o[0]:n.__k&&Ne(n,0),i,c),o&&o.some(Ke)),i&&w!="textarea"||(m="value",w=="progress"&&_==null?e.removeAttribute(m):_==null||_===e[m]&&(w!="progress"||_)||Gt(e,m,_,y[m],s),m="checked",g!=null&&g!=e[m]&&Gt(e,m,g,y[m],s))}else y===k||i&&e.data==k||(e.data=k);return e}function Zn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function Qn(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Zn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Qn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Xt(r,o=[]))&&(r==e.__e&&o.some(Ke),Ke(s),Ke(r)),n||Ke(e.__e),e.__e=e.__c=e.__=null}function Ki(e,t,n){return this.constructor(e,n)}function ko(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=St(ze,{children:[e]}),s=[],o=[],Yn(t,t.__k,r||Yt,Yt,t.namespaceURI,r?null:t.firstChild?Jn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),xo(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Jt=0,e}},ho=0,Gn=function(e){return e!=null&&e.constructor===Rt},rt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ge({},this.state)),typeof e=="function"&&(e=e(Ge({},n),this.props)),e&&(Ge(n,e),this.__v&&(t&&this.__k.push(t),po(this)))},rt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),po(this))},rt.prototype.render=ze,Ae=[],Jt=0,go=function(e,t){return e.__v.__b-t.__v.__b},zt=Symbol(),bo=/(PointerCapture)$|Capture$/i,zn=0,Kn={},Di=0;var ot,X,er,So,tr=Object.is,Ct=0,Eo=[],nr=[],z=L,Ro=z.__b,To=z.__r,Co=z.diffed,Oo=z.__c,Po=z.unmount,Mo=z.__;function en(e,t){z.__h&&z.__h(X,e,Ct||t),Ct=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return Ct=1,Gi(Lo,e)}function Gi(e,t,n){var r=en(ot++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Lo(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);tr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var c=this.__H;if(!c)return!0;var u=!1,m=this.props!=o;if(c.__.some(function(d){d.__N&&(u=!0,tr(d.__[0],d.__N[0])||(m=!0))}),s){var p=s.call(this,o,a,i);return u?p||m:p}return!u||m}}return r.__}function ue(e,t){var n=en(ot++,3);!z.__s&&or(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function xe(e,t){var n=en(ot++,4);!z.__s&&or(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function Z(e){return Ct=5,E(function(){return{current:e}},[])}function E(e,t){var n=en(ot++,7);return or(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function tn(e,t){return Ct=8,E(function(){return e},t)}function zi(){var e;do{for(;e=nr.shift();)try{Tt(e)}catch(n){z.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Eo.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Tt),t.__h.some(rr),t.__h=[]}catch(n){t.__h=[],z.__e(n,e.__v)}}}while(nr.length)}z.__b=function(e){X=null,Ro&&Ro(e)},z.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Mo&&Mo(e,t)},z.__r=function(e){To&&To(e),ot=0;var t=(X=e.__c).__H;t&&(er==X?X.__h=[]:(t.__h.some(Tt),t.__h.some(rr),ot=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),er=X},z.diffed=function(e){Co&&Co(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&No(Eo.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),er=X=null},z.__c=function(e,t){t.some(function(n){try{n.__h.some(Tt),n.__h=n.__h.filter(function(r){return!r.__||rr(r)})}catch(r){n.__h=[function(){throw r}]}}),Oo&&Oo(e,t)},z.unmount=function(e){Po&&Po(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,No(nr.push(s))}else Tt(s)}catch(o){t=o}}),r.__H=void 0,t&&z.__e(t,r.__v))};var Ao=typeof requestAnimationFrame=="function";function Xi(e){var t,n=function(){clearTimeout(r),Ao&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Ao&&(t=requestAnimationFrame(n))}function No(e){e!=1&&So==z.requestAnimationFrame||((So=z.requestAnimationFrame)||Xi)(zi)}function Tt(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function rr(e){var t=X;e.__c=e.__(),X=t}function or(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!tr(n,e[r])})}function Lo(e,t){return typeof t=="function"?t(e):t}var Ji=Symbol.for("preact-signals");function sn(){if(Re>1)Re--;else{var e,t=!1;for((function(){var s=rn;for(rn=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();Pt!==void 0;){var n=Pt;for(Pt=void 0,nn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Io(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(nn=0,Re--,t)throw e}}function ar(e){if(Re>0)return e();sr=++Yi,Re++;try{return e()}finally{sn()}}var Ot,V=void 0;function Mt(e){var t=V,n=Ot;V=void 0,Ot=void 0;try{return e()}finally{V=t,Ot=n}}var Pt=void 0,Re=0,nn=0,Yi=0,sr=0,rn=void 0,on=0;function Uo(e){if(V!==void 0){var t=e.n;if(t===void 0||t.t!==V)return t={i:0,S:e,p:V.s,n:void 0,t:V,e:void 0,x:void 0,r:t},V.s!==void 0&&(V.s.n=t),V.s=t,e.n=t,32&V.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=V.s,t.n=void 0,V.s.n=t,V.s=t),t}}function Q(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Q.prototype.brand=Ji;Q.prototype.h=function(){return!0};Q.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Mt(function(){var r;(r=t.W)==null||r.call(t)}))};Q.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Mt(function(){var s;(s=t.Z)==null||s.call(t)}))}};Q.prototype.subscribe=function(e){var t=this;return _e(function(){var n=t.value;Mt(function(){return e(n)})},{name:"sub"})};Q.prototype.valueOf=function(){return this.value};Q.prototype.toString=function(){return this.value+""};Q.prototype.toJSON=function(){return this.value};Q.prototype.peek=function(){var e=this;return Mt(function(){return e.value})};Object.defineProperty(Q.prototype,"value",{get:function(){var e=Uo(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(nn>100)throw new Error("Cycle detected");(function(n){Re!==0&&nn===0&&n.l!==sr&&(n.l=sr,rn={S:n,v:n.v,i:n.i,o:rn})})(this),this.v=e,this.i++,on++,Re++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{sn()}}}});function te(e,t){return new Q(e,t)}function Io(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Bo(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Do(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Xe(e,t){Q.call(this,void 0,t),this.x=e,this.s=void 0,this.g=on-1,this.f=4}Xe.prototype=new Q;Xe.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===on))return!0;if(this.g=on,this.f|=1,this.i>0&&!Io(this))return this.f&=-2,!0;var e=V;try{Bo(this),V=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return V=e,Do(this),this.f&=-2,!0};Xe.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Q.prototype.S.call(this,e)};Xe.prototype.U=function(e){if(this.t!==void 0&&(Q.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Xe.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Xe.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Uo(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ke(e,t){return new Xe(e,t)}function qo(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Re++;var n=V;V=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,ir(e),r}finally{V=n,sn()}}}function ir(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,qo(e)}function Zi(e){if(V!==this)throw new Error("Out-of-order effect");Do(this),V=e,this.f&=-2;try{8&this.f&&ir(this)}finally{sn()}}function st(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Ot&&Ot.push(this)}st.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};st.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,qo(this),Bo(this),Re++;var e=V;return V=this,Zi.bind(this,e)};st.prototype.N=function(){2&this.f||(this.f|=2,this.u=Pt,Pt=this)};st.prototype.d=function(){this.f|=8,1&this.f||ir(this)};st.prototype.dispose=function(){this.d()};function _e(e,t){var n=new st(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Fo,ln,an,Qi=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Ho=[];_e(function(){Fo=this.N})();function at(e,t){L[e]=t.bind(null,L[e]||function(){})}function At(e){if(an){var t=an;an=void 0,t()}an=e&&e.S()}function jo(e){var t=this,n=e.data,r=tl(n);r.name="ReactiveDom",r.value=n;var s=E(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var u=ke(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),m=ke(function(){return!Array.isArray(u.value)&&!Gn(u.value)}),p=_e(function(){if(this.N=Wo,m.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[m,u]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}jo.displayName="ReactiveTextNode";Object.defineProperties(Q.prototype,{constructor:{configurable:!0,value:Qt(ze,null).constructor},type:{configurable:!0,value:jo},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});at("__b",function(e,t){if(At(),ln=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Q&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});at("__r",function(e,t){if(e(t),t.type!==ze){At();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return _e(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;Qi&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),ln=r,At(n)}});at("__e",function(e,t,n,r){At(),ln=void 0,e(t,n,r)});at("diffed",function(e,t){At(),ln=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var c in r){var u=o[c],m=r[c];u===void 0?(u=el(n,c,m,s),o[c]=u):u.o(m,s)}}}e(t)});function el(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=te(n);return{o:function(a,i){o.value=a,r=i},d:_e(function(){this.N=Wo;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}at("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});at("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});rt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function tl(e,t){return E(function(){return te(e,t)},[])}var nl=function(e){queueMicrotask(function(){queueMicrotask(e)})};function rl(){ar(function(){for(var e;e=Ho.shift();)Fo.call(e)})}function Wo(){Ho.push(this)===1&&(L.requestAnimationFrame||nl)(rl)}function ol(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var Vo=globalThis.document?.currentScript,ye=Vo?ol(Vo.src):"";function lr(e,t=ye){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var sl=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function al(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function il(e){return lr(e).split("/").filter(t=>t!=="").map(al)}function cr(){return{path:il(location.pathname),params:new URLSearchParams(location.search)}}var b=te({path:[],params:new URLSearchParams});function fe(...e){return ye+"/"+e.map(sl).join("/")}function ee(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function le(e,t){let n=t.toString();return n===""?e:e+"?"+n}function de(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=cr()}function C(e,t=!1){de(le(location.pathname,ee(b.value.params,e)),t)}function he(e){return le(fe(...b.value.path),ee(b.value.params,e))}function ll(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function D(e,t={}){return le(fe(...e),ee(ll(b.value.params),t))}function cl(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith(ye+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(lr(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),de(t.pathname+t.search),scrollTo(0,0))}function Ko(){addEventListener("popstate",()=>b.value=cr()),addEventListener("click",cl),b.value=cr()}function Nt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function x(e){if(e<0)return"-"+x(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):Nt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ul={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Go(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*ul[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function me(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Nt(t))+" "+n;t/=1e3}return Nt(t)+" TB"}function $(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Nt(e/1e6)+" M":Nt(e/1e9)+" G"}function Te(e,t){return`${$(e)} ${t}${e===1?"":"s"}`}function q(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ge(e,t){return t==="ns"?x(e):t==="bytes"?me(e):$(e)}function we(e){return e||"(no name)"}function oe(e){return e.slice(e.lastIndexOf(".")+1)}function Ee(e){return e.split(".").slice(-2).join(".")}var Xo=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,Xo(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},zo=new Map;function Jo(e){var t=zo.get(this);return t||(t=new Map,zo.set(this,t)),(t=Xo(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",c=[0],u=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):o===3&&(d||a)?(c.push(3,d,a),o=2):o===2&&a==="..."&&d?c.push(4,d,0):o===2&&a&&!d?c.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(c.push(o,0,a,s),o=6),d&&(c.push(o,d,0,s),o=6)),a=""},m=0;m<n.length;m++){m&&(o===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],o===1?r==="<"?(u(),c=[c],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[m][p+1]===">")?(u(),o===3&&(c=c[0]),o=c,(c=c[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),o=2):a+=r),o===3&&a==="!--"&&(o=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Jo.bind(Qt);function ml(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function it(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await ml(s*1e3,t.signal)}}async function Je(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ce=te(null),Et=te(!1),Yo=ye+"/api/v1/login",Zo={"loupe-page":"1"},Qo=e=>`the collector cannot be reached: ${String(e)}`;async function es(e){if(!e.ok)return Je(e);let t=await e.json();return ce.value={is_needed:t.is_needed,identity:t.identity},null}async function ts(e,t={}){try{return await es(await fetch(Yo,{method:e,headers:{...Zo,...t}}))}catch(n){return Qo(n)}}async function ns(){await it(Yo,{headers:Zo}).then(es).catch(Qo)!==null&&(ce.value={is_needed:!1,identity:null})}async function rs(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await ts("POST",{authorization:`Bearer ${e}`});return Et.value&&=t!==null,t}async function os(){let e=await ts("DELETE");return Et.value&&=e!==null,e}function ss(){Et.value||=ce.value?.identity!=null,ce.value={is_needed:!0,identity:null}}var cn=te(!1);function as(){let e=matchMedia("(max-width: 640px)"),t=()=>cn.value=e.matches;e.addEventListener("change",t),t()}var ur=0;function is(){return ur>0}async function pl(e,t){let n=await it(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&ss();let o=r?await n.json():null,a=r?null:await Je(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=P(n);return xe(()=>{if(e===null){s(n);return}let o=new AbortController;s(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>s(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),c=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>o.signal.aborted||m(p);return ur++,pl(e,o.signal).then(u(i),u(c)).finally(()=>ur--),()=>o.abort()},[e,t]),r}var fl={s:1,m:60,h:3600,d:86400};function Le(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*fl[t[2]])*1000000000n:null}function mr(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}function Ye(e,t){let n=Le(e);return n===null?mr(e):t-n}var cs=["5m","15m","1h","6h","1d","7d","30d"],ls="1h",dl=5e3,us=()=>BigInt(Date.now())*1000000n,N=te(us());function pr(){N.value=us()}var un=ke(()=>{let e=b.value.params.get("last")??ls;return Le(e)===null?ls:e}),Ze=ke(()=>b.value.params.get("live")==="1"),J=ke(()=>{let{params:e}=b.value,t=Ye(e.get("to")??"",N.value)??N.value,n=Ye(e.get("from")??"",N.value);return{from:n!==null&&n<t?n:t-Le(un.value),to:t}}),hl=18e10;function mn(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=hl;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function ms(){let e=0;_e(()=>{if(clearInterval(e),Ze.value){let t=()=>document.hidden||is()||pr();e=window.setInterval(t,dl)}})}var Ce=te(0),fr=new Map;function U(e){let t=fr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),fr.set(e,t)),t}function lt(e){return`${U("t1")} ${U(e)}`}function dr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function ps(e,t,n){let r=dr(t);return"#"+dr(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var gl=.2;function ct(e){let[t,n,r]=dr(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>gl?"#101113":"#ffffff"}function fs(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{fr=new Map,Ce.value++})}var bl=["recording","instance","context","where","trace","thread","id"],$l=["recording","instance","context"],vl=["min_duration_ns","max_duration_ns"];function ut(e){return/^\d{1,19}$/.test(e)}function pe(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Lt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function hr(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function gr(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var ds=30000000000n;function br({from:e,to:t}){let n=(t-e)/2n<ds?(t-e)/2n:ds;return{from:e-n,to:t+n}}function hs(e,t,n=""){gr(e,br(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function mt({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function pt(e,t){let n=new URLSearchParams,r=mt(e);r!==null&&n.set("service",r),hr(n,e.params,bl);let s=pe(e.params.get("box"));if(s)hs(n,s);else{gr(n,t);for(let o of vl)e.params.getAll(o).filter(ut).forEach(a=>n.append(o,a))}return n}function gs(e,t){let n=pt(e,t),r=pe(e.params.get("base_box"));if(!r)return hr(n,e.params,["base"]),n;hs(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function bs(e,t){let n=new URLSearchParams,r=mt(e);r!==null&&n.set("service",r),hr(n,e.params,$l),gr(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return le(ye+"/api/v1/"+e,ee(t,n))}function Qe({text:e,label:t,title:n,className:r="",children:s}){let o=Z(null),[a,i]=P(!1),c=()=>i(!1);ue(()=>{if(!a)return;let p=({target:f})=>o.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),o.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let u=({target:p})=>p.closest("a")&&c(),m=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${o}
    open=${a}
    onToggle=${m}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${u}>${s(c)}</div>`}
  </details>`}function pn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function _l(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,c])=>` \\
  --data-urlencode ${pn(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${pn(t+r)}${o.join("")}`}async function yl(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function I({url:e}){return e===null?null:l`<${Qe} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${wl} url=${e} />`}
      <//>`}function wl({url:e}){let[t,n]=P(!1),r=_l(e,location.origin,ce.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:o})=>{await yl(r,o),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var xl=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ue({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([u])=>!u.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(u,m)=>S(m,r,{...u===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=S("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return l`<${Qe} text="download">${()=>l`${xl.map(([u,m,p])=>l`<a href=${o(u,m)} download title=${p}
            >${u}<small>${p}</small></a
          >`)}
      <a href=${ye+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function $s(e){return`${ye}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var Ut=te(null),ft=te([]),vs={accept:"application/json"};async function kl(e){let t=await it(S("collector",new URLSearchParams),{headers:vs});if(!t.ok)return Je(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${pn(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...vs,"loupe-page":"1"},body:e});return n.ok?await n.json():Je(n)}var ys=(e,t)=>ft.value=[...ft.value,{name:e,text:t}];function Sl(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&ys(e,`not all of it is shown: ${t.join("; ")}${r}`)}function Rl(e){let t=new Set(e.map(o=>o.service)),n=(o,a)=>BigInt(o)<BigInt(a)?o:a,r=(o,a)=>BigInt(o)<BigInt(a)?a:o,s=new URLSearchParams({from:e.map(o=>o.from_ns).reduce(n),to:e.map(o=>o.to_ns).reduce(r)});return le(t.size===1?fe("s",...t):fe(),s)}async function Tl(e){let t=[];for(let n of e){Ut.value=n.name;let r=await kl(n).catch(s=>`it cannot be sent: ${String(s)}`);typeof r=="string"?ys(n.name,r):(t.push(r),Sl(n.name,r))}Ut.value=null,t.length>0&&de(Rl(t))}var _s=Promise.resolve();function Cl(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Ol(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),_s=_s.then(()=>Tl(t)))}function ws(){addEventListener("dragover",Cl),addEventListener("drop",Ol)}function xs(){return Ut.value===null&&ft.value.length===0?null:l`<div class="upload">
    <div>
      ${ft.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${Ut.value!==null&&l`<p role="status">Reading ${Ut.value} …</p>`}
    </div>
    ${ft.value.length>0&&l`<button onClick=${()=>ft.value=[]}>close</button>`}
  </div>`}var Pl={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Ml={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function se(e){let t=e.startsWith("other: ")?e.slice(7):e;return Pl[e]??{name:t,token:"other"}}function dt(e){return Ml[e]??"other: other"}function fn(e){return e==="."?null:se(dt(e))}var Al={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Ie(e){return(e.startsWith("jdk.")?Al[e.slice(4)]:void 0)??"other: "+e}var Nl=/^(java|javax|jdk|sun|com\.sun)\./;function Be(e){return Nl.test(e)}function Oe(e,t,n){return et("contexts",e,t,n)}function et(e,t,n,r){return D([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function ks(e,t){return e.replaceAll("{trace_id}",encodeURIComponent(t))}function Ss(e,t,n){let[,r,s]=/^(.+)\.[^.]+:(\d+)$/.exec(t)??[];if(!r||Be(t)||n===null&&e.includes("{service}"))return null;let a={path:r.replace(/\$.*/,"").split(".").map(encodeURIComponent).join("/"),line:s,service:encodeURIComponent(n??"")};return e.replace(/\{(path|line|service)\}/g,(i,c)=>a[c])}function dn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function hn({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var El=1e3,Rs=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Ll(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Rs(e.url)===Rs(t)?Math.min(El,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function gn(e,t,n){let[r,s]=P([]),[,o]=P(""),a=Z({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Ll(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:u}=a.current,m=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${m}`,n);ue(()=>{p.data&&!p.isLoading&&s([...u,...hn(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}function ie({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${se(e).token})`}}
  ></span>`}function Cs({of:e}){return e&&l`<${ie} category=${e.category} />${se(e.category).name}
      <span class="dim"> ${q(e.share)}</span>`}var Ul=.07,Il=.16;function Os({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),s=u=>u.total_ns/Math.max(1,t),o=u=>se(u.category).name,a=u=>s(u)<Ul?"":s(u)<Il?o(u):`${o(u)} ${n(u)}`,i=u=>Ce.value>=0&&ct(U(se(u.category).token)),c=r.map(u=>`${o(u)} ${q(s(u))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(u=>l`<span
          key=${u.category}
          title=${`${o(u)} ${n(u)}, ${q(s(u))}`}
          style=${{flexGrow:s(u),background:`var(--${se(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var Ts=120,$r=22;function Ps({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*Ts,c=$r-1-o/n*($r-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(s?"":"h1"),s=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Ts} ${$r}"
  >
    <path d=${r} />
  </svg>`}var Ms="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",As=e=>Ye(e,0n)!==null,Ns="FROM,TO,MIN,MAX, all in nanoseconds",vr=e=>t=>e.includes(t),Es={from:[As,Ms],to:[As,Ms],last:[e=>Le(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[ut,"a number of nanoseconds"],max_duration_ns:[ut,"a number of nanoseconds"],box:[e=>pe(e)!==null,Ns],base_box:[e=>pe(e)!==null,Ns],unit:[vr(["requests","contexts"]),"requests or contexts"],live:[vr(["1"]),"1"],zone:[vr(["utc"]),"utc"]};function It(e,t){return Es[e]?.[0](t)??!0}function Ls(e,t){let n=[...e].filter(([i,c])=>!It(i,c)).map(([i,c])=>({name:i,value:c,wanted:Es[i][1]})),[r,s]=[e.get("from")??"",e.get("to")??""],[o,a]=[Ye(r,t),Ye(s,t)];return o!==null&&a!==null&&o>=a?[...n,{name:"from",value:r,wanted:"before to"}]:n}var Bl=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${x(Number(e))}`],["max_duration_ns",e=>`\u2264 ${x(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Dl(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}var ql=e=>b.value.params.getAll(e).filter(t=>It(e,t));function Fl(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function bn({keys:e=[],values:t=[]}){let n=Bl.flatMap(([r,s])=>ql(r).map(o=>l`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Dl(r,o)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Fl} aria-label="Add a condition on an attribute">
      <input
        name="key"
        list="where-keys"
        placeholder="attribute"
        aria-label="attribute"
        autocomplete="off"
      />
      <select name="op" aria-label="comparison">
        ${["=","!=","^=",">=","<="].map(r=>l`<option>${r}</option>`)}
      </select>
      <input
        name="value"
        list="where-values"
        placeholder="value"
        aria-label="value"
        autocomplete="off"
      />
      <button>add</button>
      <datalist id="where-keys">${e.map(r=>l`<option value=${r} />`)}</datalist>
      <datalist id="where-values">
        ${t.map(r=>l`<option value=${r} />`)}
      </datalist>
    </form>
  </div>`}var ht=ke(()=>b.value.params.get("zone")==="utc"),$n=1000000n,_r=6e4,Us=e=>String(e).padStart(2,"0");function vn(e,t=ht.value){return t?0:-new Date(Number(e/$n)).getTimezoneOffset()*_r}function Is(e){return BigInt(vn(e))*$n}var Bt=e=>new Date(Number(e/$n)+vn(e)).toISOString().replace("Z","");function ae(e,t=1e6){return Bt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function be(e){return Bt(e).slice(0,10)}function De(e){return Bt(e).slice(0,19).replace("T"," ")}function Bs(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${Us(t)}:${Us(n)}`}function ne(e,t=ht.value){let n=vn(e,t)/_r,r=Bs(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Pe(e){let t=vn(e)/_r,n=String(e%1000000000n).padStart(9,"0");return`${Bt(e).slice(0,19)}.${n}${t===0?"Z":Bs(t)}`}function yr(e){return Bt(e).slice(0,19)}function Ds(e){let t=Date.parse(ht.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*$n}var qs=()=>R(S("collector",new URLSearchParams)).data;function Fs({href:e,children:t}){return l`<a class="link" href=${e} target="_blank" rel="noopener noreferrer"
    >${t}</a
  >`}function _n({trace:e}){let t=qs()?.trace_link,[n=""]=/[^/]+(?=\/|$)/.exec(t?.replace(/^https?:\/\//,"")??"")??[];return t?l`<${Fs} href=${ks(t,e)}>${n} ↗<//>`:null}function Hs({frames:e,service:t}){let n=qs()?.source_link??null,r=s=>{let o=n&&Ss(n,s,t);return o?l`<${Fs} href=${o}>${s}<//>`:s};return l`<ol>
    ${e.map(s=>l`<li>${r(s)}</li>`)}
  </ol>`}function yn(e){return typeof e=="string"?e:JSON.stringify(e)}function js(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function wr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Hl(e){return e.find(t=>!Be(t))??e[0]??""}function jl({item:e,columns:t,service:n}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Pe(e.start)}</dd>
        ${js(e).map(([r,s])=>[l`<dt>${r}</dt>`,l`<dd>${yn(s)}</dd>`])}
      </dl>
      <${Hs} frames=${wr(e)} service=${n} />
    </td>
  </tr>`}function wn({items:e,since:t,service:n=null,contextHref:r,label:s}){let[o,a]=P(null),i=[t===void 0?`time, ${e[0]?ne(e[0].start):""}`:"after","event","duration","thread","method","fields",...r?["context"]:[]],c=(u,m)=>{let{type:p,duration:d,thread:f,recording:h,context:_}=u.values,g=t===void 0?ae(u.start):"+"+x(Number(u.start-t)),v=js(u).map(([A,j])=>`${A}=${yn(j)}`),y=`${u.start} ${p} ${f} ${h}`,k=o===y,w=()=>a(k?null:y),T=r&&h!==null&&_?r(String(h),String(_)):null;return l`<tr key=${m} class=${k?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(k)} onClick=${w}>${g}</button>
        </td>
        <td title=${p}>
          <${ie} category=${Ie(String(p))} />${oe(String(p))}
        </td>
        <td class="n">${typeof d=="number"?x(d):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${wr(u)[0]}>
          ${Ee(Hl(wr(u)))}
        </td>
        <td class="cut wide" title=${v.join(`
`)}>${v.join(" ")}</td>
        ${r&&l`<td data-name="context">${T&&l`<a href=${T}>open</a>`}</td>`}
      </tr>
      ${k&&l`<${jl} item=${u} columns=${i.length} service=${n} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${s}>
    <table class="events stacks">
      <thead>
        <tr>
          ${i.map(u=>l`<th scope="col" class=${u==="duration"?"n":""}>${u}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${e.map(c)}
      </tbody>
    </table>
  </div>`}function F({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function Wl({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function Vl({name:e,value:t,wanted:n}){let r=b.value.params.getAll(e).filter(s=>s!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function Ws(){return Ls(b.value.params,N.value).map(e=>l`<${Vl} key=${`${e.name} ${e.value}`} ...${e} />`)}function xr({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:l`<span class="missing">${s.join("; ")}</span>`}var Kl=5;function M(e){let{title:t,note:n,tools:r,answer:s,className:o,lines:a=Kl,children:i}=e,c=s&&s.data!==null&&(s.isLoading||s.problem!==null);return l`<section class=${o} aria-busy=${s?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${s&&l`<${Wl} answer=${s} />`}
    ${s?.data===null&&s.isLoading&&a>0&&l`<${xr} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function Gl(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function zl({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=b.value,s=ee(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${De(t)} ${ne(t)}:${" "}
    <a class="link" href=${le(fe(...n),s)}>look at all of that time</a>.
  </p>`}function qe(){let e=S("collector",new URLSearchParams),{data:t}=R(e,N.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<J.value.from,r=mt(b.value),s=a=>Gl(a,location.hostname,ce.value?.is_needed);if(t?.takes_files&&!n)return l`<${F} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let o=r===null?"":` of ${r}`;return l`<${F} title="No JVM${o} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${s(t.agents)}</pre>`}
    ${t&&n&&l`<${zl} of=${t} />`}
  <//>`}var Xl=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Jl=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Vs=e=>e.replace(/\$(?=.)/g,"\\$");function Ks(e,{path:t,params:n}){if(Xl.test(e))return D(["t",e.toLowerCase()]);let r=t[0]==="s",s=Jl.test(e);if(!r)return D(["s"],s?{where:e}:{frame:Vs(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:Vs(e)};return le(fe(...t),ee(n,a))}var zs={box:null,base_box:null},kr=e=>b.value.params.get(e)??"",xn=e=>kr(e)!==""&&It(e,kr(e));function Xs(){let e=xn("from")?kr("from"):un.value;return xn("to")||Le(e)===null?null:e}var Gs=60000000000n;function Yl(){let{from:e,to:t}=J.value,n=Xs();if(n!==null)return`last ${n}`;let r=e%Gs===0n&&(t%Gs===0n||!xn("to")),s=a=>ae(a,r?6e10:1e9),o=be(e)===be(t)?s(t):`${be(t)} ${s(t)}`;return`${be(e)} ${s(e)} to ${xn("to")?o:"now"}`}function Zl(){let e=cs,t=Xs(),n=t??un.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(s=>l`<a
          key=${s}
          href=${he({last:s,from:null,to:null,...zs})}
          aria-current=${s===t?"true":void 0}
          >last ${s}</a
        >`)}
  </div>`}function Ql({close:e}){let[t,n]=P(""),{from:r,to:s}=J.value,o=i=>{i.preventDefault();let c=i.currentTarget,u=(d,f)=>{let h=c.elements.namedItem(d).value;return h===yr(f)?f:Ds(h)},[m,p]=[u("from",r),u("to",s)];if(m===null||p===null)n("Both need a day and a time.");else if(m>=p)n("It has to begin before it ends.");else{e();let d={from:String(m),to:String(p)};C({...d,last:null,live:null,...zs})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${yr(c)}
    /></label>`;return l`<form class="between" onSubmit=${o}>
    ${a("from",r)} ${a("to",s)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function ec(){let{to:e}=J.value,t=(n,r)=>l`<button
      aria-pressed=${ht.value===n?"true":"false"}
      onClick=${()=>C({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${ne(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function Sr(){let{from:e,to:t}=J.value,n=l`${Yl()} <span class="dim">${ne(t)}</span>`;return l`<${Qe}
    text=${n}
    title=${`${De(e)} to ${De(t)} ${ne(t)}`}
    className="time"
  >
    ${r=>l`<${Zl} /><${Ql} key=${ht.value} close=${r} /><${ec} />`}
  <//>`}function Rr(){return l`<button onClick=${pr} title="ask again">refresh</button>
    <button
      aria-pressed=${Ze.value?"true":"false"}
      onClick=${()=>C({live:Ze.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function Js({onDone:e}){let t=r=>{r.preventDefault();let s=r.currentTarget.elements.namedItem("q"),o=s.value.trim();o!==""&&(de(Ks(o,b.value)),s.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Ys(){let[e,t]=P(null),n=ce.value?.identity,r=async()=>t(await os());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var tc=[["services",""],["events","e"],["recordings","r"]];function re({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([m,p])=>l`<a href=${D(p?[p]:[])} aria-current=${p===n?"page":void 0}>
      ${m}
    </a>`,s=({name:m,href:p},d)=>[d>0?" / ":"",p?l`<a href=${p}>${m}</a>`:l`<b>${m}</b>`],o=l`<nav class="screens" aria-label="Screens">${tc.map(r)}</nav>`,a=l`<a class="logo" href=${D([])}>Loupe</a>`,i=cn.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(s)}</span>`,u=m=>l`${o}<${Js} onDone=${m} />
      <div class="row"><${Rr} /></div>
      <${Ys} />`;return l`<header>
      ${cn.value?l`${a} ${c} <${Sr} />
              <${Qe} text="☰" label="screens, search, refresh" className="all">${u}<//>`:l`${a} ${o} ${c} <${Js} /> <${Sr} /><${Rr} /> <${Ys} />`}
    </header>
    <main><${Ws} />${t}</main>`}var nc=4;function rc(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function G({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,rowsFirst:o,label:a,className:i}){let[c,u]=P(null),m=c===null?void 0:e[c]?.sort,p=m?[...t].sort((k,w)=>rc(m(k),m(w))):t,[d,f]=P(!1),h=p.slice(0,d?s:o??s),_=Math.min(t.length,s??1/0)-h.length,g=(k,w)=>{let T=c!==w?"none":k.isNumber?"descending":"ascending",A=k.sort?l`<button class="plain" onClick=${()=>u(w)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?T:void 0}
    >
      ${A}
    </th>`},v=(k,w,T)=>{let A=w.cell(k);return l`<td
      class=${(w.isNumber?"n ":"")+(w.className??"")}
      data-name=${T>0?w.name:void 0}
    >
      ${r&&T===0?l`<a href=${r(k)}>${A}</a>`:A}
    </td>`},y=_>0&&o!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${$(_)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>nc?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(g)}
          </tr>
        </thead>
        <tbody>
          ${h.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((w,T)=>v(k,w,T))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${y}`}var oc=15,sc=100,Tr=e=>e===null?"":x(e),gt=(e,t)=>b.value.params.getAll(e).includes(t);function Cr({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function ac({types:e}){let t=n=>he({context:gt("context",n)?null:n,key:null,where:null,event:null});return l`<${G}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${Cr} href=${t(n)} on=${gt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>Tr(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>Tr(n.p99_ns),isNumber:!0}]}
  />`}function Zs({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return he({where:gt("where",s)?o:[...o,s],event:null})};return l`<${G}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${Cr}
            href=${n(r)}
            on=${gt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>Tr(r.p99_ns),isNumber:!0}]}
  />`}function ic({name:e}){let t=pt(b.value,J.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),N.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&l`<${Zs} name=${e} rows=${s} />`}`}function lc({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>l`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return l`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?l`<${ic} name=${n.key} />`:l`<${Zs} name=${n.key} rows=${r} />`}`}function cc({of:e}){let t=n=>he({event:gt("event",n)?null:n});return l`<${G}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${oc}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ie} category=${Ie(n)} /><${Cr}
              href=${t(n)}
              on=${gt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?x(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function uc({query:e}){let t=b.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:s,more:o}=gn(n,sc,N.value),a=l`<${H} of=${r.data} /><${I} url=${n} />`;return l`<${M} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&l`<${wn}
        label="Events"
        items=${s}
        service=${e.get("service")}
        contextHref=${Oe}
      />`}
    ${o&&l`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&l`<${F} title="No events here" />`}
  <//>`}function Qs(){let e=b.value,t=pt(e,J.value),n=S("contexts/types",pc(t)),r=R(n,N.value),s=S("events/types",t),o=R(s,N.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=o.data&&`${$(o.data.events)} events`+mc(o.data.contexts);return l`<${re}>
    <${bn} />
    <div class="three">
      <${M}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${ac} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${qe} />`}
      <//>
      <${M} title="Context values" note=${a?.type}><${lc} of=${a} /><//>
      <${M}
        title="Event types"
        note=${i}
        tools=${l`<${H} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&l`<${cc} of=${o.data} />`}
      <//>
    </div>
    <${uc} query=${t} />
  <//>`}var mc=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function pc(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function ea(){let[e,t]=P(null),[n,r]=P(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await rs(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Et.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function ta(){return l`<${re}>
    <section>
      <${F} title="There is nothing here">
        <a class="link" href=${D([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function fc(e){return e.replaceAll("_","-")}function Dt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function qt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${fc(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var Or=e=>mr(e)??0n,dc=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),kn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,na=(e,t)=>l`${$(e)} <span class="dim">of ${$(t)}</span>`,hc=()=>[{name:"service",cell:e=>l`<b>${we(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${ne(N.value)}`,cell:e=>De(Or(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${x(kn(e))}, running`:x(kn(e)),isNumber:!0,sort:kn},{name:"contexts kept",cell:e=>na(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>na(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${me(e.bytes_out)} <span class="dim">of ${me(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>dc(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function gc(){let{params:e}=b.value,{from:t,to:n}=J.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let s=S("recordings",r),o=R(s,N.value),a=o.data?.recordings??[],i=l`<${H} of=${o.data} /><${I} url=${s} />`;return l`<${re}>
    <${M} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&l`<${G}
          label="Recordings"
          columns=${hc()}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>D(["r",u.id])}
        />`}
      ${o.data&&a.length===0&&l`<${qe} />`}
    <//>
  <//>`}var bc=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>me(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>me(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${qt} of=${Dt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Fe(e,t){return l`<span><b>${e}</b>${t}</span>`}function $c({of:e}){let t=e.contexts_in?q(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Fe(e.is_running?"running":"ended",`${x(kn(e))} since ${De(Or(e.start))} ${ne(Or(e.start))}`)}
    ${Fe(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${Fe($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${Fe(me(e.bytes_out),`of ${me(e.bytes_in)} kept`)}
    ${Fe(me(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Fe(x(e.waiting.duration_ns),`not compacted yet, ${me(e.waiting.journal_bytes)}`)}
    ${Fe(e.jvm_version,e.jvm_name)} ${Fe(e.pid,`process, on ${e.instance}`)}
  </div>`}var vc={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function _c({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${$(r)} ${vc[n]??n}</li>`)}
      </ul>`}function yc({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,N.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${M}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${l`<${I} url=${n} />`}
    answer=${r}
  >
    ${s?.refused&&l`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&l`<${G}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>o(a).join(", "),className:"w"}]}
      />`}
  <//>`}function wc({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=[{name:r?`${we(r.service)}, ${r.instance}`:e}],o=l`<a href=${$s(e)} download>download .jfr</a><${I} url=${t} />`,a=r?Dt(r.types):[];return l`<${re} crumbs=${s}>
    <${M} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&l`<${$c} of=${r} />`}
      ${n.status===404&&l`<${F} title="This collector has no such recording">
          <a href=${D(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${M}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?l`<${qt} of=${a} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${M} title="Lost" note="what is missing, and should not be"
          ><${_c} of=${r}
        /><//>
        <${M} title="Event types">
          <${G}
            label="Event types"
            columns=${bc}
            rows=${Object.entries(r.types).sort((i,c)=>c[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${yc} service=${r.service} />`}
  <//>`}function ra(){let e=b.value.path[1];return e===void 0?l`<${gc} />`:l`<${wc} id=${e} />`}function Se(e){return e==="requests"?"request":"context"}var xc=["context","thread","trace","id","box","base_box"];function oa(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:xc.some(n=>e.has(n))?"contexts":null}function He(e){return e.get("unit")==="requests"?"requests":"contexts"}function Ft(e,t){return ee(e,{unit:t==="requests"?t:null})}function sa(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:u,top:m}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:c,spark:u,top:m}}function aa(e){let[t,n]=P({width:0,height:0,ratio:1});return xe(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Pr(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function ia(e,{width:t,height:n,ratio:r},s,o){xe(()=>{let a=t>0&&e.current&&Pr(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Ce.value,...o])}function kc(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=Pr(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function Sn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=Z(null),a=Z(null),i=Z(t),c=Z(0);i.current=t;let u=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&o.current&&kc(a.current,o.current,i.current)})};ue(()=>{let d=new ResizeObserver(u);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),ue(u,[t,n,r,Ce.value]),ue(()=>{let{scrollTop:d,clientHeight:f}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+f&&(o.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let m=d=>f=>{let h=a.current.getBoundingClientRect(),_=f.clientY-h.top+o.current.scrollTop;d?.({x:f.clientX-h.left,y:_,width:h.width,event:f})},p=Math.min(n,r);return l`<div
    class="pane"
    ref=${o}
    style=${{height:`${p}px`}}
    tabindex="0"
    role="application"
    aria-label=${e.label}
    onScroll=${u}
    onKeyDown=${e.onKey}
  >
    <canvas
      ref=${a}
      style=${{height:`${p}px`}}
      onPointerMove=${m(e.onPoint)}
      onPointerDown=${m(e.onDown)}
      onPointerUp=${m(e.onUp)}
      onPointerLeave=${e.onLeave}
    ></canvas>
    <div style=${{height:`${n-p}px`}}></div>
    ${e.children}
  </div>`}var Rn=14,Tn=8;function bt({at:e,children:t}){let n=Z(null);return xe(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+Rn+s>innerHeight-Tn,i=Math.min(e.clientX+Rn,innerWidth-r-Tn);o.left=`${Math.max(Tn,i)}px`,o.top=`${a?Math.max(Tn,e.clientY-Rn-s):e.clientY+Rn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var Nr=e=>e.charCodeAt(0);function la(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[Nr(n.length===1?n:t),Nr(r.length===1?r:t)]}var Er=e=>/\w/.test(String.fromCharCode(e)),ca=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),pa=(e,t)=>t>=0&&t<e.length&&Er(e.charCodeAt(t)),Cn=(e,t)=>pa(e,t-1),On=pa,Mr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>Cn(e,t)!==On(e,t),"\\B":(e,t)=>Cn(e,t)===On(e,t),"\\<":(e,t)=>!Cn(e,t)&&On(e,t),"\\>":(e,t)=>Cn(e,t)&&!On(e,t)},ua=e=>e>=48&&e<=57,Ar={"\\d":ua,"\\D":e=>!ua(e),"\\w":Er,"\\W":e=>!Er(e),"\\s":ca,"\\S":e=>!ca(e)},ma={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},$e=class extends Error{},Lr=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new $e;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new $e;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new $e;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new $e;if(r!==1/0&&r>255)throw new $e;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(ma,r)?ma[r]:void 0;if(n===":"?!s:r.length!==1)throw new $e;return n===":"?o=>s.test(String.fromCharCode(o)):Nr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new $e;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new $e;t.push(this.range())}this.at++,this.addAtom(r=>la(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Mr,n)||Object.hasOwn(Ar,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new $e;if(Object.hasOwn(Mr,n))this.atom=null,this.add({holds:Mr[n]});else if(Object.hasOwn(Ar,n))this.addAtom(Ar[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=la(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function fa(e){try{return e.length>256?null:new Lr(e).parse()}catch(t){if(t instanceof $e)return null;throw t}}function da(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(u,m)=>{r[u]!==m&&(r[u]=m,s.push(u),n.count++)},a=[],i=!1,c=(u,m,p)=>{o(m,p);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:f,holds:h,jumps:_,isEnd:g}=e[d];i||=g===!0,f?u.push(d):h?.(t,p)&&o(d+1,p);for(let v of _??[])o(d+v,p)}};for(let u=0;;u++){if(c(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let d of a)e[d].takes(m)&&c(p,d+1,u+1);a=p}}function An(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)o[i.pop()]=m;let p=n[m]-1;s[m]=p<0?-1:i[p],a[m]=p<0?0:c[p],p>=0&&(c[p]+=r[m]),c[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>o[m]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:u}}function ga(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,u=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<s&&u.push({node:d,x:0,width:n,row:f})}let m=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*m,_=(a[d]-a[t])*m,g=h<1?Math.min(Math.floor(_),n-1):_;f>=r&&(h>=1||g>=p[f-r])&&(u.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return u}function ba(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,u=t;for(;u>0&&c.level[u]>s;)u=e.parent[u];if(u!==t||c.level[u]===s)return c.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(o[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+o[u];if(p&&c.level[u]===s)return u;u=p?u+1:i[u]}return-1}function $a(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?va(e,t)[c+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<o[t];m+=u)if(i.level[m]===c&&s[m]>0)return m;return n}default:return n}}function va(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var Mn=4;function _a(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**Mn).toString(36).padStart(Mn,"0")}function Nn(e,t){return va(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(_a).join("")}function En(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=Mn){let a=t.slice(o,o+Mn),i=s+1;for(;i<(e.end[s]??0)&&_a(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var Sc=1024,Rc=5e7;function ya(e,t=Rc){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(c),{isOver:()=>!1})}let r=fa(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(c=>(s.has(c)||s.set(c,!a()&&da(r,c.slice(0,Sc),o)),s.get(c)),{isOver:a})}function wa(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=o[n.name[i]]===1;a+=c?s[i]:0,i=c?r[i]:i+1}return{names:o,weight:a}}var Pn=(e,t)=>t>0?e/t:0;function xa({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(Pn(r.total,n),Pn(r.base_total??0,o)),i=Pn(e[s],n)-Pn(t?.[s]??0,o);return a>0?i/a:0}function ka(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function Tc({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!Be(e.names[e.name[o]]))return o;return s}function ha({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Sa(e,t){let{flame:n}=e,r=ha(e,n.value),s=ha(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&s[i]===0)continue;let u=c==="."?"c":c,m=n.names[n.name[Tc(e,i)]],p=o.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(u+m,p)}return[...o.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var ve=18,Cc=22,Ra=4,Oc=5;function Pc(e){return e.split(".").slice(0,-2).join(".")}function Mc(e){if(Be(e))return"frame-jdk";let t=7;for(let n of Pc(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Oc}`}function Ac({names:e,kinds:t}){return e.map((n,r)=>{let s=fn(t[r]??".");return U(r===0?"frame-root":s?s.token:Mc(n))})}var Ur=32,Ir=e=>({fill:e,ink:ct(e)});function Ta(e){if(e.base_value===void 0){let s=Ac(e).map(Ir);return e.name.map(o=>s[o])}let t=s=>Array.from({length:Ur+1},(o,a)=>Ir(ps(U("frame-same"),U(s),a/Ur))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:xa(e,o),i=Math.round(Ur*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Nc(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ca(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:c}=t,u=U("ink"),m=Ir(U("accent"));e.font=lt("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:_}of n){let g=_*ve-r,v=s.name[d],y=d!==c&&s.level[d]<s.level[c],k=a!==null&&a.names[v]===1,w=y||a!==null&&!k,{fill:T,ink:A}=k?m:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=T,e.fillRect(f,g,Math.max(h-.5,.5),ve-1),h>=Cc){let j=Math.floor((h-2*Ra)/p);e.globalAlpha=1,e.fillStyle=w?u:A,e.fillText(Nc(s.names[v],j),f+Ra,g+ve/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),ve-3))}}var Ec=24,Lc=3,Br=(e,t)=>q(t>0?e/t:0);function Uc({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let c=ge(n[i]/Math.max(1,a),o),u=ge(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${Br(n[i],s)}, ${c} each, own ${u}`}function Ic(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:c,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:u??0};return[{...m,name:"selection"},p]}function Bc({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,c=Ic(r,t),u=(m,p)=>l`<tr>
      <th scope="row">${m}</th>
      ${c.map(d=>l`<td class="n"><b>${ge(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${Br(p(d),d.whole)}</td>
            <td class="n dim">${ge(p(d),s)}</td>`)}
    </tr>`;return l`<b>${o[a[t]]}</b>
    <table>
      ${c.length>1&&l`<tr>
          <th></th>
          ${c.map(m=>l`<th colspan="3" class="n">${m.name}</th>`)}
        </tr>`}
      <tr>
        <th></th>
        ${c.map(()=>l`<th class="n">each</th>
              <th class="n">share</th>
              <th class="n">in all</th>`)}
      </tr>
      ${u("total",m=>m.total)} ${u("own",m=>m.self)}
    </table>
    ${n>0&&l`<div class="dim">${Br(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Oa({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=P(null),[i,c]=P(null),u=E(()=>i===null?-1:En(e,i),[e,i]),m=o?.node??-1,p=E(()=>Ta(s),[s,Ce.value]),d=tn((w,{width:T,top:A,height:j})=>{let W=Math.floor(A/ve),Me=ga(e,t,T,W,Math.ceil((A+j)/ve));Ca(w,{flame:s,shades:p,zoom:t,found:n,marks:[u,m]},Me,A)},[e,t,n,u,m,p]),f=({x:w,y:T,width:A})=>ba(e,t,A,w,Math.floor(T/ve)),h=w=>{let T=f(w),{clientX:A,clientY:j}=w.event;a(T<0?null:{node:T,at:{clientX:A,clientY:j}})},_=w=>{let T=f(w);T>=0&&w.event.button===0&&r(T)},g=w=>{let T=u<0?t:u;if(w.key.startsWith("Arrow")){let A=u<0?t:$a(e,t,T,w.key);c(Nn(e,A)),a(null)}else if(w.key==="Enter")r(T);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},v=u>=0?u:t,y=s.level[v],k=[Math.max(0,y-Lc)*ve,(y+1)*ve];return l`<${Sn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*ve}
      heightMax=${Ec*ve}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${_}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&Uc(s,u)}</div>
    ${o&&l`<${bt} at=${o.at}><${Bc} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Dc=20,qc=16;function Fc(e){let t=e.slice(-qc),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function $t({name:e,title:t=e}){if(e.length<=Dc)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Fc(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var Hc=500;function jc(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>ge(p/Math.max(1,r),t),a=p=>l`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${Wc} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>o(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>q(n>0?p.total/n:0),u=p=>ge(p/Math.max(1,s??0),t),m=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,c)];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function Wc({kind:e}){let t=fn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Pa({tree:e,matches:t}){let n=ka(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),l`<div class="frames">
    <${G}
      label="Frames"
      columns=${jc(e.flame)}
      rows=${n}
      rowsMax=${Hc}
      rowKey=${r=>r.name}
    />
  </div>`}var Vc=8;function Ln(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Ma({url:e,answer:t}){let{data:n}=t,r=E(()=>n&&n.requests>0?Sa(An(n),Vc):[],[n]),s=b.value.params.get("frame"),o=(c,u=0)=>ge(c/Math.max(1,u),"ns"),a=c=>{let u=Ln(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${s===u?"true":"false"}
          onClick=${()=>C({frame:s===u?null:u,zoom:null})}
        >
          <${ie} category=${dt(c.kind)} /><${$t}
            name=${Ee(c.name)}
            title=${c.name}
          />
        </button>
      </td>
      <td class="n">${o(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${o(c.base,n.base_requests)}</td>`}
      <td class="n dim">${q(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${H} of=${n} /><${I} url=${e} />`;return l`<${M} title="Top frames" tools=${i} answer=${t} className="top-frames">
    ${r.length>0&&l`<table class="frames">
        <thead>
          <tr>
            <th scope="col">frame</th>
            <th scope="col" class="n">each</th>
            ${n?.base_value&&l`<th scope="col" class="n">base</th>`}
            <th scope="col" class="n">share</th>
          </tr>
        </thead>
        <tbody>
          ${r.map(a)}
        </tbody>
      </table>`}
  <//>`}var Dr=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function Un({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Kc(e){let t=e.get("value")??"";return Dr.some(([n])=>n===t)?t:"time"}function Gc({value:e}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${Dr.map(([t,n])=>l`<${Un}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function zc({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return l`<${Un}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${Un}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Xc({found:e,flame:t,matches:n}){let r=b.value.params.get("find")??"",s=r!==""&&n===null,o=b.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?q(e.weight/o):q(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;C({find:m===""?null:m},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function Jc(){let e=b.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Yc({flame:e}){let t=(o,a)=>l`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>q(e.total>0?o/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):l`<span>
              <${ie} category=${dt(o)} />${se(dt(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${$(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function Zc({requests:e,total:t,unit:n,...r},s){let o=ge(t/Math.max(1,e),n),a=r.base_requests??0,i=ge((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${$(a)}, ${i} each`:"";return`${Te(e,s)}, ${o} each${c}`}function In(e){return S("flamegraph",e,{value:"time",frame:null})}function vt({query:e,tick:t,whole:n}){let{params:r}=b.value,s=Kc(r),o=r.get("frame"),a=ee(e,{value:s,frame:o}),i=S("flamegraph",a),c=n!==void 0&&i===In(e),u=R(c?null:i,t),m=u.problem===null?n?.data??null:null,p=c?n:{...u,data:u.data??m},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=E(()=>d&&An(d,f),[d,f]),_=r.get("find")??"",g=E(()=>_===""?null:ya(_),[_]),v=E(()=>h&&g&&wa(h,g),[h,g]),y=r.get("flame")==="table",k=!h||h.weight.length===0||!(h.weight[0]>0),w=h?En(h,r.get("zoom")??""):0,T=h&&l`<${Oa}
      tree=${h}
      zoom=${w}
      found=${v}
      onZoom=${W=>C({zoom:Nn(h,W)||null})}
    />`,A=l`<${H} of=${d} /><${Ue}
      query=${e}
      value=${s}
      frame=${o}
    /><${I} url=${i} />`,j=d?Zc(d,Se(He(e))):"";return l`<${M} title="Flame graph" note=${j} tools=${A} answer=${p}>
    <div class="flame-tools">
      <${Gc} value=${s} />
      <${Jc} />
      <${zc} flame=${d} />
      <${Xc} found=${v} flame=${d} matches=${g} />
      ${w>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${Un}
        isOn=${y}
        onChange=${()=>C({flame:y?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&k&&l`<${F} title="No ${Dr.find(([W])=>W===s)[1]} in this selection" />`}
    ${!k&&(y?l`<${Pa} tree=${h} matches=${g} />`:T)}
    ${d&&!k&&l`<${Yc} flame=${d} />`}
  <//>`}function qr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Fr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),c=Math.min(r,(a.start+a.duration-t)*s),u=Math.max(2,c-i),m=Math.min(i,r-2);o.push({box:a,x:m,width:u,y:20+a.level*20})}return o}function Aa(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Na(e,t,n,r,s){let o=Fr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,c)=>a(i)-a(c)),o[0]?.box??null}function Ea(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function La({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Ua(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[o]).sort((c,u)=>a(c)-a(u));if(i)return{lane:o,box:i}}return t}var Qc=560,eu=110,tu=4,nu=28,Ba=5,ru=500;function ou(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function Bn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function su(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function Hr({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${oe(t)} \xB7 ${x(n)}`}function au(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",c=U(i?"hover":se(s.kind).token);e.fillStyle=c,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=U(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=nu&&(e.fillStyle=i?U("ink"):ct(c),e.fillText(su(e,Hr(s),a-2*Ba),o+Ba,n+20/2-1))}function iu(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=U("panel"),e.fillRect(0,0,n,18);for(let o of La(t,n/eu)){let a=Math.round((o-t.from)*s),i=o===0?"0":x(o),c=e.measureText(i).width;e.fillStyle=U("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=U("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function lu(e,t,n,r){return tn((s,{width:o,top:a,height:i})=>{let c=qr(e);s.font=lt("sans"),s.textBaseline="middle",iu(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((u,m)=>{let p=c[m]-a;p>i||c[m+1]-a<0||Fr(u,t,o).forEach(d=>au(s,d,p+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=U("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function cu({title:e},t){return`${e}: ${se(t.kind).name}, ${Hr(t)}, at ${x(t.start)}`}function uu({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${G}
    label="What is on the axis"
    rows=${t}
    rowsMax=${ru}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>x(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ie} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>x(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Da({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=ou(b.value.params.get("part"),t),[a,i]=P(null),[c,u]=P(null),[m,p]=P(null),[d,f]=P(!1),h=E(()=>qr(e),[e]),_=c&&e[c.lane]?.boxes.includes(c.box)?c:null,g=lu(e,o,[_?.box??null,a?.box??null],m),v=({x:O,y:B,width:Y})=>{let K=Aa(h,B),Ve=K<0?null:Na(e[K],o,Y,O,B-h[K]);return Ve&&{lane:K,box:Ve}},y=O=>{if(m){p([m[0],Math.max(0,Math.min(O.x,O.width))]),i(null);return}let B=v(O),{clientX:Y,clientY:K}=O.event;i(B&&{...B,at:{clientX:Y,clientY:K}})},k=({lane:O,box:B})=>{let Y=n?.(e[O],B)??null;Y!==null&&r?r(Y):Bn({from:B.start,to:B.start+Math.max(1,B.duration)})},w=({x:O,event:B})=>{B.button===0&&B.pointerType!=="touch"&&(B.target.setPointerCapture(B.pointerId),p([O,O]))},T=O=>{p(null);let[B=0,Y=0]=m?[...m].sort((Ve,Bi)=>Ve-Bi):[],K=v(O);if(Y-B>=tu){let Ve=(o.to-o.from)/O.width;Bn({from:o.from+B*Ve,to:o.from+Y*Ve})}else K&&k(K)},A=e.findIndex(({boxes:O})=>O.length>0),j=O=>{if(O.key.startsWith("Arrow")&&A>=0)u(_?Ua(e,_,O.key):{lane:A,box:e[A].boxes[0]});else if(O.key==="Enter"&&_)k(_);else if(O.key==="Escape"||O.key==="Backspace")Bn(null);else return;O.preventDefault()},W=_?h[_.lane]+20+_.box.level*20:0,Me=b.value.params.get("part")!==null;return l`<${Sn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Qc}
      draw=${g}
      reveal=${_?[W-20-20,W+20]:void 0}
      onPoint=${y}
      onDown=${w}
      onUp=${T}
      onLeave=${()=>i(null)}
      onKey=${j}
    >
      ${e.map((O,B)=>l`<div class="lane-title" key=${O.key} style=${{top:`${h[B]}px`}}>
            ${O.href?l`<a href=${O.href}>${O.title}</a>`:O.title}
            <small title=${O.note}>${O.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${_&&cu(e[_.lane],_.box)}</div>
    ${a&&l`<${bt} at=${a.at}>
        <b>${Hr(a.box)}</b>
        <div>${a.box.name}, ${se(a.box.kind).name}</div>
        <div class="dim">at ${x(a.box.start)}</div>
      <//>`}
    ${Me&&l`<button onClick=${()=>Bn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${O=>f(O.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&l`<${uu} lanes=${e} />`}
    </details>`}var mu=3,pu=.001;function fu({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var jr=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):$(Math.round(n))} \xD7`};function du(e,{category:t,is_count:n}){let r=e.slices.find(s=>s.category===t);return n?jr(r?.events??0,e.requests):x((r?.total_ns??0)/Math.max(1,e.requests))}function hu({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${$(t.events)} in ${Te(t.requests,"context")}, ${x(t.total_ns)} in all`}
        >
          ${$(t.per_request)} × ${Ee(t.frame)}
          <span class="dim"> ${se(t.category).name}, ${x(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function gu({slice:e,of:t,base:n,hrefOf:r}){let s=r&&!e.is_count,o=(p,d)=>s?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?jr(p.events,t.requests):x(p.total_ns/t.requests),share:e.is_count?"":q(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":jr(p.events,t.requests)}),i=Math.max(1,t.total_ns*pu),c=e.top.slice(0,mu).filter(p=>e.is_count||p.total_ns>=i),u=s?"opens":"",m=(p,d)=>{let{each:f,share:h,often:_}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${_}</td>`};return l`<tr
      class=${u}
      title=${`${x(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ie} category=${e.category} />${o(se(e.category).name,null)}
      </th>
      ${m(e,n?du(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${o(l`<${$t} name=${Ee(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${Ee(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function Wr({of:e,base:t,against:n="base",hrefOf:r}){let s=e.slices.filter(fu),o=({total_ns:a})=>x(a/e.requests);return l`<${Os} parts=${s} total=${e.total_ns} each=${o} />
    <table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title=${`each of ${$(t.requests)} to compare with`}>${n}</th>`}
          <th scope="col" class="n">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${s.map(a=>l`<${gu}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${hu} of=${e} />`}`}function Dn({query:e,against:t,tick:n,hrefOf:r}){let s=S("why",e),o=R(s,n),{data:a}=o,i=Se(He(e)),c=l`<${H} of=${a} /><${I} url=${s} />`,u=a&&a.requests>0?`mean of ${Te(a.requests,i)}, ${x(a.total_ns/a.requests)} each`:"";return l`<${M}
    title="Why"
    note=${u}
    tools=${c}
    answer=${o}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${Wr} of=${a} base=${a.base??null} against=${t} hrefOf=${r} />`}
    ${a?.requests===0&&l`<${F} title=${`No kept ${i} is in this selection`} />`}
  <//>`}var Vr=8192,qa=60000000000n,Fa=5,bu=2000000000n;function Ha(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function ja({t0_ns:e,events:t,is_truncated:n}){return hn({...t,t0_ns:e,next:null,is_truncated:n})}function Kr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=Ha(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let c=Ha(s,"monitorClass")??"",u={thread:o,monitor:c,waited:0,waits:0,from:a,to:a},{waited:m,waits:p,from:d,to:f}=t.get(o)??u;t.set(o,{...u,waited:m+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function Gr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,c,u,m,p]of e.rows){let d={level:o,start:a+n,duration:i,kind:c,name:u,count:m,id:p};r[s]?.boxes.push(d)}return r}function $u(e,t,n){return hn(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),c=Ie(o),u={level:0,start:Number(r-t),duration:i,kind:c,name:o};return a?[{...u,count:1,id:null}]:[]})}function vu(e,t,n,r){let s=BigInt(e.t0_ns),a=Gr(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),c=$u(r,s,new Set([e.type,...i])),u=Ea([...a,...c]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),m=`had the monitor of ${oe(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:u.length>0?m:`${m}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:u}}function _u(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-bu)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(u,m)=>t?S(u,r,m):null,o=R(s("timeline",{width:String(Vr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=E(()=>t&&o.data&&a.data?vu(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),c=[o,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:c}}function yu(e){let t=E(()=>Kr(e),[e]),n=[];for(let i=0;i<Fa;i++){let c=n.every(u=>u.isAnswered);n.push(_u(e,c?t[i]:void 0))}let r=t.slice(Fa),s=x(r.reduce((i,c)=>i+c.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return E(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function wu(e){let t=dn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-qa)});r.set("to",String(n+BigInt(e.duration)+qa));let s=String(Vr),o=R(t&&S("timeline",r,{width:s,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return E(()=>(o?Gr(o,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:D(["t",t])}}),[e,o,i])}function Wa(e,t){let n=R(S("timeline",t,{width:String(Vr)})).data,r=yu(e),s=wu(e);return E(()=>{let o=n?Gr(n,BigInt(e.t0_ns)):[],a=m=>m.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(m.thread),i=o.filter(({thread:m})=>m===null),c=o.filter(({thread:m})=>m!==null),u=`this one, ${x(e.duration)}`;return[...i.map(m=>({...m,note:"pauses: GC, safepoints"})),...c.map(m=>({...m,note:u})),...r,...s.filter(a)]},[e,n,r,s])}var Va=300000000000n,xu=100,_t=({t0_ns:e})=>BigInt(e);function zr(e){let t=_t(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function ku(e){let t=zr(e);if(b.value.params.get("base")==="rest"){let n=_t(e);t.set("from",String(n-Va)),t.set("to",String(n+Va)),t.set("context",e.type),t.set("base","rest")}return t}function Su({context:e,jvm:t}){let n=_t(e),r=dn(e.attributes),s=([o,a])=>[l`<dt>${o}</dt>`,l`<dd>
      ${a===r&&r!==null?l`<a class="link" href=${D(["t",r])}>${r}</a>
              <${_n} trace=${r} />`:yn(a)}
    </dd>`];return l`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${Pe(n)}>${be(n)} ${ae(n)} ${ne(n)}</dd>
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <dt>JVM</dt>
    <dd>
      <a class="link" href=${D(["r",e.recording])}
        >${t?t.instance:e.recording}</a
      >
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${Ka(e,e.parent)}
            >${oe(e.parent.type)}, ${x(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Ka(e,{id:t,start:n}){return Oe(e.recording,t,_t(e)+BigInt(Math.round(n)))}function Ru({context:e}){let t=Kr(e);return l`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>l`<tr key=${n}>
              <td title=${n}>
                <${ie} category=${Ie(n)} />${$(r)} × ${oe(n)}
              </td>
              <td class="dim w">${s}</td>
            </tr>`)}
      </tbody>
    </table>
    ${e.kept_because.length===0&&l`<p class="dim">the contexts in it</p>`}
    ${t.length>0&&l`<h2 class="second">Who had the monitor</h2>
        <table>
          <tbody>
            ${t.map(n=>l`<tr key=${n.thread}>
                  <td class="w"><b>${n.thread}</b></td>
                  <td class="w">${oe(n.monitor)}</td>
                  <td class="n">${x(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Tu({context:e}){return l`<${M} title="Contexts in it" note=${$(e.children.length)}>
    <${G}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${xu}
      rowKey=${t=>t.id}
      href=${t=>Ka(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+x(t.start),isNumber:!0},{name:"duration",cell:t=>x(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Cu({context:e,service:t,tick:n}){let r=E(()=>zr(e),[e]),s=Wa(e,r),o=E(()=>ja(e),[e]),a=(c,{id:u,start:m})=>u===null||u===e.id?null:Oe(c.recording,u,_t(e)+BigInt(Math.round(m))),i=l`<${I} url=${S("timeline",r)} />`;return l`<${M}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${i}
    >
      <${Da}
        label="Threads on one axis"
        lanes=${s}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${de}
      />
    <//>
    ${e.children.length>0&&l`<${Tu} context=${e} />`}
    <${vt} query=${ku(e)} tick=${n} />
    <${M} title="Events" note=${$(o.length)}>
      ${o.length>0?l`<${wn}
              items=${o}
              since=${_t(e)}
              service=${t}
              label="Events of the request"
            />`:l`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Ga(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,o),c=R(i,N.value),u=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=c.data,p=m?`${oe(m.type)}, ${x(m.duration)}`:r,d=[{name:"services",href:D([])},...u?[{name:we(u.service),href:D(["s",u.service])}]:[],{name:p}],f=m&&zr(m),h=l`<${H} of=${m} /> ${f&&l`<${Ue} query=${f} />`}
    <${I} url=${i} />`;return l`<${re} crumbs=${d}>
    ${m?l`<div class="three">
              <${M}
                title=${oe(m.type)}
                note=${x(m.duration)}
                tools=${h}
                answer=${c}
              >
                <${Su} context=${m} jvm=${u} />
              <//>
              <${M} title=${`Why ${x(m.duration)}`} className="why-panel">
                <${Wr} of=${m.why} base=${null} />
              <//>
              <${M} title="Kept because"><${Ru} context=${m} /><//>
            </div>
            <${Cu} context=${m} service=${u?.service??null} tick=${N.value} />`:l`<${M} title="Request" tools=${h} answer=${c} />`}
  <//>`}var Ou=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Xr(e){return Ou.test(e)}function za({key:e,distinct:t,search_only:n,values:r},s){let o=r.every(i=>i.count+(i.base_count??0)<=1),a=Xr(e)&&2*(t??0)>s;return n||r.length>=4&&(o||a)}var Pu=100,Mu=10,Au=1.96;function Nu(e,t,n){let[r,s]=[t+2,n+2],[o,a]=[(e.count+1)/r,((e.base_count??0)+1)/s],i=o*(1-o)/r+a*(1-a)/s;return o-a-Au*Math.sqrt(i)}function Eu({contexts:e,base_contexts:t,keys:n},r){let s=({key:u,label:m})=>!r.has(u)&&!r.has(m),o=n.filter(u=>s(u)&&za(u,e)).map(({key:u})=>u),a=u=>t?Nu(u,e,t):u.count,i=n.filter(u=>s(u)&&!o.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),c=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:c,ids:o}}function Lu({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Jr=(e,t)=>t>0?e/t:0;function Uu({here:e,there:t}){let n=s=>({left:`${100*s}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Iu({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${$t} name=${i===""?"(empty)":i} /></b>
      </span>`},s={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${$(a.count)} of ${$(e)}`}
        >${q(a.count/e)}</span
      >`,isNumber:!0,className:"share"},o={name:"p99",cell:a=>a.p99_ns===null?"":x(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${Uu}
          here=${Jr(a.count,e)}
          there=${Jr(a.base_count??0,t)}
        />`,className:"plot"},s,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${$(a.base_count??0)} of ${$(t)}`}
          >${q(Jr(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},o,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Lu(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,s,o]}function Bu({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return he({where:[...r,n]})}function Du({data:e,against:t}){let[n,r]=P(!1),s=b.value.params.getAll("where"),o=new Set(s.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=Eu(e,o),u=n?a:a.slice(0,Math.min(Mu,i)),m=a.length-u.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&l`<${G}
      label="Attributes"
      columns=${Iu(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${Bu}
      className="values"
    />`}
  ${m>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${$(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function Xa({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(Pu)}),s=R(r,n),{data:o}=s,a=l`<${H} of=${o} /><${I} url=${r} />`;return l`<${M}
    title="Attributes"
    note=${o?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&l`<${Du} data=${o} against=${t} />`}
  <//>`}function Ja({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function Ya({name:e,placeholder:t}){let n=Z(null),r=b.value.params.get(e),s=r&&ut(r)?x(Number(r)):"";return xe(()=>{n.current.value=s},[s]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=Go(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&C({[e]:i===null?null:String(i),box:null})}}
  />`}function qu(){let e=Z(null),t=b.value.params.get("thread")??"";return xe(()=>{e.current.value=t},[t]),l`<input
    class="thread"
    ref=${e}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>C({thread:e.current.value.trim()||null})}
  />`}function Za({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return l`<div class="choosers">
    <${Ja}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${$(a)})`])}
    />
    <${Ja}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${Ya} name="min_duration_ns" placeholder="at least" />
    <${Ya} name="max_duration_ns" placeholder="at most" />
    <${qu} />
    <${bn}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Fu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Hu=e=>Fu[e&3]*2**(e>>2);function Qa(e){return e<0?1:Math.floor(Hu(e+1))}function je(e,{column:t,row:n}){return t*e.rows+n}function yt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function tt(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function wt(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(o/c)>=n;)c*=2;let u=o>a?0:Math.floor(o/c),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:u,buckets:c,hasShorter:i,rows:o>a?0:Math.floor(a/c)-u+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(f/c)-u)});e.columns.forEach((d,f)=>{for(let[h,_,g]of d){let v=p(f,h),y=m.cells.get(je(m,v))??{...v,all:0,kept:0};y.all+=_,y.kept+=g,m.cells.set(je(m,v),y),m.most=Math.max(m.most,y.all)}});for(let[d,f,h,_]of e.exemplars)m.exemplars.set(je(m,p(d,f)),{recording:h,id:_});return m}function ti(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function xt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:Qa(i-1)+1,max:Qa((e.first+a+1)*e.buckets-1)}}function qn(e,t,n){let r=xt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function nt(e,t){let n={all:0,kept:0};for(let r of e.cells.values())qn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function ni(e,t){return[...e.cells.values()].filter(n=>qn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(je(e,n))??[])}function Fn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function ri(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Zr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function Yr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Wt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function Qr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,Yr(e,t,n.from)),c=Math.max(o,Wt(e,t,n.max)),u=Math.min(s,Yr(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,Wt(e,t,n.min-1));return u<=0||m<=c?null:{x:i,y:c,width:u,height:m-c}}function eo(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function oi(e,t,n,r){let s=[],o=a=>{let i=Wt(e,t,a);s.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var ei=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function si(e,t,n,r,s){let{from:o,to:a}=eo(e),i=Number(a-o)/1e9*(n/t.width),c=ei.find(p=>p>=i)??ei.at(-1),u=BigInt(c)*1000000000n,m=[];for(let p=(o+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:Yr(e,t,p),text:s(p,c*1e9)});return m}var ju=4,Wu={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function We(e){return pe(b.value.params.get(e))}var li=e=>e==="requests"?{unit:e}:{};function Vt(e,t,n){let r=e&&Lt(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=li(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function Vu(e){Vt(null,We("base_box")!==null,e)}function to({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function ci(e,t){return e.column===t.column&&e.row===t.row}function ii(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Ku(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function kt({grid:e,isRate:t},{from:n,to:r}){return t?xt(e,{...n,row:0},{...r,row:e.rows-1}):xt(e,n,r)}function ui({grid:e,unit:t},n){let r=e.exemplars.get(je(e,n));r&&de(et(t,r.recording,r.id))}function mi(e){let{grid:t,plot:n}=e,[r,s]=P(null),[o,a]=P(null),i=Z(null),c=({offsetX:g,offsetY:v})=>ri(t,n,g,v),u=g=>{let{offsetX:v,offsetY:y}=g;if(g.button===0&&t.rows>0&&Zr(n,v,y)){g.currentTarget.setPointerCapture(g.pointerId);let k=g.shiftKey||e.isComparing;s({from:c(g),to:c(g),x:v,y,isLong:!1,isBase:k})}},m=g=>{let{offsetX:v,offsetY:y}=g;if(r){let A=r.isLong||Math.hypot(v-r.x,y-r.y)>=ju;s({...r,to:c(g),isLong:A})}let{clientX:k,clientY:w}=g,T=t.rows>0&&Zr(n,v,y);a(T?{place:c(g),clientX:k,clientY:w}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){ui(e,r.from);return}let v=kt(e,r),y=!r.isLong&&nt(t,v).all===0;Vt(y?null:v,r.isBase,e.unit)},d=g=>{let v=i.current,y=v&&qn(t,v,c(g))?v:kt(e,{from:c(g),to:c(g)});C({box:Lt(y),...li(e.unit)},!0),to(y)},f=({detail:g})=>{i.current=g>1?i.current:We("box")},h=()=>a(null),_=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:f,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:h,onPointerCancel:_,onDblClick:d}}}function pi(e){let{grid:t}=e,[n,r]=P(null),s=i=>{let c=Wu[i.key];if(c&&t.rows>0){let u=n?ii(t,n.to,c):Ku(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)ui(e,n.to);else if(i.key==="Enter"&&n)Vt(kt(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),Vu(e.unit);else return;i.preventDefault()},o=i=>ii(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var Kt=52,Gu=20,fi=6,zu=52,Xu=72,Ju=26,Yu=5;function di(e,t,n){let r=e-Kt-(n?zu:0);return{x:Kt,y:fi,width:Math.max(1,r),height:Math.max(1,t-fi-Gu)}}function Zu(e,t){let n=ae(e,t);return n==="00:00"?be(e).slice(5):n}function Qu(e,t){let n=r=>x(r).replace(/\.0+ /," ");return{times:si(e,t,Xu,Is(e.t0),Zu),durations:e.rows===0?[]:oi(e,t,Ju,n)}}function em(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function tm(e,t,n,r,s){e.fillStyle=U("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:c,width:u,height:m}=Fn(t,n,a);em(e,i+u-r,c,Math.min(Yu,u/2,m/2))}e.fill()}function nm({all:e,kept:t},n){return n==="requests"?t<e:t>0}function hi(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(U),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:u,height:m}=Fn(t,n,a);e.fillStyle=s[ti(a.all,t.most)],e.fillRect(i,c,u-o,m-o)}tm(e,t,n,o,a=>nm(a,r)),ro(e,t,n)}function ro(e,t,n){let{times:r,durations:s}=Qu(t,n);e.fillStyle=U("faint"),e.font=lt("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,Kt-8,o),e.fillRect(Kt-5,Math.round(o),4,1);e.textBaseline="alphabetic",e.fillText(ne(t.t0),Kt-8,n.y+n.height+16);for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(o-i,n.x+n.width-2*i)),n.y+n.height+16)}}function no(e,t,n,r){t&&(e.fillStyle=U("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function gi(e,t,n,r){no(e,r.base&&Qr(t,n,r.base),U("soft"),[4,3]),no(e,r.box&&Qr(t,n,r.box),U("accent"),[]);for(let s of r.cells)no(e,Fn(t,n,s),U("ink"),[])}function bi({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=yt(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:tt(i,.5),p99:tt(i,.99)}})}function $i(e){return`${$(Number(e.toPrecision(3)))}/s`}function rm(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function om(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function vi(e,t,n,r){let s=n.width/t.columns,o=rm(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=U("h1"),r.forEach(({perSecond:a},i)=>{let c=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-c,s-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=U(i);let c=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*s,Wt(t,n,p)]};om(e,r.map(c),s)}ro(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText($i(o*a),n.x+n.width+6,i+(a===1?5:0))}}function _i({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":x(s);return l`<b>${$i(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function yi({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var oo=6e10;function Hn({from:e,to:t,min:n,max:r}){let s=e%BigInt(oo)===0n&&t%BigInt(oo)===0n,o=i=>ae(i,s?oo:1e9),a=n<=1?`up to ${x(r)}`:`${x(n)} to ${x(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function so({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var am=5,im=6;function lm({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=je(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[c,u]=Hn(xt(e,s,s)).split(", "),m=a&&`${$(a.all)} ${t}, ${$(a.kept)} kept`,p=i?l`<${_i} of=${i} /><br />${c}`:l`<b>${u}</b><br />${c}<br />${m}
        ${e.exemplars.has(o)&&l`<br />Alt+click opens one`}`;return l`<${bt} at=${n}>${p}<//>`}var cm={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function um(e,t,n){let r=e??cm,s=Math.max(1,t.width/am),o=Math.max(1,t.height/im);return E(()=>wt(r,s,o,n),[r,s,o,n])}function mm({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=Z(null),a=aa(o),i=di(a.width,a.height,n),c=um(e,i,t==="requests"&&!n?79:null),u=E(()=>n&&e?bi(e,c):null,[n,e,c]),m={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=mi(m),{cursor:h,on:_}=pi(m),g=p??(h&&!ci(h.from,h.to)?h:null),v=g&&kt(m,g),y=p?.isBase??r,k={box:!y&&v||We("box"),base:y&&v||We("base_box"),cells:[n?null:d?.place,h?.to].filter(W=>W!=null)},w=W=>{u?vi(W,c,i,u):e&&hi(W,c,i,t),gi(W,c,i,k)},{column:T,row:A}=d?.place??{};ia(o,a,w,[c,u,b.value,r,p,h,T,A]);let j=h&&kt(m,h);return l`<div class="heatmap">
    <canvas
      ref=${o}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${s}
      onFocus=${s}
      ...${f}
      ...${_}
    ></canvas>
    ${d&&l`<${lm} view=${m} hover=${d} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${j&&`${Hn(j)}: ${so(nt(c,j))}`}
    </div>
    ${e&&l`<${dm} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function pm({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>l`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&l` ${r(o)}${$(s)}`)}
    ${e>1&&l` to ${$(e)}`}</span
  >`}var fm=e=>`Counted by chunk: a ${Se(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function xi({data:e,unit:t,box:n,isBase:r}){let s=E(()=>wt(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${fm(t)}
    onClick=${()=>Vt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${Hn(n)}</b>${" "}
    ${so(nt(s,n))} by chunk <i>×</i>
  </button>`}function dm({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&l`<${pm} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[We("box"),We("base_box")];return l`<div class="legend">
    ${r?l`<${yi} unit=${t} />`:s}
    ${o&&l`<${xi} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&l`<${xi} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function hm({data:e,unit:t}){let[n,r]=P(!1),s=(a,i)=>{let c=yt([a]),[u,m]=[1,2].map(d=>a.reduce((f,h)=>f+h[d],0)),p=d=>x(tt(c,d));return l`<tr>
      <td>${ae(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${$(u)}</td>
      <td class="n">${$(m)}</td>
      <td class="n">${p(.5)}</td>
      <td class="n">${p(.99)}</td>
    </tr>`},o=[t,"kept","median","p99"].map(a=>l`<th class="n">${a}</th>`);return l`<details
    class="as-table"
    onToggle=${a=>r(a.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${n&&l`<div class="scroll" tabindex="0" role="region" aria-label=${`All ${t} by time`}>
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
  </details>`}function gm({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function ki({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=P(!1),c=b.value.params.get("view")==="rate",u=We("box"),{data:m}=e,p=E(()=>m&&l`<${hm} data=${m} unit=${n} />`,[m,n]),d=(h,_,g)=>l`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${_}
    </button>`,f=l`<${H} of=${m} />
    ${u&&l`<button class="plain" onClick=${()=>to(u)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${gm} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${I} url=${t} />`;return l`<${M}
    title=${`All ${n}`}
    note=${s}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${mm}
      data=${m}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${o}
    />
    ${p}
  <//>`}var bm=3;function $m({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Dt(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${qt} of=${n} />
      </p>`:null}function vm(e,t){return Lt({...e,from:e.from-t,to:e.to+t})}function _m({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=x(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?ni(wt(o,1/0,1/0),n).slice(0,bm):[],c=({recording:u,id:m},p)=>l`<a class="link" key=${m} href=${et(s,u,m)}>${p+1}</a>${" "}`;return l`<${F} title=${`No kept ${Se(s)} began in this box`}>
    <p>
      The heat map has ${$(r)} kept ones here: it counts a ${Se(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:vm(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function Si({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=E(()=>wt(e,1/0,1/0),[e]),a=pe(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),c=(g,v)=>Number(n.get(g)??v),u=a??{...eo(o),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:m,kept:p}=nt(o,u),d=He(n),f=Se(d),h=r[0];if(r.length===0)return l`<${qe} />`;let _=(g,v)=>l`<${F} title=${g}>${v}<//>`;return s?_(`No kept ${f} is like this`,"Take a condition away to see more."):m===0&&a?_(`No ${f} is in this box`,"Choose a coloured cell."):m===0&&i?_(`No ${f} is like this`,"Take a condition away, or look at a longer time."):m===0?_(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?l`<${_m}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${F} title=${`Nothing is kept of these ${$(m)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&l`<${$m} of=${h} />`}
  <//>`}var ym=12,io={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function lo(e,t){let n=e.get("sort");return io[t].some(([r])=>r===n)?n:io[t][0][0]}function wm({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function xm({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${x(e)}, ${q(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var ao=(e,t)=>new Set(e.map(t)).size>1,km={contexts:[{name:"blocked",cell:e=>l`<${xm} of=${e} />`},{name:"events",cell:e=>$(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>$(e.parts),isNumber:!0}]},Sm={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},Rm=e=>e[0]?ne(e[0].start):"";function Tm(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],s=ao(e,c=>be(c.start)),o=c=>l`<span title=${Pe(c.start)}>
      ${s?`${be(c.start).slice(5)} `:""}${ae(c.start)}
    </span>`,a=(c,u)=>[e.some(m=>m[c]>0),{name:c,title:u,cell:m=>m[c]>0?x(m[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[ao(e,c=>c.type),{name:"type",cell:c=>oe(c.type)}],[ao(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${Rm(e)}`,cell:o},{name:"duration",cell:c=>l`<b>${x(c.duration)}</b>`,isNumber:!0},...km[n],...i.flatMap(([c,u])=>c?[u]:[]),...r.slice(0,ym).map(c=>({name:c,cell:u=>Cm(u.attributes[c]),className:"cut"})),Sm[n]]}function Cm(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function Om({unit:e}){let t=io[e],n=lo(b.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>l`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function Ri({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,c=a.map(wm),u=He(n),m=l`<${H} of=${o.data} />
    <${Om} unit=${u} />
    <a href=${s}>events</a>
    <${Ue} query=${n} value=${b.value.params.get("value")??void 0} />
    <${I} url=${t} />`,p=pe(b.value.params.get("box")),d=p&&br(p),f=o.data&&`${$(c.length)} of ${$(o.data.matched)}`+(d?`, began ${ae(d.from,1e9)} to ${ae(d.to,1e9)}`:"");return l`<${M}
    title=${`Kept ${u}`}
    note=${f}
    tools=${m}
    answer=${o}
    className="requests"
  >
    ${c.length>0&&l`<${G}
        label=${`Kept ${u}`}
        columns=${Tm(c,r,u)}
        rows=${c}
        rowKey=${h=>h.recording+h.id}
        href=${h=>et(u,h.recording,h.id,h.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Ti=e=>e===null?"":x(e);function jn(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),s=r===null?"":$(Number(r.toPrecision(3)));return l`<span title=${`${$(n.all)} in all`}>${s}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function Wn(e){return[{name:"median",cell:t=>Ti(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${Ti(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${Ps} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${Cs} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${$(t.kept)} of ${$(t.all)}`}
          >${t.all>0?q(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var Pm=10,co=["http_route","http.route","route","endpoint"];function Mm(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!Xr(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>co.includes(s)?co.indexOf(s):co.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function Ci(e,t,n){let r=e?.types.find(o=>o.type===t);return(n===null?r:r?.values.find(o=>o.value===n))?.spark??[]}function Am(e,t,n){return e.flatMap(s=>{let{type:o,requests_in:a,requests_out:i,p50_ns:c,p99_ns:u,top:m}=s,p=s.attributes.find(g=>g.key===t)?.values??[];if(p.length===0){let g=Ci(n,o,null);return[{type:o,value:null,all:a,kept:i,p50_ns:c,p99_ns:u,spark:g,top:m}]}let d=p.map(({value:g,requests_in:v,requests_out:y,...k})=>{let{p50_ns:w,p99_ns:T,top:A}=k,j=Ci(n,o,g);return{type:o,value:g,all:v,kept:y,p50_ns:w,p99_ns:T,spark:j,top:A}}),f=d.reduce((g,v)=>g-v.all,a),h=d.reduce((g,v)=>g-v.kept,i),_={p50_ns:null,p99_ns:null,spark:[],top:null};return f>0?[...d,{type:o,value:null,all:f,kept:h,..._}]:d}).sort((s,o)=>o.all-s.all)}var uo=(e,t)=>`${e}=${t}`,Oi=e=>b.value.params.getAll("where").includes(e);function Nm(e,t){let n=uo(e,t),r=b.value.params.getAll("where").filter(s=>!s.startsWith(uo(e,"")));return he({where:Oi(n)?r:[...r,n]})}function Em({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&l` <span class="dim">${s}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=Oi(uo(t,r));return l`<a
      href=${Nm(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}function Lm(e,t,n){return[{name:e??"type",cell:r=>l`<${Em} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},jn(r=>t&&r.all/t),...Wn(({value:r,type:s})=>r??s)]}function Um({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Pi({answer:e,url:t,requests:n,query:r,tick:s,seconds:o}){let a=Mm(n),i=b.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=r!==null&&n.length>0,m=R(u?S("requests/series",r,{key:c}):null,s),p=Am(n,c,m.data),d=c===null||n.length>1,f=l`<${H} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${Um} keys=${a} chosen=${c} />`}
    <${I} url=${t} />`;return l`<${M}
    title="Routes"
    note=${p.length>0?`${$(p.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    ${p.length>0&&l`<${G}
        label="Routes"
        columns=${Lm(c,o,d)}
        rows=${p}
        rowKey=${h=>`${h.type} ${h.value}`}
        rowsFirst=${Pm}
      />`}
  <//>`}var Im=50,Bm=6n*3600000000000n,mo=60000000000n,Ai=["trace","thread","id"];function Dm({from:e,to:t}){let n=Ze.value?(e+mo-1n)/mo*mo:e;return{from:n<t?n:e,to:t}}function qm(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ai.some(r=>e.has(r))}function Fm({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return mn(BigInt(e),t,s,r)}function Hm({data:e,seconds:t,jvms:n,unit:r}){let s=yt(e.columns),o=m=>{let p=tt(s,m);return p===null?"-":x(p)},a=m=>(n?.recordings??[]).reduce((p,d)=>p+m(d),0),i=a(m=>m.bytes_out),c=a(m=>m.bytes_in),u=(m,p,d="")=>l`<span title=${d}><b>${m}</b>${p}</span>`;return l`<div class="facts">
    ${u(`${$(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${$(e.all)}`)}
    ${n&&u($(n.recordings.length),"JVMs","that ran in this time")}
    ${u(o(.5),"median")} ${u(o(.99),"p99")}
    ${u(e.all>0?q(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${c>0&&u(`${me(i)} of ${me(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function jm(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return he({value:n?e:null,frame:t!==null?Ln(t):n?null:Ln(r),zoom:null})}function Wm({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=b.value,a=Ft(pt(b.value,J.value),n),i=Ft(gs(b.value,J.value),n),c=o.has("box")&&Ze.value?0:N.value,u=["box","where","min_duration_ns","max_duration_ns",...Ai].some(T=>o.has(T)),p=i.has("base")||o.has("base_box")||!u?i:ee(i,{base:"rest"}),d=o.has("base_box")?"other box":"rest",f=S(n,Ft(a,"contexts"),{sort:lo(o,n)}),h=gn(f,Im,c),_=R(In(i),c),{data:g}=h.answer;if(g?.matched===0&&!g.is_truncated&&e.data)return l`<section>
      <${Si}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let v=new Map(r.map(T=>[T.id,T.instance])),k={service:a.get("service"),sort:null,view:null,unit:null,key:null},w=o.has("box")&&n==="contexts"?le(fe("e"),ee(a,{zone:o.get("zone")})):le(fe("e"),ee(o,{...k,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Dn} query=${p} against=${d} tick=${c} hrefOf=${jm} />
      <${Xa} query=${p} tick=${c} against=${`the ${d}`} />
      <${Ma} url=${In(i)} answer=${_} />
    </div>
    <${vt} query=${i} tick=${c} whole=${_} />
    <${Ri}
      pages=${h}
      url=${f}
      query=${a}
      instances=${v}
      eventsHref=${w}
    />`}function Vm(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Mi(e,t,n){let r=h=>S("contexts/heatmap",e,{fine:"1",...h}),s=r({}),o=n&&t&&!e.has("where"),a=R(o?s:null,N.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,N.value),u=a.data?a:c,{data:m}=u,p=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,d=r({where:null}),f=R(p?d:null,N.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:u,heatUrl:s,isOfAll:!1}}function Km(e,t){let n=oa(b.value.params),r=n!=="contexts",s=Mi(Ft(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=Mi(e,t,i);return i?{...c,unit:"contexts"}:{...s,unit:"requests"}}function Gm(e){let[t,n]=P(!1);return ue(()=>{e&&n(!0)},[e]),t}function Ni(){let{params:e}=b.value,{from:t,to:n}=J.value,r=Dm(J.value),s=bs(b.value,r),[o,a]=P(!1),{heat:i,heatUrl:c,isOfAll:u,unit:m}=Km(s,o),p=Gm(i.data!==null||i.problem!==null),d=ee(s,{where:null,context:null}),f=S("contexts/types",d),h=R(m==="requests"||p?f:null,N.value),_=h.data?.requests??[],g=i.data&&Fm(i.data,r),v=ee(d,{recording:null}),y=R(p?S("recordings",v):null,N.value),k=y.data?.recordings??[],w=u||qm(e,s),T=n-t<=Bm||e.get("whole")==="1"||pe(e.get("box"))!==null||e.has("trace"),A=mt(b.value),j=[{name:"services",href:D([])},{name:A===null?"all":we(A)}],W=i.data?.all===0&&y.data!==null&&k.length===0;return l`<${re} crumbs=${j}>
    ${i.data?l`<${Hm} data=${i.data} seconds=${g} jvms=${y.data} unit=${m} />`:i.isLoading&&l`<div class="facts"><${xr} lines=${2} /></div>`}
    <${Za}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(Me=>Me.instance))]}
    />
    ${m==="requests"&&l`<${Pi}
        answer=${h}
        url=${f}
        requests=${_}
        query=${p?d:null}
        tick=${N.value}
        seconds=${g}
      />`}
    ${!W&&l`<${ki}
        answer=${i}
        url=${c}
        unit=${m}
        isEither=${_.length>0}
        note=${Vm(i.data,w)}
        onPoint=${()=>a(!0)}
      />`}
    ${p&&T&&l`<${Wm}
        key=${m}
        heat=${i}
        heatUrl=${c}
        unit=${m}
        recordings=${k}
        isNarrowed=${w}
      />`}
    ${p&&!T&&l`<section>
        <${F} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function zm(e,t){return[{name:"service",cell:r=>l`<b>${we(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>$(r.jvms),isNumber:!0,sort:r=>r.jvms},jn(({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?mn(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${$(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...Wn(({service:r})=>r)]}function Ei(){let{from:e,to:t}=J.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),s=R(r,N.value),o=(s.data?.services??[]).map(sa),a=l`<${G}
    label="Services"
    columns=${zm(s.data,J.value)}
    rows=${o}
    rowKey=${u=>u.service}
    href=${u=>D(["s",u.service])}
  />`,i=s.data!==null&&o.length===0,c=l`<${H} of=${s.data} /><${I} url=${r} />`;return l`<${re}>
    <${M}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&l`<${qe} />`}
    <//>
  <//>`}function Xm({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((c,u)=>c.startsWith("attr.")&&o[u]!==null&&o[u]!==r?[`${c.slice(5)}=${o[u]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function Jm({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${x(n)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(s=>l`<tr class="opens" key=${s.recording+s.id}>
              <td title=${`${s.instance}, ${s.thread}`}>
                <a href=${Oe(s.recording,s.id,t+BigInt(Math.round(s.start)))}
                  ><b>${s.service}</b></a
                >
                <small class="dim"> ${s.thread}</small>
              </td>
              <td title=${s.attributes}>
                ${oe(s.type)} <small class="dim">${s.attributes}</small>
              </td>
              <td class="n dim">+${x(s.start)}</td>
              <td class="n">${x(s.duration)}</td>
              <td
                class="axis"
                title=${`${x(s.blocked)} of ${x(s.duration)} blocked`}
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
  </div>`}var Ym=e=>e===null?"":Pe(BigInt(e));function Li({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Ym(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Zm({of:e}){return e.state==="eliminated"?l`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Li} of=${e} />
      <//>`:l`<${F} title="Not seen">
        No context of this trace is known here. <${Li} of=${e} />
      <//>`}function Ui(){let e=b.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=r?Xm(r,e):[],o=BigInt(r?.t0_ns??"0"),a=Qm(e,o,s),i=new Set(s.map(p=>p.service)).size,c=new Set(s.map(p=>p.recording)).size,u=l`<${H} of=${r} /><${_n} trace=${e} />
    ${s.length>0&&l`<${Ue} query=${a} />`} <${I} url=${t} />`,m=s.length>0&&`${Te(s.length,"context")} kept, ${Te(i,"service")}, ${Te(c,"JVM")}, from ${Pe(o)}`;return l`<${re} crumbs=${[{name:`trace ${e}`}]}>
    <${M} title="Trace" note=${m} tools=${u} answer=${n}>
      ${s.length>0&&l`<${Jm} rows=${s} first=${o} />`}
      ${r&&s.length===0&&l`<${Zm} of=${r} />`}
    <//>
    ${s.length>0&&l`<${Dn} query=${a} tick=${N.value} />
        <${vt} query=${a} tick=${N.value} />`}
  <//>`}function Qm(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function Ii(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(S(o,new URLSearchParams,{from:s})),{data:i}=a,c=i?.parts[0];ue(()=>{if(i&&c){let m=BigInt(i.t0_ns)+BigInt(Math.round(c.start));de(Oe(n,c.id,m),!0)}},[i]);let u=[{name:"services",href:D([])},{name:"request"}];return l`<${re} crumbs=${u}>
    <${M} title="Request" note=${r} answer=${a}>
      ${i&&!c&&l`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function ep([e]){switch(e){case void 0:return Ei;case"c":return Ga;case"e":return Qs;case"q":return Ii;case"r":return ra;case"s":return Ni;case"t":return Ui;default:return ta}}var tp={s:"all services",e:"events",r:"recordings"};function np(){let{path:e}=b.value;return ce.value===null?null:ce.value.is_needed&&ce.value.identity===null?l`<${ea} />`:l`<${ep(e)} key=${e.join("/")} /> <${xs} />`}Ko();ms();fs();as();ns();ws();_e(()=>{let{path:e}=b.value,[t,...n]=e,r=n.length===0?tp[t??""]??t:we(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});ko(l`<${np} />`,document.body);})();
