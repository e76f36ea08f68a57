"use strict";(()=>{var L,po,Kn,Ae,Wn,Jt,ho,zt,go,Gn,Vn,Ni,Rt=Symbol.for("pv"),Yt={},Zt=[],Ei=/^m(i|n|o|s|text|space)$/,zn=Array.isArray,Xn=Zt.slice,Ke=Object.assign;function Ve(e){e&&e.parentNode&&e.remove()}function Qt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Xn.call(arguments,2):n),St(e,a,r,s,null)}function St(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Rt,__v:s||++po,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function Ge(e){return e.children}function nt(e,t){this.props=e,this.context=t,this.__g=0}function Ne(e,t){if(t==null)return e.__&&Ne(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ne(e)}function Li(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Ke({constructor:Rt},n)).__v=n.__v+1,L.vnode&&L.vnode(t),Jn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Ne(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,wo(s,t,o),n.__=n.__e=null,t.__e!=r&&bo(t))}function bo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),bo(e)}function mo(e){(8&e.__g||(e.__g|=8,Ae.push(e),Jt++))&&Wn==L.debounceRendering||((Wn=L.debounceRendering)||queueMicrotask)($o)}function $o(){try{for(var e,t=1;Ae.length;)Ae.length>t&&Ae.sort(ho),e=Ae.shift(),t=Ae.length,8&e.__g&&Li(e)}finally{(Jt=Ae.length)&&(Wn||queueMicrotask)($o)}}function vo(e,t,n,r,s,o,a,i,c,m,u){var f,d,p,h,_,g,v=r.__k||Zt,y=t.length;for(c=Ui(n,t,v,c,y),f=0;f<y;f++)(p=n.__k[f])!=null&&(d=~p.__i&&v[p.__i]||Yt,p.__i=f,g=Jn(e,p,d,s,o,a,i,c,m,u),h=p.__e,(d.ref!=p.ref||8&d.__u)&&(d.ref&&Yn(d.ref,null,p,d),p.ref&&u.push(p.ref,p.__c||h,p)),_=_||h,4&p.__u?(c=_o(p,c,e,!d.__v),d.__e&&(d.__e=null)):typeof p.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),p.__u&=-21);return n.__e=_,c}function Ui(e,t,n,r,s){var o,a,i,c,m,u,f,d,p,h=n.length,_=h,g=0,v=0,y=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[o]=St(null,a):zn(a)?a=y[o]=St(Ge,{children:a}):a.constructor===Rt&&a.__b?a=y[o]=St(a.type,a.props,a.key,a.ref,a.__v):y[o]=a,c=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Ii(a,n,c,_))&&(_--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==c-1?g--:m==c+1?g++:m!=c&&(m>c?g--:g++,v=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):y[o]=null;if(v){for(u=[],f=[],o=0;o<s;o++)if((a=y[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[p=g+d>>1]<a.__i?g=p+1:d=p;u[g]=a.__i,f[o]=g+1}for(g=u.length;o--;)f[o]&&(f[o]==g?g--:y[o].__u|=4)}if(_)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Ne(i)),Zn(i,i));return r}function _o(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=_o(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ne(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ii(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&o==null||c&&o==i.key&&a==i.type)return n;if(r>(c?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function fo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Gt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||fo(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||fo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Vn[t]||(Vn[t]=Bi(t)),(e.__a||(e.__a={}))[t]=Gn,o=t!=(t=t.replace(go,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Bi(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[zt]==null)t[zt]=Gn++;else if(t[zt]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function Jn(e,t,n,r,s,o,a,i,c,m){var u,f,d,p,h,_,g,v,y,k,w,R,A,V,j,Me,O,B,Y=t.type;if(t.constructor!==Rt)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,f=o=[],u.nodeType==8?i=Xt(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof Y=="function"){d=a.length;try{if(v=t.props,y=(u=Y.prototype)&&u.render,k=(u=Y.contextType)&&r[u.__c],w=u?k?k.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(y?t.__c=p=new Y(v,w):(t.__c=p=new nt(v,w),p.constructor=Y,p.render=qi),k&&k.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),y&&(p.__s||(p.__s=p.state),Y.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=Ke({},p.__s)),Ke(p.__s,Y.getDerivedStateFromProps(v,p.__s)))),h=p.props,_=p.state,p.__v=t,n.__c){if(v!==h&&y&&!Y.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(v,w),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(v,p.__s,w)===!1){t.__v!=n.__v&&(p.props=v,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(K){K&&(K.__=t)}),Zt.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&a.push(p),i=Ne(n);break e}p.componentWillUpdate&&p.componentWillUpdate(v,p.__s,w),y&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(h,_,g)})}else y&&!Y.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),y&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=w,p.props=v,p.__P=e,p.__g&=-5,R=L.__r,A=y?25:0;do p.__g&=-9,R&&R(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++A<25);y&&(Zt.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=Ke({},r,p.getChildContext())),y&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(h,_)),V=u&&u.type===Ge&&u.key==null?u.props.children:u,v.__P&&(u=i,s=(e=v.__P).namespaceURI,c=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(K){K&&Zn(K,K)}),n.__k=null),i=n.__k?Ne(n,0):null),i=vo(e,zn(V)?V:[V],t,n,r,s,o,a,i,c,m),v.__P&&(t.__e=null,i=u),t.__u&=-161,f&&f.some(Ve),p.__h.length&&a.push(p),1&p.__g&&(p.__g&=-4)}catch(K){if(a.length=d,t.__v=null,c||o)if(K&&K.then){if(t.__u|=128|c,o){for(~(O=o.indexOf(i||void 0))||(O=o.length);(B=o[O-1])&&B.nodeType==8;)O--;for(;O<o.length;O++)if(B=o[O])if(o[O]=null,j){if(B==Me)break}else{if(B.nodeType!=8)break;B.data.startsWith("$s")&&(Me=Xt(j=B))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(u=Xt(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Ve);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),K&&K.then||yo(t),L.__e(K,t,n)}}else i=t.__e=Di(n.__e,t,n,r,s,o,a,c,m,e);return(u=L.diffed)&&u(t),i}function Xt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function yo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(yo))}function wo(e,t,n){for(var r=0;r<n.length;)Yn(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Di(e,t,n,r,s,o,a,i,c,m){var u,f,d,p,h,_,g,v,y=n.props||Yt,k=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(v=m.ownerDocument||document,!w)return v.createTextNode(k);e=v.createElementNS(s,w,k.is?k:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&k.defaultValue!=null?null:o&&Xn.call(m.childNodes),!i&&o)for(y={},u=0;u<e.attributes.length;u++)y[(h=e.attributes[u]).name]=h.value;for(u in y)h=y[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in k||u=="value"&&"defaultValue"in k||u=="checked"&&"defaultChecked"in k||Gt(e,u,null,h,s);for(u in k)h=k[u],u=="children"?p=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?_=h:u=="checked"?g=h:i&&typeof h!="function"||y[u]===h||Gt(e,u,h,y[u],s);f?(i||d&&(f.__html==d.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Ei.test(w))&&(s="http://www.w3.org/1999/xhtml"),vo(m,zn(p)?p:[p],t,n,r,s,o,a,o?o[0]:n.__k&&Ne(n,0),i,c),o&&o.some(Ve)),i&&w!="textarea"||(u="value",w=="progress"&&_==null?e.removeAttribute(u):_==null||_===e[u]&&(w!="progress"||_)||Gt(e,u,_,y[u],s),u="checked",g!=null&&g!=e[u]&&Gt(e,u,g,y[u],s))}else y===k||i&&e.data==k||(e.data=k);return e}function Yn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function Zn(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Yn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Zn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Xt(r,o=[]))&&(r==e.__e&&o.some(Ve),Ve(s),Ve(r)),n||Ve(e.__e),e.__e=e.__c=e.__=null}function qi(e,t,n){return this.constructor(e,n)}function xo(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=St(Ge,{children:[e]}),s=[],o=[],Jn(t,t.__k,r||Yt,Yt,t.namespaceURI,r?null:t.firstChild?Xn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),wo(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Jt=0,e}},po=0,Kn=function(e){return e!=null&&e.constructor===Rt},nt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ke({},this.state)),typeof e=="function"&&(e=e(Ke({},n),this.props)),e&&(Ke(n,e),this.__v&&(t&&this.__k.push(t),mo(this)))},nt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),mo(this))},nt.prototype.render=Ge,Ae=[],Jt=0,ho=function(e,t){return e.__v.__b-t.__v.__b},zt=Symbol(),go=/(PointerCapture)$|Capture$/i,Gn=0,Vn={},Ni=0;var rt,X,Qn,ko,er=Object.is,Ct=0,No=[],tr=[],z=L,So=z.__b,Ro=z.__r,To=z.diffed,Co=z.__c,Oo=z.unmount,Po=z.__;function en(e,t){z.__h&&z.__h(X,e,Ct||t),Ct=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return Ct=1,Fi(Eo,e)}function Fi(e,t,n){var r=en(rt++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Eo(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);er(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var c=this.__H;if(!c)return!0;var m=!1,u=this.props!=o;if(c.__.some(function(d){d.__N&&(m=!0,er(d.__[0],d.__N[0])||(u=!0))}),s){var f=s.call(this,o,a,i);return m?f||u:f}return!m||u}}return r.__}function ue(e,t){var n=en(rt++,3);!z.__s&&rr(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function xe(e,t){var n=en(rt++,4);!z.__s&&rr(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function Z(e){return Ct=5,E(function(){return{current:e}},[])}function E(e,t){var n=en(rt++,7);return rr(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function tn(e,t){return Ct=8,E(function(){return e},t)}function Hi(){var e;do{for(;e=tr.shift();)try{Tt(e)}catch(n){z.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=No.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Tt),t.__h.some(nr),t.__h=[]}catch(n){t.__h=[],z.__e(n,e.__v)}}}while(tr.length)}z.__b=function(e){X=null,So&&So(e)},z.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Po&&Po(e,t)},z.__r=function(e){Ro&&Ro(e),rt=0;var t=(X=e.__c).__H;t&&(Qn==X?X.__h=[]:(t.__h.some(Tt),t.__h.some(nr),rt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Qn=X},z.diffed=function(e){To&&To(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ao(No.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Qn=X=null},z.__c=function(e,t){t.some(function(n){try{n.__h.some(Tt),n.__h=n.__h.filter(function(r){return!r.__||nr(r)})}catch(r){n.__h=[function(){throw r}]}}),Co&&Co(e,t)},z.unmount=function(e){Oo&&Oo(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Ao(tr.push(s))}else Tt(s)}catch(o){t=o}}),r.__H=void 0,t&&z.__e(t,r.__v))};var Mo=typeof requestAnimationFrame=="function";function ji(e){var t,n=function(){clearTimeout(r),Mo&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Mo&&(t=requestAnimationFrame(n))}function Ao(e){e!=1&&ko==z.requestAnimationFrame||((ko=z.requestAnimationFrame)||ji)(Hi)}function Tt(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function nr(e){var t=X;e.__c=e.__(),X=t}function rr(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!er(n,e[r])})}function Eo(e,t){return typeof t=="function"?t(e):t}var Wi=Symbol.for("preact-signals");function sn(){if(Re>1)Re--;else{var e,t=!1;for((function(){var s=rn;for(rn=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();Pt!==void 0;){var n=Pt;for(Pt=void 0,nn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Uo(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(nn=0,Re--,t)throw e}}function sr(e){if(Re>0)return e();or=++Vi,Re++;try{return e()}finally{sn()}}var Ot,W=void 0;function Mt(e){var t=W,n=Ot;W=void 0,Ot=void 0;try{return e()}finally{W=t,Ot=n}}var Pt=void 0,Re=0,nn=0,Vi=0,or=0,rn=void 0,on=0;function Lo(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Q(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Q.prototype.brand=Wi;Q.prototype.h=function(){return!0};Q.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Mt(function(){var r;(r=t.W)==null||r.call(t)}))};Q.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Mt(function(){var s;(s=t.Z)==null||s.call(t)}))}};Q.prototype.subscribe=function(e){var t=this;return _e(function(){var n=t.value;Mt(function(){return e(n)})},{name:"sub"})};Q.prototype.valueOf=function(){return this.value};Q.prototype.toString=function(){return this.value+""};Q.prototype.toJSON=function(){return this.value};Q.prototype.peek=function(){var e=this;return Mt(function(){return e.value})};Object.defineProperty(Q.prototype,"value",{get:function(){var e=Lo(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(nn>100)throw new Error("Cycle detected");(function(n){Re!==0&&nn===0&&n.l!==or&&(n.l=or,rn={S:n,v:n.v,i:n.i,o:rn})})(this),this.v=e,this.i++,on++,Re++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{sn()}}}});function te(e,t){return new Q(e,t)}function Uo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Io(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Bo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function ze(e,t){Q.call(this,void 0,t),this.x=e,this.s=void 0,this.g=on-1,this.f=4}ze.prototype=new Q;ze.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===on))return!0;if(this.g=on,this.f|=1,this.i>0&&!Uo(this))return this.f&=-2,!0;var e=W;try{Io(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,Bo(this),this.f&=-2,!0};ze.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Q.prototype.S.call(this,e)};ze.prototype.U=function(e){if(this.t!==void 0&&(Q.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ze.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ze.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Lo(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ke(e,t){return new ze(e,t)}function Do(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Re++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,ar(e),r}finally{W=n,sn()}}}function ar(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Do(e)}function Ki(e){if(W!==this)throw new Error("Out-of-order effect");Bo(this),W=e,this.f&=-2;try{8&this.f&&ar(this)}finally{sn()}}function ot(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Ot&&Ot.push(this)}ot.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};ot.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Do(this),Io(this),Re++;var e=W;return W=this,Ki.bind(this,e)};ot.prototype.N=function(){2&this.f||(this.f|=2,this.u=Pt,Pt=this)};ot.prototype.d=function(){this.f|=8,1&this.f||ar(this)};ot.prototype.dispose=function(){this.d()};function _e(e,t){var n=new ot(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var qo,ln,an,Gi=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Fo=[];_e(function(){qo=this.N})();function st(e,t){L[e]=t.bind(null,L[e]||function(){})}function At(e){if(an){var t=an;an=void 0,t()}an=e&&e.S()}function Ho(e){var t=this,n=e.data,r=Xi(n);r.name="ReactiveDom",r.value=n;var s=E(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var m=ke(function(){var p=r.value.value;return p===0?0:p===!0?"":p||""}),u=ke(function(){return!Array.isArray(m.value)&&!Kn(m.value)}),f=_e(function(){if(this.N=jo,u.value){var p=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=p)}}),d=t.__$u.d;return t.__$u.d=function(){f(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}Ho.displayName="ReactiveTextNode";Object.defineProperties(Q.prototype,{constructor:{configurable:!0,value:Qt(Ge,null).constructor},type:{configurable:!0,value:Ho},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});st("__b",function(e,t){if(At(),ln=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Q&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});st("__r",function(e,t){if(e(t),t.type!==Ge){At();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return _e(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;Gi&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),ln=r,At(n)}});st("__e",function(e,t,n,r){At(),ln=void 0,e(t,n,r)});st("diffed",function(e,t){At(),ln=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var c in r){var m=o[c],u=r[c];m===void 0?(m=zi(n,c,u,s),o[c]=m):m.o(u,s)}}}e(t)});function zi(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=te(n);return{o:function(a,i){o.value=a,r=i},d:_e(function(){this.N=jo;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}st("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});st("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});nt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Xi(e,t){return E(function(){return te(e,t)},[])}var Ji=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Yi(){sr(function(){for(var e;e=Fo.shift();)qo.call(e)})}function jo(){Fo.push(this)===1&&(L.requestAnimationFrame||Ji)(Yi)}function Zi(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var Wo=globalThis.document?.currentScript,ye=Wo?Zi(Wo.src):"";function ir(e,t=ye){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var Qi=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function el(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function tl(e){return ir(e).split("/").filter(t=>t!=="").map(el)}function lr(){return{path:tl(location.pathname),params:new URLSearchParams(location.search)}}var b=te({path:[],params:new URLSearchParams});function pe(...e){return ye+"/"+e.map(Qi).join("/")}function ee(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function le(e,t){let n=t.toString();return n===""?e:e+"?"+n}function de(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=lr()}function C(e,t=!1){de(le(location.pathname,ee(b.value.params,e)),t)}function he(e){return le(pe(...b.value.path),ee(b.value.params,e))}function nl(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function D(e,t={}){return le(pe(...e),ee(nl(b.value.params),t))}function rl(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith(ye+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(ir(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),de(t.pathname+t.search),scrollTo(0,0))}function Vo(){addEventListener("popstate",()=>b.value=lr()),addEventListener("click",rl),b.value=lr()}function Nt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function x(e){if(e<0)return"-"+x(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):Nt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ol={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Ko(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*ol[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function me(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Nt(t))+" "+n;t/=1e3}return Nt(t)+" TB"}function $(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Nt(e/1e6)+" M":Nt(e/1e9)+" G"}function Te(e,t){return`${$(e)} ${t}${e===1?"":"s"}`}function q(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ge(e,t){return t==="ns"?x(e):t==="bytes"?me(e):$(e)}function we(e){return e||"(no name)"}function oe(e){return e.slice(e.lastIndexOf(".")+1)}function Ee(e){return e.split(".").slice(-2).join(".")}var zo=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,zo(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},Go=new Map;function Xo(e){var t=Go.get(this);return t||(t=new Map,Go.set(this,t)),(t=zo(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",c=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):o===3&&(d||a)?(c.push(3,d,a),o=2):o===2&&a==="..."&&d?c.push(4,d,0):o===2&&a&&!d?c.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(c.push(o,0,a,s),o=6),d&&(c.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var f=0;f<n[u].length;f++)r=n[u][f],o===1?r==="<"?(m(),c=[c],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][f+1]===">")?(m(),o===3&&(c=c[0]),o=c,(c=c[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,c=c[0])}return m(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Xo.bind(Qt);function sl(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function at(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await sl(s*1e3,t.signal)}}async function Xe(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ce=te(null),Et=te(!1),Jo=ye+"/api/v1/login",Yo={"loupe-page":"1"},Zo=e=>`the collector cannot be reached: ${String(e)}`;async function Qo(e){if(!e.ok)return Xe(e);let t=await e.json();return ce.value={is_needed:t.is_needed,identity:t.identity},null}async function es(e,t={}){try{return await Qo(await fetch(Jo,{method:e,headers:{...Yo,...t}}))}catch(n){return Zo(n)}}async function ts(){await at(Jo,{headers:Yo}).then(Qo).catch(Zo)!==null&&(ce.value={is_needed:!1,identity:null})}async function ns(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await es("POST",{authorization:`Bearer ${e}`});return Et.value&&=t!==null,t}async function rs(){let e=await es("DELETE");return Et.value&&=e!==null,e}function os(){Et.value||=ce.value?.identity!=null,ce.value={is_needed:!0,identity:null}}var cn=te(!1);function ss(){let e=matchMedia("(max-width: 640px)"),t=()=>cn.value=e.matches;e.addEventListener("change",t),t()}var cr=0;function as(){return cr>0}async function al(e,t){let n=await at(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&os();let o=r?await n.json():null,a=r?null:await Xe(n);return{data:o,problem:a,status:s,isLoading:!1}}function T(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=P(n);return xe(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:f})=>u.problem===null||a(u)?u:{...u,data:f}),c=u=>{let f=`the collector cannot be reached: ${String(u)}`;i({...n,problem:f,isLoading:!1})},m=u=>f=>o.signal.aborted||u(f);return cr++,al(e,o.signal).then(m(i),m(c)).finally(()=>cr--),()=>o.abort()},[e,t]),r}var il={s:1,m:60,h:3600,d:86400};function Le(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*il[t[2]])*1000000000n:null}function ur(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}function Je(e,t){let n=Le(e);return n===null?ur(e):t-n}var ls=["5m","15m","1h","6h","1d","7d","30d"],is="1h",ll=5e3,cs=()=>BigInt(Date.now())*1000000n,N=te(cs());function mr(){N.value=cs()}var un=ke(()=>{let e=b.value.params.get("last")??is;return Le(e)===null?is:e}),Ye=ke(()=>b.value.params.get("live")==="1"),J=ke(()=>{let{params:e}=b.value,t=Je(e.get("to")??"",N.value)??N.value,n=Je(e.get("from")??"",N.value);return{from:n!==null&&n<t?n:t-Le(un.value),to:t}}),cl=18e10;function mn(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=cl;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function us(){let e=0;_e(()=>{if(clearInterval(e),Ye.value){let t=()=>document.hidden||as()||mr();e=window.setInterval(t,ll)}})}var Ce=te(0),fr=new Map;function U(e){let t=fr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),fr.set(e,t)),t}function it(e){return`${U("t1")} ${U(e)}`}function pr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function ms(e,t,n){let r=pr(t);return"#"+pr(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var ul=.2;function lt(e){let[t,n,r]=pr(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>ul?"#101113":"#ffffff"}function fs(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{fr=new Map,Ce.value++})}var ml=["recording","instance","context","where","trace","thread","id"],fl=["recording","instance","context"],pl=["min_duration_ns","max_duration_ns"];function ct(e){return/^\d{1,19}$/.test(e)}function fe(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Lt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function dr(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function hr(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var ps=30000000000n;function gr({from:e,to:t}){let n=(t-e)/2n<ps?(t-e)/2n:ps;return{from:e-n,to:t+n}}function ds(e,t,n=""){hr(e,gr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function ut({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function mt(e,t){let n=new URLSearchParams,r=ut(e);r!==null&&n.set("service",r),dr(n,e.params,ml);let s=fe(e.params.get("box"));if(s)ds(n,s);else{hr(n,t);for(let o of pl)e.params.getAll(o).filter(ct).forEach(a=>n.append(o,a))}return n}function hs(e,t){let n=mt(e,t),r=fe(e.params.get("base_box"));if(!r)return dr(n,e.params,["base"]),n;ds(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function gs(e,t){let n=new URLSearchParams,r=ut(e);r!==null&&n.set("service",r),dr(n,e.params,fl),hr(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return le(ye+"/api/v1/"+e,ee(t,n))}function Ze({text:e,label:t,title:n,className:r="",children:s}){let o=Z(null),[a,i]=P(!1),c=()=>i(!1);ue(()=>{if(!a)return;let f=({target:p})=>o.current.contains(p)||c(),d=p=>{p.key==="Escape"&&(p.stopPropagation(),c(),o.current.querySelector("summary").focus())};return addEventListener("pointerdown",f,!0),addEventListener("focusin",f),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",f,!0),removeEventListener("focusin",f),removeEventListener("keydown",d,!0)}},[a]);let m=({target:f})=>f.closest("a")&&c(),u=({currentTarget:f})=>i(f.open);return l`<details
    class=${`menu ${r}`}
    ref=${o}
    open=${a}
    onToggle=${u}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${m}>${s(c)}</div>`}
  </details>`}function fn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function dl(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,c])=>` \\
  --data-urlencode ${fn(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${fn(t+r)}${o.join("")}`}async function hl(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function I({url:e}){return e===null?null:l`<${Ze} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${gl} url=${e} />`}
      <//>`}function gl({url:e}){let[t,n]=P(!1),r=dl(e,location.origin,ce.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:o})=>{await hl(r,o),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var bl=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ue({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(m,u)=>S(u,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(u)?s:{}}),a=S("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return l`<${Ze} text="download">${()=>l`${bl.map(([m,u,f])=>l`<a href=${o(m,u)} download title=${f}
            >${m}<small>${f}</small></a
          >`)}
      <a href=${ye+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function bs(e){return`${ye}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var Ut=te(null),ft=te([]),$s={accept:"application/json"};async function $l(e){let t=await at(S("collector",new URLSearchParams),{headers:$s});if(!t.ok)return Xe(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${fn(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...$s,"loupe-page":"1"},body:e});return n.ok?await n.json():Xe(n)}var _s=(e,t)=>ft.value=[...ft.value,{name:e,text:t}];function vl(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&_s(e,`not all of it is shown: ${t.join("; ")}${r}`)}function _l(e){let t=new Set(e.map(o=>o.service)),n=(o,a)=>BigInt(o)<BigInt(a)?o:a,r=(o,a)=>BigInt(o)<BigInt(a)?a:o,s=new URLSearchParams({from:e.map(o=>o.from_ns).reduce(n),to:e.map(o=>o.to_ns).reduce(r)});return le(t.size===1?pe("s",...t):pe(),s)}async function yl(e){let t=[];for(let n of e){Ut.value=n.name;let r=await $l(n).catch(s=>`it cannot be sent: ${String(s)}`);typeof r=="string"?_s(n.name,r):(t.push(r),vl(n.name,r))}Ut.value=null,t.length>0&&de(_l(t))}var vs=Promise.resolve();function wl(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function xl(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),vs=vs.then(()=>yl(t)))}function ys(){addEventListener("dragover",wl),addEventListener("drop",xl)}function ws(){return Ut.value===null&&ft.value.length===0?null:l`<div class="upload">
    <div>
      ${ft.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${Ut.value!==null&&l`<p role="status">Reading ${Ut.value} …</p>`}
    </div>
    ${ft.value.length>0&&l`<button onClick=${()=>ft.value=[]}>close</button>`}
  </div>`}var kl={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Sl={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function se(e){let t=e.startsWith("other: ")?e.slice(7):e;return kl[e]??{name:t,token:"other"}}function pt(e){return Sl[e]??"other: other"}function pn(e){return e==="."?null:se(pt(e))}var Rl={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Ie(e){return(e.startsWith("jdk.")?Rl[e.slice(4)]:void 0)??"other: "+e}var Tl=/^(java|javax|jdk|sun|com\.sun)\./;function dt(e){return Tl.test(e)}function Oe(e,t,n){return Qe("contexts",e,t,n)}function Qe(e,t,n,r){return D([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function dn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function hn({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var Cl=1e3,xs=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Ol(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&xs(e.url)===xs(t)?Math.min(Cl,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function gn(e,t,n){let[r,s]=P([]),[,o]=P(""),a=Z({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Ol(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:m}=a.current,u=c?`&cursor=${encodeURIComponent(c)}`:"",f=T(`${e}&limit=${i}${u}`,n);ue(()=>{f.data&&!f.isLoading&&s([...m,...hn(f.data)])},[f.data]);let d=f.isLoading?null:f.data?.next??null;return{answer:f,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}function ie({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${se(e).token})`}}
  ></span>`}function Ss({of:e}){return e&&l`<${ie} category=${e.category} />${se(e.category).name}
      <span class="dim"> ${q(e.share)}</span>`}var Pl=.07,Ml=.16;function Rs({parts:e,total:t,each:n}){let r=e.filter(m=>m.total_ns>0),s=m=>m.total_ns/Math.max(1,t),o=m=>se(m.category).name,a=m=>s(m)<Pl?"":s(m)<Ml?o(m):`${o(m)} ${n(m)}`,i=m=>Ce.value>=0&&lt(U(se(m.category).token)),c=r.map(m=>`${o(m)} ${q(s(m))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(m=>l`<span
          key=${m.category}
          title=${`${o(m)} ${n(m)}, ${q(s(m))}`}
          style=${{flexGrow:s(m),background:`var(--${se(m.category).token})`,color:i(m)}}
          >${a(m)}</span
        >`)}
  </div>`}var ks=120,br=22;function Ts({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*ks,c=br-1-o/n*(br-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(s?"":"h1"),s=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${ks} ${br}"
  >
    <path d=${r} />
  </svg>`}var Cs="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",Os=e=>Je(e,0n)!==null,Ps="FROM,TO,MIN,MAX, all in nanoseconds",$r=e=>t=>e.includes(t),Ms={from:[Os,Cs],to:[Os,Cs],last:[e=>Le(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[ct,"a number of nanoseconds"],max_duration_ns:[ct,"a number of nanoseconds"],box:[e=>fe(e)!==null,Ps],base_box:[e=>fe(e)!==null,Ps],unit:[$r(["requests","contexts"]),"requests or contexts"],live:[$r(["1"]),"1"],zone:[$r(["utc"]),"utc"]};function It(e,t){return Ms[e]?.[0](t)??!0}function As(e,t){let n=[...e].filter(([i,c])=>!It(i,c)).map(([i,c])=>({name:i,value:c,wanted:Ms[i][1]})),[r,s]=[e.get("from")??"",e.get("to")??""],[o,a]=[Je(r,t),Je(s,t)];return o!==null&&a!==null&&o>=a?[...n,{name:"from",value:r,wanted:"before to"}]:n}var Al=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${x(Number(e))}`],["max_duration_ns",e=>`\u2264 ${x(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Nl(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}var El=e=>b.value.params.getAll(e).filter(t=>It(e,t));function Ll(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function bn({keys:e=[],values:t=[]}){let n=Al.flatMap(([r,s])=>El(r).map(o=>l`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Nl(r,o)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Ll} aria-label="Add a condition on an attribute">
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
  </div>`}var ht=ke(()=>b.value.params.get("zone")==="utc"),$n=1000000n,vr=6e4,Ns=e=>String(e).padStart(2,"0");function vn(e,t=ht.value){return t?0:-new Date(Number(e/$n)).getTimezoneOffset()*vr}function Es(e){return BigInt(vn(e))*$n}var Bt=e=>new Date(Number(e/$n)+vn(e)).toISOString().replace("Z","");function ae(e,t=1e6){return Bt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function be(e){return Bt(e).slice(0,10)}function Be(e){return Bt(e).slice(0,19).replace("T"," ")}function Ls(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${Ns(t)}:${Ns(n)}`}function ne(e,t=ht.value){let n=vn(e,t)/vr,r=Ls(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Pe(e){let t=vn(e)/vr,n=String(e%1000000000n).padStart(9,"0");return`${Bt(e).slice(0,19)}.${n}${t===0?"Z":Ls(t)}`}function _r(e){return Bt(e).slice(0,19)}function Us(e){let t=Date.parse(ht.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*$n}function _n(e){return typeof e=="string"?e:JSON.stringify(e)}function Is(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function yr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Ul(e){return e.find(t=>!dt(t))??e[0]??""}function Il({item:e,columns:t}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Pe(e.start)}</dd>
        ${Is(e).map(([n,r])=>[l`<dt>${n}</dt>`,l`<dd>${_n(r)}</dd>`])}
      </dl>
      <ol>
        ${yr(e).map(n=>l`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function yn({items:e,since:t,contextHref:n,label:r}){let[s,o]=P(null),a=[t===void 0?`time, ${e[0]?ne(e[0].start):""}`:"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(c,m)=>{let{type:u,duration:f,thread:d,recording:p,context:h}=c.values,_=t===void 0?ae(c.start):"+"+x(Number(c.start-t)),g=Is(c).map(([R,A])=>`${R}=${_n(A)}`),v=`${c.start} ${u} ${d} ${p}`,y=s===v,k=()=>o(y?null:v),w=n&&p!==null&&h?n(String(p),String(h)):null;return l`<tr key=${m} class=${y?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(y)} onClick=${k}>${_}</button>
        </td>
        <td title=${u}>
          <${ie} category=${Ie(String(u))} />${oe(String(u))}
        </td>
        <td class="n">${typeof f=="number"?x(f):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${yr(c)[0]}>
          ${Ee(Ul(yr(c)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&l`<td data-name="context">${w&&l`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${y&&l`<${Il} item=${c} columns=${a.length} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
    <table class="events stacks">
      <thead>
        <tr>
          ${a.map(c=>l`<th scope="col" class=${c==="duration"?"n":""}>${c}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${e.map(i)}
      </tbody>
    </table>
  </div>`}function F({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function Bl({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function Dl({name:e,value:t,wanted:n}){let r=b.value.params.getAll(e).filter(s=>s!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function Bs(){return As(b.value.params,N.value).map(e=>l`<${Dl} key=${`${e.name} ${e.value}`} ...${e} />`)}function wr({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:l`<span class="missing">${s.join("; ")}</span>`}var ql=5;function M(e){let{title:t,note:n,tools:r,answer:s,className:o,lines:a=ql,children:i}=e,c=s&&s.data!==null&&(s.isLoading||s.problem!==null);return l`<section class=${o} aria-busy=${s?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${s&&l`<${Bl} answer=${s} />`}
    ${s?.data===null&&s.isLoading&&a>0&&l`<${wr} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function Fl(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function Hl({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=b.value,s=ee(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${Be(t)} ${ne(t)}:${" "}
    <a class="link" href=${le(pe(...n),s)}>look at all of that time</a>.
  </p>`}function De(){let e=S("collector",new URLSearchParams),{data:t}=T(e,N.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<J.value.from,r=ut(b.value),s=a=>Fl(a,location.hostname,ce.value?.is_needed);if(t?.takes_files&&!n)return l`<${F} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let o=r===null?"":` of ${r}`;return l`<${F} title="No JVM${o} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${s(t.agents)}</pre>`}
    ${t&&n&&l`<${Hl} of=${t} />`}
  <//>`}var jl=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Wl=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Ds=e=>e.replace(/\$(?=.)/g,"\\$");function qs(e,{path:t,params:n}){if(jl.test(e))return D(["t",e.toLowerCase()]);let r=t[0]==="s",s=Wl.test(e);if(!r)return D(["s"],s?{where:e}:{frame:Ds(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:Ds(e)};return le(pe(...t),ee(n,a))}var Hs={box:null,base_box:null},xr=e=>b.value.params.get(e)??"",wn=e=>xr(e)!==""&&It(e,xr(e));function js(){let e=wn("from")?xr("from"):un.value;return wn("to")||Le(e)===null?null:e}var Fs=60000000000n;function Vl(){let{from:e,to:t}=J.value,n=js();if(n!==null)return`last ${n}`;let r=e%Fs===0n&&(t%Fs===0n||!wn("to")),s=a=>ae(a,r?6e10:1e9),o=be(e)===be(t)?s(t):`${be(t)} ${s(t)}`;return`${be(e)} ${s(e)} to ${wn("to")?o:"now"}`}function Kl(){let e=ls,t=js(),n=t??un.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(s=>l`<a
          key=${s}
          href=${he({last:s,from:null,to:null,...Hs})}
          aria-current=${s===t?"true":void 0}
          >last ${s}</a
        >`)}
  </div>`}function Gl({close:e}){let[t,n]=P(""),{from:r,to:s}=J.value,o=i=>{i.preventDefault();let c=i.currentTarget,m=(d,p)=>{let h=c.elements.namedItem(d).value;return h===_r(p)?p:Us(h)},[u,f]=[m("from",r),m("to",s)];if(u===null||f===null)n("Both need a day and a time.");else if(u>=f)n("It has to begin before it ends.");else{e();let d={from:String(u),to:String(f)};C({...d,last:null,live:null,...Hs})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${_r(c)}
    /></label>`;return l`<form class="between" onSubmit=${o}>
    ${a("from",r)} ${a("to",s)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function zl(){let{to:e}=J.value,t=(n,r)=>l`<button
      aria-pressed=${ht.value===n?"true":"false"}
      onClick=${()=>C({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${ne(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function kr(){let{from:e,to:t}=J.value,n=l`${Vl()} <span class="dim">${ne(t)}</span>`;return l`<${Ze}
    text=${n}
    title=${`${Be(e)} to ${Be(t)} ${ne(t)}`}
    className="time"
  >
    ${r=>l`<${Kl} /><${Gl} key=${ht.value} close=${r} /><${zl} />`}
  <//>`}function Sr(){return l`<button onClick=${mr} title="ask again">refresh</button>
    <button
      aria-pressed=${Ye.value?"true":"false"}
      onClick=${()=>C({live:Ye.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function Ws({onDone:e}){let t=r=>{r.preventDefault();let s=r.currentTarget.elements.namedItem("q"),o=s.value.trim();o!==""&&(de(qs(o,b.value)),s.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Vs(){let[e,t]=P(null),n=ce.value?.identity,r=async()=>t(await rs());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Xl=[["services",""],["events","e"],["recordings","r"]];function re({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([u,f])=>l`<a href=${D(f?[f]:[])} aria-current=${f===n?"page":void 0}>
      ${u}
    </a>`,s=({name:u,href:f},d)=>[d>0?" / ":"",f?l`<a href=${f}>${u}</a>`:l`<b>${u}</b>`],o=l`<nav class="screens" aria-label="Screens">${Xl.map(r)}</nav>`,a=l`<a class="logo" href=${D([])}>Loupe</a>`,i=cn.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(s)}</span>`,m=u=>l`${o}<${Ws} onDone=${u} />
      <div class="row"><${Sr} /></div>
      <${Vs} />`;return l`<header>
      ${cn.value?l`${a} ${c} <${kr} />
              <${Ze} text="☰" label="screens, search, refresh" className="all">${m}<//>`:l`${a} ${o} ${c} <${Ws} /> <${kr} /><${Sr} /> <${Vs} />`}
    </header>
    <main><${Bs} />${t}</main>`}var Jl=4;function Yl(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function G({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,rowsFirst:o,label:a,className:i}){let[c,m]=P(null),u=c===null?void 0:e[c]?.sort,f=u?[...t].sort((k,w)=>Yl(u(k),u(w))):t,[d,p]=P(!1),h=f.slice(0,d?s:o??s),_=Math.min(t.length,s??1/0)-h.length,g=(k,w)=>{let R=c!==w?"none":k.isNumber?"descending":"ascending",A=k.sort?l`<button class="plain" onClick=${()=>m(w)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?R:void 0}
    >
      ${A}
    </th>`},v=(k,w,R)=>{let A=w.cell(k);return l`<td
      class=${(w.isNumber?"n ":"")+(w.className??"")}
      data-name=${R>0?w.name:void 0}
    >
      ${r&&R===0?l`<a href=${r(k)}>${A}</a>`:A}
    </td>`},y=_>0&&o!==void 0&&l`<button class="plain more" onClick=${()=>p(!0)}>${$(_)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>Jl?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(g)}
          </tr>
        </thead>
        <tbody>
          ${h.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((w,R)=>v(k,w,R))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${y}`}var Zl=15,Ql=100,Rr=e=>e===null?"":x(e),gt=(e,t)=>b.value.params.getAll(e).includes(t);function Tr({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function ec({types:e}){let t=n=>he({context:gt("context",n)?null:n,key:null,where:null,event:null});return l`<${G}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${Tr} href=${t(n)} on=${gt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>Rr(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>Rr(n.p99_ns),isNumber:!0}]}
  />`}function Ks({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return he({where:gt("where",s)?o:[...o,s],event:null})};return l`<${G}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${Tr}
            href=${n(r)}
            on=${gt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>Rr(r.p99_ns),isNumber:!0}]}
  />`}function tc({name:e}){let t=mt(b.value,J.value);t.delete("where");let r=T(S("attributes",t,{limit:"100"}),N.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&l`<${Ks} name=${e} rows=${s} />`}`}function nc({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>l`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return l`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?l`<${tc} name=${n.key} />`:l`<${Ks} name=${n.key} rows=${r} />`}`}function rc({of:e}){let t=n=>he({event:gt("event",n)?null:n});return l`<${G}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${Zl}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ie} category=${Ie(n)} /><${Tr}
              href=${t(n)}
              on=${gt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?x(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function oc({query:e}){let t=b.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:s,more:o}=gn(n,Ql,N.value),a=l`<${H} of=${r.data} /><${I} url=${n} />`;return l`<${M} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&l`<${yn} label="Events" items=${s} contextHref=${Oe} />`}
    ${o&&l`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&l`<${F} title="No events here" />`}
  <//>`}function Gs(){let e=b.value,t=mt(e,J.value),n=S("contexts/types",ac(t)),r=T(n,N.value),s=S("events/types",t),o=T(s,N.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=o.data&&`${$(o.data.events)} events`+sc(o.data.contexts);return l`<${re}>
    <${bn} />
    <div class="three">
      <${M}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${ec} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${De} />`}
      <//>
      <${M} title="Context values" note=${a?.type}><${nc} of=${a} /><//>
      <${M}
        title="Event types"
        note=${i}
        tools=${l`<${H} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&l`<${rc} of=${o.data} />`}
      <//>
    </div>
    <${oc} query=${t} />
  <//>`}var sc=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function ac(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function zs(){let[e,t]=P(null),[n,r]=P(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await ns(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
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
    </main>`}function Xs(){return l`<${re}>
    <section>
      <${F} title="There is nothing here">
        <a class="link" href=${D([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function ic(e){return e.replaceAll("_","-")}function Dt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function qt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${ic(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var Cr=e=>ur(e)??0n,lc=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),xn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Js=(e,t)=>l`${$(e)} <span class="dim">of ${$(t)}</span>`,cc=()=>[{name:"service",cell:e=>l`<b>${we(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${ne(N.value)}`,cell:e=>Be(Cr(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${x(xn(e))}, running`:x(xn(e)),isNumber:!0,sort:xn},{name:"contexts kept",cell:e=>Js(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Js(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${me(e.bytes_out)} <span class="dim">of ${me(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>lc(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function uc(){let{params:e}=b.value,{from:t,to:n}=J.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=S("recordings",r),o=T(s,N.value),a=o.data?.recordings??[],i=l`<${H} of=${o.data} /><${I} url=${s} />`;return l`<${re}>
    <${M} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&l`<${G}
          label="Recordings"
          columns=${cc()}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>D(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&l`<${De} />`}
    <//>
  <//>`}var mc=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>me(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>me(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${qt} of=${Dt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function qe(e,t){return l`<span><b>${e}</b>${t}</span>`}function fc({of:e}){let t=e.contexts_in?q(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${qe(e.is_running?"running":"ended",`${x(xn(e))} since ${Be(Cr(e.start))} ${ne(Cr(e.start))}`)}
    ${qe(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${qe($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${qe(me(e.bytes_out),`of ${me(e.bytes_in)} kept`)}
    ${qe(me(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&qe(x(e.waiting.duration_ns),`not compacted yet, ${me(e.waiting.journal_bytes)}`)}
    ${qe(e.jvm_version,e.jvm_name)} ${qe(e.pid,`process, on ${e.instance}`)}
  </div>`}var pc={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function dc({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${$(r)} ${pc[n]??n}</li>`)}
      </ul>`}function hc({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=T(n,N.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${M}
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
  <//>`}function gc({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=T(t,N.value),{data:r}=n,s=[{name:r?`${we(r.service)}, ${r.instance}`:e}],o=l`<a href=${bs(e)} download>download .jfr</a><${I} url=${t} />`,a=r?Dt(r.types):[];return l`<${re} crumbs=${s}>
    <${M} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&l`<${fc} of=${r} />`}
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
          ><${dc} of=${r}
        /><//>
        <${M} title="Event types">
          <${G}
            label="Event types"
            columns=${mc}
            rows=${Object.entries(r.types).sort((i,c)=>c[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${hc} service=${r.service} />`}
  <//>`}function Ys(){let e=b.value.path[1];return e===void 0?l`<${uc} />`:l`<${gc} id=${e} />`}function Se(e){return e==="requests"?"request":"context"}var bc=["context","thread","trace","id","box","base_box"];function Zs(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:bc.some(n=>e.has(n))?"contexts":null}function Fe(e){return e.get("unit")==="requests"?"requests":"contexts"}function Ft(e,t){return ee(e,{unit:t==="requests"?t:null})}function Qs(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:c,spark:m,top:u}}function ea(e){let[t,n]=P({width:0,height:0,ratio:1});return xe(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Or(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function ta(e,{width:t,height:n,ratio:r},s,o){xe(()=>{let a=t>0&&e.current&&Or(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Ce.value,...o])}function $c(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=Or(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function kn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=Z(null),a=Z(null),i=Z(t),c=Z(0);i.current=t;let m=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&o.current&&$c(a.current,o.current,i.current)})};ue(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),ue(m,[t,n,r,Ce.value]),ue(()=>{let{scrollTop:d,clientHeight:p}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+p&&(o.current.scrollTop=s[1]-p)},[s?.[0],s?.[1]]);let u=d=>p=>{let h=a.current.getBoundingClientRect(),_=p.clientY-h.top+o.current.scrollTop;d?.({x:p.clientX-h.left,y:_,width:h.width,event:p})},f=Math.min(n,r);return l`<div
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
  </div>`}var Sn=14,Rn=8;function bt({at:e,children:t}){let n=Z(null);return xe(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+Sn+s>innerHeight-Rn,i=Math.min(e.clientX+Sn,innerWidth-r-Rn);o.left=`${Math.max(Rn,i)}px`,o.top=`${a?Math.max(Rn,e.clientY-Sn-s):e.clientY+Sn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var Ar=e=>e.charCodeAt(0);function na(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[Ar(n.length===1?n:t),Ar(r.length===1?r:t)]}var Nr=e=>/\w/.test(String.fromCharCode(e)),ra=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),aa=(e,t)=>t>=0&&t<e.length&&Nr(e.charCodeAt(t)),Tn=(e,t)=>aa(e,t-1),Cn=aa,Pr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>Tn(e,t)!==Cn(e,t),"\\B":(e,t)=>Tn(e,t)===Cn(e,t),"\\<":(e,t)=>!Tn(e,t)&&Cn(e,t),"\\>":(e,t)=>Tn(e,t)&&!Cn(e,t)},oa=e=>e>=48&&e<=57,Mr={"\\d":oa,"\\D":e=>!oa(e),"\\w":Nr,"\\W":e=>!Nr(e),"\\s":ra,"\\S":e=>!ra(e)},sa={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},$e=class extends Error{},Er=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new $e;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new $e;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new $e;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new $e;if(r!==1/0&&r>255)throw new $e;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(sa,r)?sa[r]:void 0;if(n===":"?!s:r.length!==1)throw new $e;return n===":"?o=>s.test(String.fromCharCode(o)):Ar(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new $e;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new $e;t.push(this.range())}this.at++,this.addAtom(r=>na(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Pr,n)||Object.hasOwn(Mr,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new $e;if(Object.hasOwn(Pr,n))this.atom=null,this.add({holds:Pr[n]});else if(Object.hasOwn(Mr,n))this.addAtom(Mr[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=na(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function ia(e){try{return e.length>256?null:new Er(e).parse()}catch(t){if(t instanceof $e)return null;throw t}}function la(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,c=(m,u,f)=>{o(u,f);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:p,holds:h,jumps:_,isEnd:g}=e[d];i||=g===!0,p?m.push(d):h?.(t,f)&&o(d+1,f);for(let v of _??[])o(d+v,f)}};for(let m=0;;m++){if(c(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),f=[];for(let d of a)e[d].takes(u)&&c(f,d+1,m+1);a=f}}function Mn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let f=n[u]-1;s[u]=f<0?-1:i[f],a[u]=f<0?0:c[f],f>=0&&(c[f]+=r[u]),c[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function ua(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let p=c.level[d];p>=r&&p<s&&m.push({node:d,x:0,width:n,row:p})}let u=n/(o[t]||1),f=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let p=c.level[d];if(p>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,_=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(_),n-1):_;p>=r&&(h>=1||g>=f[p-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:p}),f[p-r]=g+Math.max(h,1)),d++}return m}function ma(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,m=t;for(;m>0&&c.level[m]>s;)m=e.parent[m];if(m!==t||c.level[m]===s)return c.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let f=u>=a[m]&&u<a[m]+o[m];if(f&&c.level[m]===s)return m;m=f?m+1:i[m]}return-1}function fa(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?pa(e,t)[c+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===c&&s[u]>0)return u;return n}default:return n}}function pa(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var Pn=4;function da(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**Pn).toString(36).padStart(Pn,"0")}function An(e,t){return pa(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(da).join("")}function Nn(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=Pn){let a=t.slice(o,o+Pn),i=s+1;for(;i<(e.end[s]??0)&&da(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var vc=1024,_c=5e7;function ha(e,t=_c){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(c),{isOver:()=>!1})}let r=ia(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(c=>(s.has(c)||s.set(c,!a()&&la(r,c.slice(0,vc),o)),s.get(c)),{isOver:a})}function ga(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=o[n.name[i]]===1;a+=c?s[i]:0,i=c?r[i]:i+1}return{names:o,weight:a}}var On=(e,t)=>t>0?e/t:0;function ba({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(On(r.total,n),On(r.base_total??0,o)),i=On(e[s],n)-On(t?.[s]??0,o);return a>0?i/a:0}function $a(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function yc({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!dt(e.names[e.name[o]]))return o;return s}function ca({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function va(e,t){let{flame:n}=e,r=ca(e,n.value),s=ca(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&s[i]===0)continue;let m=c==="."?"c":c,u=n.names[n.name[yc(e,i)]],f=o.get(m+u)??{name:u,kind:m,value:0,base:0};f.value+=r[i],f.base+=s[i],o.set(m+u,f)}return[...o.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var ve=18,wc=22,_a=4,xc=5;function kc(e){return e.split(".").slice(0,-2).join(".")}function Sc(e){if(dt(e))return"frame-jdk";let t=7;for(let n of kc(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%xc}`}function Rc({names:e,kinds:t}){return e.map((n,r)=>{let s=pn(t[r]??".");return U(r===0?"frame-root":s?s.token:Sc(n))})}var Lr=32,Ur=e=>({fill:e,ink:lt(e)});function ya(e){if(e.base_value===void 0){let s=Rc(e).map(Ur);return e.name.map(o=>s[o])}let t=s=>Array.from({length:Lr+1},(o,a)=>Ur(ms(U("frame-same"),U(s),a/Lr))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:ba(e,o),i=Math.round(Lr*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Tc(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function wa(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:c}=t,m=U("ink"),u=Ur(U("accent"));e.font=it("mono"),e.textBaseline="middle";let f=e.measureText("0123456789").width/10;for(let{node:d,x:p,width:h,row:_}of n){let g=_*ve-r,v=s.name[d],y=d!==c&&s.level[d]<s.level[c],k=a!==null&&a.names[v]===1,w=y||a!==null&&!k,{fill:R,ink:A}=k?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=R,e.fillRect(p,g,Math.max(h-.5,.5),ve-1),h>=wc){let V=Math.floor((h-2*_a)/f);e.globalAlpha=1,e.fillStyle=w?m:A,e.fillText(Tc(s.names[v],V),p+_a,g+ve/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(p+1,g+1,Math.max(h-2,1),ve-3))}}var Cc=24,Oc=3,Ir=(e,t)=>q(t>0?e/t:0);function Pc({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let c=ge(n[i]/Math.max(1,a),o),m=ge(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${Ir(n[i],s)}, ${c} each, own ${m}`}function Mc(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:c,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let f={name:"base",total:a[t],self:i[t],requests:c??0,whole:m??0};return[{...u,name:"selection"},f]}function Ac({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,c=Mc(r,t),m=(u,f)=>l`<tr>
      <th scope="row">${u}</th>
      ${c.map(d=>l`<td class="n"><b>${ge(f(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${Ir(f(d),d.whole)}</td>
            <td class="n dim">${ge(f(d),s)}</td>`)}
    </tr>`;return l`<b>${o[a[t]]}</b>
    <table>
      ${c.length>1&&l`<tr>
          <th></th>
          ${c.map(u=>l`<th colspan="3" class="n">${u.name}</th>`)}
        </tr>`}
      <tr>
        <th></th>
        ${c.map(()=>l`<th class="n">each</th>
              <th class="n">share</th>
              <th class="n">in all</th>`)}
      </tr>
      ${m("total",u=>u.total)} ${m("own",u=>u.self)}
    </table>
    ${n>0&&l`<div class="dim">${Ir(i[t],i[n])} of ${o[a[n]]}</div>`}`}function xa({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=P(null),[i,c]=P(null),m=E(()=>i===null?-1:Nn(e,i),[e,i]),u=o?.node??-1,f=E(()=>ya(s),[s,Ce.value]),d=tn((w,{width:R,top:A,height:V})=>{let j=Math.floor(A/ve),Me=ua(e,t,R,j,Math.ceil((A+V)/ve));wa(w,{flame:s,shades:f,zoom:t,found:n,marks:[m,u]},Me,A)},[e,t,n,m,u,f]),p=({x:w,y:R,width:A})=>ma(e,t,A,w,Math.floor(R/ve)),h=w=>{let R=p(w),{clientX:A,clientY:V}=w.event;a(R<0?null:{node:R,at:{clientX:A,clientY:V}})},_=w=>{let R=p(w);R>=0&&w.event.button===0&&r(R)},g=w=>{let R=m<0?t:m;if(w.key.startsWith("Arrow")){let A=m<0?t:fa(e,t,R,w.key);c(An(e,A)),a(null)}else if(w.key==="Enter")r(R);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},v=m>=0?m:t,y=s.level[v],k=[Math.max(0,y-Oc)*ve,(y+1)*ve];return l`<${kn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*ve}
      heightMax=${Cc*ve}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${_}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&Pc(s,m)}</div>
    ${o&&l`<${bt} at=${o.at}><${Ac} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Nc=20,Ec=16;function Lc(e){let t=e.slice(-Ec),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function $t({name:e,title:t=e}){if(e.length<=Nc)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Lc(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var Uc=500;function Ic(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=f=>ge(f/Math.max(1,r),t),a=f=>l`<button
      class="plain"
      title="${f.name}: find it in the graph"
      onClick=${()=>C({find:f.name,flame:null,zoom:null})}
    >
      <${Bc} kind=${f.kind} />${f.name}
    </button>`,i=(f,d,p=h=>o(d(h)))=>({name:f,cell:p,isNumber:!0,sort:d}),c=f=>q(n>0?f.total/n:0),m=f=>ge(f/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:f=>f.name},i("own, each",f=>f.self),i("total, each",f=>f.total),i("share",f=>f.total,c)];return e.base_value===void 0?u:u.concat(i("base own",f=>f.baseSelf,f=>m(f.baseSelf)),i("base total",f=>f.baseTotal,f=>m(f.baseTotal)))}function Bc({kind:e}){let t=pn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function ka({tree:e,matches:t}){let n=$a(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),l`<div class="frames">
    <${G}
      label="Frames"
      columns=${Ic(e.flame)}
      rows=${n}
      rowsMax=${Uc}
      rowKey=${r=>r.name}
    />
  </div>`}var Dc=8;function En(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Sa({url:e,answer:t}){let{data:n}=t,r=E(()=>n&&n.requests>0?va(Mn(n),Dc):[],[n]),s=b.value.params.get("frame"),o=(c,m=0)=>ge(c/Math.max(1,m),"ns"),a=c=>{let m=En(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${ie} category=${pt(c.kind)} /><${$t}
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
  <//>`}var Br=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function Ln({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function qc(e){let t=e.get("value")??"";return Br.some(([n])=>n===t)?t:"time"}function Fc({value:e}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${Br.map(([t,n])=>l`<${Ln}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Hc({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return l`<${Ln}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${Ln}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function jc({found:e,flame:t,matches:n}){let r=b.value.params.get("find")??"",s=r!==""&&n===null,o=b.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?q(e.weight/o):q(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function Wc(){let e=b.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Vc({flame:e}){let t=(o,a)=>l`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>q(e.total>0?o/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):l`<span>
              <${ie} category=${pt(o)} />${se(pt(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${$(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function Kc({requests:e,total:t,unit:n,...r},s){let o=ge(t/Math.max(1,e),n),a=r.base_requests??0,i=ge((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${$(a)}, ${i} each`:"";return`${Te(e,s)}, ${o} each${c}`}function Un(e){return S("flamegraph",e,{value:"time",frame:null})}function vt({query:e,tick:t,whole:n}){let{params:r}=b.value,s=qc(r),o=r.get("frame"),a=ee(e,{value:s,frame:o}),i=S("flamegraph",a),c=n!==void 0&&i===Un(e),m=T(c?null:i,t),u=m.problem===null?n?.data??null:null,f=c?n:{...m,data:m.data??u},d=f.data,p=r.get("width")==="base"&&d?.base_value!==void 0,h=E(()=>d&&Mn(d,p),[d,p]),_=r.get("find")??"",g=E(()=>_===""?null:ha(_),[_]),v=E(()=>h&&g&&ga(h,g),[h,g]),y=r.get("flame")==="table",k=!h||h.weight.length===0||!(h.weight[0]>0),w=h?Nn(h,r.get("zoom")??""):0,R=h&&l`<${xa}
      tree=${h}
      zoom=${w}
      found=${v}
      onZoom=${j=>C({zoom:An(h,j)||null})}
    />`,A=l`<${H} of=${d} /><${Ue}
      query=${e}
      value=${s}
      frame=${o}
    /><${I} url=${i} />`,V=d?Kc(d,Se(Fe(e))):"";return l`<${M} title="Flame graph" note=${V} tools=${A} answer=${f}>
    <div class="flame-tools">
      <${Fc} value=${s} />
      <${Wc} />
      <${Hc} flame=${d} />
      <${jc} found=${v} flame=${d} matches=${g} />
      ${w>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${Ln}
        isOn=${y}
        onChange=${()=>C({flame:y?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&k&&l`<${F} title="No ${Br.find(([j])=>j===s)[1]} in this selection" />`}
    ${!k&&(y?l`<${ka} tree=${h} matches=${g} />`:R)}
    ${d&&!k&&l`<${Vc} flame=${d} />`}
  <//>`}function Dr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function qr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),c=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,c-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function Ra(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ta(e,t,n,r,s){let o=qr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,c)=>a(i)-a(c)),o[0]?.box??null}function Ca(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Oa({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Pa(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[o]).sort((c,m)=>a(c)-a(m));if(i)return{lane:o,box:i}}return t}var Gc=560,zc=110,Xc=4,Jc=28,Aa=5,Yc=500;function Zc(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function In(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Qc(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function Fr({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${oe(t)} \xB7 ${x(n)}`}function eu(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",c=U(i?"hover":se(s.kind).token);e.fillStyle=c,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=U(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=Jc&&(e.fillStyle=i?U("ink"):lt(c),e.fillText(Qc(e,Fr(s),a-2*Aa),o+Aa,n+20/2-1))}function tu(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=U("panel"),e.fillRect(0,0,n,18);for(let o of Oa(t,n/zc)){let a=Math.round((o-t.from)*s),i=o===0?"0":x(o),c=e.measureText(i).width;e.fillStyle=U("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=U("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function nu(e,t,n,r){return tn((s,{width:o,top:a,height:i})=>{let c=Dr(e);s.font=it("sans"),s.textBaseline="middle",tu(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let f=c[u]-a;f>i||c[u+1]-a<0||qr(m,t,o).forEach(d=>eu(s,d,f+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=U("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function ru({title:e},t){return`${e}: ${se(t.kind).name}, ${Fr(t)}, at ${x(t.start)}`}function ou({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${G}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Yc}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>x(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ie} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>x(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Na({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Zc(b.value.params.get("part"),t),[a,i]=P(null),[c,m]=P(null),[u,f]=P(null),[d,p]=P(!1),h=E(()=>Dr(e),[e]),_=c&&e[c.lane]?.boxes.includes(c.box)?c:null,g=nu(e,o,[_?.box??null,a?.box??null],u),v=({x:O,y:B,width:Y})=>{let K=Ra(h,B),We=K<0?null:Ta(e[K],o,Y,O,B-h[K]);return We&&{lane:K,box:We}},y=O=>{if(u){f([u[0],Math.max(0,Math.min(O.x,O.width))]),i(null);return}let B=v(O),{clientX:Y,clientY:K}=O.event;i(B&&{...B,at:{clientX:Y,clientY:K}})},k=({lane:O,box:B})=>{let Y=n?.(e[O],B)??null;Y!==null&&r?r(Y):In({from:B.start,to:B.start+Math.max(1,B.duration)})},w=({x:O,event:B})=>{B.button===0&&B.pointerType!=="touch"&&(B.target.setPointerCapture(B.pointerId),f([O,O]))},R=O=>{f(null);let[B=0,Y=0]=u?[...u].sort((We,Ai)=>We-Ai):[],K=v(O);if(Y-B>=Xc){let We=(o.to-o.from)/O.width;In({from:o.from+B*We,to:o.from+Y*We})}else K&&k(K)},A=e.findIndex(({boxes:O})=>O.length>0),V=O=>{if(O.key.startsWith("Arrow")&&A>=0)m(_?Pa(e,_,O.key):{lane:A,box:e[A].boxes[0]});else if(O.key==="Enter"&&_)k(_);else if(O.key==="Escape"||O.key==="Backspace")In(null);else return;O.preventDefault()},j=_?h[_.lane]+20+_.box.level*20:0,Me=b.value.params.get("part")!==null;return l`<${kn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Gc}
      draw=${g}
      reveal=${_?[j-20-20,j+20]:void 0}
      onPoint=${y}
      onDown=${w}
      onUp=${R}
      onLeave=${()=>i(null)}
      onKey=${V}
    >
      ${e.map((O,B)=>l`<div class="lane-title" key=${O.key} style=${{top:`${h[B]}px`}}>
            ${O.href?l`<a href=${O.href}>${O.title}</a>`:O.title}
            <small title=${O.note}>${O.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${_&&ru(e[_.lane],_.box)}</div>
    ${a&&l`<${bt} at=${a.at}>
        <b>${Fr(a.box)}</b>
        <div>${a.box.name}, ${se(a.box.kind).name}</div>
        <div class="dim">at ${x(a.box.start)}</div>
      <//>`}
    ${Me&&l`<button onClick=${()=>In(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${O=>p(O.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&l`<${ou} lanes=${e} />`}
    </details>`}var su=3,au=.001;function iu({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var Hr=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):$(Math.round(n))} \xD7`};function lu(e,{category:t,is_count:n}){let r=e.slices.find(s=>s.category===t);return n?Hr(r?.events??0,e.requests):x((r?.total_ns??0)/Math.max(1,e.requests))}function cu({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${$(t.events)} in ${Te(t.requests,"context")}, ${x(t.total_ns)} in all`}
        >
          ${$(t.per_request)} × ${Ee(t.frame)}
          <span class="dim"> ${se(t.category).name}, ${x(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function uu({slice:e,of:t,base:n,hrefOf:r}){let s=r&&!e.is_count,o=(f,d)=>s?l`<a href=${r(e.category,d)}>${f}</a>`:f,a=f=>({each:e.is_count?Hr(f.events,t.requests):x(f.total_ns/t.requests),share:e.is_count?"":q(f.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":Hr(f.events,t.requests)}),i=Math.max(1,t.total_ns*au),c=e.top.slice(0,su).filter(f=>e.is_count||f.total_ns>=i),m=s?"opens":"",u=(f,d)=>{let{each:p,share:h,often:_}=a(f);return l`<td class="n">${p}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${_}</td>`};return l`<tr
      class=${m}
      title=${`${x(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ie} category=${e.category} />${o(se(e.category).name,null)}
      </th>
      ${u(e,n?lu(n,e):"")}
    </tr>
    ${c.map(f=>l`<tr class=${`frame ${m}`}>
          <td>
            <div class="frame-name">
              ${o(l`<${$t} name=${Ee(f.frame)} title=${f.frame} />`,f.frame)}
              ${f.via&&l`<span class="via dim" title=${f.via}>via ${Ee(f.via)}</span>`}
            </div>
          </td>
          ${u(f,"")}
        </tr>`)}`}function jr({of:e,base:t,against:n="base",hrefOf:r}){let s=e.slices.filter(iu),o=({total_ns:a})=>x(a/e.requests);return l`<${Rs} parts=${s} total=${e.total_ns} each=${o} />
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
        ${s.map(a=>l`<${uu}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${cu} of=${e} />`}`}function Bn({query:e,against:t,tick:n,hrefOf:r}){let s=S("why",e),o=T(s,n),{data:a}=o,i=Se(Fe(e)),c=l`<${H} of=${a} /><${I} url=${s} />`,m=a&&a.requests>0?`mean of ${Te(a.requests,i)}, ${x(a.total_ns/a.requests)} each`:"";return l`<${M}
    title="Why"
    note=${m}
    tools=${c}
    answer=${o}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${jr} of=${a} base=${a.base??null} against=${t} hrefOf=${r} />`}
    ${a?.requests===0&&l`<${F} title=${`No kept ${i} is in this selection`} />`}
  <//>`}var Wr=8192,Ea=60000000000n,La=5,mu=2000000000n;function Ua(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Ia({t0_ns:e,events:t,is_truncated:n}){return hn({...t,t0_ns:e,next:null,is_truncated:n})}function Vr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=Ua(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let c=Ua(s,"monitorClass")??"",m={thread:o,monitor:c,waited:0,waits:0,from:a,to:a},{waited:u,waits:f,from:d,to:p}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:f+1,from:Math.min(d,a),to:Math.max(p,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function Kr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,c,m,u,f]of e.rows){let d={level:o,start:a+n,duration:i,kind:c,name:m,count:u,id:f};r[s]?.boxes.push(d)}return r}function fu(e,t,n){return hn(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),c=Ie(o),m={level:0,start:Number(r-t),duration:i,kind:c,name:o};return a?[{...m,count:1,id:null}]:[]})}function pu(e,t,n,r){let s=BigInt(e.t0_ns),a=Kr(n,s).filter(({thread:f})=>f===t.thread).flatMap(({boxes:f})=>f),i=a.filter(({kind:f})=>f==="context").map(({name:f})=>f),c=fu(r,s,new Set([e.type,...i])),m=Ca([...a,...c]).filter(f=>f.start<=t.to&&f.start+f.duration>=t.from),u=`had the monitor of ${oe(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function du(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-mu)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?S(m,r,u):null,o=T(s("timeline",{width:String(Wr)})),a=T(s("events",{limit:"1000",columns:"name"})),i=E(()=>t&&o.data&&a.data?pu(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),c=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:c}}function hu(e){let t=E(()=>Vr(e),[e]),n=[];for(let i=0;i<La;i++){let c=n.every(m=>m.isAnswered);n.push(du(e,c?t[i]:void 0))}let r=t.slice(La),s=x(r.reduce((i,c)=>i+c.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return E(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function gu(e){let t=dn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Ea)});r.set("to",String(n+BigInt(e.duration)+Ea));let s=String(Wr),o=T(t&&S("timeline",r,{width:s,trace:t})).data,i=T(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return E(()=>(o?Kr(o,n):[]).map(m=>{let u=i?.[m.recording],f=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:f,href:t===null?void 0:D(["t",t])}}),[e,o,i])}function Ba(e,t){let n=T(S("timeline",t,{width:String(Wr)})).data,r=hu(e),s=gu(e);return E(()=>{let o=n?Kr(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:f})=>f)].includes(u.thread),i=o.filter(({thread:u})=>u===null),c=o.filter(({thread:u})=>u!==null),m=`this one, ${x(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...c.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var Da=300000000000n,bu=100,_t=({t0_ns:e})=>BigInt(e);function Gr(e){let t=_t(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function $u(e){let t=Gr(e);if(b.value.params.get("base")==="rest"){let n=_t(e);t.set("from",String(n-Da)),t.set("to",String(n+Da)),t.set("context",e.type),t.set("base","rest")}return t}function vu({context:e,jvm:t}){let n=_t(e),r=dn(e.attributes),s=([o,a])=>[l`<dt>${o}</dt>`,l`<dd>
      ${a===r&&r!==null?l`<a class="link" href=${D(["t",r])}>${r}</a>`:_n(a)}
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
          <a class="link" href=${qa(e,e.parent)}
            >${oe(e.parent.type)}, ${x(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function qa(e,{id:t,start:n}){return Oe(e.recording,t,_t(e)+BigInt(Math.round(n)))}function _u({context:e}){let t=Vr(e);return l`<table>
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
        </table>`}`}function yu({context:e}){return l`<${M} title="Contexts in it" note=${$(e.children.length)}>
    <${G}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${bu}
      rowKey=${t=>t.id}
      href=${t=>qa(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+x(t.start),isNumber:!0},{name:"duration",cell:t=>x(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function wu({context:e,tick:t}){let n=E(()=>Gr(e),[e]),r=Ba(e,n),s=E(()=>Ia(e),[e]),o=(i,{id:c,start:m})=>c===null||c===e.id?null:Oe(i.recording,c,_t(e)+BigInt(Math.round(m))),a=l`<${I} url=${S("timeline",n)} />`;return l`<${M}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Na}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${de}
      />
    <//>
    ${e.children.length>0&&l`<${yu} context=${e} />`}
    <${vt} query=${$u(e)} tick=${t} />
    <${M} title="Events" note=${$(s.length)}>
      ${s.length>0?l`<${yn}
              items=${s}
              since=${_t(e)}
              label="Events of the request"
            />`:l`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Fa(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,o),c=T(i,N.value),m=T(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=c.data,f=u?`${oe(u.type)}, ${x(u.duration)}`:r,d=[{name:"services",href:D([])},...m?[{name:we(m.service),href:D(["s",m.service])}]:[],{name:f}],p=u&&Gr(u),h=l`<${H} of=${u} /> ${p&&l`<${Ue} query=${p} />`}
    <${I} url=${i} />`;return l`<${re} crumbs=${d}>
    ${u?l`<div class="three">
              <${M}
                title=${oe(u.type)}
                note=${x(u.duration)}
                tools=${h}
                answer=${c}
              >
                <${vu} context=${u} jvm=${m} />
              <//>
              <${M} title=${`Why ${x(u.duration)}`} className="why-panel">
                <${jr} of=${u.why} base=${null} />
              <//>
              <${M} title="Kept because"><${_u} context=${u} /><//>
            </div>
            <${wu} context=${u} tick=${N.value} />`:l`<${M} title="Request" tools=${h} answer=${c} />`}
  <//>`}var xu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function zr(e){return xu.test(e)}function Ha({key:e,distinct:t,search_only:n,values:r},s){let o=r.every(i=>i.count+(i.base_count??0)<=1),a=zr(e)&&2*(t??0)>s;return n||r.length>=4&&(o||a)}var ku=100,Su=10,Ru=1.96;function Tu(e,t,n){let[r,s]=[t+2,n+2],[o,a]=[(e.count+1)/r,((e.base_count??0)+1)/s],i=o*(1-o)/r+a*(1-a)/s;return o-a-Ru*Math.sqrt(i)}function Cu({contexts:e,base_contexts:t,keys:n},r){let s=({key:m,label:u})=>!r.has(m)&&!r.has(u),o=n.filter(m=>s(m)&&Ha(m,e)).map(({key:m})=>m),a=m=>t?Tu(m,e,t):m.count,i=n.filter(m=>s(m)&&!o.includes(m.key)).flatMap(({key:m,values:u})=>u.map(f=>({...f,key:m}))).filter(m=>m.count>0).map(m=>[m,a(m)]).sort((m,u)=>u[1]-m[1]),c=i.filter(([,m])=>m>0).length;return{rows:i.map(([m])=>m),explaining:c,ids:o}}function Ou({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Xr=(e,t)=>t>0?e/t:0;function Pu({here:e,there:t}){let n=s=>({left:`${100*s}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Mu({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${$t} name=${i===""?"(empty)":i} /></b>
      </span>`},s={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${$(a.count)} of ${$(e)}`}
        >${q(a.count/e)}</span
      >`,isNumber:!0,className:"share"},o={name:"p99",cell:a=>a.p99_ns===null?"":x(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${Pu}
          here=${Xr(a.count,e)}
          there=${Xr(a.base_count??0,t)}
        />`,className:"plot"},s,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${$(a.base_count??0)} of ${$(t)}`}
          >${q(Xr(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},o,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Ou(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,s,o]}function Au({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return he({where:[...r,n]})}function Nu({data:e,against:t}){let[n,r]=P(!1),s=b.value.params.getAll("where"),o=new Set(s.map(f=>/^[^=<>!^]*/.exec(f)[0])),{rows:a,explaining:i,ids:c}=Cu(e,o),m=n?a:a.slice(0,Math.min(Su,i)),u=a.length-m.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${m.length>0&&l`<${G}
      label="Attributes"
      columns=${Mu(e,t)}
      rows=${m}
      rowKey=${f=>`${f.key}=${f.value}`}
      href=${Au}
      className="values"
    />`}
  ${u>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${$(u)} more${m.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function ja({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(ku)}),s=T(r,n),{data:o}=s,a=l`<${H} of=${o} /><${I} url=${r} />`;return l`<${M}
    title="Attributes"
    note=${o?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&l`<${Nu} data=${o} against=${t} />`}
  <//>`}function Wa({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function Va({name:e,placeholder:t}){let n=Z(null),r=b.value.params.get(e),s=r&&ct(r)?x(Number(r)):"";return xe(()=>{n.current.value=s},[s]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=Ko(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&C({[e]:i===null?null:String(i),box:null})}}
  />`}function Eu(){let e=Z(null),t=b.value.params.get("thread")??"";return xe(()=>{e.current.value=t},[t]),l`<input
    class="thread"
    ref=${e}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>C({thread:e.current.value.trim()||null})}
  />`}function Ka({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return l`<div class="choosers">
    <${Wa}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${$(a)})`])}
    />
    <${Wa}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${Va} name="min_duration_ns" placeholder="at least" />
    <${Va} name="max_duration_ns" placeholder="at most" />
    <${Eu} />
    <${bn}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Lu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Uu=e=>Lu[e&3]*2**(e>>2);function Ga(e){return e<0?1:Math.floor(Uu(e+1))}function He(e,{column:t,row:n}){return t*e.rows+n}function yt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function et(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function wt(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(o/c)>=n;)c*=2;let m=o>a?0:Math.floor(o/c),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:m,buckets:c,hasShorter:i,rows:o>a?0:Math.floor(a/c)-m+1,cells:new Map,most:0,exemplars:new Map},f=(d,p)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(p/c)-m)});e.columns.forEach((d,p)=>{for(let[h,_,g]of d){let v=f(p,h),y=u.cells.get(He(u,v))??{...v,all:0,kept:0};y.all+=_,y.kept+=g,u.cells.set(He(u,v),y),u.most=Math.max(u.most,y.all)}});for(let[d,p,h,_]of e.exemplars)u.exemplars.set(He(u,f(d,p)),{recording:h,id:_});return u}function Xa(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function xt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:Ga(i-1)+1,max:Ga((e.first+a+1)*e.buckets-1)}}function Dn(e,t,n){let r=xt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function tt(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Dn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function Ja(e,t){return[...e.cells.values()].filter(n=>Dn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(He(e,n))??[])}function qn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function Ya(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Yr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function Jr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Wt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function Zr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,Jr(e,t,n.from)),c=Math.max(o,Wt(e,t,n.max)),m=Math.min(s,Jr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,Wt(e,t,n.min-1));return m<=0||u<=c?null:{x:i,y:c,width:m,height:u-c}}function Qr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function Za(e,t,n,r){let s=[],o=a=>{let i=Wt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var za=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function Qa(e,t,n,r,s){let{from:o,to:a}=Qr(e),i=Number(a-o)/1e9*(n/t.width),c=za.find(f=>f>=i)??za.at(-1),m=BigInt(c)*1000000000n,u=[];for(let f=(o+r+m-1n)/m*m-r;f<a;f+=m)u.push({at:Jr(e,t,f),text:s(f,c*1e9)});return u}var Iu=4,Bu={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function je(e){return fe(b.value.params.get(e))}var ni=e=>e==="requests"?{unit:e}:{};function Vt(e,t,n){let r=e&&Lt(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=ni(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function Du(e){Vt(null,je("base_box")!==null,e)}function eo({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function ri(e,t){return e.column===t.column&&e.row===t.row}function ti(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function qu(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function kt({grid:e,isRate:t},{from:n,to:r}){return t?xt(e,{...n,row:0},{...r,row:e.rows-1}):xt(e,n,r)}function oi({grid:e,unit:t},n){let r=e.exemplars.get(He(e,n));r&&de(Qe(t,r.recording,r.id))}function si(e){let{grid:t,plot:n}=e,[r,s]=P(null),[o,a]=P(null),i=Z(null),c=({offsetX:g,offsetY:v})=>Ya(t,n,g,v),m=g=>{let{offsetX:v,offsetY:y}=g;if(g.button===0&&t.rows>0&&Yr(n,v,y)){g.currentTarget.setPointerCapture(g.pointerId);let k=g.shiftKey||e.isComparing;s({from:c(g),to:c(g),x:v,y,isLong:!1,isBase:k})}},u=g=>{let{offsetX:v,offsetY:y}=g;if(r){let A=r.isLong||Math.hypot(v-r.x,y-r.y)>=Iu;s({...r,to:c(g),isLong:A})}let{clientX:k,clientY:w}=g,R=t.rows>0&&Yr(n,v,y);a(R?{place:c(g),clientX:k,clientY:w}:null)},f=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){oi(e,r.from);return}let v=kt(e,r),y=!r.isLong&&tt(t,v).all===0;Vt(y?null:v,r.isBase,e.unit)},d=g=>{let v=i.current,y=v&&Dn(t,v,c(g))?v:kt(e,{from:c(g),to:c(g)});C({box:Lt(y),...ni(e.unit)},!0),eo(y)},p=({detail:g})=>{i.current=g>1?i.current:je("box")},h=()=>a(null),_=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:p,onPointerDown:m,onPointerMove:u,onPointerUp:f,onPointerLeave:h,onPointerCancel:_,onDblClick:d}}}function ai(e){let{grid:t}=e,[n,r]=P(null),s=i=>{let c=Bu[i.key];if(c&&t.rows>0){let m=n?ti(t,n.to,c):qu(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)oi(e,n.to);else if(i.key==="Enter"&&n)Vt(kt(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),Du(e.unit);else return;i.preventDefault()},o=i=>ti(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var Kt=52,Fu=20,ii=6,Hu=52,ju=72,Wu=26,Vu=5;function li(e,t,n){let r=e-Kt-(n?Hu:0);return{x:Kt,y:ii,width:Math.max(1,r),height:Math.max(1,t-ii-Fu)}}function Ku(e,t){let n=ae(e,t);return n==="00:00"?be(e).slice(5):n}function Gu(e,t){let n=r=>x(r).replace(/\.0+ /," ");return{times:Qa(e,t,ju,Es(e.t0),Ku),durations:e.rows===0?[]:Za(e,t,Wu,n)}}function zu(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Xu(e,t,n,r,s){e.fillStyle=U("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:c,width:m,height:u}=qn(t,n,a);zu(e,i+m-r,c,Math.min(Vu,m/2,u/2))}e.fill()}function Ju({all:e,kept:t},n){return n==="requests"?t<e:t>0}function ci(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(U),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:m,height:u}=qn(t,n,a);e.fillStyle=s[Xa(a.all,t.most)],e.fillRect(i,c,m-o,u-o)}Xu(e,t,n,o,a=>Ju(a,r)),no(e,t,n)}function no(e,t,n){let{times:r,durations:s}=Gu(t,n);e.fillStyle=U("faint"),e.font=it("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,Kt-8,o),e.fillRect(Kt-5,Math.round(o),4,1);e.textBaseline="alphabetic",e.fillText(ne(t.t0),Kt-8,n.y+n.height+16);for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(o-i,n.x+n.width-2*i)),n.y+n.height+16)}}function to(e,t,n,r){t&&(e.fillStyle=U("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function ui(e,t,n,r){to(e,r.base&&Zr(t,n,r.base),U("soft"),[4,3]),to(e,r.box&&Zr(t,n,r.box),U("accent"),[]);for(let s of r.cells)to(e,qn(t,n,s),U("ink"),[])}function mi({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=yt(a);return{perSecond:i.reduce((u,[,f])=>u+f,0)/(a.length*(e/1e9)),p50:et(i,.5),p99:et(i,.99)}})}function fi(e){return`${$(Number(e.toPrecision(3)))}/s`}function Yu(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Zu(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function pi(e,t,n,r){let s=n.width/t.columns,o=Yu(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=U("h1"),r.forEach(({perSecond:a},i)=>{let c=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-c,s-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=U(i);let c=(m,u)=>{let f=m[a];return f===null?null:[n.x+(u+.5)*s,Wt(t,n,f)]};Zu(e,r.map(c),s)}no(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(fi(o*a),n.x+n.width+6,i+(a===1?5:0))}}function di({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":x(s);return l`<b>${fi(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function hi({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var ro=6e10;function Fn({from:e,to:t,min:n,max:r}){let s=e%BigInt(ro)===0n&&t%BigInt(ro)===0n,o=i=>ae(i,s?ro:1e9),a=n<=1?`up to ${x(r)}`:`${x(n)} to ${x(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function oo({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var em=5,tm=6;function nm({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=He(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[c,m]=Fn(xt(e,s,s)).split(", "),u=a&&`${$(a.all)} ${t}, ${$(a.kept)} kept`,f=i?l`<${di} of=${i} /><br />${c}`:l`<b>${m}</b><br />${c}<br />${u}
        ${e.exemplars.has(o)&&l`<br />Alt+click opens one`}`;return l`<${bt} at=${n}>${f}<//>`}var rm={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function om(e,t,n){let r=e??rm,s=Math.max(1,t.width/em),o=Math.max(1,t.height/tm);return E(()=>wt(r,s,o,n),[r,s,o,n])}function sm({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=Z(null),a=ea(o),i=li(a.width,a.height,n),c=om(e,i,t==="requests"&&!n?79:null),m=E(()=>n&&e?mi(e,c):null,[n,e,c]),u={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:f,hover:d,on:p}=si(u),{cursor:h,on:_}=ai(u),g=f??(h&&!ri(h.from,h.to)?h:null),v=g&&kt(u,g),y=f?.isBase??r,k={box:!y&&v||je("box"),base:y&&v||je("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},w=j=>{m?pi(j,c,i,m):e&&ci(j,c,i,t),ui(j,c,i,k)},{column:R,row:A}=d?.place??{};ta(o,a,w,[c,m,b.value,r,f,h,R,A]);let V=h&&kt(u,h);return l`<div class="heatmap">
    <canvas
      ref=${o}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${s}
      onFocus=${s}
      ...${p}
      ...${_}
    ></canvas>
    ${d&&l`<${nm} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${V&&`${Fn(V)}: ${oo(tt(c,V))}`}
    </div>
    ${e&&l`<${lm} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function am({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>l`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&l` ${r(o)}${$(s)}`)}
    ${e>1&&l` to ${$(e)}`}</span
  >`}var im=e=>`Counted by chunk: a ${Se(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function bi({data:e,unit:t,box:n,isBase:r}){let s=E(()=>wt(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${im(t)}
    onClick=${()=>Vt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${Fn(n)}</b>${" "}
    ${oo(tt(s,n))} by chunk <i>×</i>
  </button>`}function lm({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&l`<${am} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[je("box"),je("base_box")];return l`<div class="legend">
    ${r?l`<${hi} unit=${t} />`:s}
    ${o&&l`<${bi} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&l`<${bi} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function cm({data:e,unit:t}){let[n,r]=P(!1),s=(a,i)=>{let c=yt([a]),[m,u]=[1,2].map(d=>a.reduce((p,h)=>p+h[d],0)),f=d=>x(et(c,d));return l`<tr>
      <td>${ae(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${$(m)}</td>
      <td class="n">${$(u)}</td>
      <td class="n">${f(.5)}</td>
      <td class="n">${f(.99)}</td>
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
  </details>`}function um({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function $i({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=P(!1),c=b.value.params.get("view")==="rate",m=je("box"),{data:u}=e,f=E(()=>u&&l`<${cm} data=${u} unit=${n} />`,[u,n]),d=(h,_,g)=>l`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${_}
    </button>`,p=l`<${H} of=${u} />
    ${m&&l`<button class="plain" onClick=${()=>eo(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${um} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${I} url=${t} />`;return l`<${M}
    title=${`All ${n}`}
    note=${s}
    tools=${p}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${sm}
      data=${u}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${o}
    />
    ${f}
  <//>`}var mm=3;function fm({of:e}){let t=T(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Dt(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${qt} of=${n} />
      </p>`:null}function pm(e,t){return Lt({...e,from:e.from-t,to:e.to+t})}function dm({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=T(t),a=x(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?Ja(wt(o,1/0,1/0),n).slice(0,mm):[],c=({recording:m,id:u},f)=>l`<a class="link" key=${u} href=${Qe(s,m,u)}>${f+1}</a>${" "}`;return l`<${F} title=${`No kept ${Se(s)} began in this box`}>
    <p>
      The heat map has ${$(r)} kept ones here: it counts a ${Se(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:pm(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function vi({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=E(()=>wt(e,1/0,1/0),[e]),a=fe(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),c=(g,v)=>Number(n.get(g)??v),m=a??{...Qr(o),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:u,kept:f}=tt(o,m),d=Fe(n),p=Se(d),h=r[0];if(r.length===0)return l`<${De} />`;let _=(g,v)=>l`<${F} title=${g}>${v}<//>`;return s?_(`No kept ${p} is like this`,"Take a condition away to see more."):u===0&&a?_(`No ${p} is in this box`,"Choose a coloured cell."):u===0&&i?_(`No ${p} is like this`,"Take a condition away, or look at a longer time."):u===0?_(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):f>0&&a?l`<${dm}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${f}
      unit=${d}
    />`:l`<${F} title=${`Nothing is kept of these ${$(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&l`<${fm} of=${h} />`}
  <//>`}var hm=12,ao={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function io(e,t){let n=e.get("sort");return ao[t].some(([r])=>r===n)?n:ao[t][0][0]}function gm({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function bm({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${x(e)}, ${q(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var so=(e,t)=>new Set(e.map(t)).size>1,$m={contexts:[{name:"blocked",cell:e=>l`<${bm} of=${e} />`},{name:"events",cell:e=>$(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>$(e.parts),isNumber:!0}]},vm={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},_m=e=>e[0]?ne(e[0].start):"";function ym(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],s=so(e,c=>be(c.start)),o=c=>l`<span title=${Pe(c.start)}>
      ${s?`${be(c.start).slice(5)} `:""}${ae(c.start)}
    </span>`,a=(c,m)=>[e.some(u=>u[c]>0),{name:c,title:m,cell:u=>u[c]>0?x(u[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[so(e,c=>c.type),{name:"type",cell:c=>oe(c.type)}],[so(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${_m(e)}`,cell:o},{name:"duration",cell:c=>l`<b>${x(c.duration)}</b>`,isNumber:!0},...$m[n],...i.flatMap(([c,m])=>c?[m]:[]),...r.slice(0,hm).map(c=>({name:c,cell:m=>wm(m.attributes[c]),className:"cut"})),vm[n]]}function wm(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function xm({unit:e}){let t=ao[e],n=io(b.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>l`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function _i({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,c=a.map(gm),m=Fe(n),u=l`<${H} of=${o.data} />
    <${xm} unit=${m} />
    <a href=${s}>events</a>
    <${Ue} query=${n} value=${b.value.params.get("value")??void 0} />
    <${I} url=${t} />`,f=fe(b.value.params.get("box")),d=f&&gr(f),p=o.data&&`${$(c.length)} of ${$(o.data.matched)}`+(d?`, began ${ae(d.from,1e9)} to ${ae(d.to,1e9)}`:"");return l`<${M}
    title=${`Kept ${m}`}
    note=${p}
    tools=${u}
    answer=${o}
    className="requests"
  >
    ${c.length>0&&l`<${G}
        label=${`Kept ${m}`}
        columns=${ym(c,r,m)}
        rows=${c}
        rowKey=${h=>h.recording+h.id}
        href=${h=>Qe(m,h.recording,h.id,h.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var yi=e=>e===null?"":x(e);function Hn(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),s=r===null?"":$(Number(r.toPrecision(3)));return l`<span title=${`${$(n.all)} in all`}>${s}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function jn(e){return[{name:"median",cell:t=>yi(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${yi(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${Ts} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${Ss} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${$(t.kept)} of ${$(t.all)}`}
          >${t.all>0?q(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var km=10,lo=["http_route","http.route","route","endpoint"];function Sm(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!zr(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>lo.includes(s)?lo.indexOf(s):lo.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function wi(e,t,n){let r=e?.types.find(o=>o.type===t);return(n===null?r:r?.values.find(o=>o.value===n))?.spark??[]}function Rm(e,t,n){return e.flatMap(s=>{let{type:o,requests_in:a,requests_out:i,p50_ns:c,p99_ns:m,top:u}=s,f=s.attributes.find(g=>g.key===t)?.values??[];if(f.length===0){let g=wi(n,o,null);return[{type:o,value:null,all:a,kept:i,p50_ns:c,p99_ns:m,spark:g,top:u}]}let d=f.map(({value:g,requests_in:v,requests_out:y,...k})=>{let{p50_ns:w,p99_ns:R,top:A}=k,V=wi(n,o,g);return{type:o,value:g,all:v,kept:y,p50_ns:w,p99_ns:R,spark:V,top:A}}),p=d.reduce((g,v)=>g-v.all,a),h=d.reduce((g,v)=>g-v.kept,i),_={p50_ns:null,p99_ns:null,spark:[],top:null};return p>0?[...d,{type:o,value:null,all:p,kept:h,..._}]:d}).sort((s,o)=>o.all-s.all)}var co=(e,t)=>`${e}=${t}`,xi=e=>b.value.params.getAll("where").includes(e);function Tm(e,t){let n=co(e,t),r=b.value.params.getAll("where").filter(s=>!s.startsWith(co(e,"")));return he({where:xi(n)?r:[...r,n]})}function Cm({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&l` <span class="dim">${s}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=xi(co(t,r));return l`<a
      href=${Tm(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}function Om(e,t,n){return[{name:e??"type",cell:r=>l`<${Cm} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},Hn(r=>t&&r.all/t),...jn(({value:r,type:s})=>r??s)]}function Pm({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function ki({answer:e,url:t,requests:n,query:r,tick:s,seconds:o}){let a=Sm(n),i=b.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,m=r!==null&&n.length>0,u=T(m?S("requests/series",r,{key:c}):null,s),f=Rm(n,c,u.data),d=c===null||n.length>1,p=l`<${H} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${Pm} keys=${a} chosen=${c} />`}
    <${I} url=${t} />`;return l`<${M}
    title="Routes"
    note=${f.length>0?`${$(f.length)} of them`:""}
    tools=${p}
    answer=${e}
    className="routes"
  >
    ${f.length>0&&l`<${G}
        label="Routes"
        columns=${Om(c,o,d)}
        rows=${f}
        rowKey=${h=>`${h.type} ${h.value}`}
        rowsFirst=${km}
      />`}
  <//>`}var Mm=50,Am=6n*3600000000000n,uo=60000000000n,Ri=["trace","thread","id"];function Nm({from:e,to:t}){let n=Ye.value?(e+uo-1n)/uo*uo:e;return{from:n<t?n:e,to:t}}function Em(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ri.some(r=>e.has(r))}function Lm({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return mn(BigInt(e),t,s,r)}function Um({data:e,seconds:t,jvms:n,unit:r}){let s=yt(e.columns),o=u=>{let f=et(s,u);return f===null?"-":x(f)},a=u=>(n?.recordings??[]).reduce((f,d)=>f+u(d),0),i=a(u=>u.bytes_out),c=a(u=>u.bytes_in),m=(u,f,d="")=>l`<span title=${d}><b>${u}</b>${f}</span>`;return l`<div class="facts">
    ${m(`${$(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${$(e.all)}`)}
    ${n&&m($(n.recordings.length),"JVMs","that ran in this time")}
    ${m(o(.5),"median")} ${m(o(.99),"p99")}
    ${m(e.all>0?q(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${c>0&&m(`${me(i)} of ${me(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Im(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return he({value:n?e:null,frame:t!==null?En(t):n?null:En(r),zoom:null})}function Bm({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=b.value,a=Ft(mt(b.value,J.value),n),i=Ft(hs(b.value,J.value),n),c=o.has("box")&&Ye.value?0:N.value,m=["box","where","min_duration_ns","max_duration_ns",...Ri].some(R=>o.has(R)),f=i.has("base")||o.has("base_box")||!m?i:ee(i,{base:"rest"}),d=o.has("base_box")?"other box":"rest",p=S(n,Ft(a,"contexts"),{sort:io(o,n)}),h=gn(p,Mm,c),_=T(Un(i),c),{data:g}=h.answer;if(g?.matched===0&&!g.is_truncated&&e.data)return l`<section>
      <${vi}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let v=new Map(r.map(R=>[R.id,R.instance])),k={service:a.get("service"),sort:null,view:null,unit:null,key:null},w=o.has("box")&&n==="contexts"?le(pe("e"),ee(a,{zone:o.get("zone")})):le(pe("e"),ee(o,{...k,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Bn} query=${f} against=${d} tick=${c} hrefOf=${Im} />
      <${ja} query=${f} tick=${c} against=${`the ${d}`} />
      <${Sa} url=${Un(i)} answer=${_} />
    </div>
    <${vt} query=${i} tick=${c} whole=${_} />
    <${_i}
      pages=${h}
      url=${p}
      query=${a}
      instances=${v}
      eventsHref=${w}
    />`}function Dm(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Si(e,t,n){let r=h=>S("contexts/heatmap",e,{fine:"1",...h}),s=r({}),o=n&&t&&!e.has("where"),a=T(o?s:null,N.value),i=r({exemplars:"0"}),c=T(n&&!a.data?i:null,N.value),m=a.data?a:c,{data:u}=m,f=e.has("where")&&u!==null&&u.all===0&&u.unknown>0,d=r({where:null}),p=T(f?d:null,N.value);return f&&p.data?{heat:p,heatUrl:d,isOfAll:!0}:{heat:m,heatUrl:s,isOfAll:!1}}function qm(e,t){let n=Zs(b.value.params),r=n!=="contexts",s=Si(Ft(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=Si(e,t,i);return i?{...c,unit:"contexts"}:{...s,unit:"requests"}}function Fm(e){let[t,n]=P(!1);return ue(()=>{e&&n(!0)},[e]),t}function Ti(){let{params:e}=b.value,{from:t,to:n}=J.value,r=Nm(J.value),s=gs(b.value,r),[o,a]=P(!1),{heat:i,heatUrl:c,isOfAll:m,unit:u}=qm(s,o),f=Fm(i.data!==null||i.problem!==null),d=ee(s,{where:null,context:null}),p=S("contexts/types",d),h=T(u==="requests"||f?p:null,N.value),_=h.data?.requests??[],g=i.data&&Lm(i.data,r),v=ee(d,{recording:null}),y=T(f?S("recordings",v):null,N.value),k=y.data?.recordings??[],w=m||Em(e,s),R=n-t<=Am||e.get("whole")==="1"||fe(e.get("box"))!==null||e.has("trace"),A=ut(b.value),V=[{name:"services",href:D([])},{name:A===null?"all":we(A)}],j=i.data?.all===0&&y.data!==null&&k.length===0;return l`<${re} crumbs=${V}>
    ${i.data?l`<${Um} data=${i.data} seconds=${g} jvms=${y.data} unit=${u} />`:i.isLoading&&l`<div class="facts"><${wr} lines=${2} /></div>`}
    <${Ka}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(Me=>Me.instance))]}
    />
    ${u==="requests"&&l`<${ki}
        answer=${h}
        url=${p}
        requests=${_}
        query=${f?d:null}
        tick=${N.value}
        seconds=${g}
      />`}
    ${!j&&l`<${$i}
        answer=${i}
        url=${c}
        unit=${u}
        isEither=${_.length>0}
        note=${Dm(i.data,w)}
        onPoint=${()=>a(!0)}
      />`}
    ${f&&R&&l`<${Bm}
        key=${u}
        heat=${i}
        heatUrl=${c}
        unit=${u}
        recordings=${k}
        isNarrowed=${w}
      />`}
    ${f&&!R&&l`<section>
        <${F} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function Hm(e,t){return[{name:"service",cell:r=>l`<b>${we(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>$(r.jvms),isNumber:!0,sort:r=>r.jvms},Hn(({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?mn(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${$(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...jn(({service:r})=>r)]}function Ci(){let{from:e,to:t}=J.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),s=T(r,N.value),o=(s.data?.services??[]).map(Qs),a=l`<${G}
    label="Services"
    columns=${Hm(s.data,J.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>D(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,c=l`<${H} of=${s.data} /><${I} url=${r} />`;return l`<${re}>
    <${M}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&l`<${De} />`}
    <//>
  <//>`}function jm({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((c,m)=>c.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${c.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function Wm({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
  </div>`}var Vm=e=>e===null?"":Pe(BigInt(e));function Oi({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Vm(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Km({of:e}){return e.state==="eliminated"?l`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Oi} of=${e} />
      <//>`:l`<${F} title="Not seen">
        No context of this trace is known here. <${Oi} of=${e} />
      <//>`}function Pi(){let e=b.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=T(t,N.value),{data:r}=n,s=r?jm(r,e):[],o=BigInt(r?.t0_ns??"0"),a=Gm(e,o,s),i=new Set(s.map(f=>f.service)).size,c=new Set(s.map(f=>f.recording)).size,m=l`<${H} of=${r} />
    ${s.length>0&&l`<${Ue} query=${a} />`} <${I} url=${t} />`,u=s.length>0&&`${Te(s.length,"context")} kept, ${Te(i,"service")}, ${Te(c,"JVM")}, from ${Pe(o)}`;return l`<${re} crumbs=${[{name:`trace ${e}`}]}>
    <${M} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&l`<${Wm} rows=${s} first=${o} />`}
      ${r&&s.length===0&&l`<${Km} of=${r} />`}
    <//>
    ${s.length>0&&l`<${Bn} query=${a} tick=${N.value} />
        <${vt} query=${a} tick=${N.value} />`}
  <//>`}function Gm(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function Mi(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=T(S(o,new URLSearchParams,{from:s})),{data:i}=a,c=i?.parts[0];ue(()=>{if(i&&c){let u=BigInt(i.t0_ns)+BigInt(Math.round(c.start));de(Oe(n,c.id,u),!0)}},[i]);let m=[{name:"services",href:D([])},{name:"request"}];return l`<${re} crumbs=${m}>
    <${M} title="Request" note=${r} answer=${a}>
      ${i&&!c&&l`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function zm([e]){switch(e){case void 0:return Ci;case"c":return Fa;case"e":return Gs;case"q":return Mi;case"r":return Ys;case"s":return Ti;case"t":return Pi;default:return Xs}}var Xm={s:"all services",e:"events",r:"recordings"};function Jm(){let{path:e}=b.value;return ce.value===null?null:ce.value.is_needed&&ce.value.identity===null?l`<${zs} />`:l`<${zm(e)} key=${e.join("/")} /> <${ws} />`}Vo();us();fs();ss();ts();ys();_e(()=>{let{path:e}=b.value,[t,...n]=e,r=n.length===0?Xm[t??""]??t:we(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});xo(l`<${Jm} />`,document.body);})();
