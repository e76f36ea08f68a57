"use strict";(()=>{var L,Br,Pn,Te,On,Nt,Dr,At,qr,Mn,Cn,Ea,ft=Symbol.for("pv"),Et={},Ut=[],Ua=/^m(i|n|o|s|text|space)$/,An=Array.isArray,Ln=Ut.slice,De=Object.assign;function Be(e){e&&e.parentNode&&e.remove()}function It(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Ln.call(arguments,2):n),pt(e,a,r,s,null)}function pt(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ft,__v:s||++Br,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function qe(e){return e.children}function ze(e,t){this.props=e,this.context=t,this.__g=0}function Oe(e,t){if(t==null)return e.__&&Oe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Oe(e)}function Ia(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=De({constructor:ft},n)).__v=n.__v+1,L.vnode&&L.vnode(t),Nn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Oe(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Kr(s,t,o),n.__=n.__e=null,t.__e!=r&&Fr(t))}function Fr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Fr(e)}function Ur(e){(8&e.__g||(e.__g|=8,Te.push(e),Nt++))&&On==L.debounceRendering||((On=L.debounceRendering)||queueMicrotask)(Hr)}function Hr(){try{for(var e,t=1;Te.length;)Te.length>t&&Te.sort(Dr),e=Te.shift(),t=Te.length,8&e.__g&&Ia(e)}finally{(Nt=Te.length)&&(On||queueMicrotask)(Hr)}}function jr(e,t,n,r,s,o,a,i,l,m,u){var p,d,f,h,b,g,x=r.__k||Ut,v=t.length;for(l=Ba(n,t,x,l,v),p=0;p<v;p++)(f=n.__k[p])!=null&&(d=~f.__i&&x[f.__i]||Et,f.__i=p,g=Nn(e,f,d,s,o,a,i,l,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&En(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),b=b||h,4&f.__u?(l=Wr(f,l,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),f.__u&=-21);return n.__e=b,l}function Ba(e,t,n,r,s){var o,a,i,l,m,u,p,d,f,h=n.length,b=h,g=0,x=0,v=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=v[o]=pt(null,a):An(a)?a=v[o]=pt(qe,{children:a}):a.constructor===ft&&a.__b?a=v[o]=pt(a.type,a.props,a.key,a.ref,a.__v):v[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Da(a,n,l,b))&&(b--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,x=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):v[o]=null;if(x){for(u=[],p=[],o=0;o<s;o++)if((a=v[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<a.__i?g=f+1:d=f;u[g]=a.__i,p[o]=g+1}for(g=u.length;o--;)p[o]&&(p[o]==g?g--:v[o].__u|=4)}if(b)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Oe(i)),Un(i,i));return r}function Wr(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=Wr(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Oe(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Da(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function Ir(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Mt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Ir(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Ir(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Cn[t]||(Cn[t]=qa(t)),(e.__a||(e.__a={}))[t]=Mn,o=t!=(t=t.replace(qr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function qa(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[At]==null)t[At]=Mn++;else if(t[At]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function Nn(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,b,g,x,v,k,w,M,N,z,j,Re,T,I,J=t.type;if(t.constructor!==ft)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,p=o=[],u.nodeType==8?i=Lt(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof J=="function"){d=a.length;try{if(x=t.props,v=(u=J.prototype)&&u.render,k=(u=J.contextType)&&r[u.__c],w=u?k?k.props.value:u.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(v?t.__c=f=new J(x,w):(t.__c=f=new ze(x,w),f.constructor=J,f.render=Ha),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),v&&(f.__s||(f.__s=f.state),J.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=De({},f.__s)),De(f.__s,J.getDerivedStateFromProps(x,f.__s)))),h=f.props,b=f.state,f.__v=t,n.__c){if(x!==h&&v&&!J.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(x,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(x,f.__s,w)===!1){t.__v!=n.__v&&(f.props=x,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(V){V&&(V.__=t)}),Ut.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Oe(n);break e}f.componentWillUpdate&&f.componentWillUpdate(x,f.__s,w),v&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,b,g)})}else v&&!J.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),v&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=x,f.__P=e,f.__g&=-5,M=L.__r,N=v?25:0;do f.__g&=-9,M&&M(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++N<25);v&&(Ut.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=De({},r,f.getChildContext())),v&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,b)),z=u&&u.type===qe&&u.key==null?u.props.children:u,x.__P&&(u=i,s=(e=x.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(V){V&&Un(V,V)}),n.__k=null),i=n.__k?Oe(n,0):null),i=jr(e,An(z)?z:[z],t,n,r,s,o,a,i,l,m),x.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(Be),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(V){if(a.length=d,t.__v=null,l||o)if(V&&V.then){if(t.__u|=128|l,o){for(~(T=o.indexOf(i||void 0))||(T=o.length);(I=o[T-1])&&I.nodeType==8;)T--;for(;T<o.length;T++)if(I=o[T])if(o[T]=null,j){if(I==Re)break}else{if(I.nodeType!=8)break;I.data.startsWith("$s")&&(Re=Lt(j=I))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(u=Lt(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Be);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),V&&V.then||Vr(t),L.__e(V,t,n)}}else i=t.__e=Fa(n.__e,t,n,r,s,o,a,l,m,e);return(u=L.diffed)&&u(t),i}function Lt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Vr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Vr))}function Kr(e,t,n){for(var r=0;r<n.length;)En(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Fa(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,b,g,x,v=n.props||Et,k=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(x=m.ownerDocument||document,!w)return x.createTextNode(k);e=x.createElementNS(s,w,k.is?k:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&k.defaultValue!=null?null:o&&Ln.call(m.childNodes),!i&&o)for(v={},u=0;u<e.attributes.length;u++)v[(h=e.attributes[u]).name]=h.value;for(u in v)h=v[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in k||u=="value"&&"defaultValue"in k||u=="checked"&&"defaultChecked"in k||Mt(e,u,null,h,s);for(u in k)h=k[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?b=h:u=="checked"?g=h:i&&typeof h!="function"||v[u]===h||Mt(e,u,h,v[u],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Ua.test(w))&&(s="http://www.w3.org/1999/xhtml"),jr(m,An(f)?f:[f],t,n,r,s,o,a,o?o[0]:n.__k&&Oe(n,0),i,l),o&&o.some(Be)),i&&w!="textarea"||(u="value",w=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(w!="progress"||b)||Mt(e,u,b,v[u],s),u="checked",g!=null&&g!=e[u]&&Mt(e,u,g,v[u],s))}else v===k||i&&e.data==k||(e.data=k);return e}function En(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function Un(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||En(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Un(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Lt(r,o=[]))&&(r==e.__e&&o.some(Be),Be(s),Be(r)),n||Be(e.__e),e.__e=e.__c=e.__=null}function Ha(e,t,n){return this.constructor(e,n)}function Gr(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=pt(qe,{children:[e]}),s=[],o=[],Nn(t,t.__k,r||Et,Et,t.namespaceURI,r?null:t.firstChild?Ln.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),Kr(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Nt=0,e}},Br=0,Pn=function(e){return e!=null&&e.constructor===ft},ze.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=De({},this.state)),typeof e=="function"&&(e=e(De({},n),this.props)),e&&(De(n,e),this.__v&&(t&&this.__k.push(t),Ur(this)))},ze.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ur(this))},ze.prototype.render=qe,Te=[],Nt=0,Dr=function(e,t){return e.__v.__b-t.__v.__b},At=Symbol(),qr=/(PointerCapture)$|Capture$/i,Mn=0,Cn={},Ea=0;var Xe,X,In,zr,Bn=Object.is,ht=0,ro=[],Dn=[],G=L,Xr=G.__b,Jr=G.__r,Yr=G.diffed,Zr=G.__c,Qr=G.unmount,eo=G.__;function Bt(e,t){G.__h&&G.__h(X,e,ht||t),ht=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return ht=1,ja(oo,e)}function ja(e,t,n){var r=Bt(Xe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):oo(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Bn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,Bn(d.__[0],d.__N[0])||(u=!0))}),s){var p=s.call(this,o,a,i);return m?p||u:p}return!m||u}}return r.__}function de(e,t){var n=Bt(Xe++,3);!G.__s&&Fn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function Fe(e,t){var n=Bt(Xe++,4);!G.__s&&Fn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function se(e){return ht=5,A(function(){return{current:e}},[])}function A(e,t){var n=Bt(Xe++,7);return Fn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Dt(e,t){return ht=8,A(function(){return e},t)}function Wa(){var e;do{for(;e=Dn.shift();)try{dt(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ro.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(dt),t.__h.some(qn),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(Dn.length)}G.__b=function(e){X=null,Xr&&Xr(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),eo&&eo(e,t)},G.__r=function(e){Jr&&Jr(e),Xe=0;var t=(X=e.__c).__H;t&&(In==X?X.__h=[]:(t.__h.some(dt),t.__h.some(qn),Xe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),In=X},G.diffed=function(e){Yr&&Yr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&no(ro.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),In=X=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some(dt),n.__h=n.__h.filter(function(r){return!r.__||qn(r)})}catch(r){n.__h=[function(){throw r}]}}),Zr&&Zr(e,t)},G.unmount=function(e){Qr&&Qr(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,no(Dn.push(s))}else dt(s)}catch(o){t=o}}),r.__H=void 0,t&&G.__e(t,r.__v))};var to=typeof requestAnimationFrame=="function";function Va(e){var t,n=function(){clearTimeout(r),to&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);to&&(t=requestAnimationFrame(n))}function no(e){e!=1&&zr==G.requestAnimationFrame||((zr=G.requestAnimationFrame)||Va)(Wa)}function dt(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function qn(e){var t=X;e.__c=e.__(),X=t}function Fn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Bn(n,e[r])})}function oo(e,t){return typeof t=="function"?t(e):t}var Ka=Symbol.for("preact-signals");function jt(){if(xe>1)xe--;else{var e,t=!1;for((function(){var s=Ft;for(Ft=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();bt!==void 0;){var n=bt;for(bt=void 0,qt++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&ao(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(qt=0,xe--,t)throw e}}function jn(e){if(xe>0)return e();Hn=++Ga,xe++;try{return e()}finally{jt()}}var gt,W=void 0;function $t(e){var t=W,n=gt;W=void 0,gt=void 0;try{return e()}finally{W=t,gt=n}}var bt=void 0,xe=0,qt=0,Ga=0,Hn=0,Ft=void 0,Ht=0;function so(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Y(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Y.prototype.brand=Ka;Y.prototype.h=function(){return!0};Y.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:$t(function(){var r;(r=t.W)==null||r.call(t)}))};Y.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&$t(function(){var s;(s=t.Z)==null||s.call(t)}))}};Y.prototype.subscribe=function(e){var t=this;return he(function(){var n=t.value;$t(function(){return e(n)})},{name:"sub"})};Y.prototype.valueOf=function(){return this.value};Y.prototype.toString=function(){return this.value+""};Y.prototype.toJSON=function(){return this.value};Y.prototype.peek=function(){var e=this;return $t(function(){return e.value})};Object.defineProperty(Y.prototype,"value",{get:function(){var e=so(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(qt>100)throw new Error("Cycle detected");(function(n){xe!==0&&qt===0&&n.l!==Hn&&(n.l=Hn,Ft={S:n,v:n.v,i:n.i,o:Ft})})(this),this.v=e,this.i++,Ht++,xe++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{jt()}}}});function le(e,t){return new Y(e,t)}function ao(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function io(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function lo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function He(e,t){Y.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Ht-1,this.f=4}He.prototype=new Y;He.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Ht))return!0;if(this.g=Ht,this.f|=1,this.i>0&&!ao(this))return this.f&=-2,!0;var e=W;try{io(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,lo(this),this.f&=-2,!0};He.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Y.prototype.S.call(this,e)};He.prototype.U=function(e){if(this.t!==void 0&&(Y.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};He.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(He.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=so(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Ce(e,t){return new He(e,t)}function co(e){var t=e.j;if(e.j=void 0,typeof t=="function"){xe++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Wn(e),r}finally{W=n,jt()}}}function Wn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,co(e)}function za(e){if(W!==this)throw new Error("Out-of-order effect");lo(this),W=e,this.f&=-2;try{8&this.f&&Wn(this)}finally{jt()}}function Je(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,gt&&gt.push(this)}Je.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Je.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,co(this),io(this),xe++;var e=W;return W=this,za.bind(this,e)};Je.prototype.N=function(){2&this.f||(this.f|=2,this.u=bt,bt=this)};Je.prototype.d=function(){this.f|=8,1&this.f||Wn(this)};Je.prototype.dispose=function(){this.d()};function he(e,t){var n=new Je(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var uo,Vt,Wt,Xa=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var mo=[];he(function(){uo=this.N})();function Ye(e,t){L[e]=t.bind(null,L[e]||function(){})}function _t(e){if(Wt){var t=Wt;Wt=void 0,t()}Wt=e&&e.S()}function po(e){var t=this,n=e.data,r=Ya(n);r.name="ReactiveDom",r.value=n;var s=A(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=Ce(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),u=Ce(function(){return!Array.isArray(m.value)&&!Pn(m.value)}),p=he(function(){if(this.N=fo,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}po.displayName="ReactiveTextNode";Object.defineProperties(Y.prototype,{constructor:{configurable:!0,value:It(qe,null).constructor},type:{configurable:!0,value:po},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Ye("__b",function(e,t){if(_t(),Vt=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Y&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});Ye("__r",function(e,t){if(e(t),t.type!==qe){_t();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return he(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;Xa&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Vt=r,_t(n)}});Ye("__e",function(e,t,n,r){_t(),Vt=void 0,e(t,n,r)});Ye("diffed",function(e,t){_t(),Vt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=Ja(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function Ja(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=le(n);return{o:function(a,i){o.value=a,r=i},d:he(function(){this.N=fo;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}Ye("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});Ye("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});ze.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Ya(e,t){return A(function(){return le(e,t)},[])}var Za=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Qa(){jn(function(){for(var e;e=mo.shift();)uo.call(e)})}function fo(){mo.push(this)===1&&(L.requestAnimationFrame||Za)(Qa)}var ei=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function ti(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function ni(e){return e.split("/").filter(t=>t!=="").map(ti)}function Vn(){return{path:ni(location.pathname),params:new URLSearchParams(location.search)}}var $=le({path:[],params:new URLSearchParams});function Ze(...e){return"/"+e.map(ei).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ae(e,t){let n=t.toString();return n===""?e:e+"?"+n}function be(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Vn()}function C(e,t=!1){be(ae(location.pathname,Z($.value.params,e)),t)}function $e(e){return ae(Ze(...$.value.path),Z($.value.params,e))}function ri(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function B(e,t={}){return ae(Ze(...e),Z(ri($.value.params),t))}function oi(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),be(t.pathname+t.search),scrollTo(0,0))}function ho(){addEventListener("popstate",()=>$.value=Vn()),addEventListener("click",oi),$.value=Vn()}function yt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):yt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var si={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function go(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*si[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ce(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):yt(t))+" "+n;t/=1e3}return yt(t)+" TB"}function _(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?yt(e/1e6)+" M":yt(e/1e9)+" G"}function we(e,t){return`${_(e)} ${t}${e===1?"":"s"}`}function D(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ue(e,t){return t==="ns"?y(e):t==="bytes"?ce(e):_(e)}var vt=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${vt(n.getHours())}:${vt(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${vt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function ke(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${vt(t.getMonth()+1)}-${vt(t.getDate())}`}function me(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function ge(e){return e||"(no name)"}function re(e){return e.slice(e.lastIndexOf(".")+1)}function Pe(e){return e.split(".").slice(-2).join(".")}var $o=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,$o(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},bo=new Map;function _o(e){var t=bo.get(this);return t||(t=new Map,bo.set(this,t)),(t=$o(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var p=0;p<n[u].length;p++)r=n[u][p],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][p+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=_o.bind(It);function ai(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function Kt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await ai(s*1e3,t.signal)}}async function Gt(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ie=le(null),xt=le(!1),vo="/api/v1/login",yo={"loupe-page":"1"},xo=e=>`the collector cannot be reached: ${String(e)}`;async function wo(e){if(!e.ok)return Gt(e);let t=await e.json();return ie.value={is_needed:t.is_needed,identity:t.identity},null}async function ko(e,t={}){try{return await wo(await fetch(vo,{method:e,headers:{...yo,...t}}))}catch(n){return xo(n)}}async function So(){await Kt(vo,{headers:yo}).then(wo).catch(xo)!==null&&(ie.value={is_needed:!1,identity:null})}async function Ro(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await ko("POST",{authorization:`Bearer ${e}`});return xt.value&&=t!==null,t}async function To(){let e=await ko("DELETE");return xt.value&&=e!==null,e}function Oo(){xt.value||=ie.value?.identity!=null,ie.value={is_needed:!0,identity:null}}var Kn=0;function Co(){return Kn>0}async function ii(e,t){let n=await Kt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&Oo();let o=r?await n.json():null,a=r?null:await Gt(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=O(n);return Fe(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),l=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>o.signal.aborted||u(p);return Kn++,ii(e,o.signal).then(m(i),m(l)).finally(()=>Kn--),()=>o.abort()},[e,t]),r}var Xt=["5m","15m","1h","6h","1d","7d","30d"],Po="1h",li=5e3,ci={s:1,m:60,h:3600,d:86400},Mo=()=>BigInt(Date.now())*1000000n,E=le(Mo());function Gn(){E.value=Mo()}function Ao(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*ci[t[2]])*1000000000n:null}function zt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var wt=Ce(()=>{let e=$.value.params.get("last")??Po;return Ao(e)===null?Po:e}),je=Ce(()=>$.value.params.get("live")==="1"),ee=Ce(()=>{let{params:e}=$.value,t=zt(e.get("to")??"")??E.value;return{from:zt(e.get("from")??"")??t-Ao(wt.value),to:t}}),ui=18e10;function Jt(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=ui;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function Lo(){let e=0;he(()=>{if(clearInterval(e),je.value){let t=()=>document.hidden||Co()||Gn();e=window.setInterval(t,li)}})}var We=le(0),zn=new Map;function q(e){let t=zn.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),zn.set(e,t)),t}function Xn(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function No(e,t,n){let r=Xn(t);return"#"+Xn(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var mi=.2;function Yt(e){let[t,n,r]=Xn(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>mi?"#101113":"#ffffff"}function Eo(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{zn=new Map,We.value++})}var pi={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},fi={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function te(e){let t=e.startsWith("other: ")?e.slice(7):e;return pi[e]??{name:t,token:"other"}}function Qe(e){return fi[e]??"other: other"}function Zt(e){return e==="."?null:te(Qe(e))}var di={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Me(e){return(e.startsWith("jdk.")?di[e.slice(4)]:void 0)??"other: "+e}var hi=/^(java|javax|jdk|sun|com\.sun)\./;function et(e){return hi.test(e)}function Se(e,t,n){return Ve("contexts",e,t,n)}function Ve(e,t,n,r){return B([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function Qt(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function en({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var gi=1e3,Uo=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function bi(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Uo(e.url)===Uo(t)?Math.min(gi,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function tn(e,t,n){let[r,s]=O([]),[,o]=O(""),a=se({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=bi(a.current,e,n,r.length,t);let{rows:i,cursor:l,before:m}=a.current,u=l?`&cursor=${encodeURIComponent(l)}`:"",p=R(`${e}&limit=${i}${u}`,n);de(()=>{p.data&&!p.isLoading&&s([...m,...en(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}var $i=["recording","instance","context","where","trace","thread","id"],_i=["recording","instance","context"],vi=["min_duration_ns","max_duration_ns"];function _e(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function kt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function nn(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function Jn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Io=30000000000n;function Yn({from:e,to:t}){return{from:e-Io,to:t+Io}}function Bo(e,t,n=""){Jn(e,Yn(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function tt({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function nt(e,t){let n=new URLSearchParams,r=tt(e);r!==null&&n.set("service",r),nn(n,e.params,$i);let s=_e(e.params.get("box"));return s?Bo(n,s):(Jn(n,t),nn(n,e.params,vi)),n}function Do(e,t){let n=nt(e,t),r=_e(e.params.get("base_box"));if(!r)return nn(n,e.params,["base"]),n;Bo(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function qo(e,t){let n=new URLSearchParams,r=tt(e);r!==null&&n.set("service",r),nn(n,e.params,_i),Jn(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return ae("/api/v1/"+e,Z(t,n))}function oe({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${te(e).token})`}}
  ></span>`}function rn({of:e}){return e&&c`<${oe} category=${e.category} />${te(e.category).name}
      <span class="dim"> ${D(e.share)}</span>`}function Ho({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${te(e).token})`;return c`<div class="bar" style=${{width:n,background:r}}></div>`}var Fo=120,Zn=22;function jo({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*Fo,l=Zn-1-o/n*(Zn-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Fo} ${Zn}"
  >
    <path d=${r} />
  </svg>`}var yi=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function xi(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}function wi(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}function on({keys:e=[],values:t=[]}){let n=yi.flatMap(([r,s])=>$.value.params.getAll(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>xi(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${wi} aria-label="Add a condition on an attribute">
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
  </div>`}function Wo(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function ki(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,l])=>` \\
  --data-urlencode ${Wo(`${i}=${l}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${Wo(t+r)}${o.join("")}`}async function Si(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function U({url:e}){let[t,n]=O(!1);if(e===null)return null;let r=ki(e,location.origin,ie.value?.is_needed);return c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await Si(r),n(!0)}} title=${r}>${t?"copied":"curl"}</button>
  </span>`}var Ri=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ae({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(l,m)=>S(m,r,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=S("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${Ri.map(([l,m,u])=>c`<a href=${o(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function Vo(e){return ae(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function sn(e){return typeof e=="string"?e:JSON.stringify(e)}function Ko(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Qn(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Ti(e){return e.find(t=>!et(t))??e[0]??""}function Oi({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${me(e.start)}</dd>
        ${Ko(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${sn(r)}</dd>`])}
      </dl>
      <ol>
        ${Qn(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function an({items:e,since:t,contextHref:n,label:r}){let[s,o]=O(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=l.values,b=t===void 0?Q(l.start):"+"+y(Number(l.start-t)),g=Ko(l).map(([M,N])=>`${M}=${sn(N)}`),x=`${l.start} ${u} ${d} ${f}`,v=s===x,k=()=>o(v?null:x),w=n&&f!==null&&h?n(String(f),String(h)):null;return c`<tr key=${m} class=${v?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(v)} onClick=${k}>${b}</button>
        </td>
        <td title=${u}>
          <${oe} category=${Me(String(u))} />${re(String(u))}
        </td>
        <td class="n">${typeof p=="number"?y(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${Qn(l)[0]}>
          ${Pe(Ti(Qn(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${w&&c`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${v&&c`<${Oi} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function Ci({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function P({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r&&r.data!==null&&(r.isLoading||r.problem!==null);return c`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&c`<${Ci} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function Pi(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function Mi({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=$.value,r=Z(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ae(Ze(...t),r)}>look at all of that time</a>.
  </p>`}function Le(){let e=S("collector",new URLSearchParams),{data:t}=R(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<ee.value.from,r=tt($.value),s=a=>Pi(a,location.hostname,ie.value?.is_needed),o=r===null?"":` of ${r}`;return c`<${F} title="No JVM${o} has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&c`<pre>${s(t.agents)}</pre>`}
    ${t&&n&&c`<${Mi} of=${t} />`}
  <//>`}var Ai=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Li=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Go=e=>e.replace(/\$(?=.)/g,"\\$");function zo(e,{path:t,params:n}){if(Ai.test(e))return B(["t",e.toLowerCase()]);let r=t[0]==="s",s=Li.test(e);if(!r)return B(["s"],s?{where:e}:{frame:Go(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:Go(e)};return ae(Ze(...t),Z(n,a))}function Ni(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(be(zo(s,$.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function Ei(){let{params:e}=$.value,t=zt(e.get("from")??"")!==null,{from:n,to:r}=ee.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=Xt.includes(wt.value)?Xt:[wt.value,...Xt],a=`${me(n)} to ${me(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${ke(n)} ${Q(n,1e9)} to ${Q(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===wt.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${Gn} title="ask again">refresh</button>
    <button
      aria-pressed=${je.value?"true":"false"}
      onClick=${()=>C({live:je.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function Ui(){let[e,t]=O(null),n=ie.value?.identity,r=async()=>t(await To());return n==null?null:c`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Ii=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([o,a])=>c`<a href=${B(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${B([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Ii.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${Ni} />
      <${Ei} />
      <${Ui} />
    </header>
    <main>${t}</main>`}var Bi=4;function Di(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=O(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((f,h)=>Di(l(f),l(h))):t).slice(0,s),p=(f,h)=>{let b=a!==h?"none":f.isNumber?"descending":"ascending",g=f.sort?c`<button class="plain" onClick=${()=>i(h)}>${f.name}</button>`:f.name;return c`<th
      class=${(f.isNumber?"n ":"")+(f.sort?"sort":"")}
      title=${f.title}
      scope="col"
      aria-sort=${f.sort?b:void 0}
    >
      ${g}
    </th>`},d=(f,h,b)=>{let g=h.cell(f);return c`<td
      class=${(h.isNumber?"n ":"")+(h.className??"")}
      data-name=${b>0?h.name:void 0}
    >
      ${r&&b===0?c`<a href=${r(f)}>${g}</a>`:g}
    </td>`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class=${e.length>Bi?"stacks":""}>
      <thead class=${e.some(f=>f.sort)?"sorts":""}>
        <tr>
          ${e.map(p)}
        </tr>
      </thead>
      <tbody>
        ${u.map(f=>c`<tr key=${n(f)} class=${r?"opens":""}>
              ${e.map((h,b)=>d(f,h,b))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var qi=100,er=e=>e===null?"":y(e),rt=(e,t)=>$.value.params.getAll(e).includes(t);function tr({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Fi({types:e}){let t=n=>$e({context:rt("context",n)?null:n,key:null,where:null,event:null});return c`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${tr} href=${t(n)} on=${rt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>_(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>_(n.contexts_out),isNumber:!0},{name:"median",cell:n=>er(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>er(n.p99_ns),isNumber:!0}]}
  />`}function Xo({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return $e({where:rt("where",s)?o:[...o,s],event:null})};return c`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${tr}
            href=${n(r)}
            on=${rt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":_(r.all),isNumber:!0},{name:"kept",cell:r=>_(r.kept),isNumber:!0},{name:"p99",cell:r=>er(r.p99_ns),isNumber:!0}]}
  />`}function Hi({name:e}){let t=nt($.value,ee.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),E.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${Xo} name=${e} rows=${s} />`}`}function ji({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${Hi} name=${n.key} />`:c`<${Xo} name=${n.key} rows=${r} />`}`}function Wi({of:e}){let t=n=>$e({event:rt("event",n)?null:n});return c`<${K}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${oe} category=${Me(n)} /><${tr}
              href=${t(n)}
              on=${rt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>_(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Vi({query:e}){let t=$.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:s,more:o}=tn(n,qi,E.value),a=c`<${H} of=${r.data} /><${U} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${an} label="Events" items=${s} contextHref=${Se} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${F} title="No events here" />`}
  <//>`}function Jo(){let e=$.value,t=nt(e,ee.value),n=S("contexts/types",Gi(t)),r=R(n,E.value),s=S("events/types",t),o=R(s,E.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${_(o.data.events)} events`+Ki(o.data.contexts);return c`<${ne}>
    <${on} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${Fi} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Le} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${ji} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${H} of=${o.data} /><${U} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${Wi} of=${o.data} />`}
      <//>
    </div>
    <${Vi} query=${t} />
  <//>`}var Ki=e=>e===null?", in contexts or not":` in ${_(e)} contexts`;function Gi(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function Yo(){let[e,t]=O(null),[n,r]=O(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await Ro(a.value.trim());r(!1),t(i),a.select()};return c`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${xt.value&&c`<p role="status">Your session is over.</p>`}
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
    </main>`}function Zo(){return c`<${ne}>
    <${F} title="There is nothing here">
      <a href=${B([])}>Services</a> is where everything begins.
    <//>
  <//>`}function zi(e){return e.replaceAll("_","-")}function St(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function Rt({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${zi(t)} <b>${_(n)}</b></span
        >`)}
  </span>`}var es=e=>e.slice(0,19).replace("T"," "),Xi=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),ln=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Qo=(e,t)=>c`${_(e)} <span class="dim">of ${_(t)}</span>`,Ji=[{name:"service",cell:e=>c`<b>${ge(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>es(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${y(ln(e))}, running`:y(ln(e)),isNumber:!0,sort:ln},{name:"contexts kept",cell:e=>Qo(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Qo(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ce(e.bytes_out)} <span class="dim">of ${ce(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Xi(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function Yi(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=S("recordings",r),o=R(s,E.value),a=o.data?.recordings??[],i=c`<${H} of=${o.data} /><${U} url=${s} />`;return c`<${ne}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${K}
          label="Recordings"
          columns=${Ji}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>B(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Le} />`}
    <//>
  <//>`}var Zi=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>_(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>_(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ce(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ce(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${Rt} of=${St({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Ne(e,t){return c`<span><b>${e}</b>${t}</span>`}function Qi({of:e}){let t=e.contexts_in?D(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Ne(e.is_running?"running":"ended",`${y(ln(e))} since ${es(e.start)} UTC`)}
    ${Ne(t,`of ${_(e.contexts_in)} contexts kept`)}
    ${Ne(_(e.events_out),`of ${_(e.events_in)} events kept`)}
    ${Ne(ce(e.bytes_out),`of ${ce(e.bytes_in)} kept`)}
    ${Ne(ce(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Ne(y(e.waiting.duration_ns),`not compacted yet, ${ce(e.waiting.journal_bytes)}`)}
    ${Ne(e.jvm_version,e.jvm_name)} ${Ne(e.pid,`process, on ${e.instance}`)}
  </div>`}var el={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function tl({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${_(r)} ${el[n]??n}</li>`)}
      </ul>`}function nl({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,E.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${P}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${c`<${U} url=${n} />`}
    answer=${r}
  >
    ${s?.refused&&c`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&c`<${K}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>o(a).join(", "),className:"w"}]}
      />`}
  <//>`}function rl({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=[{name:r?`${ge(r.service)}, ${r.instance}`:e}],o=c`<a href=${Vo(e)} download>download .jfr</a><${U} url=${t} />`,a=r?St(r.types):[];return c`<${ne} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${Qi} of=${r} />`}
      ${n.status===404&&c`<${F} title="This collector has no such recording">
          <a href=${B(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${Rt} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${tl} of=${r}
        /><//>
        <${P} title="Event types">
          <${K}
            label="Event types"
            columns=${Zi}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${nl} service=${r.service} />`}
  <//>`}function ts(){let e=$.value.path[1];return e===void 0?c`<${Yi} />`:c`<${rl} id=${e} />`}function ve(e){return e==="requests"?"request":"context"}var ol=["context","thread","trace","id","box","base_box"];function ns(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:ol.some(n=>e.has(n))?"contexts":null}function ye(e){return e.get("unit")==="requests"?"requests":"contexts"}function ot(e,t){return Z(e,{unit:t==="requests"?t:null})}function rs(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:l,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:l,spark:m,top:u}}function os(e){let[t,n]=O({width:0,height:0,ratio:1});return Fe(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function nr(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function ss(e,{width:t,height:n,ratio:r},s,o){Fe(()=>{let a=t>0&&e.current&&nr(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,We.value,...o])}function sl(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=nr(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function cn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=se(null),a=se(null),i=se(t),l=se(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&sl(a.current,o.current,i.current)})};de(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),de(m,[t,n,r,We.value]),de(()=>{let{scrollTop:d,clientHeight:f}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+f&&(o.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),b=f.clientY-h.top+o.current.scrollTop;d?.({x:f.clientX-h.left,y:b,width:h.width,event:f})},p=Math.min(n,r);return c`<div
    class="pane"
    ref=${o}
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
  </div>`}var un=14,mn=8;function st({at:e,children:t}){let n=se(null);return Fe(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+un+s>innerHeight-mn,i=Math.min(e.clientX+un,innerWidth-r-mn);o.left=`${Math.max(mn,i)}px`,o.top=`${a?Math.max(mn,e.clientY-un-s):e.clientY+un}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var sr=e=>e.charCodeAt(0);function as(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[sr(n.length===1?n:t),sr(r.length===1?r:t)]}var ar=e=>/\w/.test(String.fromCharCode(e)),is=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),us=(e,t)=>t>=0&&t<e.length&&ar(e.charCodeAt(t)),pn=(e,t)=>us(e,t-1),fn=us,rr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>pn(e,t)!==fn(e,t),"\\B":(e,t)=>pn(e,t)===fn(e,t),"\\<":(e,t)=>!pn(e,t)&&fn(e,t),"\\>":(e,t)=>pn(e,t)&&!fn(e,t)},ls=e=>e>=48&&e<=57,or={"\\d":ls,"\\D":e=>!ls(e),"\\w":ar,"\\W":e=>!ar(e),"\\s":is,"\\S":e=>!is(e)},cs={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},pe=class extends Error{},ir=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new pe;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new pe;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new pe;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new pe;if(r!==1/0&&r>255)throw new pe;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(cs,r)?cs[r]:void 0;if(n===":"?!s:r.length!==1)throw new pe;return n===":"?o=>s.test(String.fromCharCode(o)):sr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new pe;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new pe;t.push(this.range())}this.at++,this.addAtom(r=>as(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(rr,n)||Object.hasOwn(or,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new pe;if(Object.hasOwn(rr,n))this.atom=null,this.add({holds:rr[n]});else if(Object.hasOwn(or,n))this.addAtom(or[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=as(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function ms(e){try{return e.length>256?null:new ir(e).parse()}catch(t){if(t instanceof pe)return null;throw t}}function ps(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,l=(m,u,p)=>{o(u,p);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:f,holds:h,jumps:b,isEnd:g}=e[d];i||=g===!0,f?m.push(d):h?.(t,p)&&o(d+1,p);for(let x of b??[])o(d+x,p)}};for(let m=0;;m++){if(l(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),p=[];for(let d of a)e[d].takes(u)&&l(p,d+1,m+1);a=p}}function gn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let p=n[u]-1;s[u]=p<0?-1:i[p],a[u]=p<0?0:l[p],p>=0&&(l[p]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function ds(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=l.level[d];f>=r&&f<s&&m.push({node:d,x:0,width:n,row:f})}let u=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let f=l.level[d];if(f>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,b=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(b),n-1):b;f>=r&&(h>=1||g>=p[f-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return m}function hs(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+o[m];if(p&&l.level[m]===s)return m;m=p?m+1:i[m]}return-1}function gs(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?bs(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function bs(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var hn=4;function $s(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**hn).toString(36).padStart(hn,"0")}function bn(e,t){return bs(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map($s).join("")}function $n(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=hn){let a=t.slice(o,o+hn),i=s+1;for(;i<(e.end[s]??0)&&$s(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var al=1024,il=5e7;function _s(e,t=il){let n=/^\/(.+)\/$/.exec(e);if(!n){let l=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(l),{isOver:()=>!1})}let r=ms(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(l=>(s.has(l)||s.set(l,!a()&&ps(r,l.slice(0,al),o)),s.get(l)),{isOver:a})}function vs(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var dn=(e,t)=>t>0?e/t:0;function ys({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(dn(r.total,n),dn(r.base_total??0,o)),i=dn(e[s],n)-dn(t?.[s]??0,o);return a>0?i/a:0}function xs(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function ll({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!et(e.names[e.name[o]]))return o;return s}function fs({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function ws(e,t){let{flame:n}=e,r=fs(e,n.value),s=fs(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[ll(e,i)]],p=o.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(m+u,p)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var fe=18,cl=22,ks=4,ul=5,ml="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function pl(e){return e.split(".").slice(0,-2).join(".")}function fl(e){if(et(e))return"frame-jdk";let t=7;for(let n of pl(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%ul}`}function dl({names:e,kinds:t}){return e.map((n,r)=>{let s=Zt(t[r]??".");return q(r===0?"frame-root":s?s.token:fl(n))})}var lr=32,cr=e=>({fill:e,ink:Yt(e)});function Ss(e){if(e.base_value===void 0){let s=dl(e).map(cr);return e.name.map(o=>s[o])}let t=s=>Array.from({length:lr+1},(o,a)=>cr(No(q("frame-same"),q(s),a/lr))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:ys(e,o),i=Math.round(lr*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function hl(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Rs(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=q("ink"),u=cr(q("accent"));e.font=ml,e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:b}of n){let g=b*fe-r,x=s.name[d],v=d!==l&&s.level[d]<s.level[l],k=a!==null&&a.names[x]===1,w=v||a!==null&&!k,{fill:M,ink:N}=k?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=M,e.fillRect(f,g,Math.max(h-.5,.5),fe-1),h>=cl){let z=Math.floor((h-2*ks)/p);e.globalAlpha=1,e.fillStyle=w?m:N,e.fillText(hl(s.names[x],z),f+ks,g+fe/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),fe-3))}}var gl=24,bl=3,ur=(e,t)=>D(t>0?e/t:0);function $l({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=ue(n[i]/Math.max(1,a),o),m=ue(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${ur(n[i],s)}, ${l} each, own ${m}`}function _l(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},p]}function vl({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=_l(r,t),m=(u,p)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${ue(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${ur(p(d),d.whole)}</td>
            <td class="n dim">${ue(p(d),s)}</td>`)}
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
    ${n>0&&c`<div class="dim">${ur(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Ts({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=O(null),[i,l]=O(null),m=A(()=>i===null?-1:$n(e,i),[e,i]),u=o?.node??-1,p=A(()=>Ss(s),[s,We.value]),d=Dt((w,{width:M,top:N,height:z})=>{let j=Math.floor(N/fe),Re=ds(e,t,M,j,Math.ceil((N+z)/fe));Rs(w,{flame:s,shades:p,zoom:t,found:n,marks:[m,u]},Re,N)},[e,t,n,m,u,p]),f=({x:w,y:M,width:N})=>hs(e,t,N,w,Math.floor(M/fe)),h=w=>{let M=f(w),{clientX:N,clientY:z}=w.event;a(M<0?null:{node:M,at:{clientX:N,clientY:z}})},b=w=>{let M=f(w);M>=0&&w.event.button===0&&r(M)},g=w=>{let M=m<0?t:m;if(w.key.startsWith("Arrow")){let N=m<0?t:gs(e,t,M,w.key);l(bn(e,N)),a(null)}else if(w.key==="Enter")r(M);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},x=m>=0?m:t,v=s.level[x],k=[Math.max(0,v-bl)*fe,(v+1)*fe];return c`<${cn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*fe}
      heightMax=${gl*fe}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${b}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&$l(s,m)}</div>
    ${o&&c`<${st} at=${o.at}><${vl} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var yl=500;function xl(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>ue(p/Math.max(1,r),t),a=p=>c`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${wl} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>o(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),l=p=>D(n>0?p.total/n:0),m=p=>ue(p/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,l)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function wl({kind:e}){let t=Zt(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Os({tree:e,matches:t}){let n=xs(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${K}
      label="Frames"
      columns=${xl(e.flame)}
      rows=${n}
      rowsMax=${yl}
      rowKey=${r=>r.name}
    />
  </div>`}var kl=8;function _n(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Cs({url:e,answer:t}){let{data:n}=t,r=A(()=>n&&n.requests>0?ws(gn(n),kl):[],[n]),s=$.value.params.get("frame"),o=(l,m=0)=>ue(l/Math.max(1,m),"ns"),a=l=>{let m=_n(l.name);return c`<tr key=${l.name+l.kind}>
      <td title=${l.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${oe} category=${Qe(l.kind)} />${Pe(l.name)}
        </button>
      </td>
      <td class="n">${o(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${o(l.base,n.base_requests)}</td>`}
      <td class="n dim">${D(l.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=c`<${H} of=${n} /><${U} url=${e} />`;return c`<${P} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
  <//>`}var mr=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function vn({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Sl(e){let t=e.get("value")??"";return mr.some(([n])=>n===t)?t:"time"}function Rl({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${mr.map(([t,n])=>c`<${vn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Tl({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${vn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${vn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Ol({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",s=r!==""&&n===null,o=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?D(e.weight/o):D(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function Cl(){let e=$.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Pl({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>D(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${oe} category=${Qe(o)} />${te(Qe(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${_(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function Ml({requests:e,total:t,unit:n,...r},s){let o=ue(t/Math.max(1,e),n),a=r.base_requests??0,i=ue((r.base_total??0)/Math.max(1,a),n),l=r.base_value?`; base: ${_(a)}, ${i} each`:"";return`${we(e,s)}, ${o} each${l}`}function yn(e){return S("flamegraph",e,{value:"time",frame:null})}function at({query:e,tick:t,whole:n}){let{params:r}=$.value,s=Sl(r),o=r.get("frame"),a=Z(e,{value:s,frame:o}),i=S("flamegraph",a),l=n!==void 0&&i===yn(e),m=R(l?null:i,t),u=m.problem===null?n?.data??null:null,p=l?n:{...m,data:m.data??u},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=A(()=>d&&gn(d,f),[d,f]),b=r.get("find")??"",g=A(()=>b===""?null:_s(b),[b]),x=A(()=>h&&g&&vs(h,g),[h,g]),v=r.get("flame")==="table",k=!h||h.weight.length===0||!(h.weight[0]>0),w=h?$n(h,r.get("zoom")??""):0,M=h&&c`<${Ts}
      tree=${h}
      zoom=${w}
      found=${x}
      onZoom=${j=>C({zoom:bn(h,j)||null})}
    />`,N=c`<${H} of=${d} /><${Ae}
      query=${e}
      value=${s}
      frame=${o}
    /><${U} url=${i} />`,z=d?Ml(d,ve(ye(e))):"";return c`<${P} title="Flame graph" note=${z} tools=${N} answer=${p}>
    <div class="flame-tools">
      <${Rl} value=${s} />
      <${Cl} />
      <${Tl} flame=${d} />
      <${Ol} found=${x} flame=${d} matches=${g} />
      ${w>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${vn}
        isOn=${v}
        onChange=${()=>C({flame:v?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&k&&c`<${F} title="No ${mr.find(([j])=>j===s)[1]} in this selection" />`}
    ${!k&&(v?c`<${Os} tree=${h} matches=${g} />`:M)}
    ${d&&!k&&c`<${Pl} flame=${d} />`}
  <//>`}function pr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function fr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function Ps(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ms(e,t,n,r,s){let o=fr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function As(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Ls({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Ns(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var Al=560,Ll=110,Nl=4,El=28,Us=5,Ul="11px Inter, system-ui, sans-serif",Il=500;function Bl(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function xn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Dl(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function dr({count:e,name:t,duration:n}){return`${e>1?`${_(e)} \xD7 `:""}${re(t)} \xB7 ${y(n)}`}function ql(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=q(i?"hover":te(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=q(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=El&&(e.fillStyle=i?q("ink"):Yt(l),e.fillText(Dl(e,dr(s),a-2*Us),o+Us,n+20/2-1))}function Fl(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=q("panel"),e.fillRect(0,0,n,18);for(let o of Ls(t,n/Ll)){let a=Math.round((o-t.from)*s),i=o===0?"0":y(o),l=e.measureText(i).width;e.fillStyle=q("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=q("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function Hl(e,t,n,r){return Dt((s,{width:o,top:a,height:i})=>{let l=pr(e);s.font=Ul,s.textBaseline="middle",Fl(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let p=l[u]-a;p>i||l[u+1]-a<0||fr(m,t,o).forEach(d=>ql(s,d,p+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=q("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function jl({title:e},t){return`${e}: ${te(t.kind).name}, ${dr(t)}, at ${y(t.start)}`}function Wl({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Il}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${oe} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>_(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Is({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Bl($.value.params.get("part"),t),[a,i]=O(null),[l,m]=O(null),[u,p]=O(null),[d,f]=O(!1),h=A(()=>pr(e),[e]),b=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=Hl(e,o,[b?.box??null,a?.box??null],u),x=({x:T,y:I,width:J})=>{let V=Ps(h,I),Ie=V<0?null:Ms(e[V],o,J,T,I-h[V]);return Ie&&{lane:V,box:Ie}},v=T=>{if(u){p([u[0],Math.max(0,Math.min(T.x,T.width))]),i(null);return}let I=x(T),{clientX:J,clientY:V}=T.event;i(I&&{...I,at:{clientX:J,clientY:V}})},k=({lane:T,box:I})=>{let J=n?.(e[T],I)??null;J!==null&&r?r(J):xn({from:I.start,to:I.start+Math.max(1,I.duration)})},w=({x:T,event:I})=>{I.button===0&&I.pointerType!=="touch"&&(I.target.setPointerCapture(I.pointerId),p([T,T]))},M=T=>{p(null);let[I=0,J=0]=u?[...u].sort((Ie,Na)=>Ie-Na):[],V=x(T);if(J-I>=Nl){let Ie=(o.to-o.from)/T.width;xn({from:o.from+I*Ie,to:o.from+J*Ie})}else V&&k(V)},N=e.findIndex(({boxes:T})=>T.length>0),z=T=>{if(T.key.startsWith("Arrow")&&N>=0)m(b?Ns(e,b,T.key):{lane:N,box:e[N].boxes[0]});else if(T.key==="Enter"&&b)k(b);else if(T.key==="Escape"||T.key==="Backspace")xn(null);else return;T.preventDefault()},j=b?h[b.lane]+20+b.box.level*20:0,Re=$.value.params.get("part")!==null;return c`<${cn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Al}
      draw=${g}
      reveal=${b?[j-20-20,j+20]:void 0}
      onPoint=${v}
      onDown=${w}
      onUp=${M}
      onLeave=${()=>i(null)}
      onKey=${z}
    >
      ${e.map((T,I)=>c`<div class="lane-title" key=${T.key} style=${{top:`${h[I]}px`}}>
            ${T.href?c`<a href=${T.href}>${T.title}</a>`:T.title}
            <small title=${T.note}>${T.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${b&&jl(e[b.lane],b.box)}</div>
    ${a&&c`<${st} at=${a.at}>
        <b>${dr(a.box)}</b>
        <div>${a.box.name}, ${te(a.box.kind).name}</div>
        <div class="dim">at ${y(a.box.start)}</div>
      <//>`}
    ${Re&&c`<button onClick=${()=>xn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${T=>f(T.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${Wl} lanes=${e} />`}
    </details>`}var Vl=3;function Kl(e,{category:t,is_count:n}){let r=e.slices.find(a=>a.category===t),s=(n?r?.events:r?.total_ns)??0,o=e.requests?s/e.requests:0;return n?`${o.toFixed(1)} x`:y(o)}function Gl({of:e}){return c`<ul class="repeated">
    ${e.repeated.map(t=>c`<li
          title=${`${t.frame}: ${_(t.events)} in ${we(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${_(t.per_request)} x ${Pe(t.frame)}
          <span class="dim"> ${te(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function zl({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=s&&!e.is_count,a=(p,d)=>o?c`<a href=${s(e.category,d)}>${p}</a>`:p,i=p=>e.is_count?`${(p.events/t.requests).toFixed(1)} x`:y(p.total_ns/t.requests),l=p=>e.is_count?"":D(p.total_ns/Math.max(1,t.total_ns)),m=e.top.slice(0,Vl).filter(p=>e.is_count||p.total_ns>0),u=o?"opens":"";return c`<tr
      class=${u}
      title=${`${y(e.total_ns)} in all, ${_(e.events)} events`}
    >
      <th scope="row">
        <${oe} category=${e.category} />${a(te(e.category).name,null)}
      </th>
      <td class="fill"><${Ho} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${i(e)}</td>
      ${r&&c`<td class="n dim">${Kl(r,e)}</td>`}
      <td class="n dim">${l(e)}</td>
    </tr>
    ${m.map(p=>c`<tr class=${`frame ${u}`} title=${p.frame}>
            <td colspan="2">${a(Pe(p.frame),p.frame)}</td>
            <td class="n">${i(p)}</td>
            ${r&&c`<td></td>`}
            <td class="n dim">${l(p)}</td>
          </tr>
          ${p.via&&c`<tr class="frame via" title=${p.via}>
              <td colspan="2">via ${Pe(p.via)}</td>
              <td colspan=${r?3:2}></td>
            </tr>`}`)}`}function hr({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return c`<table class="why">
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
        ${e.slices.map(s=>c`<${zl}
              key=${s.category}
              slice=${s}
              of=${e}
              largest=${r}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&c`<${Gl} of=${e} />`}`}function wn({query:e,base:t=null,tick:n,hrefOf:r}){let s=S("why",e),o=R(s,n),a=R(t&&S("why",t),n),{data:i}=o,l=ve(ye(e)),m=c`<${H} of=${i} /><${U} url=${s} />`,u=i&&i.requests>0?`mean of ${we(i.requests,l)}, ${y(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${u}
    tools=${m}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${hr} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${F} title=${`No kept ${l} is in this selection`} />`}
  <//>`}var gr=8192,Bs=60000000000n,Ds=5,Xl=2000000000n;function qs(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Fs({t0_ns:e,events:t,is_truncated:n}){return en({...t,t0_ns:e,next:null,is_truncated:n})}function br(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=qs(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=qs(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function $r(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,p]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:p};r[s]?.boxes.push(d)}return r}function Jl(e,t,n){return en(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=Me(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function Yl(e,t,n,r){let s=BigInt(e.t0_ns),a=$r(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),l=Jl(r,s,new Set([e.type,...i])),m=As([...a,...l]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${re(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function Zl(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Xl)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?S(m,r,u):null,o=R(s("timeline",{width:String(gr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=A(()=>t&&o.data&&a.data?Yl(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),l=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:l}}function Ql(e){let t=A(()=>br(e),[e]),n=[];for(let i=0;i<Ds;i++){let l=n.every(m=>m.isAnswered);n.push(Zl(e,l?t[i]:void 0))}let r=t.slice(Ds),s=y(r.reduce((i,l)=>i+l.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return A(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function ec(e){let t=Qt(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Bs)});r.set("to",String(n+BigInt(e.duration)+Bs));let s=String(gr),o=R(t&&S("timeline",r,{width:s,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return A(()=>(o?$r(o,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:B(["t",t])}}),[e,o,i])}function Hs(e,t){let n=R(S("timeline",t,{width:String(gr)})).data,r=Ql(e),s=ec(e);return A(()=>{let o=n?$r(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(u.thread),i=o.filter(({thread:u})=>u===null),l=o.filter(({thread:u})=>u!==null),m=`this one, ${y(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...l.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var js=300000000000n,tc=100,it=({t0_ns:e})=>BigInt(e);function _r(e){let t=it(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function nc(e){let t=_r(e);if($.value.params.get("base")==="rest"){let n=it(e);t.set("from",String(n-js)),t.set("to",String(n+js)),t.set("context",e.type),t.set("base","rest")}return t}function rc({context:e,jvm:t}){let n=it(e),r=Qt(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${B(["t",r])}>${r}</a>`:sn(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${me(n)}>${ke(n)} ${Q(n)}</dd>
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
          <a class="link" href=${Ws(e,e.parent)}
            >${re(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Ws(e,{id:t,start:n}){return Se(e.recording,t,it(e)+BigInt(Math.round(n)))}function oc({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${te(t).name} ${D(r)}`,o=`var(--${te(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function sc({context:e}){let t=br(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${oe} category=${Me(n)} />${_(r)} × ${re(n)}
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
        </table>`}`}function ac({context:e}){return c`<${P} title="Contexts in it" note=${_(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${tc}
      rowKey=${t=>t.id}
      href=${t=>Ws(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function ic({context:e,tick:t}){let n=A(()=>_r(e),[e]),r=Hs(e,n),s=A(()=>Fs(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:Se(i.recording,l,it(e)+BigInt(Math.round(m))),a=c`<${U} url=${S("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Is}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${be}
      />
    <//>
    ${e.children.length>0&&c`<${ac} context=${e} />`}
    <${at} query=${nc(e)} tick=${t} />
    <${P} title="Events" note=${_(s.length)}>
      ${s.length>0?c`<${an}
              items=${s}
              since=${it(e)}
              label="Events of the request"
            />`:c`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Vs(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,o),l=R(i,E.value),m=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,p=u?`${re(u.type)}, ${y(u.duration)}`:r,d=[{name:"services",href:B([])},...m?[{name:ge(m.service),href:B(["s",m.service])}]:[],{name:p}],f=u&&_r(u),h=c`<${H} of=${u} /> ${f&&c`<${Ae} query=${f} />`}
    <${U} url=${i} />`;return c`<${ne} crumbs=${d}>
    ${u?c`<div class="three">
              <${P}
                title=${re(u.type)}
                note=${y(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${rc} context=${u} jvm=${m} />
              <//>
              <${P} title=${`Why ${y(u.duration)}`}>
                <${oc} why=${u.why} /><${hr} of=${u.why} base=${null} />
              <//>
              <${P} title="Kept because"><${sc} context=${u} /><//>
            </div>
            <${ic} context=${u} tick=${E.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var lc=100,cc=10,uc=1.96;function mc(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-uc*o)}function pc({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?mc(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function fc({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function dc({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":y(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${_(o.count)} of ${_(e)}`}>
          ${D(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${_(o.base_count)} of ${_(t)} to compare with`}
      >
        ${fc(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function hc({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(s=>s!==n);return $e({where:[...r,n]})}function gc({data:e}){let[t,n]=O(!1),r=$.value.params.getAll("where"),s=pc(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,cc),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${K}
      label="Attributes"
      columns=${dc(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${hc}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${_(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function Ks({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(lc)}),s=R(r,n),{data:o}=s,a=c`<${H} of=${o} /><${U} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${gc} data=${o} />`}
  <//>`}function Gs({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function bc(){let{params:e}=$.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=go(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?y(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function zs({types:e,instances:t}){let n=$.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${Gs}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${_(a)})`])}
    />
    <${Gs}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${bc} />
    <${on}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var $c=[1,1.189207115002721,1.4142135623730951,1.681792830507429],_c=e=>$c[e&3]*2**(e>>2);function Xs(e){return e<0?1:Math.floor(_c(e+1))}function Ee(e,{column:t,row:n}){return t*e.rows+n}function lt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function Ke(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function ct(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let l=1;for(;Math.floor(a/l)-Math.floor(o/l)>=n;)l*=2;let m=o>a?0:Math.floor(o/l),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:m,buckets:l,hasShorter:i,rows:o>a?0:Math.floor(a/l)-m+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(f/l)-m)});e.columns.forEach((d,f)=>{for(let[h,b,g]of d){let x=p(f,h),v=u.cells.get(Ee(u,x))??{...x,all:0,kept:0};v.all+=b,v.kept+=g,u.cells.set(Ee(u,x),v),u.most=Math.max(u.most,v.all)}});for(let[d,f,h,b]of e.exemplars)u.exemplars.set(Ee(u,p(d,f)),{recording:h,id:b});return u}function Ys(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function ut(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:Xs(i-1)+1,max:Xs((e.first+a+1)*e.buckets-1)}}function kn(e,t,n){let r=ut(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function Ge(e,t){let n={all:0,kept:0};for(let r of e.cells.values())kn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function Zs(e,t){return[...e.cells.values()].filter(n=>kn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ee(e,n))??[])}function Sn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function Qs(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function yr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function vr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Ct(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function xr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,vr(e,t,n.from)),l=Math.max(o,Ct(e,t,n.max)),m=Math.min(s,vr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,Ct(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function wr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ea(e,t,n,r){let s=[],o=a=>{let i=Ct(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var Js=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ta(e,t,n,r,s){let{from:o,to:a}=wr(e),i=Number(a-o)/1e9*(n/t.width),l=Js.find(p=>p>=i)??Js.at(-1),m=BigInt(l)*1000000000n,u=[];for(let p=(o+r+m-1n)/m*m-r;p<a;p+=m)u.push({at:vr(e,t,p),text:s(p,l*1e9)});return u}var vc=4,yc={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Ue(e){return _e($.value.params.get(e))}var oa=e=>e==="requests"?{unit:e}:{};function Pt(e,t,n){let r=e&&kt(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=oa(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function xc(e){Pt(null,Ue("base_box")!==null,e)}function kr({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function sa(e,t){return e.column===t.column&&e.row===t.row}function ra(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function wc(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function mt({grid:e,isRate:t},{from:n,to:r}){return t?ut(e,{...n,row:0},{...r,row:e.rows-1}):ut(e,n,r)}function aa({grid:e,unit:t},n){let r=e.exemplars.get(Ee(e,n));r&&be(Ve(t,r.recording,r.id))}function ia(e){let{grid:t,plot:n}=e,[r,s]=O(null),[o,a]=O(null),i=se(null),l=({offsetX:g,offsetY:x})=>Qs(t,n,g,x),m=g=>{let{offsetX:x,offsetY:v}=g;if(g.button===0&&t.rows>0&&yr(n,x,v)){g.currentTarget.setPointerCapture(g.pointerId);let k=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x,y:v,isLong:!1,isBase:k})}},u=g=>{let{offsetX:x,offsetY:v}=g;if(r){let N=r.isLong||Math.hypot(x-r.x,v-r.y)>=vc;s({...r,to:l(g),isLong:N})}let{clientX:k,clientY:w}=g,M=t.rows>0&&yr(n,x,v);a(M?{place:l(g),clientX:k,clientY:w}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){aa(e,r.from);return}let x=mt(e,r),v=!r.isLong&&Ge(t,x).all===0;Pt(v?null:x,r.isBase,e.unit)},d=g=>{let x=i.current,v=x&&kn(t,x,l(g))?x:mt(e,{from:l(g),to:l(g)});C({box:kt(v),...oa(e.unit)},!0),kr(v)},f=({detail:g})=>{i.current=g>1?i.current:Ue("box")},h=()=>a(null),b=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:b,onDblClick:d}}}function la(e){let{grid:t}=e,[n,r]=O(null),s=i=>{let l=yc[i.key];if(l&&t.rows>0){let m=n?ra(t,n.to,l):wc(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)aa(e,n.to);else if(i.key==="Enter"&&n)Pt(mt(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),xc(e.unit);else return;i.preventDefault()},o=i=>ra(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var Rn=52,kc=20,ca=6,Sc=52,Rc=72,Tc=26,Oc=5,Cc=60000000000n;function ua(e,t,n){let r=e-Rn-(n?Sc:0);return{x:Rn,y:ca,width:Math.max(1,r),height:Math.max(1,t-ca-kc)}}function Pc(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*Cc}function Mc(e,t){let n=Q(e,t);return n==="00:00"?ke(e).slice(5):n}function Ac(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:ta(e,t,Rc,Pc(e.t0),Mc),durations:e.rows===0?[]:ea(e,t,Tc,n)}}function Lc(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Nc(e,t,n,r,s){e.fillStyle=q("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:l,width:m,height:u}=Sn(t,n,a);Lc(e,i+m-r,l,Math.min(Oc,m/2,u/2))}e.fill()}function Ec({all:e,kept:t},n){return n==="requests"?t<e:t>0}function ma(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(q),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:l,width:m,height:u}=Sn(t,n,a);e.fillStyle=s[Ys(a.all,t.most)],e.fillRect(i,l,m-o,u-o)}Nc(e,t,n,o,a=>Ec(a,r)),Rr(e,t,n)}function Rr(e,t,n){let{times:r,durations:s}=Ac(t,n);e.fillStyle=q("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,Rn-8,o),e.fillRect(Rn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function Sr(e,t,n,r){t&&(e.fillStyle=q("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function pa(e,t,n,r){Sr(e,r.base&&xr(t,n,r.base),q("soft"),[4,3]),Sr(e,r.box&&xr(t,n,r.box),q("accent"),[]);for(let s of r.cells)Sr(e,Sn(t,n,s),q("ink"),[])}function fa({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=lt(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:Ke(i,.5),p99:Ke(i,.99)}})}function da(e){return`${_(Number(e.toPrecision(3)))}/s`}function Uc(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Ic(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function ha(e,t,n,r){let s=n.width/t.columns,o=Uc(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=q("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=q(i);let l=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*s,Ct(t,n,p)]};Ic(e,r.map(l),s)}Rr(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(da(o*a),n.x+n.width+6,i+(a===1?5:0))}}function ga({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":y(s);return c`<b>${da(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function ba({unit:e}){let t=(n,r)=>c`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return c`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Tr=6e10;function Tn({from:e,to:t,min:n,max:r}){let s=e%BigInt(Tr)===0n&&t%BigInt(Tr)===0n,o=i=>Q(i,s?Tr:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function Or({all:e,kept:t}){return`${_(t)} kept of ${_(e)}`}var Dc=5,qc=6;function Fc({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=Ee(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[l,m]=Tn(ut(e,s,s)).split(", "),u=a&&`${_(a.all)} ${t}, ${_(a.kept)} kept`,p=i?c`<${ga} of=${i} /><br />${l}`:c`<b>${m}</b><br />${l}<br />${u}
        ${e.exemplars.has(o)&&c`<br />Alt+click opens one`}`;return c`<${st} at=${n}>${p}<//>`}var Hc={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function jc(e,t,n){let r=e??Hc,s=Math.max(1,t.width/Dc),o=Math.max(1,t.height/qc);return A(()=>ct(r,s,o,n),[r,s,o,n])}function Wc({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=se(null),a=os(o),i=ua(a.width,a.height,n),l=jc(e,i,t==="requests"&&!n?79:null),m=A(()=>n&&e?fa(e,l):null,[n,e,l]),u={grid:l,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=ia(u),{cursor:h,on:b}=la(u),g=p??(h&&!sa(h.from,h.to)?h:null),x=g&&mt(u,g),v=p?.isBase??r,k={box:!v&&x||Ue("box"),base:v&&x||Ue("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},w=j=>{m?ha(j,l,i,m):e&&ma(j,l,i,t),pa(j,l,i,k)},{column:M,row:N}=d?.place??{};ss(o,a,w,[l,m,$.value,r,p,h,M,N]);let z=h&&mt(u,h);return c`<div class="heatmap">
    <canvas
      ref=${o}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${s}
      onFocus=${s}
      ...${f}
      ...${b}
    ></canvas>
    ${d&&c`<${Fc} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${z&&`${Tn(z)}: ${Or(Ge(l,z))}`}
    </div>
    ${e&&c`<${Gc} data=${e} unit=${t} most=${l.most} isRate=${n} />`}
  </div>`}function Vc({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>c`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return c`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&c` ${r(o)}${_(s)}`)}
    ${e>1&&c` to ${_(e)}`}</span
  >`}var Kc=e=>`Counted by chunk: a ${ve(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).`;function _a({data:e,unit:t,box:n,isBase:r}){let s=A(()=>ct(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Kc(t)}
    onClick=${()=>Pt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${Tn(n)}</b>${" "}
    ${Or(Ge(s,n))} by chunk <i>×</i>
  </button>`}function Gc({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&c`<${Vc} most=${n} unit=${t} />`,c`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[Ue("box"),Ue("base_box")];return c`<div class="legend">
    ${r?c`<${ba} unit=${t} />`:s}
    ${o&&c`<${_a} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&c`<${_a} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function zc({data:e,unit:t}){let[n,r]=O(!1),s=(a,i)=>{let l=lt([a]),[m,u]=[1,2].map(d=>a.reduce((f,h)=>f+h[d],0)),p=d=>y(Ke(l,d));return c`<tr>
      <td>${Q(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${_(m)}</td>
      <td class="n">${_(u)}</td>
      <td class="n">${p(.5)}</td>
      <td class="n">${p(.99)}</td>
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
  </details>`}function Xc({unit:e}){let t=n=>c`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return c`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function va({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=O(!1),l=$.value.params.get("view")==="rate",m=Ue("box"),{data:u}=e,p=A(()=>u&&c`<${zc} data=${u} unit=${n} />`,[u,n]),d=(h,b,g)=>c`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${b}
    </button>`,f=c`<${H} of=${u} />
    ${m&&c`<button class="plain" onClick=${()=>kr(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&c`<${Xc} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!l)} ${d("rate","rate",l)}</span>
    <${U} url=${t} />`;return c`<${P}
    title=${`All ${n}`}
    note=${s}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
  >
    <${Wc}
      data=${u}
      unit=${n}
      isRate=${l}
      isComparing=${a}
      onPoint=${o}
    />
    ${p}
  <//>`}var Jc=3;function Yc({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&St(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${B(["r",e.id])}>${e.instance}</a>, since it started:
        <${Rt} of=${n} />
      </p>`:null}function Zc(e,t){return kt({...e,from:e.from-t,to:e.to+t})}function Qc({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?Zs(ct(o,1/0,1/0),n).slice(0,Jc):[],l=({recording:m,id:u},p)=>c`<a class="link" key=${u} href=${Ve(s,m,u)}>${p+1}</a>${" "}`;return c`<${F} title=${`No kept ${ve(s)} began in this box`}>
    <p>
      The heat map has ${_(r)} kept ones here: it counts a ${ve(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Zc(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&c`${" "}or open one of them: ${i.map(l)}`}
    </p>
  <//>`}function ya({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=A(()=>ct(e,1/0,1/0),[e]),a=_e($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),l=(g,x)=>Number(n.get(g)??x),m=a??{...wr(o),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:u,kept:p}=Ge(o,m),d=ye(n),f=ve(d),h=r[0];if(r.length===0)return c`<${Le} />`;let b=(g,x)=>c`<${F} title=${g}>${x}<//>`;return s?b(`No kept ${f} is like this`,"Take a condition away to see more."):u===0&&a?b(`No ${f} is in this box`,"Choose a coloured cell."):u===0&&i?b(`No ${f} is like this`,"Take a condition away, or look at a longer time."):u===0?b(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?c`<${Qc}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:c`<${F} title=${`Nothing is kept of these ${_(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&c`<${Yc} of=${h} />`}
  <//>`}var eu=12,Pr={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function Mr(e,t){let n=e.get("sort");return Pr[t].some(([r])=>r===n)?n:Pr[t][0][0]}function tu({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function nu({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${D(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Cr=(e,t)=>new Set(e.map(t)).size>1,ru={contexts:[{name:"blocked",cell:e=>c`<${nu} of=${e} />`},{name:"events",cell:e=>_(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>_(e.parts),isNumber:!0}]},ou={contexts:{name:"thread",cell:e=>c`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}};function su(e,t,n){let r=[...new Set(e.flatMap(l=>Object.keys(l.attributes)))],s=Cr(e,l=>ke(l.start)),o=l=>c`<span title=${me(l.start)}>
      ${s?`${ke(l.start).slice(5)} `:""}${Q(l.start)}
    </span>`,a=(l,m)=>[e.some(u=>u[l]>0),{name:l,title:m,cell:u=>u[l]>0?y(u[l]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Cr(e,l=>l.type),{name:"type",cell:l=>re(l.type)}],[Cr(e,l=>l.recording),{name:"JVM",cell:l=>t.get(l.recording)??l.recording.slice(0,8)}]];return[{name:"start",cell:o},{name:"duration",cell:l=>c`<b>${y(l.duration)}</b>`,isNumber:!0},...ru[n],...i.flatMap(([l,m])=>l?[m]:[]),...r.slice(0,eu).map(l=>({name:l,cell:m=>au(m.attributes[l]),className:"cut"})),ou[n]]}function au(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function iu({unit:e}){let t=Pr[e],n=Mr($.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return c`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>c`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function xa({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(tu),m=ye(n),u=c`<${H} of=${o.data} />
    <${iu} unit=${m} />
    <a href=${s}>events</a>
    <${Ae} query=${n} value=${$.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=_e($.value.params.get("box")),d=p&&Yn(p),f=o.data&&`${_(l.length)} of ${_(o.data.matched)}`+(d?`, began ${Q(d.from,1e9)} to ${Q(d.to,1e9)}`:"");return c`<${P}
    title=${`Kept ${m}`}
    note=${f}
    tools=${u}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${K}
        label=${`Kept ${m}`}
        columns=${su(l,r,m)}
        rows=${l}
        rowKey=${h=>h.recording+h.id}
        href=${h=>Ve(m,h.recording,h.id,h.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Ar=10,Lr=["http_route","http.route","route","endpoint"],lu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function cu(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!lu.test(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>Lr.includes(s)?Lr.indexOf(s):Lr.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function uu(e,t){return e.flatMap(r=>{let{type:s,requests_in:o,requests_out:a,p50_ns:i,p99_ns:l,top:m}=r,u=r.attributes.find(b=>b.key===t)?.values??[];if(u.length===0)return[{type:s,value:null,all:o,kept:a,p50_ns:i,p99_ns:l,top:m}];let p=u.map(({value:b,requests_in:g,requests_out:x,...v})=>{let{p50_ns:k,p99_ns:w,top:M}=v;return{type:s,value:b,all:g,kept:x,p50_ns:k,p99_ns:w,top:M}}),d=p.reduce((b,g)=>b-g.all,o),f=p.reduce((b,g)=>b-g.kept,a),h={type:s,value:null,all:d,kept:f,p50_ns:null,p99_ns:null,top:null};return d>0?[...p,h]:p}).sort((r,s)=>s.all-r.all)}var Nr=(e,t)=>`${e}=${t}`,ka=e=>$.value.params.getAll("where").includes(e);function mu(e,t){let n=Nr(e,t),r=$.value.params.getAll("where").filter(s=>!s.startsWith(Nr(e,"")));return $e({where:ka(n)?r:[...r,n]})}function pu({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&c` <span class="dim">${s}</span>`;if(r===null||t===null)return c`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=ka(Nr(t,r));return c`<a
      href=${mu(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}var wa=e=>e===null?"":y(e);function fu(e,t,n){return[{name:e??"type",cell:r=>c`<${pu} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},{name:"per second",cell:r=>c`<span title=${`${_(r.all)} requests`}>
          ${t===null?"":_(Number((r.all/t).toPrecision(3)))}
        </span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>wa(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${wa(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"most time of the kept",cell:r=>c`<${rn} of=${r.top} />`},{name:"kept",cell:r=>c`<span title=${`${_(r.kept)} of ${_(r.all)}`}>
          ${r.all>0?D(r.kept/r.all):""}
        </span>`,isNumber:!0,sort:r=>r.kept}]}function du({keys:e,chosen:t}){return c`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>c`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Sa({answer:e,url:t,requests:n,seconds:r}){let[s,o]=O(!1),a=cu(n),i=$.value.params.get("key"),l=i!==null&&a.includes(i)?i:a[0]??null,m=uu(n,l),u=l===null||n.length>1,p=c`<${H} of=${e.data} />
    ${l!==null&&a.length>1&&c`by <${du} keys=${a} chosen=${l} />`}
    <${U} url=${t} />`;return c`<${P}
    title="Routes"
    note=${m.length>0?`${_(m.length)} of them`:""}
    tools=${p}
    answer=${e}
    className="routes"
  >
    ${m.length>0&&c`<${K}
        label="Routes"
        columns=${fu(l,r,u)}
        rows=${m}
        rowKey=${d=>`${d.type} ${d.value}`}
        rowsMax=${s?void 0:Ar}
      />`}
    ${m.length>Ar&&!s&&c`<button class="plain more" onClick=${()=>o(!0)}>
        ${_(m.length-Ar)} more
      </button>`}
  <//>`}var hu=50,gu=6n*3600000000000n,Er=60000000000n,Ta=["trace","thread","id"];function bu({from:e,to:t}){let n=je.value?(e+Er-1n)/Er*Er:e;return{from:n<t?n:e,to:t}}function $u(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ta.some(r=>e.has(r))}function _u(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?ot(t,ye(e)):null}function vu({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return Jt(BigInt(e),t,s,r)}function yu({data:e,seconds:t,jvms:n,unit:r}){let s=lt(e.columns),o=u=>{let p=Ke(s,u);return p===null?"-":y(p)},a=u=>(n?.recordings??[]).reduce((p,d)=>p+u(d),0),i=a(u=>u.bytes_out),l=a(u=>u.bytes_in),m=(u,p,d="")=>c`<span title=${d}><b>${u}</b>${p}</span>`;return c`<div class="facts">
    ${m(`${_(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${_(e.all)}`)}
    ${n&&m(_(n.recordings.length),"JVMs","that ran in this time")}
    ${m(o(.5),"median")} ${m(o(.99),"p99")}
    ${m(e.all>0?D(e.kept/e.all):"-",`kept, ${_(e.kept)}`)}
    ${l>0&&m(`${ce(i)} of ${ce(l)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function xu(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return $e({value:n?e:null,frame:t!==null?_n(t):n?null:_n(r),zoom:null})}function wu({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=$.value,a=ot(nt($.value,ee.value),n),i=ot(Do($.value,ee.value),n),l=o.has("box")&&je.value?0:E.value,m=["box","where","min_duration_ns","max_duration_ns",...Ta].some(w=>o.has(w)),p=i.has("base")||o.has("base_box")||!m?i:Z(i,{base:"rest"}),d=S(n,ot(a,"contexts"),{sort:Mr(o,n)}),f=tn(d,hu,l),h=R(yn(i),l),{data:b}=f.answer;if(b?.matched===0&&!b.is_truncated&&e.data)return c`<section>
      <${ya}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let g=new Map(r.map(w=>[w.id,w.instance])),v={service:a.get("service"),sort:null,view:null,unit:null,key:null},k=o.has("box")&&n==="contexts"?ae("/e",a):ae("/e",Z(o,{...v,box:null,base_box:null}));return c`<div class="three">
      <${wn} query=${a} base=${_u(i)} tick=${l} hrefOf=${xu} />
      <${Ks}
        query=${p}
        tick=${l}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
      <${Cs} url=${yn(i)} answer=${h} />
    </div>
    <${at} query=${i} tick=${l} whole=${h} />
    <${xa}
      pages=${f}
      url=${d}
      query=${a}
      instances=${g}
      eventsHref=${k}
    />`}function ku(e,t){return[e&&e.unknown>0&&`${_(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Ra(e,t,n){let r=S("contexts/heatmap",e),s=n&&t&&!e.has("where"),o=R(s?r:null,E.value),a=S("contexts/heatmap",e,{exemplars:"0"}),i=R(n&&!o.data?a:null,E.value),l=o.data?o:i,{data:m}=l,u=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,p=S("contexts/heatmap",Z(e,{where:null})),d=R(u?p:null,E.value);return u&&d.data?{heat:d,heatUrl:p,isOfAll:!0}:{heat:l,heatUrl:r,isOfAll:!1}}function Su(e,t){let n=ns($.value.params),r=n!=="contexts",s=Ra(ot(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),l=Ra(e,t,i);return i?{...l,unit:"contexts"}:{...s,unit:"requests"}}function Ru(e){let[t,n]=O(!1);return de(()=>{e&&n(!0)},[e]),t}function Oa(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=bu(ee.value),s=qo($.value,r),[o,a]=O(!1),{heat:i,heatUrl:l,isOfAll:m,unit:u}=Su(s,o),p=Ru(i.data!==null||i.problem!==null),d=Z(s,{where:null,context:null}),f=S("contexts/types",d),h=R(u==="requests"||p?f:null,E.value),b=h.data?.requests??[],g=i.data&&vu(i.data,r),x=Z(d,{recording:null}),v=R(p?S("recordings",x):null,E.value),k=v.data?.recordings??[],w=m||$u(e,s),M=n-t<=gu||e.get("whole")==="1"||_e(e.get("box"))!==null||e.has("trace"),N=tt($.value),z=[{name:"services",href:B([])},{name:N===null?"all":ge(N)}],j=i.data?.all===0&&v.data!==null&&k.length===0;return c`<${ne} crumbs=${z}>
    ${i.data&&c`<${yu} data=${i.data} seconds=${g} jvms=${v.data} unit=${u} />`}
    <${zs}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(Re=>Re.instance))]}
    />
    ${u==="requests"&&c`<${Sa}
        answer=${h}
        url=${f}
        requests=${b}
        seconds=${g}
      />`}
    ${!j&&c`<${va}
        answer=${i}
        url=${l}
        unit=${u}
        isEither=${b.length>0}
        note=${ku(i.data,w)}
        onPoint=${()=>a(!0)}
      />`}
    ${p&&M&&c`<${wu}
        key=${u}
        heat=${i}
        heatUrl=${l}
        unit=${u}
        recordings=${k}
        isNarrowed=${w}
      />`}
    ${p&&!M&&c`<section>
        <${F} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Ca=e=>e===null?"":y(e);function Tu(e,t){let n=({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?Jt(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a};return[{name:"service",cell:r=>c`<b>${ge(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>_(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>_(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>c`${_(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Ca(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Ca(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?D(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>c`<${rn} of=${r.top} />`},{name:"p99 over time",cell:r=>c`<${jo} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function Pa(){let{from:e,to:t}=ee.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),s=R(r,E.value),o=(s.data?.services??[]).map(rs),a=c`<${K}
    label="Services"
    columns=${Tu(s.data,ee.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>B(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,l=c`<${H} of=${s.data} /><${U} url=${r} />`;return c`<${ne}>
    <${P}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${l}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&c`<${Le} />`}
    <//>
  <//>`}function Ou({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function Cu({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                <a href=${Se(s.recording,s.id,t+BigInt(Math.round(s.start)))}
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
  </div>`}var Pu=e=>e===null?"":me(BigInt(e));function Ma({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Pu(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Mu({of:e}){return e.state==="eliminated"?c`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Ma} of=${e} />
      <//>`:c`<${F} title="Not seen">
        No context of this trace is known here. <${Ma} of=${e} />
      <//>`}function Aa(){let e=$.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=r?Ou(r,e):[],o=BigInt(r?.t0_ns??"0"),a=Au(e,o,s),i=new Set(s.map(p=>p.service)).size,l=new Set(s.map(p=>p.recording)).size,m=c`<${H} of=${r} />
    ${s.length>0&&c`<${Ae} query=${a} />`} <${U} url=${t} />`,u=s.length>0&&`${we(s.length,"context")} kept, ${we(i,"service")}, ${we(l,"JVM")}, from ${me(o)}`;return c`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${Cu} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${Mu} of=${r} />`}
    <//>
    ${s.length>0&&c`<${wn} query=${a} tick=${E.value} />
        <${at} query=${a} tick=${E.value} />`}
  <//>`}function Au(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function La(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(S(o,new URLSearchParams,{from:s})),{data:i}=a,l=i?.parts[0];de(()=>{if(i&&l){let u=BigInt(i.t0_ns)+BigInt(Math.round(l.start));be(Se(n,l.id,u),!0)}},[i]);let m=[{name:"services",href:B([])},{name:"request"}];return c`<${ne} crumbs=${m}>
    <${P} title="Request" note=${r} answer=${a}>
      ${i&&!l&&c`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function Lu([e]){switch(e){case void 0:return Pa;case"c":return Vs;case"e":return Jo;case"q":return La;case"r":return ts;case"s":return Oa;case"t":return Aa;default:return Zo}}var Nu={s:"all services",e:"events",r:"recordings"};function Eu(){let{path:e}=$.value;return ie.value===null?null:ie.value.is_needed&&ie.value.identity===null?c`<${Yo} />`:c`<${Lu(e)} key=${e.join("/")} />`}ho();Lo();Eo();So();he(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?Nu[t??""]??t:ge(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Gr(c`<${Eu} />`,document.body);})();
