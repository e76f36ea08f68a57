"use strict";(()=>{var L,mo,Vn,Ee,jn,Yt,fo,Xt,po,Kn,Wn,Oi,Tt=Symbol.for("pv"),Zt={},Qt=[],Pi=/^m(i|n|o|s|text|space)$/,Gn=Array.isArray,zn=Qt.slice,Ke=Object.assign;function Ve(e){e&&e.parentNode&&e.remove()}function en(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?zn.call(arguments,2):n),Rt(e,a,r,s,null)}function Rt(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Tt,__v:s||++mo,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function Ge(e){return e.children}function tt(e,t){this.props=e,this.context=t,this.__g=0}function Le(e,t){if(t==null)return e.__&&Le(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Le(e)}function Mi(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Ke({constructor:Tt},n)).__v=n.__v+1,L.vnode&&L.vnode(t),Xn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Le(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,_o(s,t,o),n.__=n.__e=null,t.__e!=r&&ho(t))}function ho(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ho(e)}function co(e){(8&e.__g||(e.__g|=8,Ee.push(e),Yt++))&&jn==L.debounceRendering||((jn=L.debounceRendering)||queueMicrotask)(go)}function go(){try{for(var e,t=1;Ee.length;)Ee.length>t&&Ee.sort(fo),e=Ee.shift(),t=Ee.length,8&e.__g&&Mi(e)}finally{(Yt=Ee.length)&&(jn||queueMicrotask)(go)}}function bo(e,t,n,r,s,o,a,i,c,m,u){var f,d,p,h,_,g,v=r.__k||Qt,y=t.length;for(c=Ai(n,t,v,c,y),f=0;f<y;f++)(p=n.__k[f])!=null&&(d=~p.__i&&v[p.__i]||Zt,p.__i=f,g=Xn(e,p,d,s,o,a,i,c,m,u),h=p.__e,(d.ref!=p.ref||8&d.__u)&&(d.ref&&Jn(d.ref,null,p,d),p.ref&&u.push(p.ref,p.__c||h,p)),_=_||h,4&p.__u?(c=$o(p,c,e,!d.__v),d.__e&&(d.__e=null)):typeof p.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),p.__u&=-21);return n.__e=_,c}function Ai(e,t,n,r,s){var o,a,i,c,m,u,f,d,p,h=n.length,_=h,g=0,v=0,y=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[o]=Rt(null,a):Gn(a)?a=y[o]=Rt(Ge,{children:a}):a.constructor===Tt&&a.__b?a=y[o]=Rt(a.type,a.props,a.key,a.ref,a.__v):y[o]=a,c=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Ni(a,n,c,_))&&(_--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==c-1?g--:m==c+1?g++:m!=c&&(m>c?g--:g++,v=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):y[o]=null;if(v){for(u=[],f=[],o=0;o<s;o++)if((a=y[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[p=g+d>>1]<a.__i?g=p+1:d=p;u[g]=a.__i,f[o]=g+1}for(g=u.length;o--;)f[o]&&(f[o]==g?g--:y[o].__u|=4)}if(_)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Le(i)),Yn(i,i));return r}function $o(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=$o(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Le(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ni(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&o==null||c&&o==i.key&&a==i.type)return n;if(r>(c?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function uo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function zt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||uo(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||uo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Wn[t]||(Wn[t]=Ei(t)),(e.__a||(e.__a={}))[t]=Kn,o=t!=(t=t.replace(po,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Ei(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Xt]==null)t[Xt]=Kn++;else if(t[Xt]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function Xn(e,t,n,r,s,o,a,i,c,m){var u,f,d,p,h,_,g,v,y,k,w,P,A,V,j,Ne,T,B,Y=t.type;if(t.constructor!==Tt)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,f=o=[],u.nodeType==8?i=Jt(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof Y=="function"){d=a.length;try{if(v=t.props,y=(u=Y.prototype)&&u.render,k=(u=Y.contextType)&&r[u.__c],w=u?k?k.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(y?t.__c=p=new Y(v,w):(t.__c=p=new tt(v,w),p.constructor=Y,p.render=Ui),k&&k.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),y&&(p.__s||(p.__s=p.state),Y.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=Ke({},p.__s)),Ke(p.__s,Y.getDerivedStateFromProps(v,p.__s)))),h=p.props,_=p.state,p.__v=t,n.__c){if(v!==h&&y&&!Y.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(v,w),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(v,p.__s,w)===!1){t.__v!=n.__v&&(p.props=v,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(K){K&&(K.__=t)}),Qt.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&a.push(p),i=Le(n);break e}p.componentWillUpdate&&p.componentWillUpdate(v,p.__s,w),y&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(h,_,g)})}else y&&!Y.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),y&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=w,p.props=v,p.__P=e,p.__g&=-5,P=L.__r,A=y?25:0;do p.__g&=-9,P&&P(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++A<25);y&&(Qt.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=Ke({},r,p.getChildContext())),y&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(h,_)),V=u&&u.type===Ge&&u.key==null?u.props.children:u,v.__P&&(u=i,s=(e=v.__P).namespaceURI,c=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(K){K&&Yn(K,K)}),n.__k=null),i=n.__k?Le(n,0):null),i=bo(e,Gn(V)?V:[V],t,n,r,s,o,a,i,c,m),v.__P&&(t.__e=null,i=u),t.__u&=-161,f&&f.some(Ve),p.__h.length&&a.push(p),1&p.__g&&(p.__g&=-4)}catch(K){if(a.length=d,t.__v=null,c||o)if(K&&K.then){if(t.__u|=128|c,o){for(~(T=o.indexOf(i||void 0))||(T=o.length);(B=o[T-1])&&B.nodeType==8;)T--;for(;T<o.length;T++)if(B=o[T])if(o[T]=null,j){if(B==Ne)break}else{if(B.nodeType!=8)break;B.data.startsWith("$s")&&(Ne=Jt(j=B))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(u=Jt(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Ve);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),K&&K.then||vo(t),L.__e(K,t,n)}}else i=t.__e=Li(n.__e,t,n,r,s,o,a,c,m,e);return(u=L.diffed)&&u(t),i}function Jt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function vo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(vo))}function _o(e,t,n){for(var r=0;r<n.length;)Jn(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Li(e,t,n,r,s,o,a,i,c,m){var u,f,d,p,h,_,g,v,y=n.props||Zt,k=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(v=m.ownerDocument||document,!w)return v.createTextNode(k);e=v.createElementNS(s,w,k.is?k:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&k.defaultValue!=null?null:o&&zn.call(m.childNodes),!i&&o)for(y={},u=0;u<e.attributes.length;u++)y[(h=e.attributes[u]).name]=h.value;for(u in y)h=y[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in k||u=="value"&&"defaultValue"in k||u=="checked"&&"defaultChecked"in k||zt(e,u,null,h,s);for(u in k)h=k[u],u=="children"?p=h:u=="dangerouslySetInnerHTML"?f=h:u=="value"?_=h:u=="checked"?g=h:i&&typeof h!="function"||y[u]===h||zt(e,u,h,y[u],s);f?(i||d&&(f.__html==d.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Pi.test(w))&&(s="http://www.w3.org/1999/xhtml"),bo(m,Gn(p)?p:[p],t,n,r,s,o,a,o?o[0]:n.__k&&Le(n,0),i,c),o&&o.some(Ve)),i&&w!="textarea"||(u="value",w=="progress"&&_==null?e.removeAttribute(u):_==null||_===e[u]&&(w!="progress"||_)||zt(e,u,_,y[u],s),u="checked",g!=null&&g!=e[u]&&zt(e,u,g,y[u],s))}else y===k||i&&e.data==k||(e.data=k);return e}function Jn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function Yn(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Jn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Yn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Jt(r,o=[]))&&(r==e.__e&&o.some(Ve),Ve(s),Ve(r)),n||Ve(e.__e),e.__e=e.__c=e.__=null}function Ui(e,t,n){return this.constructor(e,n)}function yo(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Rt(Ge,{children:[e]}),s=[],o=[],Xn(t,t.__k,r||Zt,Zt,t.namespaceURI,r?null:t.firstChild?zn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),_o(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Yt=0,e}},mo=0,Vn=function(e){return e!=null&&e.constructor===Tt},tt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ke({},this.state)),typeof e=="function"&&(e=e(Ke({},n),this.props)),e&&(Ke(n,e),this.__v&&(t&&this.__k.push(t),co(this)))},tt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),co(this))},tt.prototype.render=Ge,Ee=[],Yt=0,fo=function(e,t){return e.__v.__b-t.__v.__b},Xt=Symbol(),po=/(PointerCapture)$|Capture$/i,Kn=0,Wn={},Oi=0;var nt,X,Zn,wo,Qn=Object.is,Ot=0,Mo=[],er=[],z=L,xo=z.__b,ko=z.__r,So=z.diffed,Ro=z.__c,To=z.unmount,Co=z.__;function tn(e,t){z.__h&&z.__h(X,e,Ot||t),Ot=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function C(e){return Ot=1,Ii(Ao,e)}function Ii(e,t,n){var r=tn(nt++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Ao(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Qn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var c=this.__H;if(!c)return!0;var m=!1,u=this.props!=o;if(c.__.some(function(d){d.__N&&(m=!0,Qn(d.__[0],d.__N[0])||(u=!0))}),s){var f=s.call(this,o,a,i);return m?f||u:f}return!m||u}}return r.__}function ue(e,t){var n=tn(nt++,3);!z.__s&&nr(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function Te(e,t){var n=tn(nt++,4);!z.__s&&nr(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function ee(e){return Ot=5,N(function(){return{current:e}},[])}function N(e,t){var n=tn(nt++,7);return nr(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function nn(e,t){return Ot=8,N(function(){return e},t)}function Bi(){var e;do{for(;e=er.shift();)try{Ct(e)}catch(n){z.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Mo.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ct),t.__h.some(tr),t.__h=[]}catch(n){t.__h=[],z.__e(n,e.__v)}}}while(er.length)}z.__b=function(e){X=null,xo&&xo(e)},z.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Co&&Co(e,t)},z.__r=function(e){ko&&ko(e),nt=0;var t=(X=e.__c).__H;t&&(Zn==X?X.__h=[]:(t.__h.some(Ct),t.__h.some(tr),nt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Zn=X},z.diffed=function(e){So&&So(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Po(Mo.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Zn=X=null},z.__c=function(e,t){t.some(function(n){try{n.__h.some(Ct),n.__h=n.__h.filter(function(r){return!r.__||tr(r)})}catch(r){n.__h=[function(){throw r}]}}),Ro&&Ro(e,t)},z.unmount=function(e){To&&To(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Po(er.push(s))}else Ct(s)}catch(o){t=o}}),r.__H=void 0,t&&z.__e(t,r.__v))};var Oo=typeof requestAnimationFrame=="function";function Di(e){var t,n=function(){clearTimeout(r),Oo&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Oo&&(t=requestAnimationFrame(n))}function Po(e){e!=1&&wo==z.requestAnimationFrame||((wo=z.requestAnimationFrame)||Di)(Bi)}function Ct(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function tr(e){var t=X;e.__c=e.__(),X=t}function nr(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Qn(n,e[r])})}function Ao(e,t){return typeof t=="function"?t(e):t}var qi=Symbol.for("preact-signals");function an(){if(Ce>1)Ce--;else{var e,t=!1;for((function(){var s=on;for(on=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();Mt!==void 0;){var n=Mt;for(Mt=void 0,rn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Eo(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(rn=0,Ce--,t)throw e}}function or(e){if(Ce>0)return e();rr=++Fi,Ce++;try{return e()}finally{an()}}var Pt,W=void 0;function At(e){var t=W,n=Pt;W=void 0,Pt=void 0;try{return e()}finally{W=t,Pt=n}}var Mt=void 0,Ce=0,rn=0,Fi=0,rr=0,on=void 0,sn=0;function No(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Z(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Z.prototype.brand=qi;Z.prototype.h=function(){return!0};Z.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:At(function(){var r;(r=t.W)==null||r.call(t)}))};Z.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&At(function(){var s;(s=t.Z)==null||s.call(t)}))}};Z.prototype.subscribe=function(e){var t=this;return ye(function(){var n=t.value;At(function(){return e(n)})},{name:"sub"})};Z.prototype.valueOf=function(){return this.value};Z.prototype.toString=function(){return this.value+""};Z.prototype.toJSON=function(){return this.value};Z.prototype.peek=function(){var e=this;return At(function(){return e.value})};Object.defineProperty(Z.prototype,"value",{get:function(){var e=No(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(rn>100)throw new Error("Cycle detected");(function(n){Ce!==0&&rn===0&&n.l!==rr&&(n.l=rr,on={S:n,v:n.v,i:n.i,o:on})})(this),this.v=e,this.i++,sn++,Ce++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{an()}}}});function te(e,t){return new Z(e,t)}function Eo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Lo(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Uo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function ze(e,t){Z.call(this,void 0,t),this.x=e,this.s=void 0,this.g=sn-1,this.f=4}ze.prototype=new Z;ze.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===sn))return!0;if(this.g=sn,this.f|=1,this.i>0&&!Eo(this))return this.f&=-2,!0;var e=W;try{Lo(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,Uo(this),this.f&=-2,!0};ze.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Z.prototype.S.call(this,e)};ze.prototype.U=function(e){if(this.t!==void 0&&(Z.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ze.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ze.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=No(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ke(e,t){return new ze(e,t)}function Io(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Ce++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,sr(e),r}finally{W=n,an()}}}function sr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Io(e)}function Hi(e){if(W!==this)throw new Error("Out-of-order effect");Uo(this),W=e,this.f&=-2;try{8&this.f&&sr(this)}finally{an()}}function rt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Pt&&Pt.push(this)}rt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};rt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Io(this),Lo(this),Ce++;var e=W;return W=this,Hi.bind(this,e)};rt.prototype.N=function(){2&this.f||(this.f|=2,this.u=Mt,Mt=this)};rt.prototype.d=function(){this.f|=8,1&this.f||sr(this)};rt.prototype.dispose=function(){this.d()};function ye(e,t){var n=new rt(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Bo,cn,ln,ji=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Do=[];ye(function(){Bo=this.N})();function ot(e,t){L[e]=t.bind(null,L[e]||function(){})}function Nt(e){if(ln){var t=ln;ln=void 0,t()}ln=e&&e.S()}function qo(e){var t=this,n=e.data,r=Vi(n);r.name="ReactiveDom",r.value=n;var s=N(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var m=ke(function(){var p=r.value.value;return p===0?0:p===!0?"":p||""}),u=ke(function(){return!Array.isArray(m.value)&&!Vn(m.value)}),f=ye(function(){if(this.N=Fo,u.value){var p=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=p)}}),d=t.__$u.d;return t.__$u.d=function(){f(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}qo.displayName="ReactiveTextNode";Object.defineProperties(Z.prototype,{constructor:{configurable:!0,value:en(Ge,null).constructor},type:{configurable:!0,value:qo},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});ot("__b",function(e,t){if(Nt(),cn=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Z&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});ot("__r",function(e,t){if(e(t),t.type!==Ge){Nt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return ye(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;ji&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),cn=r,Nt(n)}});ot("__e",function(e,t,n,r){Nt(),cn=void 0,e(t,n,r)});ot("diffed",function(e,t){Nt(),cn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var c in r){var m=o[c],u=r[c];m===void 0?(m=Wi(n,c,u,s),o[c]=m):m.o(u,s)}}}e(t)});function Wi(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=te(n);return{o:function(a,i){o.value=a,r=i},d:ye(function(){this.N=Fo;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}ot("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});ot("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});tt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Vi(e,t){return N(function(){return te(e,t)},[])}var Ki=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Gi(){or(function(){for(var e;e=Do.shift();)Bo.call(e)})}function Fo(){Do.push(this)===1&&(L.requestAnimationFrame||Ki)(Gi)}function zi(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var Ho=globalThis.document?.currentScript,we=Ho?zi(Ho.src):"";function ar(e,t=we){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var Xi=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function Ji(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function Yi(e){return ar(e).split("/").filter(t=>t!=="").map(Ji)}function ir(){return{path:Yi(location.pathname),params:new URLSearchParams(location.search)}}var b=te({path:[],params:new URLSearchParams});function pe(...e){return we+"/"+e.map(Xi).join("/")}function Q(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function le(e,t){let n=t.toString();return n===""?e:e+"?"+n}function de(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=ir()}function O(e,t=!1){de(le(location.pathname,Q(b.value.params,e)),t)}function he(e){return le(pe(...b.value.path),Q(b.value.params,e))}function Zi(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function D(e,t={}){return le(pe(...e),Q(Zi(b.value.params),t))}function Qi(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith(we+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(ar(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),de(t.pathname+t.search),scrollTo(0,0))}function jo(){addEventListener("popstate",()=>b.value=ir()),addEventListener("click",Qi),b.value=ir()}function Et(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function x(e){if(e<0)return"-"+x(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):Et(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var el={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Wo(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*el[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function me(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Et(t))+" "+n;t/=1e3}return Et(t)+" TB"}function $(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Et(e/1e6)+" M":Et(e/1e9)+" G"}function Oe(e,t){return`${$(e)} ${t}${e===1?"":"s"}`}function q(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ge(e,t){return t==="ns"?x(e):t==="bytes"?me(e):$(e)}function xe(e){return e||"(no name)"}function oe(e){return e.slice(e.lastIndexOf(".")+1)}function Ue(e){return e.split(".").slice(-2).join(".")}var Ko=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,Ko(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},Vo=new Map;function Go(e){var t=Vo.get(this);return t||(t=new Map,Vo.set(this,t)),(t=Ko(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",c=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):o===3&&(d||a)?(c.push(3,d,a),o=2):o===2&&a==="..."&&d?c.push(4,d,0):o===2&&a&&!d?c.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(c.push(o,0,a,s),o=6),d&&(c.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var f=0;f<n[u].length;f++)r=n[u][f],o===1?r==="<"?(m(),c=[c],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][f+1]===">")?(m(),o===3&&(c=c[0]),o=c,(c=c[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,c=c[0])}return m(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Go.bind(en);function tl(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function st(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await tl(s*1e3,t.signal)}}async function Xe(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ce=te(null),Lt=te(!1),zo=we+"/api/v1/login",Xo={"loupe-page":"1"},Jo=e=>`the collector cannot be reached: ${String(e)}`;async function Yo(e){if(!e.ok)return Xe(e);let t=await e.json();return ce.value={is_needed:t.is_needed,identity:t.identity},null}async function Zo(e,t={}){try{return await Yo(await fetch(zo,{method:e,headers:{...Xo,...t}}))}catch(n){return Jo(n)}}async function Qo(){await st(zo,{headers:Xo}).then(Yo).catch(Jo)!==null&&(ce.value={is_needed:!1,identity:null})}async function es(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Zo("POST",{authorization:`Bearer ${e}`});return Lt.value&&=t!==null,t}async function ts(){let e=await Zo("DELETE");return Lt.value&&=e!==null,e}function ns(){Lt.value||=ce.value?.identity!=null,ce.value={is_needed:!0,identity:null}}var un=te(!1);function rs(){let e=matchMedia("(max-width: 640px)"),t=()=>un.value=e.matches;e.addEventListener("change",t),t()}var lr=0;function os(){return lr>0}async function nl(e,t){let n=await st(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&ns();let o=r?await n.json():null,a=r?null:await Xe(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=C(n);return Te(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:f})=>u.problem===null||a(u)?u:{...u,data:f}),c=u=>{let f=`the collector cannot be reached: ${String(u)}`;i({...n,problem:f,isLoading:!1})},m=u=>f=>o.signal.aborted||u(f);return lr++,nl(e,o.signal).then(m(i),m(c)).finally(()=>lr--),()=>o.abort()},[e,t]),r}var rl={s:1,m:60,h:3600,d:86400};function Ut(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*rl[t[2]])*1000000000n:null}function be(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var as=["5m","15m","1h","6h","1d","7d","30d"],ss="1h",ol=5e3,is=()=>BigInt(Date.now())*1000000n,E=te(is());function cr(){E.value=is()}var at=ke(()=>{let e=b.value.params.get("last")??ss;return Ut(e)===null?ss:e}),Je=ke(()=>b.value.params.get("live")==="1"),J=ke(()=>{let{params:e}=b.value,t=be(e.get("to")??"")??E.value,n=be(e.get("from")??"");return{from:n!==null&&n<t?n:t-Ut(at.value),to:t}}),sl=18e10;function mn(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=sl;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function ls(){let e=0;ye(()=>{if(clearInterval(e),Je.value){let t=()=>document.hidden||os()||cr();e=window.setInterval(t,ol)}})}var Pe=te(0),ur=new Map;function U(e){let t=ur.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),ur.set(e,t)),t}function it(e){return`${U("t1")} ${U(e)}`}function mr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function cs(e,t,n){let r=mr(t);return"#"+mr(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var al=.2;function lt(e){let[t,n,r]=mr(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>al?"#101113":"#ffffff"}function us(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{ur=new Map,Pe.value++})}var il=["recording","instance","context","where","trace","thread","id"],ll=["recording","instance","context"],cl=["min_duration_ns","max_duration_ns"];function ct(e){return/^\d{1,19}$/.test(e)}function fe(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function It(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function fr(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function pr(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var ms=30000000000n;function dr({from:e,to:t}){let n=(t-e)/2n<ms?(t-e)/2n:ms;return{from:e-n,to:t+n}}function fs(e,t,n=""){pr(e,dr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function ut({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function mt(e,t){let n=new URLSearchParams,r=ut(e);r!==null&&n.set("service",r),fr(n,e.params,il);let s=fe(e.params.get("box"));if(s)fs(n,s);else{pr(n,t);for(let o of cl)e.params.getAll(o).filter(ct).forEach(a=>n.append(o,a))}return n}function ps(e,t){let n=mt(e,t),r=fe(e.params.get("base_box"));if(!r)return fr(n,e.params,["base"]),n;fs(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function ds(e,t){let n=new URLSearchParams,r=ut(e);r!==null&&n.set("service",r),fr(n,e.params,ll),pr(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return le(we+"/api/v1/"+e,Q(t,n))}function Ye({text:e,label:t,title:n,className:r="",children:s}){let o=ee(null),[a,i]=C(!1),c=()=>i(!1);ue(()=>{if(!a)return;let f=({target:p})=>o.current.contains(p)||c(),d=p=>{p.key==="Escape"&&(p.stopPropagation(),c(),o.current.querySelector("summary").focus())};return addEventListener("pointerdown",f,!0),addEventListener("focusin",f),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",f,!0),removeEventListener("focusin",f),removeEventListener("keydown",d,!0)}},[a]);let m=({target:f})=>f.closest("a")&&c(),u=({currentTarget:f})=>i(f.open);return l`<details
    class=${`menu ${r}`}
    ref=${o}
    open=${a}
    onToggle=${u}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${m}>${s(c)}</div>`}
  </details>`}function fn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function ul(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,c])=>` \\
  --data-urlencode ${fn(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${fn(t+r)}${o.join("")}`}async function ml(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function I({url:e}){return e===null?null:l`<${Ye} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${fl} url=${e} />`}
      <//>`}function fl({url:e}){let[t,n]=C(!1),r=ul(e,location.origin,ce.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:o})=>{await ml(r,o),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var pl=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ie({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(m,u)=>S(u,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(u)?s:{}}),a=S("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return l`<${Ye} text="download">${()=>l`${pl.map(([m,u,f])=>l`<a href=${o(m,u)} download title=${f}
            >${m}<small>${f}</small></a
          >`)}
      <a href=${we+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function hs(e){return`${we}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var Bt=te(null),ft=te([]),gs={accept:"application/json"};async function dl(e){let t=await st(S("collector",new URLSearchParams),{headers:gs});if(!t.ok)return Xe(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${fn(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...gs,"loupe-page":"1"},body:e});return n.ok?await n.json():Xe(n)}var $s=(e,t)=>ft.value=[...ft.value,{name:e,text:t}];function hl(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&$s(e,`not all of it is shown: ${t.join("; ")}${r}`)}function gl(e){let t=new Set(e.map(o=>o.service)),n=(o,a)=>BigInt(o)<BigInt(a)?o:a,r=(o,a)=>BigInt(o)<BigInt(a)?a:o,s=new URLSearchParams({from:e.map(o=>o.from_ns).reduce(n),to:e.map(o=>o.to_ns).reduce(r)});return le(t.size===1?pe("s",...t):pe(),s)}async function bl(e){let t=[];for(let n of e){Bt.value=n.name;let r=await dl(n).catch(s=>`it cannot be sent: ${String(s)}`);typeof r=="string"?$s(n.name,r):(t.push(r),hl(n.name,r))}Bt.value=null,t.length>0&&de(gl(t))}var bs=Promise.resolve();function $l(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function vl(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),bs=bs.then(()=>bl(t)))}function vs(){addEventListener("dragover",$l),addEventListener("drop",vl)}function _s(){return Bt.value===null&&ft.value.length===0?null:l`<div class="upload">
    <div>
      ${ft.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${Bt.value!==null&&l`<p role="status">Reading ${Bt.value} …</p>`}
    </div>
    ${ft.value.length>0&&l`<button onClick=${()=>ft.value=[]}>close</button>`}
  </div>`}var _l={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},yl={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function se(e){let t=e.startsWith("other: ")?e.slice(7):e;return _l[e]??{name:t,token:"other"}}function pt(e){return yl[e]??"other: other"}function pn(e){return e==="."?null:se(pt(e))}var wl={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Be(e){return(e.startsWith("jdk.")?wl[e.slice(4)]:void 0)??"other: "+e}var xl=/^(java|javax|jdk|sun|com\.sun)\./;function dt(e){return xl.test(e)}function Me(e,t,n){return Ze("contexts",e,t,n)}function Ze(e,t,n,r){return D([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function dn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function hn({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var kl=1e3,ys=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Sl(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&ys(e.url)===ys(t)?Math.min(kl,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function gn(e,t,n){let[r,s]=C([]),[,o]=C(""),a=ee({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Sl(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:m}=a.current,u=c?`&cursor=${encodeURIComponent(c)}`:"",f=R(`${e}&limit=${i}${u}`,n);ue(()=>{f.data&&!f.isLoading&&s([...m,...hn(f.data)])},[f.data]);let d=f.isLoading?null:f.data?.next??null;return{answer:f,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}function ie({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${se(e).token})`}}
  ></span>`}function xs({of:e}){return e&&l`<${ie} category=${e.category} />${se(e.category).name}
      <span class="dim"> ${q(e.share)}</span>`}var Rl=.07,Tl=.16;function ks({parts:e,total:t,each:n}){let r=e.filter(m=>m.total_ns>0),s=m=>m.total_ns/Math.max(1,t),o=m=>se(m.category).name,a=m=>s(m)<Rl?"":s(m)<Tl?o(m):`${o(m)} ${n(m)}`,i=m=>Pe.value>=0&&lt(U(se(m.category).token)),c=r.map(m=>`${o(m)} ${q(s(m))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(m=>l`<span
          key=${m.category}
          title=${`${o(m)} ${n(m)}, ${q(s(m))}`}
          style=${{flexGrow:s(m),background:`var(--${se(m.category).token})`,color:i(m)}}
          >${a(m)}</span
        >`)}
  </div>`}var ws=120,hr=22;function Ss({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*ws,c=hr-1-o/n*(hr-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(s?"":"h1"),s=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${ws} ${hr}"
  >
    <path d=${r} />
  </svg>`}var Rs="a time with its date, such as 2026-01-02T15:04:05Z, or nanoseconds since 1970",Ts="FROM,TO,MIN,MAX, all in nanoseconds",gr=e=>t=>e.includes(t),Cs={from:[e=>be(e)!==null,Rs],to:[e=>be(e)!==null,Rs],last:[e=>Ut(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[ct,"a number of nanoseconds"],max_duration_ns:[ct,"a number of nanoseconds"],box:[e=>fe(e)!==null,Ts],base_box:[e=>fe(e)!==null,Ts],unit:[gr(["requests","contexts"]),"requests or contexts"],live:[gr(["1"]),"1"],zone:[gr(["utc"]),"utc"]};function br(e,t){return Cs[e]?.[0](t)??!0}function Os(e){let t=[...e].filter(([a,i])=>!br(a,i)).map(([a,i])=>({name:a,value:i,wanted:Cs[a][1]})),[n,r]=[e.get("from")??"",e.get("to")??""],[s,o]=[be(n),be(r)];return s!==null&&o!==null&&s>=o?[...t,{name:"from",value:n,wanted:"before to"}]:t}var Cl=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${x(Number(e))}`],["max_duration_ns",e=>`\u2264 ${x(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ol(e,t){O({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}var Pl=e=>b.value.params.getAll(e).filter(t=>br(e,t));function Ml(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");O({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function bn({keys:e=[],values:t=[]}){let n=Cl.flatMap(([r,s])=>Pl(r).map(o=>l`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Ol(r,o)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Ml} aria-label="Add a condition on an attribute">
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
  </div>`}var ht=ke(()=>b.value.params.get("zone")==="utc"),$n=1000000n,$r=6e4,Ps=e=>String(e).padStart(2,"0");function vn(e,t=ht.value){return t?0:-new Date(Number(e/$n)).getTimezoneOffset()*$r}function Ms(e){return BigInt(vn(e))*$n}var Dt=e=>new Date(Number(e/$n)+vn(e)).toISOString().replace("Z","");function ae(e,t=1e6){return Dt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function $e(e){return Dt(e).slice(0,10)}function De(e){return Dt(e).slice(0,19).replace("T"," ")}function As(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${Ps(t)}:${Ps(n)}`}function ne(e,t=ht.value){let n=vn(e,t)/$r,r=As(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Ae(e){let t=vn(e)/$r,n=String(e%1000000000n).padStart(9,"0");return`${Dt(e).slice(0,19)}.${n}${t===0?"Z":As(t)}`}function vr(e){return Dt(e).slice(0,19)}function Ns(e){let t=Date.parse(ht.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*$n}function _n(e){return typeof e=="string"?e:JSON.stringify(e)}function Es(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function _r(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Al(e){return e.find(t=>!dt(t))??e[0]??""}function Nl({item:e,columns:t}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Ae(e.start)}</dd>
        ${Es(e).map(([n,r])=>[l`<dt>${n}</dt>`,l`<dd>${_n(r)}</dd>`])}
      </dl>
      <ol>
        ${_r(e).map(n=>l`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function yn({items:e,since:t,contextHref:n,label:r}){let[s,o]=C(null),a=[t===void 0?`time, ${e[0]?ne(e[0].start):""}`:"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(c,m)=>{let{type:u,duration:f,thread:d,recording:p,context:h}=c.values,_=t===void 0?ae(c.start):"+"+x(Number(c.start-t)),g=Es(c).map(([P,A])=>`${P}=${_n(A)}`),v=`${c.start} ${u} ${d} ${p}`,y=s===v,k=()=>o(y?null:v),w=n&&p!==null&&h?n(String(p),String(h)):null;return l`<tr key=${m} class=${y?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(y)} onClick=${k}>${_}</button>
        </td>
        <td title=${u}>
          <${ie} category=${Be(String(u))} />${oe(String(u))}
        </td>
        <td class="n">${typeof f=="number"?x(f):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${_r(c)[0]}>
          ${Ue(Al(_r(c)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&l`<td data-name="context">${w&&l`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${y&&l`<${Nl} item=${c} columns=${a.length} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function El({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function Ll({name:e,value:t,wanted:n}){let r=b.value.params.getAll(e).filter(s=>s!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>O({[e]:r},!0)}>take it away</button>
  </div>`}function Ls(){return Os(b.value.params).map(e=>l`<${Ll} key=${`${e.name} ${e.value}`} ...${e} />`)}function yr({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:l`<span class="missing">${s.join("; ")}</span>`}var Ul=5;function M(e){let{title:t,note:n,tools:r,answer:s,className:o,lines:a=Ul,children:i}=e,c=s&&s.data!==null&&(s.isLoading||s.problem!==null);return l`<section class=${o} aria-busy=${s?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${s&&l`<${El} answer=${s} />`}
    ${s?.data===null&&s.isLoading&&a>0&&l`<${yr} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function Il(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function Bl({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=b.value,s=Q(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${De(t)} ${ne(t)}:${" "}
    <a class="link" href=${le(pe(...n),s)}>look at all of that time</a>.
  </p>`}function qe(){let e=S("collector",new URLSearchParams),{data:t}=R(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<J.value.from,r=ut(b.value),s=a=>Il(a,location.hostname,ce.value?.is_needed);if(t?.takes_files&&!n)return l`<${F} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let o=r===null?"":` of ${r}`;return l`<${F} title="No JVM${o} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${s(t.agents)}</pre>`}
    ${t&&n&&l`<${Bl} of=${t} />`}
  <//>`}var Dl=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,ql=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Us=e=>e.replace(/\$(?=.)/g,"\\$");function Is(e,{path:t,params:n}){if(Dl.test(e))return D(["t",e.toLowerCase()]);let r=t[0]==="s",s=ql.test(e);if(!r)return D(["s"],s?{where:e}:{frame:Us(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:Us(e)};return le(pe(...t),Q(n,a))}var Ds={box:null,base_box:null},qt=e=>be(b.value.params.get(e)??"")!==null,Bs=60000000000n;function Fl(){let{from:e,to:t}=J.value;if(!qt("from")&&!qt("to"))return`last ${at.value}`;let n=e%Bs===0n&&(t%Bs===0n||!qt("to")),r=o=>ae(o,n?6e10:1e9),s=$e(e)===$e(t)?r(t):`${$e(t)} ${r(t)}`;return`${$e(e)} ${r(e)} to ${qt("to")?s:"now"}`}function Hl(){let e=as,t=e.includes(at.value)?e:[at.value,...e],n=r=>r===at.value&&!qt("from");return l`<div class="lengths">
    ${t.map(r=>l`<a
          key=${r}
          href=${he({last:r,from:null,to:null,...Ds})}
          aria-current=${n(r)?"true":void 0}
          >last ${r}</a
        >`)}
  </div>`}function jl({close:e}){let[t,n]=C(""),{from:r,to:s}=J.value,o=i=>{i.preventDefault();let c=i.currentTarget,m=(d,p)=>{let h=c.elements.namedItem(d).value;return h===vr(p)?p:Ns(h)},[u,f]=[m("from",r),m("to",s)];if(u===null||f===null)n("Both need a day and a time.");else if(u>=f)n("It has to begin before it ends.");else{e();let d={from:String(u),to:String(f)};O({...d,last:null,live:null,...Ds})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${vr(c)}
    /></label>`;return l`<form class="between" onSubmit=${o}>
    ${a("from",r)} ${a("to",s)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function Wl(){let{to:e}=J.value,t=(n,r)=>l`<button
      aria-pressed=${ht.value===n?"true":"false"}
      onClick=${()=>O({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${ne(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function wr(){let{from:e,to:t}=J.value,n=l`${Fl()} <span class="dim">${ne(t)}</span>`;return l`<${Ye}
    text=${n}
    title=${`${De(e)} to ${De(t)} ${ne(t)}`}
    className="time"
  >
    ${r=>l`<${Hl} /><${jl} key=${ht.value} close=${r} /><${Wl} />`}
  <//>`}function xr(){return l`<button onClick=${cr} title="ask again">refresh</button>
    <button
      aria-pressed=${Je.value?"true":"false"}
      onClick=${()=>O({live:Je.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function qs({onDone:e}){let t=r=>{r.preventDefault();let s=r.currentTarget.elements.namedItem("q"),o=s.value.trim();o!==""&&(de(Is(o,b.value)),s.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Fs(){let[e,t]=C(null),n=ce.value?.identity,r=async()=>t(await ts());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Vl=[["services",""],["events","e"],["recordings","r"]];function re({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([u,f])=>l`<a href=${D(f?[f]:[])} aria-current=${f===n?"page":void 0}>
      ${u}
    </a>`,s=({name:u,href:f},d)=>[d>0?" / ":"",f?l`<a href=${f}>${u}</a>`:l`<b>${u}</b>`],o=l`<nav class="screens" aria-label="Screens">${Vl.map(r)}</nav>`,a=l`<a class="logo" href=${D([])}>Loupe</a>`,i=un.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(s)}</span>`,m=u=>l`${o}<${qs} onDone=${u} />
      <div class="row"><${xr} /></div>
      <${Fs} />`;return l`<header>
      ${un.value?l`${a} ${c} <${wr} />
              <${Ye} text="☰" label="screens, search, refresh" className="all">${m}<//>`:l`${a} ${o} ${c} <${qs} /> <${wr} /><${xr} /> <${Fs} />`}
    </header>
    <main><${Ls} />${t}</main>`}var Kl=4;function Gl(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function G({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,rowsFirst:o,label:a,className:i}){let[c,m]=C(null),u=c===null?void 0:e[c]?.sort,f=u?[...t].sort((k,w)=>Gl(u(k),u(w))):t,[d,p]=C(!1),h=f.slice(0,d?s:o??s),_=Math.min(t.length,s??1/0)-h.length,g=(k,w)=>{let P=c!==w?"none":k.isNumber?"descending":"ascending",A=k.sort?l`<button class="plain" onClick=${()=>m(w)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?P:void 0}
    >
      ${A}
    </th>`},v=(k,w,P)=>{let A=w.cell(k);return l`<td
      class=${(w.isNumber?"n ":"")+(w.className??"")}
      data-name=${P>0?w.name:void 0}
    >
      ${r&&P===0?l`<a href=${r(k)}>${A}</a>`:A}
    </td>`},y=_>0&&o!==void 0&&l`<button class="plain more" onClick=${()=>p(!0)}>${$(_)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>Kl?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(g)}
          </tr>
        </thead>
        <tbody>
          ${h.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((w,P)=>v(k,w,P))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${y}`}var zl=15,Xl=100,kr=e=>e===null?"":x(e),gt=(e,t)=>b.value.params.getAll(e).includes(t);function Sr({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Jl({types:e}){let t=n=>he({context:gt("context",n)?null:n,key:null,where:null,event:null});return l`<${G}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${Sr} href=${t(n)} on=${gt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>kr(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>kr(n.p99_ns),isNumber:!0}]}
  />`}function Hs({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return he({where:gt("where",s)?o:[...o,s],event:null})};return l`<${G}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${Sr}
            href=${n(r)}
            on=${gt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>kr(r.p99_ns),isNumber:!0}]}
  />`}function Yl({name:e}){let t=mt(b.value,J.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),E.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&l`<${Hs} name=${e} rows=${s} />`}`}function Zl({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>l`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>O({key:o},!0)}
    >
      ${o}
    </button>`;return l`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?l`<${Yl} name=${n.key} />`:l`<${Hs} name=${n.key} rows=${r} />`}`}function Ql({of:e}){let t=n=>he({event:gt("event",n)?null:n});return l`<${G}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${zl}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ie} category=${Be(n)} /><${Sr}
              href=${t(n)}
              on=${gt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?x(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function ec({query:e}){let t=b.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:s,more:o}=gn(n,Xl,E.value),a=l`<${H} of=${r.data} /><${I} url=${n} />`;return l`<${M} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&l`<${yn} label="Events" items=${s} contextHref=${Me} />`}
    ${o&&l`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&l`<${F} title="No events here" />`}
  <//>`}function js(){let e=b.value,t=mt(e,J.value),n=S("contexts/types",nc(t)),r=R(n,E.value),s=S("events/types",t),o=R(s,E.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=o.data&&`${$(o.data.events)} events`+tc(o.data.contexts);return l`<${re}>
    <${bn} />
    <div class="three">
      <${M}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${Jl} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${qe} />`}
      <//>
      <${M} title="Context values" note=${a?.type}><${Zl} of=${a} /><//>
      <${M}
        title="Event types"
        note=${i}
        tools=${l`<${H} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&l`<${Ql} of=${o.data} />`}
      <//>
    </div>
    <${ec} query=${t} />
  <//>`}var tc=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function nc(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function Ws(){let[e,t]=C(null),[n,r]=C(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await es(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Lt.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function Vs(){return l`<${re}>
    <section>
      <${F} title="There is nothing here">
        <a class="link" href=${D([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function rc(e){return e.replaceAll("_","-")}function Ft(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function Ht({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${rc(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var Rr=e=>be(e)??0n,oc=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),wn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Ks=(e,t)=>l`${$(e)} <span class="dim">of ${$(t)}</span>`,sc=()=>[{name:"service",cell:e=>l`<b>${xe(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${ne(E.value)}`,cell:e=>De(Rr(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${x(wn(e))}, running`:x(wn(e)),isNumber:!0,sort:wn},{name:"contexts kept",cell:e=>Ks(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Ks(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${me(e.bytes_out)} <span class="dim">of ${me(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>oc(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function ac(){let{params:e}=b.value,{from:t,to:n}=J.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=S("recordings",r),o=R(s,E.value),a=o.data?.recordings??[],i=l`<${H} of=${o.data} /><${I} url=${s} />`;return l`<${re}>
    <${M} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&l`<${G}
          label="Recordings"
          columns=${sc()}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>D(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&l`<${qe} />`}
    <//>
  <//>`}var ic=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>me(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>me(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${Ht} of=${Ft({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Fe(e,t){return l`<span><b>${e}</b>${t}</span>`}function lc({of:e}){let t=e.contexts_in?q(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Fe(e.is_running?"running":"ended",`${x(wn(e))} since ${De(Rr(e.start))} ${ne(Rr(e.start))}`)}
    ${Fe(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${Fe($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${Fe(me(e.bytes_out),`of ${me(e.bytes_in)} kept`)}
    ${Fe(me(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Fe(x(e.waiting.duration_ns),`not compacted yet, ${me(e.waiting.journal_bytes)}`)}
    ${Fe(e.jvm_version,e.jvm_name)} ${Fe(e.pid,`process, on ${e.instance}`)}
  </div>`}var cc={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function uc({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${$(r)} ${cc[n]??n}</li>`)}
      </ul>`}function mc({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,E.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${M}
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
  <//>`}function fc({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=[{name:r?`${xe(r.service)}, ${r.instance}`:e}],o=l`<a href=${hs(e)} download>download .jfr</a><${I} url=${t} />`,a=r?Ft(r.types):[];return l`<${re} crumbs=${s}>
    <${M} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&l`<${lc} of=${r} />`}
      ${n.status===404&&l`<${F} title="This collector has no such recording">
          <a href=${D(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${M}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?l`<${Ht} of=${a} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${M} title="Lost" note="what is missing, and should not be"
          ><${uc} of=${r}
        /><//>
        <${M} title="Event types">
          <${G}
            label="Event types"
            columns=${ic}
            rows=${Object.entries(r.types).sort((i,c)=>c[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${mc} service=${r.service} />`}
  <//>`}function Gs(){let e=b.value.path[1];return e===void 0?l`<${ac} />`:l`<${fc} id=${e} />`}function Se(e){return e==="requests"?"request":"context"}var pc=["context","thread","trace","id","box","base_box"];function zs(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:pc.some(n=>e.has(n))?"contexts":null}function Re(e){return e.get("unit")==="requests"?"requests":"contexts"}function bt(e,t){return Q(e,{unit:t==="requests"?t:null})}function Xs(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:c,spark:m,top:u}}function Js(e){let[t,n]=C({width:0,height:0,ratio:1});return Te(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Tr(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Ys(e,{width:t,height:n,ratio:r},s,o){Te(()=>{let a=t>0&&e.current&&Tr(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Pe.value,...o])}function dc(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=Tr(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function xn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=ee(null),a=ee(null),i=ee(t),c=ee(0);i.current=t;let m=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&o.current&&dc(a.current,o.current,i.current)})};ue(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),ue(m,[t,n,r,Pe.value]),ue(()=>{let{scrollTop:d,clientHeight:p}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+p&&(o.current.scrollTop=s[1]-p)},[s?.[0],s?.[1]]);let u=d=>p=>{let h=a.current.getBoundingClientRect(),_=p.clientY-h.top+o.current.scrollTop;d?.({x:p.clientX-h.left,y:_,width:h.width,event:p})},f=Math.min(n,r);return l`<div
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
  </div>`}var kn=14,Sn=8;function $t({at:e,children:t}){let n=ee(null);return Te(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+kn+s>innerHeight-Sn,i=Math.min(e.clientX+kn,innerWidth-r-Sn);o.left=`${Math.max(Sn,i)}px`,o.top=`${a?Math.max(Sn,e.clientY-kn-s):e.clientY+kn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var Pr=e=>e.charCodeAt(0);function Zs(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[Pr(n.length===1?n:t),Pr(r.length===1?r:t)]}var Mr=e=>/\w/.test(String.fromCharCode(e)),Qs=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),na=(e,t)=>t>=0&&t<e.length&&Mr(e.charCodeAt(t)),Rn=(e,t)=>na(e,t-1),Tn=na,Cr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>Rn(e,t)!==Tn(e,t),"\\B":(e,t)=>Rn(e,t)===Tn(e,t),"\\<":(e,t)=>!Rn(e,t)&&Tn(e,t),"\\>":(e,t)=>Rn(e,t)&&!Tn(e,t)},ea=e=>e>=48&&e<=57,Or={"\\d":ea,"\\D":e=>!ea(e),"\\w":Mr,"\\W":e=>!Mr(e),"\\s":Qs,"\\S":e=>!Qs(e)},ta={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},ve=class extends Error{},Ar=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new ve;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new ve;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new ve;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new ve;if(r!==1/0&&r>255)throw new ve;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(ta,r)?ta[r]:void 0;if(n===":"?!s:r.length!==1)throw new ve;return n===":"?o=>s.test(String.fromCharCode(o)):Pr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new ve;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new ve;t.push(this.range())}this.at++,this.addAtom(r=>Zs(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Cr,n)||Object.hasOwn(Or,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new ve;if(Object.hasOwn(Cr,n))this.atom=null,this.add({holds:Cr[n]});else if(Object.hasOwn(Or,n))this.addAtom(Or[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=Zs(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function ra(e){try{return e.length>256?null:new Ar(e).parse()}catch(t){if(t instanceof ve)return null;throw t}}function oa(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,c=(m,u,f)=>{o(u,f);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:p,holds:h,jumps:_,isEnd:g}=e[d];i||=g===!0,p?m.push(d):h?.(t,f)&&o(d+1,f);for(let v of _??[])o(d+v,f)}};for(let m=0;;m++){if(c(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),f=[];for(let d of a)e[d].takes(u)&&c(f,d+1,m+1);a=f}}function Pn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let f=n[u]-1;s[u]=f<0?-1:i[f],a[u]=f<0?0:c[f],f>=0&&(c[f]+=r[u]),c[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function aa(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let p=c.level[d];p>=r&&p<s&&m.push({node:d,x:0,width:n,row:p})}let u=n/(o[t]||1),f=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let p=c.level[d];if(p>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,_=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(_),n-1):_;p>=r&&(h>=1||g>=f[p-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:p}),f[p-r]=g+Math.max(h,1)),d++}return m}function ia(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,m=t;for(;m>0&&c.level[m]>s;)m=e.parent[m];if(m!==t||c.level[m]===s)return c.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let f=u>=a[m]&&u<a[m]+o[m];if(f&&c.level[m]===s)return m;m=f?m+1:i[m]}return-1}function la(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?ca(e,t)[c+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===c&&s[u]>0)return u;return n}default:return n}}function ca(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var On=4;function ua(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**On).toString(36).padStart(On,"0")}function Mn(e,t){return ca(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(ua).join("")}function An(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=On){let a=t.slice(o,o+On),i=s+1;for(;i<(e.end[s]??0)&&ua(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var hc=1024,gc=5e7;function ma(e,t=gc){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(c),{isOver:()=>!1})}let r=ra(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(c=>(s.has(c)||s.set(c,!a()&&oa(r,c.slice(0,hc),o)),s.get(c)),{isOver:a})}function fa(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=o[n.name[i]]===1;a+=c?s[i]:0,i=c?r[i]:i+1}return{names:o,weight:a}}var Cn=(e,t)=>t>0?e/t:0;function pa({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(Cn(r.total,n),Cn(r.base_total??0,o)),i=Cn(e[s],n)-Cn(t?.[s]??0,o);return a>0?i/a:0}function da(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function bc({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!dt(e.names[e.name[o]]))return o;return s}function sa({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function ha(e,t){let{flame:n}=e,r=sa(e,n.value),s=sa(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&s[i]===0)continue;let m=c==="."?"c":c,u=n.names[n.name[bc(e,i)]],f=o.get(m+u)??{name:u,kind:m,value:0,base:0};f.value+=r[i],f.base+=s[i],o.set(m+u,f)}return[...o.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var _e=18,$c=22,ga=4,vc=5;function _c(e){return e.split(".").slice(0,-2).join(".")}function yc(e){if(dt(e))return"frame-jdk";let t=7;for(let n of _c(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%vc}`}function wc({names:e,kinds:t}){return e.map((n,r)=>{let s=pn(t[r]??".");return U(r===0?"frame-root":s?s.token:yc(n))})}var Nr=32,Er=e=>({fill:e,ink:lt(e)});function ba(e){if(e.base_value===void 0){let s=wc(e).map(Er);return e.name.map(o=>s[o])}let t=s=>Array.from({length:Nr+1},(o,a)=>Er(cs(U("frame-same"),U(s),a/Nr))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:pa(e,o),i=Math.round(Nr*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function xc(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function $a(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:c}=t,m=U("ink"),u=Er(U("accent"));e.font=it("mono"),e.textBaseline="middle";let f=e.measureText("0123456789").width/10;for(let{node:d,x:p,width:h,row:_}of n){let g=_*_e-r,v=s.name[d],y=d!==c&&s.level[d]<s.level[c],k=a!==null&&a.names[v]===1,w=y||a!==null&&!k,{fill:P,ink:A}=k?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=P,e.fillRect(p,g,Math.max(h-.5,.5),_e-1),h>=$c){let V=Math.floor((h-2*ga)/f);e.globalAlpha=1,e.fillStyle=w?m:A,e.fillText(xc(s.names[v],V),p+ga,g+_e/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(p+1,g+1,Math.max(h-2,1),_e-3))}}var kc=24,Sc=3,Lr=(e,t)=>q(t>0?e/t:0);function Rc({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let c=ge(n[i]/Math.max(1,a),o),m=ge(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${Lr(n[i],s)}, ${c} each, own ${m}`}function Tc(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:c,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let f={name:"base",total:a[t],self:i[t],requests:c??0,whole:m??0};return[{...u,name:"selection"},f]}function Cc({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,c=Tc(r,t),m=(u,f)=>l`<tr>
      <th scope="row">${u}</th>
      ${c.map(d=>l`<td class="n"><b>${ge(f(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${Lr(f(d),d.whole)}</td>
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
    ${n>0&&l`<div class="dim">${Lr(i[t],i[n])} of ${o[a[n]]}</div>`}`}function va({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=C(null),[i,c]=C(null),m=N(()=>i===null?-1:An(e,i),[e,i]),u=o?.node??-1,f=N(()=>ba(s),[s,Pe.value]),d=nn((w,{width:P,top:A,height:V})=>{let j=Math.floor(A/_e),Ne=aa(e,t,P,j,Math.ceil((A+V)/_e));$a(w,{flame:s,shades:f,zoom:t,found:n,marks:[m,u]},Ne,A)},[e,t,n,m,u,f]),p=({x:w,y:P,width:A})=>ia(e,t,A,w,Math.floor(P/_e)),h=w=>{let P=p(w),{clientX:A,clientY:V}=w.event;a(P<0?null:{node:P,at:{clientX:A,clientY:V}})},_=w=>{let P=p(w);P>=0&&w.event.button===0&&r(P)},g=w=>{let P=m<0?t:m;if(w.key.startsWith("Arrow")){let A=m<0?t:la(e,t,P,w.key);c(Mn(e,A)),a(null)}else if(w.key==="Enter")r(P);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},v=m>=0?m:t,y=s.level[v],k=[Math.max(0,y-Sc)*_e,(y+1)*_e];return l`<${xn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*_e}
      heightMax=${kc*_e}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${_}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&Rc(s,m)}</div>
    ${o&&l`<${$t} at=${o.at}><${Cc} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Oc=20,Pc=16;function Mc(e){let t=e.slice(-Pc),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function vt({name:e,title:t=e}){if(e.length<=Oc)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Mc(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var Ac=500;function Nc(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=f=>ge(f/Math.max(1,r),t),a=f=>l`<button
      class="plain"
      title="${f.name}: find it in the graph"
      onClick=${()=>O({find:f.name,flame:null,zoom:null})}
    >
      <${Ec} kind=${f.kind} />${f.name}
    </button>`,i=(f,d,p=h=>o(d(h)))=>({name:f,cell:p,isNumber:!0,sort:d}),c=f=>q(n>0?f.total/n:0),m=f=>ge(f/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:f=>f.name},i("own, each",f=>f.self),i("total, each",f=>f.total),i("share",f=>f.total,c)];return e.base_value===void 0?u:u.concat(i("base own",f=>f.baseSelf,f=>m(f.baseSelf)),i("base total",f=>f.baseTotal,f=>m(f.baseTotal)))}function Ec({kind:e}){let t=pn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function _a({tree:e,matches:t}){let n=da(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),l`<div class="frames">
    <${G}
      label="Frames"
      columns=${Nc(e.flame)}
      rows=${n}
      rowsMax=${Ac}
      rowKey=${r=>r.name}
    />
  </div>`}var Lc=8;function Nn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function ya({url:e,answer:t}){let{data:n}=t,r=N(()=>n&&n.requests>0?ha(Pn(n),Lc):[],[n]),s=b.value.params.get("frame"),o=(c,m=0)=>ge(c/Math.max(1,m),"ns"),a=c=>{let m=Nn(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>O({frame:s===m?null:m,zoom:null})}
        >
          <${ie} category=${pt(c.kind)} /><${vt}
            name=${Ue(c.name)}
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
  <//>`}var Ur=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function En({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Uc(e){let t=e.get("value")??"";return Ur.some(([n])=>n===t)?t:"time"}function Ic({value:e}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${Ur.map(([t,n])=>l`<${En}
          key=${t}
          isOn=${t===e}
          onChange=${()=>O({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Bc({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return l`<${En}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>O(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${En}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>O({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Dc({found:e,flame:t,matches:n}){let r=b.value.params.get("find")??"",s=r!==""&&n===null,o=b.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?q(e.weight/o):q(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;O({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function qc(){let e=b.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>O({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Fc({flame:e}){let t=(o,a)=>l`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>q(e.total>0?o/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):l`<span>
              <${ie} category=${pt(o)} />${se(pt(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${$(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function Hc({requests:e,total:t,unit:n,...r},s){let o=ge(t/Math.max(1,e),n),a=r.base_requests??0,i=ge((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${$(a)}, ${i} each`:"";return`${Oe(e,s)}, ${o} each${c}`}function Ln(e){return S("flamegraph",e,{value:"time",frame:null})}function _t({query:e,tick:t,whole:n}){let{params:r}=b.value,s=Uc(r),o=r.get("frame"),a=Q(e,{value:s,frame:o}),i=S("flamegraph",a),c=n!==void 0&&i===Ln(e),m=R(c?null:i,t),u=m.problem===null?n?.data??null:null,f=c?n:{...m,data:m.data??u},d=f.data,p=r.get("width")==="base"&&d?.base_value!==void 0,h=N(()=>d&&Pn(d,p),[d,p]),_=r.get("find")??"",g=N(()=>_===""?null:ma(_),[_]),v=N(()=>h&&g&&fa(h,g),[h,g]),y=r.get("flame")==="table",k=!h||h.weight.length===0||!(h.weight[0]>0),w=h?An(h,r.get("zoom")??""):0,P=h&&l`<${va}
      tree=${h}
      zoom=${w}
      found=${v}
      onZoom=${j=>O({zoom:Mn(h,j)||null})}
    />`,A=l`<${H} of=${d} /><${Ie}
      query=${e}
      value=${s}
      frame=${o}
    /><${I} url=${i} />`,V=d?Hc(d,Se(Re(e))):"";return l`<${M} title="Flame graph" note=${V} tools=${A} answer=${f}>
    <div class="flame-tools">
      <${Ic} value=${s} />
      <${qc} />
      <${Bc} flame=${d} />
      <${Dc} found=${v} flame=${d} matches=${g} />
      ${w>0&&l`<button onClick=${()=>O({zoom:null})}>whole graph</button>`}
      <${En}
        isOn=${y}
        onChange=${()=>O({flame:y?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&k&&l`<${F} title="No ${Ur.find(([j])=>j===s)[1]} in this selection" />`}
    ${!k&&(y?l`<${_a} tree=${h} matches=${g} />`:P)}
    ${d&&!k&&l`<${Fc} flame=${d} />`}
  <//>`}function Ir(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Br({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),c=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,c-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function wa(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function xa(e,t,n,r,s){let o=Br(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,c)=>a(i)-a(c)),o[0]?.box??null}function ka(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Sa({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Ra(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[o]).sort((c,m)=>a(c)-a(m));if(i)return{lane:o,box:i}}return t}var jc=560,Wc=110,Vc=4,Kc=28,Ca=5,Gc=500;function zc(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function Un(e){O({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Xc(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function Dr({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${oe(t)} \xB7 ${x(n)}`}function Jc(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",c=U(i?"hover":se(s.kind).token);e.fillStyle=c,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=U(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=Kc&&(e.fillStyle=i?U("ink"):lt(c),e.fillText(Xc(e,Dr(s),a-2*Ca),o+Ca,n+20/2-1))}function Yc(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=U("panel"),e.fillRect(0,0,n,18);for(let o of Sa(t,n/Wc)){let a=Math.round((o-t.from)*s),i=o===0?"0":x(o),c=e.measureText(i).width;e.fillStyle=U("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=U("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function Zc(e,t,n,r){return nn((s,{width:o,top:a,height:i})=>{let c=Ir(e);s.font=it("sans"),s.textBaseline="middle",Yc(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let f=c[u]-a;f>i||c[u+1]-a<0||Br(m,t,o).forEach(d=>Jc(s,d,f+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=U("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function Qc({title:e},t){return`${e}: ${se(t.kind).name}, ${Dr(t)}, at ${x(t.start)}`}function eu({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${G}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Gc}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>x(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ie} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>x(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Oa({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=zc(b.value.params.get("part"),t),[a,i]=C(null),[c,m]=C(null),[u,f]=C(null),[d,p]=C(!1),h=N(()=>Ir(e),[e]),_=c&&e[c.lane]?.boxes.includes(c.box)?c:null,g=Zc(e,o,[_?.box??null,a?.box??null],u),v=({x:T,y:B,width:Y})=>{let K=wa(h,B),We=K<0?null:xa(e[K],o,Y,T,B-h[K]);return We&&{lane:K,box:We}},y=T=>{if(u){f([u[0],Math.max(0,Math.min(T.x,T.width))]),i(null);return}let B=v(T),{clientX:Y,clientY:K}=T.event;i(B&&{...B,at:{clientX:Y,clientY:K}})},k=({lane:T,box:B})=>{let Y=n?.(e[T],B)??null;Y!==null&&r?r(Y):Un({from:B.start,to:B.start+Math.max(1,B.duration)})},w=({x:T,event:B})=>{B.button===0&&B.pointerType!=="touch"&&(B.target.setPointerCapture(B.pointerId),f([T,T]))},P=T=>{f(null);let[B=0,Y=0]=u?[...u].sort((We,Ci)=>We-Ci):[],K=v(T);if(Y-B>=Vc){let We=(o.to-o.from)/T.width;Un({from:o.from+B*We,to:o.from+Y*We})}else K&&k(K)},A=e.findIndex(({boxes:T})=>T.length>0),V=T=>{if(T.key.startsWith("Arrow")&&A>=0)m(_?Ra(e,_,T.key):{lane:A,box:e[A].boxes[0]});else if(T.key==="Enter"&&_)k(_);else if(T.key==="Escape"||T.key==="Backspace")Un(null);else return;T.preventDefault()},j=_?h[_.lane]+20+_.box.level*20:0,Ne=b.value.params.get("part")!==null;return l`<${xn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${jc}
      draw=${g}
      reveal=${_?[j-20-20,j+20]:void 0}
      onPoint=${y}
      onDown=${w}
      onUp=${P}
      onLeave=${()=>i(null)}
      onKey=${V}
    >
      ${e.map((T,B)=>l`<div class="lane-title" key=${T.key} style=${{top:`${h[B]}px`}}>
            ${T.href?l`<a href=${T.href}>${T.title}</a>`:T.title}
            <small title=${T.note}>${T.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${_&&Qc(e[_.lane],_.box)}</div>
    ${a&&l`<${$t} at=${a.at}>
        <b>${Dr(a.box)}</b>
        <div>${a.box.name}, ${se(a.box.kind).name}</div>
        <div class="dim">at ${x(a.box.start)}</div>
      <//>`}
    ${Ne&&l`<button onClick=${()=>Un(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${T=>p(T.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&l`<${eu} lanes=${e} />`}
    </details>`}var tu=3,nu=.001;function ru({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var qr=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):$(Math.round(n))} \xD7`};function ou(e,{category:t,is_count:n}){let r=e.slices.find(s=>s.category===t);return n?qr(r?.events??0,e.requests):x((r?.total_ns??0)/Math.max(1,e.requests))}function su({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${$(t.events)} in ${Oe(t.requests,"context")}, ${x(t.total_ns)} in all`}
        >
          ${$(t.per_request)} × ${Ue(t.frame)}
          <span class="dim"> ${se(t.category).name}, ${x(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function au({slice:e,of:t,base:n,hrefOf:r}){let s=r&&!e.is_count,o=(f,d)=>s?l`<a href=${r(e.category,d)}>${f}</a>`:f,a=f=>({each:e.is_count?qr(f.events,t.requests):x(f.total_ns/t.requests),share:e.is_count?"":q(f.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":qr(f.events,t.requests)}),i=Math.max(1,t.total_ns*nu),c=e.top.slice(0,tu).filter(f=>e.is_count||f.total_ns>=i),m=s?"opens":"",u=(f,d)=>{let{each:p,share:h,often:_}=a(f);return l`<td class="n">${p}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${_}</td>`};return l`<tr
      class=${m}
      title=${`${x(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ie} category=${e.category} />${o(se(e.category).name,null)}
      </th>
      ${u(e,n?ou(n,e):"")}
    </tr>
    ${c.map(f=>l`<tr class=${`frame ${m}`}>
          <td>
            <div class="frame-name">
              ${o(l`<${vt} name=${Ue(f.frame)} title=${f.frame} />`,f.frame)}
              ${f.via&&l`<span class="via dim" title=${f.via}>via ${Ue(f.via)}</span>`}
            </div>
          </td>
          ${u(f,"")}
        </tr>`)}`}function Fr({of:e,base:t,hrefOf:n}){let r=e.slices.filter(ru),s=({total_ns:o})=>x(o/e.requests);return l`<${ks} parts=${r} total=${e.total_ns} each=${s} />
    <table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title="each of those to compare with">base</th>`}
          <th scope="col" class="n">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${r.map(o=>l`<${au}
              key=${o.category}
              slice=${o}
              of=${e}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${su} of=${e} />`}`}function In({query:e,base:t=null,tick:n,hrefOf:r}){let s=S("why",e),o=R(s,n),a=R(t&&S("why",t),n),{data:i}=o,c=Se(Re(e)),m=l`<${H} of=${i} /><${I} url=${s} />`,u=i&&i.requests>0?`mean of ${Oe(i.requests,c)}, ${x(i.total_ns/i.requests)} each`:"";return l`<${M}
    title="Why"
    note=${u}
    tools=${m}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&l`<${Fr} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&l`<${F} title=${`No kept ${c} is in this selection`} />`}
  <//>`}var Hr=8192,Pa=60000000000n,Ma=5,iu=2000000000n;function Aa(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Na({t0_ns:e,events:t,is_truncated:n}){return hn({...t,t0_ns:e,next:null,is_truncated:n})}function jr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=Aa(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let c=Aa(s,"monitorClass")??"",m={thread:o,monitor:c,waited:0,waits:0,from:a,to:a},{waited:u,waits:f,from:d,to:p}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:f+1,from:Math.min(d,a),to:Math.max(p,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function Wr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,c,m,u,f]of e.rows){let d={level:o,start:a+n,duration:i,kind:c,name:m,count:u,id:f};r[s]?.boxes.push(d)}return r}function lu(e,t,n){return hn(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),c=Be(o),m={level:0,start:Number(r-t),duration:i,kind:c,name:o};return a?[{...m,count:1,id:null}]:[]})}function cu(e,t,n,r){let s=BigInt(e.t0_ns),a=Wr(n,s).filter(({thread:f})=>f===t.thread).flatMap(({boxes:f})=>f),i=a.filter(({kind:f})=>f==="context").map(({name:f})=>f),c=lu(r,s,new Set([e.type,...i])),m=ka([...a,...c]).filter(f=>f.start<=t.to&&f.start+f.duration>=t.from),u=`had the monitor of ${oe(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function uu(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-iu)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?S(m,r,u):null,o=R(s("timeline",{width:String(Hr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=N(()=>t&&o.data&&a.data?cu(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),c=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:c}}function mu(e){let t=N(()=>jr(e),[e]),n=[];for(let i=0;i<Ma;i++){let c=n.every(m=>m.isAnswered);n.push(uu(e,c?t[i]:void 0))}let r=t.slice(Ma),s=x(r.reduce((i,c)=>i+c.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return N(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function fu(e){let t=dn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Pa)});r.set("to",String(n+BigInt(e.duration)+Pa));let s=String(Hr),o=R(t&&S("timeline",r,{width:s,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return N(()=>(o?Wr(o,n):[]).map(m=>{let u=i?.[m.recording],f=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:f,href:t===null?void 0:D(["t",t])}}),[e,o,i])}function Ea(e,t){let n=R(S("timeline",t,{width:String(Hr)})).data,r=mu(e),s=fu(e);return N(()=>{let o=n?Wr(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:f})=>f)].includes(u.thread),i=o.filter(({thread:u})=>u===null),c=o.filter(({thread:u})=>u!==null),m=`this one, ${x(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...c.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var La=300000000000n,pu=100,yt=({t0_ns:e})=>BigInt(e);function Vr(e){let t=yt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function du(e){let t=Vr(e);if(b.value.params.get("base")==="rest"){let n=yt(e);t.set("from",String(n-La)),t.set("to",String(n+La)),t.set("context",e.type),t.set("base","rest")}return t}function hu({context:e,jvm:t}){let n=yt(e),r=dn(e.attributes),s=([o,a])=>[l`<dt>${o}</dt>`,l`<dd>
      ${a===r&&r!==null?l`<a class="link" href=${D(["t",r])}>${r}</a>`:_n(a)}
    </dd>`];return l`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${Ae(n)}>${$e(n)} ${ae(n)} ${ne(n)}</dd>
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
          <a class="link" href=${Ua(e,e.parent)}
            >${oe(e.parent.type)}, ${x(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Ua(e,{id:t,start:n}){return Me(e.recording,t,yt(e)+BigInt(Math.round(n)))}function gu({context:e}){let t=jr(e);return l`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>l`<tr key=${n}>
              <td title=${n}>
                <${ie} category=${Be(n)} />${$(r)} × ${oe(n)}
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
        </table>`}`}function bu({context:e}){return l`<${M} title="Contexts in it" note=${$(e.children.length)}>
    <${G}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${pu}
      rowKey=${t=>t.id}
      href=${t=>Ua(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+x(t.start),isNumber:!0},{name:"duration",cell:t=>x(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function $u({context:e,tick:t}){let n=N(()=>Vr(e),[e]),r=Ea(e,n),s=N(()=>Na(e),[e]),o=(i,{id:c,start:m})=>c===null||c===e.id?null:Me(i.recording,c,yt(e)+BigInt(Math.round(m))),a=l`<${I} url=${S("timeline",n)} />`;return l`<${M}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Oa}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${de}
      />
    <//>
    ${e.children.length>0&&l`<${bu} context=${e} />`}
    <${_t} query=${du(e)} tick=${t} />
    <${M} title="Events" note=${$(s.length)}>
      ${s.length>0?l`<${yn}
              items=${s}
              since=${yt(e)}
              label="Events of the request"
            />`:l`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Ia(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,o),c=R(i,E.value),m=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=c.data,f=u?`${oe(u.type)}, ${x(u.duration)}`:r,d=[{name:"services",href:D([])},...m?[{name:xe(m.service),href:D(["s",m.service])}]:[],{name:f}],p=u&&Vr(u),h=l`<${H} of=${u} /> ${p&&l`<${Ie} query=${p} />`}
    <${I} url=${i} />`;return l`<${re} crumbs=${d}>
    ${u?l`<div class="three">
              <${M}
                title=${oe(u.type)}
                note=${x(u.duration)}
                tools=${h}
                answer=${c}
              >
                <${hu} context=${u} jvm=${m} />
              <//>
              <${M} title=${`Why ${x(u.duration)}`} className="why-panel">
                <${Fr} of=${u.why} base=${null} />
              <//>
              <${M} title="Kept because"><${gu} context=${u} /><//>
            </div>
            <${$u} context=${u} tick=${E.value} />`:l`<${M} title="Request" tools=${h} answer=${c} />`}
  <//>`}var vu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Kr(e){return vu.test(e)}function Ba({key:e,distinct:t,search_only:n,values:r},s){let o=r.every(i=>i.count+(i.base_count??0)<=1),a=Kr(e)&&2*(t??0)>s;return n||r.length>=4&&(o||a)}var _u=100,yu=10,wu=1.96;function xu(e,t,n){let[r,s]=[t+2,n+2],[o,a]=[(e.count+1)/r,((e.base_count??0)+1)/s],i=o*(1-o)/r+a*(1-a)/s;return o-a-wu*Math.sqrt(i)}function ku({contexts:e,base_contexts:t,keys:n},r){let s=({key:m,label:u})=>!r.has(m)&&!r.has(u),o=n.filter(m=>s(m)&&Ba(m,e)).map(({key:m})=>m),a=m=>t?xu(m,e,t):m.count,i=n.filter(m=>s(m)&&!o.includes(m.key)).flatMap(({key:m,values:u})=>u.map(f=>({...f,key:m}))).filter(m=>m.count>0).map(m=>[m,a(m)]).sort((m,u)=>u[1]-m[1]),c=i.filter(([,m])=>m>0).length;return{rows:i.map(([m])=>m),explaining:c,ids:o}}function Su({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Gr=(e,t)=>t>0?e/t:0;function Ru({here:e,there:t}){let n=s=>({left:`${100*s}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Tu({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${vt} name=${i===""?"(empty)":i} /></b>
      </span>`},s={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${$(a.count)} of ${$(e)}`}
        >${q(a.count/e)}</span
      >`,isNumber:!0,className:"share"},o={name:"p99",cell:a=>a.p99_ns===null?"":x(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${Ru}
          here=${Gr(a.count,e)}
          there=${Gr(a.base_count??0,t)}
        />`,className:"plot"},s,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${$(a.base_count??0)} of ${$(t)}`}
          >${q(Gr(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},o,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Su(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,s,o]}function Cu({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return he({where:[...r,n]})}function Ou({data:e,against:t}){let[n,r]=C(!1),s=b.value.params.getAll("where"),o=new Set(s.map(f=>/^[^=<>!^]*/.exec(f)[0])),{rows:a,explaining:i,ids:c}=ku(e,o),m=n?a:a.slice(0,Math.min(yu,i)),u=a.length-m.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${m.length>0&&l`<${G}
      label="Attributes"
      columns=${Tu(e,t)}
      rows=${m}
      rowKey=${f=>`${f.key}=${f.value}`}
      href=${Cu}
      className="values"
    />`}
  ${u>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${$(u)} more${m.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function Da({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(_u)}),s=R(r,n),{data:o}=s,a=l`<${H} of=${o} /><${I} url=${r} />`;return l`<${M}
    title="Attributes"
    note=${o?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&l`<${Ou} data=${o} against=${t} />`}
  <//>`}function qa({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>O({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function Fa({name:e,placeholder:t}){let n=ee(null),r=b.value.params.get(e),s=r&&ct(r)?x(Number(r)):"";return Te(()=>{n.current.value=s},[s]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=Wo(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&O({[e]:i===null?null:String(i),box:null})}}
  />`}function Ha({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return l`<div class="choosers">
    <${qa}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${$(a)})`])}
    />
    <${qa}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${Fa} name="min_duration_ns" placeholder="at least" />
    <${Fa} name="max_duration_ns" placeholder="at most" />
    <${bn}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Pu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Mu=e=>Pu[e&3]*2**(e>>2);function ja(e){return e<0?1:Math.floor(Mu(e+1))}function He(e,{column:t,row:n}){return t*e.rows+n}function wt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function Qe(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function xt(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(o/c)>=n;)c*=2;let m=o>a?0:Math.floor(o/c),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:m,buckets:c,hasShorter:i,rows:o>a?0:Math.floor(a/c)-m+1,cells:new Map,most:0,exemplars:new Map},f=(d,p)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(p/c)-m)});e.columns.forEach((d,p)=>{for(let[h,_,g]of d){let v=f(p,h),y=u.cells.get(He(u,v))??{...v,all:0,kept:0};y.all+=_,y.kept+=g,u.cells.set(He(u,v),y),u.most=Math.max(u.most,y.all)}});for(let[d,p,h,_]of e.exemplars)u.exemplars.set(He(u,f(d,p)),{recording:h,id:_});return u}function Va(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function kt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:ja(i-1)+1,max:ja((e.first+a+1)*e.buckets-1)}}function Bn(e,t,n){let r=kt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function et(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Bn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function Ka(e,t){return[...e.cells.values()].filter(n=>Bn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(He(e,n))??[])}function Dn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function Ga(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Xr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function zr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Vt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function Jr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,zr(e,t,n.from)),c=Math.max(o,Vt(e,t,n.max)),m=Math.min(s,zr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,Vt(e,t,n.min-1));return m<=0||u<=c?null:{x:i,y:c,width:m,height:u-c}}function Yr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function za(e,t,n,r){let s=[],o=a=>{let i=Vt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var Wa=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function Xa(e,t,n,r,s){let{from:o,to:a}=Yr(e),i=Number(a-o)/1e9*(n/t.width),c=Wa.find(f=>f>=i)??Wa.at(-1),m=BigInt(c)*1000000000n,u=[];for(let f=(o+r+m-1n)/m*m-r;f<a;f+=m)u.push({at:zr(e,t,f),text:s(f,c*1e9)});return u}var Au=4,Nu={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function je(e){return fe(b.value.params.get(e))}var Za=e=>e==="requests"?{unit:e}:{};function Kt(e,t,n){let r=e&&It(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=Za(n);O(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function Eu(e){Kt(null,je("base_box")!==null,e)}function Zr({from:e,to:t}){O({from:String(e),to:String(t),last:null,live:null})}function Qa(e,t){return e.column===t.column&&e.row===t.row}function Ya(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Lu(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function St({grid:e,isRate:t},{from:n,to:r}){return t?kt(e,{...n,row:0},{...r,row:e.rows-1}):kt(e,n,r)}function ei({grid:e,unit:t},n){let r=e.exemplars.get(He(e,n));r&&de(Ze(t,r.recording,r.id))}function ti(e){let{grid:t,plot:n}=e,[r,s]=C(null),[o,a]=C(null),i=ee(null),c=({offsetX:g,offsetY:v})=>Ga(t,n,g,v),m=g=>{let{offsetX:v,offsetY:y}=g;if(g.button===0&&t.rows>0&&Xr(n,v,y)){g.currentTarget.setPointerCapture(g.pointerId);let k=g.shiftKey||e.isComparing;s({from:c(g),to:c(g),x:v,y,isLong:!1,isBase:k})}},u=g=>{let{offsetX:v,offsetY:y}=g;if(r){let A=r.isLong||Math.hypot(v-r.x,y-r.y)>=Au;s({...r,to:c(g),isLong:A})}let{clientX:k,clientY:w}=g,P=t.rows>0&&Xr(n,v,y);a(P?{place:c(g),clientX:k,clientY:w}:null)},f=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){ei(e,r.from);return}let v=St(e,r),y=!r.isLong&&et(t,v).all===0;Kt(y?null:v,r.isBase,e.unit)},d=g=>{let v=i.current,y=v&&Bn(t,v,c(g))?v:St(e,{from:c(g),to:c(g)});O({box:It(y),...Za(e.unit)},!0),Zr(y)},p=({detail:g})=>{i.current=g>1?i.current:je("box")},h=()=>a(null),_=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:p,onPointerDown:m,onPointerMove:u,onPointerUp:f,onPointerLeave:h,onPointerCancel:_,onDblClick:d}}}function ni(e){let{grid:t}=e,[n,r]=C(null),s=i=>{let c=Nu[i.key];if(c&&t.rows>0){let m=n?Ya(t,n.to,c):Lu(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)ei(e,n.to);else if(i.key==="Enter"&&n)Kt(St(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),Eu(e.unit);else return;i.preventDefault()},o=i=>Ya(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var Gt=52,Uu=20,ri=6,Iu=52,Bu=72,Du=26,qu=5;function oi(e,t,n){let r=e-Gt-(n?Iu:0);return{x:Gt,y:ri,width:Math.max(1,r),height:Math.max(1,t-ri-Uu)}}function Fu(e,t){let n=ae(e,t);return n==="00:00"?$e(e).slice(5):n}function Hu(e,t){let n=r=>x(r).replace(/\.0+ /," ");return{times:Xa(e,t,Bu,Ms(e.t0),Fu),durations:e.rows===0?[]:za(e,t,Du,n)}}function ju(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Wu(e,t,n,r,s){e.fillStyle=U("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:c,width:m,height:u}=Dn(t,n,a);ju(e,i+m-r,c,Math.min(qu,m/2,u/2))}e.fill()}function Vu({all:e,kept:t},n){return n==="requests"?t<e:t>0}function si(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(U),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:m,height:u}=Dn(t,n,a);e.fillStyle=s[Va(a.all,t.most)],e.fillRect(i,c,m-o,u-o)}Wu(e,t,n,o,a=>Vu(a,r)),eo(e,t,n)}function eo(e,t,n){let{times:r,durations:s}=Hu(t,n);e.fillStyle=U("faint"),e.font=it("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,Gt-8,o),e.fillRect(Gt-5,Math.round(o),4,1);e.textBaseline="alphabetic",e.fillText(ne(t.t0),Gt-8,n.y+n.height+16);for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(o-i,n.x+n.width-2*i)),n.y+n.height+16)}}function Qr(e,t,n,r){t&&(e.fillStyle=U("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function ai(e,t,n,r){Qr(e,r.base&&Jr(t,n,r.base),U("soft"),[4,3]),Qr(e,r.box&&Jr(t,n,r.box),U("accent"),[]);for(let s of r.cells)Qr(e,Dn(t,n,s),U("ink"),[])}function ii({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=wt(a);return{perSecond:i.reduce((u,[,f])=>u+f,0)/(a.length*(e/1e9)),p50:Qe(i,.5),p99:Qe(i,.99)}})}function li(e){return`${$(Number(e.toPrecision(3)))}/s`}function Ku(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Gu(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function ci(e,t,n,r){let s=n.width/t.columns,o=Ku(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=U("h1"),r.forEach(({perSecond:a},i)=>{let c=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-c,s-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=U(i);let c=(m,u)=>{let f=m[a];return f===null?null:[n.x+(u+.5)*s,Vt(t,n,f)]};Gu(e,r.map(c),s)}eo(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(li(o*a),n.x+n.width+6,i+(a===1?5:0))}}function ui({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":x(s);return l`<b>${li(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function mi({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var to=6e10;function qn({from:e,to:t,min:n,max:r}){let s=e%BigInt(to)===0n&&t%BigInt(to)===0n,o=i=>ae(i,s?to:1e9),a=n<=1?`up to ${x(r)}`:`${x(n)} to ${x(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function no({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var Xu=5,Ju=6;function Yu({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=He(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[c,m]=qn(kt(e,s,s)).split(", "),u=a&&`${$(a.all)} ${t}, ${$(a.kept)} kept`,f=i?l`<${ui} of=${i} /><br />${c}`:l`<b>${m}</b><br />${c}<br />${u}
        ${e.exemplars.has(o)&&l`<br />Alt+click opens one`}`;return l`<${$t} at=${n}>${f}<//>`}var Zu={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Qu(e,t,n){let r=e??Zu,s=Math.max(1,t.width/Xu),o=Math.max(1,t.height/Ju);return N(()=>xt(r,s,o,n),[r,s,o,n])}function em({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=ee(null),a=Js(o),i=oi(a.width,a.height,n),c=Qu(e,i,t==="requests"&&!n?79:null),m=N(()=>n&&e?ii(e,c):null,[n,e,c]),u={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:f,hover:d,on:p}=ti(u),{cursor:h,on:_}=ni(u),g=f??(h&&!Qa(h.from,h.to)?h:null),v=g&&St(u,g),y=f?.isBase??r,k={box:!y&&v||je("box"),base:y&&v||je("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},w=j=>{m?ci(j,c,i,m):e&&si(j,c,i,t),ai(j,c,i,k)},{column:P,row:A}=d?.place??{};Ys(o,a,w,[c,m,b.value,r,f,h,P,A]);let V=h&&St(u,h);return l`<div class="heatmap">
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
    ${d&&l`<${Yu} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${V&&`${qn(V)}: ${no(et(c,V))}`}
    </div>
    ${e&&l`<${rm} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function tm({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>l`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&l` ${r(o)}${$(s)}`)}
    ${e>1&&l` to ${$(e)}`}</span
  >`}var nm=e=>`Counted by chunk: a ${Se(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function pi({data:e,unit:t,box:n,isBase:r}){let s=N(()=>xt(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${nm(t)}
    onClick=${()=>Kt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${qn(n)}</b>${" "}
    ${no(et(s,n))} by chunk <i>×</i>
  </button>`}function rm({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&l`<${tm} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[je("box"),je("base_box")];return l`<div class="legend">
    ${r?l`<${mi} unit=${t} />`:s}
    ${o&&l`<${pi} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&l`<${pi} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function om({data:e,unit:t}){let[n,r]=C(!1),s=(a,i)=>{let c=wt([a]),[m,u]=[1,2].map(d=>a.reduce((p,h)=>p+h[d],0)),f=d=>x(Qe(c,d));return l`<tr>
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
  </details>`}function sm({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>O({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function di({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=C(!1),c=b.value.params.get("view")==="rate",m=je("box"),{data:u}=e,f=N(()=>u&&l`<${om} data=${u} unit=${n} />`,[u,n]),d=(h,_,g)=>l`<button aria-pressed=${g?"true":"false"} onClick=${()=>O({view:h})}>
      ${_}
    </button>`,p=l`<${H} of=${u} />
    ${m&&l`<button class="plain" onClick=${()=>Zr(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${sm} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${I} url=${t} />`;return l`<${M}
    title=${`All ${n}`}
    note=${s}
    tools=${p}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${em}
      data=${u}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${o}
    />
    ${f}
  <//>`}var am=3;function im({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Ft(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${Ht} of=${n} />
      </p>`:null}function lm(e,t){return It({...e,from:e.from-t,to:e.to+t})}function cm({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=x(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?Ka(xt(o,1/0,1/0),n).slice(0,am):[],c=({recording:m,id:u},f)=>l`<a class="link" key=${u} href=${Ze(s,m,u)}>${f+1}</a>${" "}`;return l`<${F} title=${`No kept ${Se(s)} began in this box`}>
    <p>
      The heat map has ${$(r)} kept ones here: it counts a ${Se(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>O({box:lm(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function hi({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=N(()=>xt(e,1/0,1/0),[e]),a=fe(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),c=(g,v)=>Number(n.get(g)??v),m=a??{...Yr(o),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:u,kept:f}=et(o,m),d=Re(n),p=Se(d),h=r[0];if(r.length===0)return l`<${qe} />`;let _=(g,v)=>l`<${F} title=${g}>${v}<//>`;return s?_(`No kept ${p} is like this`,"Take a condition away to see more."):u===0&&a?_(`No ${p} is in this box`,"Choose a coloured cell."):u===0&&i?_(`No ${p} is like this`,"Take a condition away, or look at a longer time."):u===0?_(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):f>0&&a?l`<${cm}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${f}
      unit=${d}
    />`:l`<${F} title=${`Nothing is kept of these ${$(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&l`<${im} of=${h} />`}
  <//>`}var um=12,oo={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function so(e,t){let n=e.get("sort");return oo[t].some(([r])=>r===n)?n:oo[t][0][0]}function mm({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function fm({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${x(e)}, ${q(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var ro=(e,t)=>new Set(e.map(t)).size>1,pm={contexts:[{name:"blocked",cell:e=>l`<${fm} of=${e} />`},{name:"events",cell:e=>$(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>$(e.parts),isNumber:!0}]},dm={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},hm=e=>e[0]?ne(e[0].start):"";function gm(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],s=ro(e,c=>$e(c.start)),o=c=>l`<span title=${Ae(c.start)}>
      ${s?`${$e(c.start).slice(5)} `:""}${ae(c.start)}
    </span>`,a=(c,m)=>[e.some(u=>u[c]>0),{name:c,title:m,cell:u=>u[c]>0?x(u[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[ro(e,c=>c.type),{name:"type",cell:c=>oe(c.type)}],[ro(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${hm(e)}`,cell:o},{name:"duration",cell:c=>l`<b>${x(c.duration)}</b>`,isNumber:!0},...pm[n],...i.flatMap(([c,m])=>c?[m]:[]),...r.slice(0,um).map(c=>({name:c,cell:m=>bm(m.attributes[c]),className:"cut"})),dm[n]]}function bm(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function $m({unit:e}){let t=oo[e],n=so(b.value.params,e),r=s=>O({sort:s===t[0][0]?null:s});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>l`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function gi({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,c=a.map(mm),m=Re(n),u=l`<${H} of=${o.data} />
    <${$m} unit=${m} />
    <a href=${s}>events</a>
    <${Ie} query=${n} value=${b.value.params.get("value")??void 0} />
    <${I} url=${t} />`,f=fe(b.value.params.get("box")),d=f&&dr(f),p=o.data&&`${$(c.length)} of ${$(o.data.matched)}`+(d?`, began ${ae(d.from,1e9)} to ${ae(d.to,1e9)}`:"");return l`<${M}
    title=${`Kept ${m}`}
    note=${p}
    tools=${u}
    answer=${o}
    className="requests"
  >
    ${c.length>0&&l`<${G}
        label=${`Kept ${m}`}
        columns=${gm(c,r,m)}
        rows=${c}
        rowKey=${h=>h.recording+h.id}
        href=${h=>Ze(m,h.recording,h.id,h.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var bi=e=>e===null?"":x(e);function Fn(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),s=r===null?"":$(Number(r.toPrecision(3)));return l`<span title=${`${$(n.all)} in all`}>${s}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function Hn(e){return[{name:"median",cell:t=>bi(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${bi(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${Ss} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${xs} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${$(t.kept)} of ${$(t.all)}`}
          >${t.all>0?q(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var vm=10,ao=["http_route","http.route","route","endpoint"];function _m(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!Kr(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>ao.includes(s)?ao.indexOf(s):ao.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function $i(e,t,n){let r=e?.types.find(o=>o.type===t);return(n===null?r:r?.values.find(o=>o.value===n))?.spark??[]}function ym(e,t,n){return e.flatMap(s=>{let{type:o,requests_in:a,requests_out:i,p50_ns:c,p99_ns:m,top:u}=s,f=s.attributes.find(g=>g.key===t)?.values??[];if(f.length===0){let g=$i(n,o,null);return[{type:o,value:null,all:a,kept:i,p50_ns:c,p99_ns:m,spark:g,top:u}]}let d=f.map(({value:g,requests_in:v,requests_out:y,...k})=>{let{p50_ns:w,p99_ns:P,top:A}=k,V=$i(n,o,g);return{type:o,value:g,all:v,kept:y,p50_ns:w,p99_ns:P,spark:V,top:A}}),p=d.reduce((g,v)=>g-v.all,a),h=d.reduce((g,v)=>g-v.kept,i),_={p50_ns:null,p99_ns:null,spark:[],top:null};return p>0?[...d,{type:o,value:null,all:p,kept:h,..._}]:d}).sort((s,o)=>o.all-s.all)}var io=(e,t)=>`${e}=${t}`,vi=e=>b.value.params.getAll("where").includes(e);function wm(e,t){let n=io(e,t),r=b.value.params.getAll("where").filter(s=>!s.startsWith(io(e,"")));return he({where:vi(n)?r:[...r,n]})}function xm({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&l` <span class="dim">${s}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=vi(io(t,r));return l`<a
      href=${wm(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}function km(e,t,n){return[{name:e??"type",cell:r=>l`<${xm} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},Fn(r=>t&&r.all/t),...Hn(({value:r,type:s})=>r??s)]}function Sm({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>O({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function _i({answer:e,url:t,requests:n,query:r,tick:s,seconds:o}){let a=_m(n),i=b.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,m=r!==null&&n.length>0,u=R(m?S("requests/series",r,{key:c}):null,s),f=ym(n,c,u.data),d=c===null||n.length>1,p=l`<${H} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${Sm} keys=${a} chosen=${c} />`}
    <${I} url=${t} />`;return l`<${M}
    title="Routes"
    note=${f.length>0?`${$(f.length)} of them`:""}
    tools=${p}
    answer=${e}
    className="routes"
  >
    ${f.length>0&&l`<${G}
        label="Routes"
        columns=${km(c,o,d)}
        rows=${f}
        rowKey=${h=>`${h.type} ${h.value}`}
        rowsFirst=${vm}
      />`}
  <//>`}var Rm=50,Tm=6n*3600000000000n,lo=60000000000n,wi=["trace","thread","id"];function Cm({from:e,to:t}){let n=Je.value?(e+lo-1n)/lo*lo:e;return{from:n<t?n:e,to:t}}function Om(e,t){return e.getAll("where").length-t.getAll("where").length>0||wi.some(r=>e.has(r))}function Pm(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?bt(t,Re(e)):null}function Mm({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return mn(BigInt(e),t,s,r)}function Am({data:e,seconds:t,jvms:n,unit:r}){let s=wt(e.columns),o=u=>{let f=Qe(s,u);return f===null?"-":x(f)},a=u=>(n?.recordings??[]).reduce((f,d)=>f+u(d),0),i=a(u=>u.bytes_out),c=a(u=>u.bytes_in),m=(u,f,d="")=>l`<span title=${d}><b>${u}</b>${f}</span>`;return l`<div class="facts">
    ${m(`${$(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${$(e.all)}`)}
    ${n&&m($(n.recordings.length),"JVMs","that ran in this time")}
    ${m(o(.5),"median")} ${m(o(.99),"p99")}
    ${m(e.all>0?q(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${c>0&&m(`${me(i)} of ${me(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Nm(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return he({value:n?e:null,frame:t!==null?Nn(t):n?null:Nn(r),zoom:null})}function Em({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=b.value,a=bt(mt(b.value,J.value),n),i=bt(ps(b.value,J.value),n),c=o.has("box")&&Je.value?0:E.value,m=["box","where","min_duration_ns","max_duration_ns",...wi].some(w=>o.has(w)),f=i.has("base")||o.has("base_box")||!m?i:Q(i,{base:"rest"}),d=S(n,bt(a,"contexts"),{sort:so(o,n)}),p=gn(d,Rm,c),h=R(Ln(i),c),{data:_}=p.answer;if(_?.matched===0&&!_.is_truncated&&e.data)return l`<section>
      <${hi}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let g=new Map(r.map(w=>[w.id,w.instance])),y={service:a.get("service"),sort:null,view:null,unit:null,key:null},k=o.has("box")&&n==="contexts"?le(pe("e"),Q(a,{zone:o.get("zone")})):le(pe("e"),Q(o,{...y,box:null,base_box:null}));return l`<div class="one-and-two">
      <${In} query=${a} base=${Pm(i)} tick=${c} hrefOf=${Nm} />
      <${Da}
        query=${f}
        tick=${c}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
      <${ya} url=${Ln(i)} answer=${h} />
    </div>
    <${_t} query=${i} tick=${c} whole=${h} />
    <${gi}
      pages=${p}
      url=${d}
      query=${a}
      instances=${g}
      eventsHref=${k}
    />`}function Lm(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function yi(e,t,n){let r=h=>S("contexts/heatmap",e,{fine:"1",...h}),s=r({}),o=n&&t&&!e.has("where"),a=R(o?s:null,E.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,E.value),m=a.data?a:c,{data:u}=m,f=e.has("where")&&u!==null&&u.all===0&&u.unknown>0,d=r({where:null}),p=R(f?d:null,E.value);return f&&p.data?{heat:p,heatUrl:d,isOfAll:!0}:{heat:m,heatUrl:s,isOfAll:!1}}function Um(e,t){let n=zs(b.value.params),r=n!=="contexts",s=yi(bt(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=yi(e,t,i);return i?{...c,unit:"contexts"}:{...s,unit:"requests"}}function Im(e){let[t,n]=C(!1);return ue(()=>{e&&n(!0)},[e]),t}function xi(){let{params:e}=b.value,{from:t,to:n}=J.value,r=Cm(J.value),s=ds(b.value,r),[o,a]=C(!1),{heat:i,heatUrl:c,isOfAll:m,unit:u}=Um(s,o),f=Im(i.data!==null||i.problem!==null),d=Q(s,{where:null,context:null}),p=S("contexts/types",d),h=R(u==="requests"||f?p:null,E.value),_=h.data?.requests??[],g=i.data&&Mm(i.data,r),v=Q(d,{recording:null}),y=R(f?S("recordings",v):null,E.value),k=y.data?.recordings??[],w=m||Om(e,s),P=n-t<=Tm||e.get("whole")==="1"||fe(e.get("box"))!==null||e.has("trace"),A=ut(b.value),V=[{name:"services",href:D([])},{name:A===null?"all":xe(A)}],j=i.data?.all===0&&y.data!==null&&k.length===0;return l`<${re} crumbs=${V}>
    ${i.data?l`<${Am} data=${i.data} seconds=${g} jvms=${y.data} unit=${u} />`:i.isLoading&&l`<div class="facts"><${yr} lines=${2} /></div>`}
    <${Ha}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(Ne=>Ne.instance))]}
    />
    ${u==="requests"&&l`<${_i}
        answer=${h}
        url=${p}
        requests=${_}
        query=${f?d:null}
        tick=${E.value}
        seconds=${g}
      />`}
    ${!j&&l`<${di}
        answer=${i}
        url=${c}
        unit=${u}
        isEither=${_.length>0}
        note=${Lm(i.data,w)}
        onPoint=${()=>a(!0)}
      />`}
    ${f&&P&&l`<${Em}
        key=${u}
        heat=${i}
        heatUrl=${c}
        unit=${u}
        recordings=${k}
        isNarrowed=${w}
      />`}
    ${f&&!P&&l`<section>
        <${F} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>O({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function Bm(e,t){return[{name:"service",cell:r=>l`<b>${xe(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>$(r.jvms),isNumber:!0,sort:r=>r.jvms},Fn(({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?mn(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${$(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...Hn(({service:r})=>r)]}function ki(){let{from:e,to:t}=J.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),s=R(r,E.value),o=(s.data?.services??[]).map(Xs),a=l`<${G}
    label="Services"
    columns=${Bm(s.data,J.value)}
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
      ${o.length>0&&a} ${i&&l`<${qe} />`}
    <//>
  <//>`}function Dm({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((c,m)=>c.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${c.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function qm({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                <a href=${Me(s.recording,s.id,t+BigInt(Math.round(s.start)))}
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
  </div>`}var Fm=e=>e===null?"":Ae(BigInt(e));function Si({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Fm(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Hm({of:e}){return e.state==="eliminated"?l`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Si} of=${e} />
      <//>`:l`<${F} title="Not seen">
        No context of this trace is known here. <${Si} of=${e} />
      <//>`}function Ri(){let e=b.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=r?Dm(r,e):[],o=BigInt(r?.t0_ns??"0"),a=jm(e,o,s),i=new Set(s.map(f=>f.service)).size,c=new Set(s.map(f=>f.recording)).size,m=l`<${H} of=${r} />
    ${s.length>0&&l`<${Ie} query=${a} />`} <${I} url=${t} />`,u=s.length>0&&`${Oe(s.length,"context")} kept, ${Oe(i,"service")}, ${Oe(c,"JVM")}, from ${Ae(o)}`;return l`<${re} crumbs=${[{name:`trace ${e}`}]}>
    <${M} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&l`<${qm} rows=${s} first=${o} />`}
      ${r&&s.length===0&&l`<${Hm} of=${r} />`}
    <//>
    ${s.length>0&&l`<${In} query=${a} tick=${E.value} />
        <${_t} query=${a} tick=${E.value} />`}
  <//>`}function jm(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function Ti(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(S(o,new URLSearchParams,{from:s})),{data:i}=a,c=i?.parts[0];ue(()=>{if(i&&c){let u=BigInt(i.t0_ns)+BigInt(Math.round(c.start));de(Me(n,c.id,u),!0)}},[i]);let m=[{name:"services",href:D([])},{name:"request"}];return l`<${re} crumbs=${m}>
    <${M} title="Request" note=${r} answer=${a}>
      ${i&&!c&&l`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function Wm([e]){switch(e){case void 0:return ki;case"c":return Ia;case"e":return js;case"q":return Ti;case"r":return Gs;case"s":return xi;case"t":return Ri;default:return Vs}}var Vm={s:"all services",e:"events",r:"recordings"};function Km(){let{path:e}=b.value;return ce.value===null?null:ce.value.is_needed&&ce.value.identity===null?l`<${Ws} />`:l`<${Wm(e)} key=${e.join("/")} /> <${_s} />`}jo();ls();us();rs();Qo();vs();ye(()=>{let{path:e}=b.value,[t,...n]=e,r=n.length===0?Vm[t??""]??t:xe(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});yo(l`<${Km} />`,document.body);})();
