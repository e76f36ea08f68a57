"use strict";(()=>{var L,qr,Mn,Ce,Cn,Et,Fr,Lt,Hr,An,Pn,Ba,dt=Symbol.for("pv"),Ut={},It=[],Da=/^m(i|n|o|s|text|space)$/,Ln=Array.isArray,Nn=It.slice,Fe=Object.assign;function qe(e){e&&e.parentNode&&e.remove()}function Bt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Nn.call(arguments,2):n),ft(e,a,r,s,null)}function ft(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:dt,__v:s||++qr,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function He(e){return e.children}function Je(e,t){this.props=e,this.context=t,this.__g=0}function Pe(e,t){if(t==null)return e.__&&Pe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Pe(e)}function qa(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Fe({constructor:dt},n)).__v=n.__v+1,L.vnode&&L.vnode(t),En(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Pe(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,zr(s,t,o),n.__=n.__e=null,t.__e!=r&&jr(t))}function jr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),jr(e)}function Br(e){(8&e.__g||(e.__g|=8,Ce.push(e),Et++))&&Cn==L.debounceRendering||((Cn=L.debounceRendering)||queueMicrotask)(Wr)}function Wr(){try{for(var e,t=1;Ce.length;)Ce.length>t&&Ce.sort(Fr),e=Ce.shift(),t=Ce.length,8&e.__g&&qa(e)}finally{(Et=Ce.length)&&(Cn||queueMicrotask)(Wr)}}function Vr(e,t,n,r,s,o,a,i,l,m,u){var p,d,f,h,b,g,x=r.__k||It,v=t.length;for(l=Fa(n,t,x,l,v),p=0;p<v;p++)(f=n.__k[p])!=null&&(d=~f.__i&&x[f.__i]||Ut,f.__i=p,g=En(e,f,d,s,o,a,i,l,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Un(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),b=b||h,4&f.__u?(l=Kr(f,l,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),f.__u&=-21);return n.__e=b,l}function Fa(e,t,n,r,s){var o,a,i,l,m,u,p,d,f,h=n.length,b=h,g=0,x=0,v=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=v[o]=ft(null,a):Ln(a)?a=v[o]=ft(He,{children:a}):a.constructor===dt&&a.__b?a=v[o]=ft(a.type,a.props,a.key,a.ref,a.__v):v[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Ha(a,n,l,b))&&(b--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,x=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):v[o]=null;if(x){for(u=[],p=[],o=0;o<s;o++)if((a=v[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<a.__i?g=f+1:d=f;u[g]=a.__i,p[o]=g+1}for(g=u.length;o--;)p[o]&&(p[o]==g?g--:v[o].__u|=4)}if(b)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Pe(i)),In(i,i));return r}function Kr(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=Kr(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Pe(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ha(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function Dr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function At(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Dr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Dr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Pn[t]||(Pn[t]=ja(t)),(e.__a||(e.__a={}))[t]=An,o=t!=(t=t.replace(Hr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ja(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Lt]==null)t[Lt]=An++;else if(t[Lt]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function En(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,b,g,x,v,k,w,M,N,z,j,Oe,T,I,J=t.type;if(t.constructor!==dt)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,p=o=[],u.nodeType==8?i=Nt(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof J=="function"){d=a.length;try{if(x=t.props,v=(u=J.prototype)&&u.render,k=(u=J.contextType)&&r[u.__c],w=u?k?k.props.value:u.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(v?t.__c=f=new J(x,w):(t.__c=f=new Je(x,w),f.constructor=J,f.render=Va),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),v&&(f.__s||(f.__s=f.state),J.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Fe({},f.__s)),Fe(f.__s,J.getDerivedStateFromProps(x,f.__s)))),h=f.props,b=f.state,f.__v=t,n.__c){if(x!==h&&v&&!J.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(x,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(x,f.__s,w)===!1){t.__v!=n.__v&&(f.props=x,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(V){V&&(V.__=t)}),It.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Pe(n);break e}f.componentWillUpdate&&f.componentWillUpdate(x,f.__s,w),v&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,b,g)})}else v&&!J.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),v&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=x,f.__P=e,f.__g&=-5,M=L.__r,N=v?25:0;do f.__g&=-9,M&&M(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++N<25);v&&(It.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Fe({},r,f.getChildContext())),v&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,b)),z=u&&u.type===He&&u.key==null?u.props.children:u,x.__P&&(u=i,s=(e=x.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(V){V&&In(V,V)}),n.__k=null),i=n.__k?Pe(n,0):null),i=Vr(e,Ln(z)?z:[z],t,n,r,s,o,a,i,l,m),x.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(qe),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(V){if(a.length=d,t.__v=null,l||o)if(V&&V.then){if(t.__u|=128|l,o){for(~(T=o.indexOf(i||void 0))||(T=o.length);(I=o[T-1])&&I.nodeType==8;)T--;for(;T<o.length;T++)if(I=o[T])if(o[T]=null,j){if(I==Oe)break}else{if(I.nodeType!=8)break;I.data.startsWith("$s")&&(Oe=Nt(j=I))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(u=Nt(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(qe);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),V&&V.then||Gr(t),L.__e(V,t,n)}}else i=t.__e=Wa(n.__e,t,n,r,s,o,a,l,m,e);return(u=L.diffed)&&u(t),i}function Nt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Gr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Gr))}function zr(e,t,n){for(var r=0;r<n.length;)Un(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Wa(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,b,g,x,v=n.props||Ut,k=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(x=m.ownerDocument||document,!w)return x.createTextNode(k);e=x.createElementNS(s,w,k.is?k:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&k.defaultValue!=null?null:o&&Nn.call(m.childNodes),!i&&o)for(v={},u=0;u<e.attributes.length;u++)v[(h=e.attributes[u]).name]=h.value;for(u in v)h=v[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in k||u=="value"&&"defaultValue"in k||u=="checked"&&"defaultChecked"in k||At(e,u,null,h,s);for(u in k)h=k[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?b=h:u=="checked"?g=h:i&&typeof h!="function"||v[u]===h||At(e,u,h,v[u],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Da.test(w))&&(s="http://www.w3.org/1999/xhtml"),Vr(m,Ln(f)?f:[f],t,n,r,s,o,a,o?o[0]:n.__k&&Pe(n,0),i,l),o&&o.some(qe)),i&&w!="textarea"||(u="value",w=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(w!="progress"||b)||At(e,u,b,v[u],s),u="checked",g!=null&&g!=e[u]&&At(e,u,g,v[u],s))}else v===k||i&&e.data==k||(e.data=k);return e}function Un(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function In(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Un(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&In(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Nt(r,o=[]))&&(r==e.__e&&o.some(qe),qe(s),qe(r)),n||qe(e.__e),e.__e=e.__c=e.__=null}function Va(e,t,n){return this.constructor(e,n)}function Xr(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ft(He,{children:[e]}),s=[],o=[],En(t,t.__k,r||Ut,Ut,t.namespaceURI,r?null:t.firstChild?Nn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),zr(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Et=0,e}},qr=0,Mn=function(e){return e!=null&&e.constructor===dt},Je.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Fe({},this.state)),typeof e=="function"&&(e=e(Fe({},n),this.props)),e&&(Fe(n,e),this.__v&&(t&&this.__k.push(t),Br(this)))},Je.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Br(this))},Je.prototype.render=He,Ce=[],Et=0,Fr=function(e,t){return e.__v.__b-t.__v.__b},Lt=Symbol(),Hr=/(PointerCapture)$|Capture$/i,An=0,Pn={},Ba=0;var Ye,X,Bn,Jr,Dn=Object.is,gt=0,so=[],qn=[],G=L,Yr=G.__b,Zr=G.__r,Qr=G.diffed,eo=G.__c,to=G.unmount,no=G.__;function Dt(e,t){G.__h&&G.__h(X,e,gt||t),gt=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return gt=1,Ka(ao,e)}function Ka(e,t,n){var r=Dt(Ye++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ao(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Dn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,Dn(d.__[0],d.__N[0])||(u=!0))}),s){var p=s.call(this,o,a,i);return m?p||u:p}return!m||u}}return r.__}function de(e,t){var n=Dt(Ye++,3);!G.__s&&Hn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function je(e,t){var n=Dt(Ye++,4);!G.__s&&Hn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function se(e){return gt=5,A(function(){return{current:e}},[])}function A(e,t){var n=Dt(Ye++,7);return Hn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function qt(e,t){return gt=8,A(function(){return e},t)}function Ga(){var e;do{for(;e=qn.shift();)try{ht(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=so.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ht),t.__h.some(Fn),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(qn.length)}G.__b=function(e){X=null,Yr&&Yr(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),no&&no(e,t)},G.__r=function(e){Zr&&Zr(e),Ye=0;var t=(X=e.__c).__H;t&&(Bn==X?X.__h=[]:(t.__h.some(ht),t.__h.some(Fn),Ye=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Bn=X},G.diffed=function(e){Qr&&Qr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&oo(so.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Bn=X=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some(ht),n.__h=n.__h.filter(function(r){return!r.__||Fn(r)})}catch(r){n.__h=[function(){throw r}]}}),eo&&eo(e,t)},G.unmount=function(e){to&&to(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,oo(qn.push(s))}else ht(s)}catch(o){t=o}}),r.__H=void 0,t&&G.__e(t,r.__v))};var ro=typeof requestAnimationFrame=="function";function za(e){var t,n=function(){clearTimeout(r),ro&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ro&&(t=requestAnimationFrame(n))}function oo(e){e!=1&&Jr==G.requestAnimationFrame||((Jr=G.requestAnimationFrame)||za)(Ga)}function ht(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function Fn(e){var t=X;e.__c=e.__(),X=t}function Hn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Dn(n,e[r])})}function ao(e,t){return typeof t=="function"?t(e):t}var Xa=Symbol.for("preact-signals");function Wt(){if(we>1)we--;else{var e,t=!1;for((function(){var s=Ht;for(Ht=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();$t!==void 0;){var n=$t;for($t=void 0,Ft++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&lo(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(Ft=0,we--,t)throw e}}function Wn(e){if(we>0)return e();jn=++Ja,we++;try{return e()}finally{Wt()}}var bt,W=void 0;function _t(e){var t=W,n=bt;W=void 0,bt=void 0;try{return e()}finally{W=t,bt=n}}var $t=void 0,we=0,Ft=0,Ja=0,jn=0,Ht=void 0,jt=0;function io(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Y(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Y.prototype.brand=Xa;Y.prototype.h=function(){return!0};Y.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:_t(function(){var r;(r=t.W)==null||r.call(t)}))};Y.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&_t(function(){var s;(s=t.Z)==null||s.call(t)}))}};Y.prototype.subscribe=function(e){var t=this;return he(function(){var n=t.value;_t(function(){return e(n)})},{name:"sub"})};Y.prototype.valueOf=function(){return this.value};Y.prototype.toString=function(){return this.value+""};Y.prototype.toJSON=function(){return this.value};Y.prototype.peek=function(){var e=this;return _t(function(){return e.value})};Object.defineProperty(Y.prototype,"value",{get:function(){var e=io(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Ft>100)throw new Error("Cycle detected");(function(n){we!==0&&Ft===0&&n.l!==jn&&(n.l=jn,Ht={S:n,v:n.v,i:n.i,o:Ht})})(this),this.v=e,this.i++,jt++,we++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Wt()}}}});function ie(e,t){return new Y(e,t)}function lo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function co(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function uo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function We(e,t){Y.call(this,void 0,t),this.x=e,this.s=void 0,this.g=jt-1,this.f=4}We.prototype=new Y;We.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===jt))return!0;if(this.g=jt,this.f|=1,this.i>0&&!lo(this))return this.f&=-2,!0;var e=W;try{co(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,uo(this),this.f&=-2,!0};We.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Y.prototype.S.call(this,e)};We.prototype.U=function(e){if(this.t!==void 0&&(Y.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};We.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(We.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=io(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Me(e,t){return new We(e,t)}function mo(e){var t=e.j;if(e.j=void 0,typeof t=="function"){we++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Vn(e),r}finally{W=n,Wt()}}}function Vn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,mo(e)}function Ya(e){if(W!==this)throw new Error("Out-of-order effect");uo(this),W=e,this.f&=-2;try{8&this.f&&Vn(this)}finally{Wt()}}function Ze(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,bt&&bt.push(this)}Ze.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Ze.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,mo(this),co(this),we++;var e=W;return W=this,Ya.bind(this,e)};Ze.prototype.N=function(){2&this.f||(this.f|=2,this.u=$t,$t=this)};Ze.prototype.d=function(){this.f|=8,1&this.f||Vn(this)};Ze.prototype.dispose=function(){this.d()};function he(e,t){var n=new Ze(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var po,Kt,Vt,Za=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var fo=[];he(function(){po=this.N})();function Qe(e,t){L[e]=t.bind(null,L[e]||function(){})}function vt(e){if(Vt){var t=Vt;Vt=void 0,t()}Vt=e&&e.S()}function ho(e){var t=this,n=e.data,r=ei(n);r.name="ReactiveDom",r.value=n;var s=A(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=Me(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),u=Me(function(){return!Array.isArray(m.value)&&!Mn(m.value)}),p=he(function(){if(this.N=go,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}ho.displayName="ReactiveTextNode";Object.defineProperties(Y.prototype,{constructor:{configurable:!0,value:Bt(He,null).constructor},type:{configurable:!0,value:ho},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Qe("__b",function(e,t){if(vt(),Kt=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Y&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});Qe("__r",function(e,t){if(e(t),t.type!==He){vt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return he(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;Za&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Kt=r,vt(n)}});Qe("__e",function(e,t,n,r){vt(),Kt=void 0,e(t,n,r)});Qe("diffed",function(e,t){vt(),Kt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=Qa(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function Qa(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=ie(n);return{o:function(a,i){o.value=a,r=i},d:he(function(){this.N=go;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}Qe("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});Qe("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});Je.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function ei(e,t){return A(function(){return ie(e,t)},[])}var ti=function(e){queueMicrotask(function(){queueMicrotask(e)})};function ni(){Wn(function(){for(var e;e=fo.shift();)po.call(e)})}function go(){fo.push(this)===1&&(L.requestAnimationFrame||ti)(ni)}function ri(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var bo=globalThis.document?.currentScript,ge=bo?ri(bo.src):"";function Kn(e,t=ge){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var oi=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function si(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function ai(e){return Kn(e).split("/").filter(t=>t!=="").map(si)}function Gn(){return{path:ai(location.pathname),params:new URLSearchParams(location.search)}}var $=ie({path:[],params:new URLSearchParams});function ke(...e){return ge+"/"+e.map(oi).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ce(e,t){let n=t.toString();return n===""?e:e+"?"+n}function $e(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Gn()}function C(e,t=!1){$e(ce(location.pathname,Z($.value.params,e)),t)}function _e(e){return ce(ke(...$.value.path),Z($.value.params,e))}function ii(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function B(e,t={}){return ce(ke(...e),Z(ii($.value.params),t))}function li(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith(ge+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(Kn(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),$e(t.pathname+t.search),scrollTo(0,0))}function $o(){addEventListener("popstate",()=>$.value=Gn()),addEventListener("click",li),$.value=Gn()}function xt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):xt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ci={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function _o(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*ci[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function le(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):xt(t))+" "+n;t/=1e3}return xt(t)+" TB"}function _(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?xt(e/1e6)+" M":xt(e/1e9)+" G"}function Se(e,t){return`${_(e)} ${t}${e===1?"":"s"}`}function D(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ue(e,t){return t==="ns"?y(e):t==="bytes"?le(e):_(e)}var yt=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${yt(n.getHours())}:${yt(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${yt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function Re(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${yt(t.getMonth()+1)}-${yt(t.getDate())}`}function me(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function be(e){return e||"(no name)"}function re(e){return e.slice(e.lastIndexOf(".")+1)}function Ae(e){return e.split(".").slice(-2).join(".")}var yo=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,yo(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},vo=new Map;function xo(e){var t=vo.get(this);return t||(t=new Map,vo.set(this,t)),(t=yo(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var p=0;p<n[u].length;p++)r=n[u][p],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][p+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=xo.bind(Bt);function ui(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function Gt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await ui(s*1e3,t.signal)}}async function zt(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ae=ie(null),wt=ie(!1),wo=ge+"/api/v1/login",ko={"loupe-page":"1"},So=e=>`the collector cannot be reached: ${String(e)}`;async function Ro(e){if(!e.ok)return zt(e);let t=await e.json();return ae.value={is_needed:t.is_needed,identity:t.identity},null}async function To(e,t={}){try{return await Ro(await fetch(wo,{method:e,headers:{...ko,...t}}))}catch(n){return So(n)}}async function Oo(){await Gt(wo,{headers:ko}).then(Ro).catch(So)!==null&&(ae.value={is_needed:!1,identity:null})}async function Co(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await To("POST",{authorization:`Bearer ${e}`});return wt.value&&=t!==null,t}async function Po(){let e=await To("DELETE");return wt.value&&=e!==null,e}function Mo(){wt.value||=ae.value?.identity!=null,ae.value={is_needed:!0,identity:null}}var zn=0;function Ao(){return zn>0}async function mi(e,t){let n=await Gt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&Mo();let o=r?await n.json():null,a=r?null:await zt(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=O(n);return je(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),l=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>o.signal.aborted||u(p);return zn++,mi(e,o.signal).then(m(i),m(l)).finally(()=>zn--),()=>o.abort()},[e,t]),r}var Jt=["5m","15m","1h","6h","1d","7d","30d"],Lo="1h",pi=5e3,fi={s:1,m:60,h:3600,d:86400},No=()=>BigInt(Date.now())*1000000n,E=ie(No());function Xn(){E.value=No()}function Eo(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*fi[t[2]])*1000000000n:null}function Xt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var kt=Me(()=>{let e=$.value.params.get("last")??Lo;return Eo(e)===null?Lo:e}),Ve=Me(()=>$.value.params.get("live")==="1"),ee=Me(()=>{let{params:e}=$.value,t=Xt(e.get("to")??"")??E.value;return{from:Xt(e.get("from")??"")??t-Eo(kt.value),to:t}}),di=18e10;function Yt(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=di;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function Uo(){let e=0;he(()=>{if(clearInterval(e),Ve.value){let t=()=>document.hidden||Ao()||Xn();e=window.setInterval(t,pi)}})}var Ke=ie(0),Jn=new Map;function q(e){let t=Jn.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Jn.set(e,t)),t}function Yn(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Io(e,t,n){let r=Yn(t);return"#"+Yn(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var hi=.2;function Zt(e){let[t,n,r]=Yn(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>hi?"#101113":"#ffffff"}function Bo(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Jn=new Map,Ke.value++})}var gi={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},bi={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function te(e){let t=e.startsWith("other: ")?e.slice(7):e;return gi[e]??{name:t,token:"other"}}function et(e){return bi[e]??"other: other"}function Qt(e){return e==="."?null:te(et(e))}var $i={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Le(e){return(e.startsWith("jdk.")?$i[e.slice(4)]:void 0)??"other: "+e}var _i=/^(java|javax|jdk|sun|com\.sun)\./;function tt(e){return _i.test(e)}function Te(e,t,n){return Ge("contexts",e,t,n)}function Ge(e,t,n,r){return B([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function en(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function tn({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var vi=1e3,Do=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function yi(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Do(e.url)===Do(t)?Math.min(vi,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function nn(e,t,n){let[r,s]=O([]),[,o]=O(""),a=se({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=yi(a.current,e,n,r.length,t);let{rows:i,cursor:l,before:m}=a.current,u=l?`&cursor=${encodeURIComponent(l)}`:"",p=R(`${e}&limit=${i}${u}`,n);de(()=>{p.data&&!p.isLoading&&s([...m,...tn(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}var xi=["recording","instance","context","where","trace","thread","id"],wi=["recording","instance","context"],ki=["min_duration_ns","max_duration_ns"];function ve(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function St(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function rn(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function Zn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var qo=30000000000n;function Qn({from:e,to:t}){return{from:e-qo,to:t+qo}}function Fo(e,t,n=""){Zn(e,Qn(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function nt({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function rt(e,t){let n=new URLSearchParams,r=nt(e);r!==null&&n.set("service",r),rn(n,e.params,xi);let s=ve(e.params.get("box"));return s?Fo(n,s):(Zn(n,t),rn(n,e.params,ki)),n}function Ho(e,t){let n=rt(e,t),r=ve(e.params.get("base_box"));if(!r)return rn(n,e.params,["base"]),n;Fo(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function jo(e,t){let n=new URLSearchParams,r=nt(e);r!==null&&n.set("service",r),rn(n,e.params,wi),Zn(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function S(e,t,n={}){return ce(ge+"/api/v1/"+e,Z(t,n))}function oe({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${te(e).token})`}}
  ></span>`}function on({of:e}){return e&&c`<${oe} category=${e.category} />${te(e.category).name}
      <span class="dim"> ${D(e.share)}</span>`}function Vo({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${te(e).token})`;return c`<div class="bar" style=${{width:n,background:r}}></div>`}var Wo=120,er=22;function Ko({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*Wo,l=er-1-o/n*(er-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Wo} ${er}"
  >
    <path d=${r} />
  </svg>`}var Si=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ri(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}function Ti(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}function sn({keys:e=[],values:t=[]}){let n=Si.flatMap(([r,s])=>$.value.params.getAll(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Ri(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Ti} aria-label="Add a condition on an attribute">
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
  </div>`}function Go(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Oi(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,l])=>` \\
  --data-urlencode ${Go(`${i}=${l}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${Go(t+r)}${o.join("")}`}async function Ci(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function U({url:e}){let[t,n]=O(!1);if(e===null)return null;let r=Oi(e,location.origin,ae.value?.is_needed);return c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await Ci(r),n(!0)}} title=${r}>${t?"copied":"curl"}</button>
  </span>`}var Pi=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ne({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(l,m)=>S(m,r,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=S("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${Pi.map(([l,m,u])=>c`<a href=${o(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${ge+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function zo(e){return`${ge}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}function an(e){return typeof e=="string"?e:JSON.stringify(e)}function Xo(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function tr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Mi(e){return e.find(t=>!tt(t))??e[0]??""}function Ai({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${me(e.start)}</dd>
        ${Xo(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${an(r)}</dd>`])}
      </dl>
      <ol>
        ${tr(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function ln({items:e,since:t,contextHref:n,label:r}){let[s,o]=O(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=l.values,b=t===void 0?Q(l.start):"+"+y(Number(l.start-t)),g=Xo(l).map(([M,N])=>`${M}=${an(N)}`),x=`${l.start} ${u} ${d} ${f}`,v=s===x,k=()=>o(v?null:x),w=n&&f!==null&&h?n(String(f),String(h)):null;return c`<tr key=${m} class=${v?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(v)} onClick=${k}>${b}</button>
        </td>
        <td title=${u}>
          <${oe} category=${Le(String(u))} />${re(String(u))}
        </td>
        <td class="n">${typeof p=="number"?y(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${tr(l)[0]}>
          ${Ae(Mi(tr(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${w&&c`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${v&&c`<${Ai} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function Li({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function P({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r&&r.data!==null&&(r.isLoading||r.problem!==null);return c`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&c`<${Li} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function Ni(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function Ei({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=$.value,r=Z(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ce(ke(...t),r)}>look at all of that time</a>.
  </p>`}function Ee(){let e=S("collector",new URLSearchParams),{data:t}=R(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<ee.value.from,r=nt($.value),s=a=>Ni(a,location.hostname,ae.value?.is_needed),o=r===null?"":` of ${r}`;return c`<${F} title="No JVM${o} has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&c`<pre>${s(t.agents)}</pre>`}
    ${t&&n&&c`<${Ei} of=${t} />`}
  <//>`}var Ui=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Ii=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Jo=e=>e.replace(/\$(?=.)/g,"\\$");function Yo(e,{path:t,params:n}){if(Ui.test(e))return B(["t",e.toLowerCase()]);let r=t[0]==="s",s=Ii.test(e);if(!r)return B(["s"],s?{where:e}:{frame:Jo(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:Jo(e)};return ce(ke(...t),Z(n,a))}function Bi(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&($e(Yo(s,$.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function Di(){let{params:e}=$.value,t=Xt(e.get("from")??"")!==null,{from:n,to:r}=ee.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=Jt.includes(kt.value)?Jt:[kt.value,...Jt],a=`${me(n)} to ${me(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${Re(n)} ${Q(n,1e9)} to ${Q(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===kt.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${Xn} title="ask again">refresh</button>
    <button
      aria-pressed=${Ve.value?"true":"false"}
      onClick=${()=>C({live:Ve.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function qi(){let[e,t]=O(null),n=ae.value?.identity,r=async()=>t(await Po());return n==null?null:c`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Fi=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([o,a])=>c`<a href=${B(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${B([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Fi.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${Bi} />
      <${Di} />
      <${qi} />
    </header>
    <main>${t}</main>`}var Hi=4;function ji(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=O(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((f,h)=>ji(l(f),l(h))):t).slice(0,s),p=(f,h)=>{let b=a!==h?"none":f.isNumber?"descending":"ascending",g=f.sort?c`<button class="plain" onClick=${()=>i(h)}>${f.name}</button>`:f.name;return c`<th
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
    <table class=${e.length>Hi?"stacks":""}>
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
  </div>`}var Wi=100,nr=e=>e===null?"":y(e),ot=(e,t)=>$.value.params.getAll(e).includes(t);function rr({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Vi({types:e}){let t=n=>_e({context:ot("context",n)?null:n,key:null,where:null,event:null});return c`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${rr} href=${t(n)} on=${ot("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>_(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>_(n.contexts_out),isNumber:!0},{name:"median",cell:n=>nr(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>nr(n.p99_ns),isNumber:!0}]}
  />`}function Zo({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return _e({where:ot("where",s)?o:[...o,s],event:null})};return c`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${rr}
            href=${n(r)}
            on=${ot("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":_(r.all),isNumber:!0},{name:"kept",cell:r=>_(r.kept),isNumber:!0},{name:"p99",cell:r=>nr(r.p99_ns),isNumber:!0}]}
  />`}function Ki({name:e}){let t=rt($.value,ee.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),E.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${Zo} name=${e} rows=${s} />`}`}function Gi({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${Ki} name=${n.key} />`:c`<${Zo} name=${n.key} rows=${r} />`}`}function zi({of:e}){let t=n=>_e({event:ot("event",n)?null:n});return c`<${K}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${oe} category=${Le(n)} /><${rr}
              href=${t(n)}
              on=${ot("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>_(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Xi({query:e}){let t=$.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:s,more:o}=nn(n,Wi,E.value),a=c`<${H} of=${r.data} /><${U} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${ln} label="Events" items=${s} contextHref=${Te} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${F} title="No events here" />`}
  <//>`}function Qo(){let e=$.value,t=rt(e,ee.value),n=S("contexts/types",Yi(t)),r=R(n,E.value),s=S("events/types",t),o=R(s,E.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${_(o.data.events)} events`+Ji(o.data.contexts);return c`<${ne}>
    <${sn} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${Vi} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Ee} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${Gi} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${H} of=${o.data} /><${U} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${zi} of=${o.data} />`}
      <//>
    </div>
    <${Xi} query=${t} />
  <//>`}var Ji=e=>e===null?", in contexts or not":` in ${_(e)} contexts`;function Yi(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function es(){let[e,t]=O(null),[n,r]=O(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await Co(a.value.trim());r(!1),t(i),a.select()};return c`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${wt.value&&c`<p role="status">Your session is over.</p>`}
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
    </main>`}function ts(){return c`<${ne}>
    <${F} title="There is nothing here">
      <a href=${B([])}>Services</a> is where everything begins.
    <//>
  <//>`}function Zi(e){return e.replaceAll("_","-")}function Rt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function Tt({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${Zi(t)} <b>${_(n)}</b></span
        >`)}
  </span>`}var rs=e=>e.slice(0,19).replace("T"," "),Qi=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),cn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,ns=(e,t)=>c`${_(e)} <span class="dim">of ${_(t)}</span>`,el=[{name:"service",cell:e=>c`<b>${be(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>rs(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${y(cn(e))}, running`:y(cn(e)),isNumber:!0,sort:cn},{name:"contexts kept",cell:e=>ns(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>ns(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${le(e.bytes_out)} <span class="dim">of ${le(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Qi(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function tl(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=S("recordings",r),o=R(s,E.value),a=o.data?.recordings??[],i=c`<${H} of=${o.data} /><${U} url=${s} />`;return c`<${ne}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${K}
          label="Recordings"
          columns=${el}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>B(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Ee} />`}
    <//>
  <//>`}var nl=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>_(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>_(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>le(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>le(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${Tt} of=${Rt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Ue(e,t){return c`<span><b>${e}</b>${t}</span>`}function rl({of:e}){let t=e.contexts_in?D(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Ue(e.is_running?"running":"ended",`${y(cn(e))} since ${rs(e.start)} UTC`)}
    ${Ue(t,`of ${_(e.contexts_in)} contexts kept`)}
    ${Ue(_(e.events_out),`of ${_(e.events_in)} events kept`)}
    ${Ue(le(e.bytes_out),`of ${le(e.bytes_in)} kept`)}
    ${Ue(le(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Ue(y(e.waiting.duration_ns),`not compacted yet, ${le(e.waiting.journal_bytes)}`)}
    ${Ue(e.jvm_version,e.jvm_name)} ${Ue(e.pid,`process, on ${e.instance}`)}
  </div>`}var ol={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function sl({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${_(r)} ${ol[n]??n}</li>`)}
      </ul>`}function al({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,E.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${P}
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
  <//>`}function il({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=[{name:r?`${be(r.service)}, ${r.instance}`:e}],o=c`<a href=${zo(e)} download>download .jfr</a><${U} url=${t} />`,a=r?Rt(r.types):[];return c`<${ne} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${rl} of=${r} />`}
      ${n.status===404&&c`<${F} title="This collector has no such recording">
          <a href=${B(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${Tt} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${sl} of=${r}
        /><//>
        <${P} title="Event types">
          <${K}
            label="Event types"
            columns=${nl}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${al} service=${r.service} />`}
  <//>`}function os(){let e=$.value.path[1];return e===void 0?c`<${tl} />`:c`<${il} id=${e} />`}function ye(e){return e==="requests"?"request":"context"}var ll=["context","thread","trace","id","box","base_box"];function ss(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:ll.some(n=>e.has(n))?"contexts":null}function xe(e){return e.get("unit")==="requests"?"requests":"contexts"}function st(e,t){return Z(e,{unit:t==="requests"?t:null})}function as(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:l,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:l,spark:m,top:u}}function is(e){let[t,n]=O({width:0,height:0,ratio:1});return je(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function or(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function ls(e,{width:t,height:n,ratio:r},s,o){je(()=>{let a=t>0&&e.current&&or(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Ke.value,...o])}function cl(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=or(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function un(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=se(null),a=se(null),i=se(t),l=se(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&cl(a.current,o.current,i.current)})};de(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),de(m,[t,n,r,Ke.value]),de(()=>{let{scrollTop:d,clientHeight:f}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+f&&(o.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),b=f.clientY-h.top+o.current.scrollTop;d?.({x:f.clientX-h.left,y:b,width:h.width,event:f})},p=Math.min(n,r);return c`<div
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
  </div>`}var mn=14,pn=8;function at({at:e,children:t}){let n=se(null);return je(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+mn+s>innerHeight-pn,i=Math.min(e.clientX+mn,innerWidth-r-pn);o.left=`${Math.max(pn,i)}px`,o.top=`${a?Math.max(pn,e.clientY-mn-s):e.clientY+mn}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var ir=e=>e.charCodeAt(0);function cs(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[ir(n.length===1?n:t),ir(r.length===1?r:t)]}var lr=e=>/\w/.test(String.fromCharCode(e)),us=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),fs=(e,t)=>t>=0&&t<e.length&&lr(e.charCodeAt(t)),fn=(e,t)=>fs(e,t-1),dn=fs,sr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>fn(e,t)!==dn(e,t),"\\B":(e,t)=>fn(e,t)===dn(e,t),"\\<":(e,t)=>!fn(e,t)&&dn(e,t),"\\>":(e,t)=>fn(e,t)&&!dn(e,t)},ms=e=>e>=48&&e<=57,ar={"\\d":ms,"\\D":e=>!ms(e),"\\w":lr,"\\W":e=>!lr(e),"\\s":us,"\\S":e=>!us(e)},ps={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},pe=class extends Error{},cr=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new pe;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new pe;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new pe;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new pe;if(r!==1/0&&r>255)throw new pe;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(ps,r)?ps[r]:void 0;if(n===":"?!s:r.length!==1)throw new pe;return n===":"?o=>s.test(String.fromCharCode(o)):ir(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new pe;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new pe;t.push(this.range())}this.at++,this.addAtom(r=>cs(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(sr,n)||Object.hasOwn(ar,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new pe;if(Object.hasOwn(sr,n))this.atom=null,this.add({holds:sr[n]});else if(Object.hasOwn(ar,n))this.addAtom(ar[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=cs(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function ds(e){try{return e.length>256?null:new cr(e).parse()}catch(t){if(t instanceof pe)return null;throw t}}function hs(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,l=(m,u,p)=>{o(u,p);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:f,holds:h,jumps:b,isEnd:g}=e[d];i||=g===!0,f?m.push(d):h?.(t,p)&&o(d+1,p);for(let x of b??[])o(d+x,p)}};for(let m=0;;m++){if(l(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),p=[];for(let d of a)e[d].takes(u)&&l(p,d+1,m+1);a=p}}function bn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let p=n[u]-1;s[u]=p<0?-1:i[p],a[u]=p<0?0:l[p],p>=0&&(l[p]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function bs(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=l.level[d];f>=r&&f<s&&m.push({node:d,x:0,width:n,row:f})}let u=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let f=l.level[d];if(f>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,b=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(b),n-1):b;f>=r&&(h>=1||g>=p[f-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return m}function $s(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+o[m];if(p&&l.level[m]===s)return m;m=p?m+1:i[m]}return-1}function _s(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?vs(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function vs(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var gn=4;function ys(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**gn).toString(36).padStart(gn,"0")}function $n(e,t){return vs(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(ys).join("")}function _n(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=gn){let a=t.slice(o,o+gn),i=s+1;for(;i<(e.end[s]??0)&&ys(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var ul=1024,ml=5e7;function xs(e,t=ml){let n=/^\/(.+)\/$/.exec(e);if(!n){let l=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(l),{isOver:()=>!1})}let r=ds(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(l=>(s.has(l)||s.set(l,!a()&&hs(r,l.slice(0,ul),o)),s.get(l)),{isOver:a})}function ws(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var hn=(e,t)=>t>0?e/t:0;function ks({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(hn(r.total,n),hn(r.base_total??0,o)),i=hn(e[s],n)-hn(t?.[s]??0,o);return a>0?i/a:0}function Ss(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function pl({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!tt(e.names[e.name[o]]))return o;return s}function gs({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Rs(e,t){let{flame:n}=e,r=gs(e,n.value),s=gs(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[pl(e,i)]],p=o.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(m+u,p)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var fe=18,fl=22,Ts=4,dl=5,hl="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function gl(e){return e.split(".").slice(0,-2).join(".")}function bl(e){if(tt(e))return"frame-jdk";let t=7;for(let n of gl(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%dl}`}function $l({names:e,kinds:t}){return e.map((n,r)=>{let s=Qt(t[r]??".");return q(r===0?"frame-root":s?s.token:bl(n))})}var ur=32,mr=e=>({fill:e,ink:Zt(e)});function Os(e){if(e.base_value===void 0){let s=$l(e).map(mr);return e.name.map(o=>s[o])}let t=s=>Array.from({length:ur+1},(o,a)=>mr(Io(q("frame-same"),q(s),a/ur))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:ks(e,o),i=Math.round(ur*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function _l(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Cs(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=q("ink"),u=mr(q("accent"));e.font=hl,e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:b}of n){let g=b*fe-r,x=s.name[d],v=d!==l&&s.level[d]<s.level[l],k=a!==null&&a.names[x]===1,w=v||a!==null&&!k,{fill:M,ink:N}=k?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=M,e.fillRect(f,g,Math.max(h-.5,.5),fe-1),h>=fl){let z=Math.floor((h-2*Ts)/p);e.globalAlpha=1,e.fillStyle=w?m:N,e.fillText(_l(s.names[x],z),f+Ts,g+fe/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),fe-3))}}var vl=24,yl=3,pr=(e,t)=>D(t>0?e/t:0);function xl({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=ue(n[i]/Math.max(1,a),o),m=ue(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${pr(n[i],s)}, ${l} each, own ${m}`}function wl(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},p]}function kl({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=wl(r,t),m=(u,p)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${ue(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${pr(p(d),d.whole)}</td>
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
    ${n>0&&c`<div class="dim">${pr(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Ps({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=O(null),[i,l]=O(null),m=A(()=>i===null?-1:_n(e,i),[e,i]),u=o?.node??-1,p=A(()=>Os(s),[s,Ke.value]),d=qt((w,{width:M,top:N,height:z})=>{let j=Math.floor(N/fe),Oe=bs(e,t,M,j,Math.ceil((N+z)/fe));Cs(w,{flame:s,shades:p,zoom:t,found:n,marks:[m,u]},Oe,N)},[e,t,n,m,u,p]),f=({x:w,y:M,width:N})=>$s(e,t,N,w,Math.floor(M/fe)),h=w=>{let M=f(w),{clientX:N,clientY:z}=w.event;a(M<0?null:{node:M,at:{clientX:N,clientY:z}})},b=w=>{let M=f(w);M>=0&&w.event.button===0&&r(M)},g=w=>{let M=m<0?t:m;if(w.key.startsWith("Arrow")){let N=m<0?t:_s(e,t,M,w.key);l($n(e,N)),a(null)}else if(w.key==="Enter")r(M);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},x=m>=0?m:t,v=s.level[x],k=[Math.max(0,v-yl)*fe,(v+1)*fe];return c`<${un}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*fe}
      heightMax=${vl*fe}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${b}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&xl(s,m)}</div>
    ${o&&c`<${at} at=${o.at}><${kl} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Sl=500;function Rl(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>ue(p/Math.max(1,r),t),a=p=>c`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${Tl} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>o(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),l=p=>D(n>0?p.total/n:0),m=p=>ue(p/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,l)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function Tl({kind:e}){let t=Qt(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Ms({tree:e,matches:t}){let n=Ss(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${K}
      label="Frames"
      columns=${Rl(e.flame)}
      rows=${n}
      rowsMax=${Sl}
      rowKey=${r=>r.name}
    />
  </div>`}var Ol=8;function vn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function As({url:e,answer:t}){let{data:n}=t,r=A(()=>n&&n.requests>0?Rs(bn(n),Ol):[],[n]),s=$.value.params.get("frame"),o=(l,m=0)=>ue(l/Math.max(1,m),"ns"),a=l=>{let m=vn(l.name);return c`<tr key=${l.name+l.kind}>
      <td title=${l.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${oe} category=${et(l.kind)} />${Ae(l.name)}
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
  <//>`}var fr=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function yn({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Cl(e){let t=e.get("value")??"";return fr.some(([n])=>n===t)?t:"time"}function Pl({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${fr.map(([t,n])=>c`<${yn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Ml({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${yn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${yn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Al({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",s=r!==""&&n===null,o=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?D(e.weight/o):D(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function Ll(){let e=$.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Nl({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>D(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${oe} category=${et(o)} />${te(et(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${_(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function El({requests:e,total:t,unit:n,...r},s){let o=ue(t/Math.max(1,e),n),a=r.base_requests??0,i=ue((r.base_total??0)/Math.max(1,a),n),l=r.base_value?`; base: ${_(a)}, ${i} each`:"";return`${Se(e,s)}, ${o} each${l}`}function xn(e){return S("flamegraph",e,{value:"time",frame:null})}function it({query:e,tick:t,whole:n}){let{params:r}=$.value,s=Cl(r),o=r.get("frame"),a=Z(e,{value:s,frame:o}),i=S("flamegraph",a),l=n!==void 0&&i===xn(e),m=R(l?null:i,t),u=m.problem===null?n?.data??null:null,p=l?n:{...m,data:m.data??u},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=A(()=>d&&bn(d,f),[d,f]),b=r.get("find")??"",g=A(()=>b===""?null:xs(b),[b]),x=A(()=>h&&g&&ws(h,g),[h,g]),v=r.get("flame")==="table",k=!h||h.weight.length===0||!(h.weight[0]>0),w=h?_n(h,r.get("zoom")??""):0,M=h&&c`<${Ps}
      tree=${h}
      zoom=${w}
      found=${x}
      onZoom=${j=>C({zoom:$n(h,j)||null})}
    />`,N=c`<${H} of=${d} /><${Ne}
      query=${e}
      value=${s}
      frame=${o}
    /><${U} url=${i} />`,z=d?El(d,ye(xe(e))):"";return c`<${P} title="Flame graph" note=${z} tools=${N} answer=${p}>
    <div class="flame-tools">
      <${Pl} value=${s} />
      <${Ll} />
      <${Ml} flame=${d} />
      <${Al} found=${x} flame=${d} matches=${g} />
      ${w>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${yn}
        isOn=${v}
        onChange=${()=>C({flame:v?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&k&&c`<${F} title="No ${fr.find(([j])=>j===s)[1]} in this selection" />`}
    ${!k&&(v?c`<${Ms} tree=${h} matches=${g} />`:M)}
    ${d&&!k&&c`<${Nl} flame=${d} />`}
  <//>`}function dr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function hr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function Ls(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ns(e,t,n,r,s){let o=hr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Es(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Us({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Is(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var Ul=560,Il=110,Bl=4,Dl=28,Ds=5,ql="11px Inter, system-ui, sans-serif",Fl=500;function Hl(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function wn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function jl(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function gr({count:e,name:t,duration:n}){return`${e>1?`${_(e)} \xD7 `:""}${re(t)} \xB7 ${y(n)}`}function Wl(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=q(i?"hover":te(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=q(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=Dl&&(e.fillStyle=i?q("ink"):Zt(l),e.fillText(jl(e,gr(s),a-2*Ds),o+Ds,n+20/2-1))}function Vl(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=q("panel"),e.fillRect(0,0,n,18);for(let o of Us(t,n/Il)){let a=Math.round((o-t.from)*s),i=o===0?"0":y(o),l=e.measureText(i).width;e.fillStyle=q("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=q("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function Kl(e,t,n,r){return qt((s,{width:o,top:a,height:i})=>{let l=dr(e);s.font=ql,s.textBaseline="middle",Vl(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let p=l[u]-a;p>i||l[u+1]-a<0||hr(m,t,o).forEach(d=>Wl(s,d,p+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=q("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function Gl({title:e},t){return`${e}: ${te(t.kind).name}, ${gr(t)}, at ${y(t.start)}`}function zl({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Fl}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${oe} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>_(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function qs({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Hl($.value.params.get("part"),t),[a,i]=O(null),[l,m]=O(null),[u,p]=O(null),[d,f]=O(!1),h=A(()=>dr(e),[e]),b=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=Kl(e,o,[b?.box??null,a?.box??null],u),x=({x:T,y:I,width:J})=>{let V=Ls(h,I),De=V<0?null:Ns(e[V],o,J,T,I-h[V]);return De&&{lane:V,box:De}},v=T=>{if(u){p([u[0],Math.max(0,Math.min(T.x,T.width))]),i(null);return}let I=x(T),{clientX:J,clientY:V}=T.event;i(I&&{...I,at:{clientX:J,clientY:V}})},k=({lane:T,box:I})=>{let J=n?.(e[T],I)??null;J!==null&&r?r(J):wn({from:I.start,to:I.start+Math.max(1,I.duration)})},w=({x:T,event:I})=>{I.button===0&&I.pointerType!=="touch"&&(I.target.setPointerCapture(I.pointerId),p([T,T]))},M=T=>{p(null);let[I=0,J=0]=u?[...u].sort((De,Ia)=>De-Ia):[],V=x(T);if(J-I>=Bl){let De=(o.to-o.from)/T.width;wn({from:o.from+I*De,to:o.from+J*De})}else V&&k(V)},N=e.findIndex(({boxes:T})=>T.length>0),z=T=>{if(T.key.startsWith("Arrow")&&N>=0)m(b?Is(e,b,T.key):{lane:N,box:e[N].boxes[0]});else if(T.key==="Enter"&&b)k(b);else if(T.key==="Escape"||T.key==="Backspace")wn(null);else return;T.preventDefault()},j=b?h[b.lane]+20+b.box.level*20:0,Oe=$.value.params.get("part")!==null;return c`<${un}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Ul}
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
    <div class="seen-by-readers" aria-live="polite">${b&&Gl(e[b.lane],b.box)}</div>
    ${a&&c`<${at} at=${a.at}>
        <b>${gr(a.box)}</b>
        <div>${a.box.name}, ${te(a.box.kind).name}</div>
        <div class="dim">at ${y(a.box.start)}</div>
      <//>`}
    ${Oe&&c`<button onClick=${()=>wn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${T=>f(T.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${zl} lanes=${e} />`}
    </details>`}var Xl=3;function Jl(e,{category:t,is_count:n}){let r=e.slices.find(a=>a.category===t),s=(n?r?.events:r?.total_ns)??0,o=e.requests?s/e.requests:0;return n?`${o.toFixed(1)} x`:y(o)}function Yl({of:e}){return c`<ul class="repeated">
    ${e.repeated.map(t=>c`<li
          title=${`${t.frame}: ${_(t.events)} in ${Se(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${_(t.per_request)} x ${Ae(t.frame)}
          <span class="dim"> ${te(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Zl({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=s&&!e.is_count,a=(p,d)=>o?c`<a href=${s(e.category,d)}>${p}</a>`:p,i=p=>e.is_count?`${(p.events/t.requests).toFixed(1)} x`:y(p.total_ns/t.requests),l=p=>e.is_count?"":D(p.total_ns/Math.max(1,t.total_ns)),m=e.top.slice(0,Xl).filter(p=>e.is_count||p.total_ns>0),u=o?"opens":"";return c`<tr
      class=${u}
      title=${`${y(e.total_ns)} in all, ${_(e.events)} events`}
    >
      <th scope="row">
        <${oe} category=${e.category} />${a(te(e.category).name,null)}
      </th>
      <td class="fill"><${Vo} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${i(e)}</td>
      ${r&&c`<td class="n dim">${Jl(r,e)}</td>`}
      <td class="n dim">${l(e)}</td>
    </tr>
    ${m.map(p=>c`<tr class=${`frame ${u}`} title=${p.frame}>
            <td colspan="2">${a(Ae(p.frame),p.frame)}</td>
            <td class="n">${i(p)}</td>
            ${r&&c`<td></td>`}
            <td class="n dim">${l(p)}</td>
          </tr>
          ${p.via&&c`<tr class="frame via" title=${p.via}>
              <td colspan="2">via ${Ae(p.via)}</td>
              <td colspan=${r?3:2}></td>
            </tr>`}`)}`}function br({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return c`<table class="why">
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
        ${e.slices.map(s=>c`<${Zl}
              key=${s.category}
              slice=${s}
              of=${e}
              largest=${r}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&c`<${Yl} of=${e} />`}`}function kn({query:e,base:t=null,tick:n,hrefOf:r}){let s=S("why",e),o=R(s,n),a=R(t&&S("why",t),n),{data:i}=o,l=ye(xe(e)),m=c`<${H} of=${i} /><${U} url=${s} />`,u=i&&i.requests>0?`mean of ${Se(i.requests,l)}, ${y(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${u}
    tools=${m}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${br} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${F} title=${`No kept ${l} is in this selection`} />`}
  <//>`}var $r=8192,Fs=60000000000n,Hs=5,Ql=2000000000n;function js(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Ws({t0_ns:e,events:t,is_truncated:n}){return tn({...t,t0_ns:e,next:null,is_truncated:n})}function _r(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=js(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=js(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function vr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,p]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:p};r[s]?.boxes.push(d)}return r}function ec(e,t,n){return tn(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=Le(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function tc(e,t,n,r){let s=BigInt(e.t0_ns),a=vr(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),l=ec(r,s,new Set([e.type,...i])),m=Es([...a,...l]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${re(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function nc(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Ql)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?S(m,r,u):null,o=R(s("timeline",{width:String($r)})),a=R(s("events",{limit:"1000",columns:"name"})),i=A(()=>t&&o.data&&a.data?tc(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),l=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:l}}function rc(e){let t=A(()=>_r(e),[e]),n=[];for(let i=0;i<Hs;i++){let l=n.every(m=>m.isAnswered);n.push(nc(e,l?t[i]:void 0))}let r=t.slice(Hs),s=y(r.reduce((i,l)=>i+l.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return A(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function oc(e){let t=en(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Fs)});r.set("to",String(n+BigInt(e.duration)+Fs));let s=String($r),o=R(t&&S("timeline",r,{width:s,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return A(()=>(o?vr(o,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:B(["t",t])}}),[e,o,i])}function Vs(e,t){let n=R(S("timeline",t,{width:String($r)})).data,r=rc(e),s=oc(e);return A(()=>{let o=n?vr(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(u.thread),i=o.filter(({thread:u})=>u===null),l=o.filter(({thread:u})=>u!==null),m=`this one, ${y(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...l.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var Ks=300000000000n,sc=100,lt=({t0_ns:e})=>BigInt(e);function yr(e){let t=lt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function ac(e){let t=yr(e);if($.value.params.get("base")==="rest"){let n=lt(e);t.set("from",String(n-Ks)),t.set("to",String(n+Ks)),t.set("context",e.type),t.set("base","rest")}return t}function ic({context:e,jvm:t}){let n=lt(e),r=en(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${B(["t",r])}>${r}</a>`:an(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${me(n)}>${Re(n)} ${Q(n)}</dd>
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
          <a class="link" href=${Gs(e,e.parent)}
            >${re(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Gs(e,{id:t,start:n}){return Te(e.recording,t,lt(e)+BigInt(Math.round(n)))}function lc({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${te(t).name} ${D(r)}`,o=`var(--${te(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function cc({context:e}){let t=_r(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${oe} category=${Le(n)} />${_(r)} × ${re(n)}
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
        </table>`}`}function uc({context:e}){return c`<${P} title="Contexts in it" note=${_(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${sc}
      rowKey=${t=>t.id}
      href=${t=>Gs(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function mc({context:e,tick:t}){let n=A(()=>yr(e),[e]),r=Vs(e,n),s=A(()=>Ws(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:Te(i.recording,l,lt(e)+BigInt(Math.round(m))),a=c`<${U} url=${S("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${qs}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${$e}
      />
    <//>
    ${e.children.length>0&&c`<${uc} context=${e} />`}
    <${it} query=${ac(e)} tick=${t} />
    <${P} title="Events" note=${_(s.length)}>
      ${s.length>0?c`<${ln}
              items=${s}
              since=${lt(e)}
              label="Events of the request"
            />`:c`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function zs(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,o),l=R(i,E.value),m=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,p=u?`${re(u.type)}, ${y(u.duration)}`:r,d=[{name:"services",href:B([])},...m?[{name:be(m.service),href:B(["s",m.service])}]:[],{name:p}],f=u&&yr(u),h=c`<${H} of=${u} /> ${f&&c`<${Ne} query=${f} />`}
    <${U} url=${i} />`;return c`<${ne} crumbs=${d}>
    ${u?c`<div class="three">
              <${P}
                title=${re(u.type)}
                note=${y(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${ic} context=${u} jvm=${m} />
              <//>
              <${P} title=${`Why ${y(u.duration)}`}>
                <${lc} why=${u.why} /><${br} of=${u.why} base=${null} />
              <//>
              <${P} title="Kept because"><${cc} context=${u} /><//>
            </div>
            <${mc} context=${u} tick=${E.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var pc=100,fc=10,dc=1.96;function hc(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-dc*o)}function gc({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?hc(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function bc({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function $c({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":y(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${_(o.count)} of ${_(e)}`}>
          ${D(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${_(o.base_count)} of ${_(t)} to compare with`}
      >
        ${bc(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function _c({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(s=>s!==n);return _e({where:[...r,n]})}function vc({data:e}){let[t,n]=O(!1),r=$.value.params.getAll("where"),s=gc(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,fc),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${K}
      label="Attributes"
      columns=${$c(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${_c}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${_(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function Xs({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(pc)}),s=R(r,n),{data:o}=s,a=c`<${H} of=${o} /><${U} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${vc} data=${o} />`}
  <//>`}function Js({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function yc(){let{params:e}=$.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=_o(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?y(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function Ys({types:e,instances:t}){let n=$.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${Js}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${_(a)})`])}
    />
    <${Js}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${yc} />
    <${sn}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var xc=[1,1.189207115002721,1.4142135623730951,1.681792830507429],wc=e=>xc[e&3]*2**(e>>2);function Zs(e){return e<0?1:Math.floor(wc(e+1))}function Ie(e,{column:t,row:n}){return t*e.rows+n}function ct(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function ze(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function ut(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let l=1;for(;Math.floor(a/l)-Math.floor(o/l)>=n;)l*=2;let m=o>a?0:Math.floor(o/l),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:m,buckets:l,hasShorter:i,rows:o>a?0:Math.floor(a/l)-m+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(f/l)-m)});e.columns.forEach((d,f)=>{for(let[h,b,g]of d){let x=p(f,h),v=u.cells.get(Ie(u,x))??{...x,all:0,kept:0};v.all+=b,v.kept+=g,u.cells.set(Ie(u,x),v),u.most=Math.max(u.most,v.all)}});for(let[d,f,h,b]of e.exemplars)u.exemplars.set(Ie(u,p(d,f)),{recording:h,id:b});return u}function ea(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function mt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:Zs(i-1)+1,max:Zs((e.first+a+1)*e.buckets-1)}}function Sn(e,t,n){let r=mt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function Xe(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Sn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function ta(e,t){return[...e.cells.values()].filter(n=>Sn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ie(e,n))??[])}function Rn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function na(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function wr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function xr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Pt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function kr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,xr(e,t,n.from)),l=Math.max(o,Pt(e,t,n.max)),m=Math.min(s,xr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,Pt(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function Sr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ra(e,t,n,r){let s=[],o=a=>{let i=Pt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var Qs=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function oa(e,t,n,r,s){let{from:o,to:a}=Sr(e),i=Number(a-o)/1e9*(n/t.width),l=Qs.find(p=>p>=i)??Qs.at(-1),m=BigInt(l)*1000000000n,u=[];for(let p=(o+r+m-1n)/m*m-r;p<a;p+=m)u.push({at:xr(e,t,p),text:s(p,l*1e9)});return u}var kc=4,Sc={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Be(e){return ve($.value.params.get(e))}var ia=e=>e==="requests"?{unit:e}:{};function Mt(e,t,n){let r=e&&St(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=ia(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function Rc(e){Mt(null,Be("base_box")!==null,e)}function Rr({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function la(e,t){return e.column===t.column&&e.row===t.row}function aa(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Tc(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function pt({grid:e,isRate:t},{from:n,to:r}){return t?mt(e,{...n,row:0},{...r,row:e.rows-1}):mt(e,n,r)}function ca({grid:e,unit:t},n){let r=e.exemplars.get(Ie(e,n));r&&$e(Ge(t,r.recording,r.id))}function ua(e){let{grid:t,plot:n}=e,[r,s]=O(null),[o,a]=O(null),i=se(null),l=({offsetX:g,offsetY:x})=>na(t,n,g,x),m=g=>{let{offsetX:x,offsetY:v}=g;if(g.button===0&&t.rows>0&&wr(n,x,v)){g.currentTarget.setPointerCapture(g.pointerId);let k=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x,y:v,isLong:!1,isBase:k})}},u=g=>{let{offsetX:x,offsetY:v}=g;if(r){let N=r.isLong||Math.hypot(x-r.x,v-r.y)>=kc;s({...r,to:l(g),isLong:N})}let{clientX:k,clientY:w}=g,M=t.rows>0&&wr(n,x,v);a(M?{place:l(g),clientX:k,clientY:w}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){ca(e,r.from);return}let x=pt(e,r),v=!r.isLong&&Xe(t,x).all===0;Mt(v?null:x,r.isBase,e.unit)},d=g=>{let x=i.current,v=x&&Sn(t,x,l(g))?x:pt(e,{from:l(g),to:l(g)});C({box:St(v),...ia(e.unit)},!0),Rr(v)},f=({detail:g})=>{i.current=g>1?i.current:Be("box")},h=()=>a(null),b=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:b,onDblClick:d}}}function ma(e){let{grid:t}=e,[n,r]=O(null),s=i=>{let l=Sc[i.key];if(l&&t.rows>0){let m=n?aa(t,n.to,l):Tc(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)ca(e,n.to);else if(i.key==="Enter"&&n)Mt(pt(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),Rc(e.unit);else return;i.preventDefault()},o=i=>aa(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var Tn=52,Oc=20,pa=6,Cc=52,Pc=72,Mc=26,Ac=5,Lc=60000000000n;function fa(e,t,n){let r=e-Tn-(n?Cc:0);return{x:Tn,y:pa,width:Math.max(1,r),height:Math.max(1,t-pa-Oc)}}function Nc(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*Lc}function Ec(e,t){let n=Q(e,t);return n==="00:00"?Re(e).slice(5):n}function Uc(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:oa(e,t,Pc,Nc(e.t0),Ec),durations:e.rows===0?[]:ra(e,t,Mc,n)}}function Ic(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Bc(e,t,n,r,s){e.fillStyle=q("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:l,width:m,height:u}=Rn(t,n,a);Ic(e,i+m-r,l,Math.min(Ac,m/2,u/2))}e.fill()}function Dc({all:e,kept:t},n){return n==="requests"?t<e:t>0}function da(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(q),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:l,width:m,height:u}=Rn(t,n,a);e.fillStyle=s[ea(a.all,t.most)],e.fillRect(i,l,m-o,u-o)}Bc(e,t,n,o,a=>Dc(a,r)),Or(e,t,n)}function Or(e,t,n){let{times:r,durations:s}=Uc(t,n);e.fillStyle=q("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,Tn-8,o),e.fillRect(Tn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function Tr(e,t,n,r){t&&(e.fillStyle=q("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function ha(e,t,n,r){Tr(e,r.base&&kr(t,n,r.base),q("soft"),[4,3]),Tr(e,r.box&&kr(t,n,r.box),q("accent"),[]);for(let s of r.cells)Tr(e,Rn(t,n,s),q("ink"),[])}function ga({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=ct(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:ze(i,.5),p99:ze(i,.99)}})}function ba(e){return`${_(Number(e.toPrecision(3)))}/s`}function qc(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Fc(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function $a(e,t,n,r){let s=n.width/t.columns,o=qc(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=q("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=q(i);let l=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*s,Pt(t,n,p)]};Fc(e,r.map(l),s)}Or(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(ba(o*a),n.x+n.width+6,i+(a===1?5:0))}}function _a({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":y(s);return c`<b>${ba(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function va({unit:e}){let t=(n,r)=>c`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return c`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Cr=6e10;function On({from:e,to:t,min:n,max:r}){let s=e%BigInt(Cr)===0n&&t%BigInt(Cr)===0n,o=i=>Q(i,s?Cr:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function Pr({all:e,kept:t}){return`${_(t)} kept of ${_(e)}`}var jc=5,Wc=6;function Vc({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=Ie(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[l,m]=On(mt(e,s,s)).split(", "),u=a&&`${_(a.all)} ${t}, ${_(a.kept)} kept`,p=i?c`<${_a} of=${i} /><br />${l}`:c`<b>${m}</b><br />${l}<br />${u}
        ${e.exemplars.has(o)&&c`<br />Alt+click opens one`}`;return c`<${at} at=${n}>${p}<//>`}var Kc={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Gc(e,t,n){let r=e??Kc,s=Math.max(1,t.width/jc),o=Math.max(1,t.height/Wc);return A(()=>ut(r,s,o,n),[r,s,o,n])}function zc({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=se(null),a=is(o),i=fa(a.width,a.height,n),l=Gc(e,i,t==="requests"&&!n?79:null),m=A(()=>n&&e?ga(e,l):null,[n,e,l]),u={grid:l,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=ua(u),{cursor:h,on:b}=ma(u),g=p??(h&&!la(h.from,h.to)?h:null),x=g&&pt(u,g),v=p?.isBase??r,k={box:!v&&x||Be("box"),base:v&&x||Be("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},w=j=>{m?$a(j,l,i,m):e&&da(j,l,i,t),ha(j,l,i,k)},{column:M,row:N}=d?.place??{};ls(o,a,w,[l,m,$.value,r,p,h,M,N]);let z=h&&pt(u,h);return c`<div class="heatmap">
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
    ${d&&c`<${Vc} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${z&&`${On(z)}: ${Pr(Xe(l,z))}`}
    </div>
    ${e&&c`<${Yc} data=${e} unit=${t} most=${l.most} isRate=${n} />`}
  </div>`}function Xc({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>c`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return c`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&c` ${r(o)}${_(s)}`)}
    ${e>1&&c` to ${_(e)}`}</span
  >`}var Jc=e=>`Counted by chunk: a ${ye(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).`;function xa({data:e,unit:t,box:n,isBase:r}){let s=A(()=>ut(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Jc(t)}
    onClick=${()=>Mt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${On(n)}</b>${" "}
    ${Pr(Xe(s,n))} by chunk <i>×</i>
  </button>`}function Yc({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&c`<${Xc} most=${n} unit=${t} />`,c`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[Be("box"),Be("base_box")];return c`<div class="legend">
    ${r?c`<${va} unit=${t} />`:s}
    ${o&&c`<${xa} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&c`<${xa} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Zc({data:e,unit:t}){let[n,r]=O(!1),s=(a,i)=>{let l=ct([a]),[m,u]=[1,2].map(d=>a.reduce((f,h)=>f+h[d],0)),p=d=>y(ze(l,d));return c`<tr>
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
  </details>`}function Qc({unit:e}){let t=n=>c`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return c`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function wa({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=O(!1),l=$.value.params.get("view")==="rate",m=Be("box"),{data:u}=e,p=A(()=>u&&c`<${Zc} data=${u} unit=${n} />`,[u,n]),d=(h,b,g)=>c`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${b}
    </button>`,f=c`<${H} of=${u} />
    ${m&&c`<button class="plain" onClick=${()=>Rr(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&c`<${Qc} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!l)} ${d("rate","rate",l)}</span>
    <${U} url=${t} />`;return c`<${P}
    title=${`All ${n}`}
    note=${s}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
  >
    <${zc}
      data=${u}
      unit=${n}
      isRate=${l}
      isComparing=${a}
      onPoint=${o}
    />
    ${p}
  <//>`}var eu=3;function tu({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Rt(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${B(["r",e.id])}>${e.instance}</a>, since it started:
        <${Tt} of=${n} />
      </p>`:null}function nu(e,t){return St({...e,from:e.from-t,to:e.to+t})}function ru({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?ta(ut(o,1/0,1/0),n).slice(0,eu):[],l=({recording:m,id:u},p)=>c`<a class="link" key=${u} href=${Ge(s,m,u)}>${p+1}</a>${" "}`;return c`<${F} title=${`No kept ${ye(s)} began in this box`}>
    <p>
      The heat map has ${_(r)} kept ones here: it counts a ${ye(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:nu(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&c`${" "}or open one of them: ${i.map(l)}`}
    </p>
  <//>`}function ka({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=A(()=>ut(e,1/0,1/0),[e]),a=ve($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),l=(g,x)=>Number(n.get(g)??x),m=a??{...Sr(o),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:u,kept:p}=Xe(o,m),d=xe(n),f=ye(d),h=r[0];if(r.length===0)return c`<${Ee} />`;let b=(g,x)=>c`<${F} title=${g}>${x}<//>`;return s?b(`No kept ${f} is like this`,"Take a condition away to see more."):u===0&&a?b(`No ${f} is in this box`,"Choose a coloured cell."):u===0&&i?b(`No ${f} is like this`,"Take a condition away, or look at a longer time."):u===0?b(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?c`<${ru}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:c`<${F} title=${`Nothing is kept of these ${_(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&c`<${tu} of=${h} />`}
  <//>`}var ou=12,Ar={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function Lr(e,t){let n=e.get("sort");return Ar[t].some(([r])=>r===n)?n:Ar[t][0][0]}function su({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function au({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${D(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Mr=(e,t)=>new Set(e.map(t)).size>1,iu={contexts:[{name:"blocked",cell:e=>c`<${au} of=${e} />`},{name:"events",cell:e=>_(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>_(e.parts),isNumber:!0}]},lu={contexts:{name:"thread",cell:e=>c`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}};function cu(e,t,n){let r=[...new Set(e.flatMap(l=>Object.keys(l.attributes)))],s=Mr(e,l=>Re(l.start)),o=l=>c`<span title=${me(l.start)}>
      ${s?`${Re(l.start).slice(5)} `:""}${Q(l.start)}
    </span>`,a=(l,m)=>[e.some(u=>u[l]>0),{name:l,title:m,cell:u=>u[l]>0?y(u[l]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Mr(e,l=>l.type),{name:"type",cell:l=>re(l.type)}],[Mr(e,l=>l.recording),{name:"JVM",cell:l=>t.get(l.recording)??l.recording.slice(0,8)}]];return[{name:"start",cell:o},{name:"duration",cell:l=>c`<b>${y(l.duration)}</b>`,isNumber:!0},...iu[n],...i.flatMap(([l,m])=>l?[m]:[]),...r.slice(0,ou).map(l=>({name:l,cell:m=>uu(m.attributes[l]),className:"cut"})),lu[n]]}function uu(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function mu({unit:e}){let t=Ar[e],n=Lr($.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return c`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>c`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function Sa({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(su),m=xe(n),u=c`<${H} of=${o.data} />
    <${mu} unit=${m} />
    <a href=${s}>events</a>
    <${Ne} query=${n} value=${$.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=ve($.value.params.get("box")),d=p&&Qn(p),f=o.data&&`${_(l.length)} of ${_(o.data.matched)}`+(d?`, began ${Q(d.from,1e9)} to ${Q(d.to,1e9)}`:"");return c`<${P}
    title=${`Kept ${m}`}
    note=${f}
    tools=${u}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${K}
        label=${`Kept ${m}`}
        columns=${cu(l,r,m)}
        rows=${l}
        rowKey=${h=>h.recording+h.id}
        href=${h=>Ge(m,h.recording,h.id,h.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Nr=10,Er=["http_route","http.route","route","endpoint"],pu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function fu(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!pu.test(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>Er.includes(s)?Er.indexOf(s):Er.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function du(e,t){return e.flatMap(r=>{let{type:s,requests_in:o,requests_out:a,p50_ns:i,p99_ns:l,top:m}=r,u=r.attributes.find(b=>b.key===t)?.values??[];if(u.length===0)return[{type:s,value:null,all:o,kept:a,p50_ns:i,p99_ns:l,top:m}];let p=u.map(({value:b,requests_in:g,requests_out:x,...v})=>{let{p50_ns:k,p99_ns:w,top:M}=v;return{type:s,value:b,all:g,kept:x,p50_ns:k,p99_ns:w,top:M}}),d=p.reduce((b,g)=>b-g.all,o),f=p.reduce((b,g)=>b-g.kept,a),h={type:s,value:null,all:d,kept:f,p50_ns:null,p99_ns:null,top:null};return d>0?[...p,h]:p}).sort((r,s)=>s.all-r.all)}var Ur=(e,t)=>`${e}=${t}`,Ta=e=>$.value.params.getAll("where").includes(e);function hu(e,t){let n=Ur(e,t),r=$.value.params.getAll("where").filter(s=>!s.startsWith(Ur(e,"")));return _e({where:Ta(n)?r:[...r,n]})}function gu({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&c` <span class="dim">${s}</span>`;if(r===null||t===null)return c`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=Ta(Ur(t,r));return c`<a
      href=${hu(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}var Ra=e=>e===null?"":y(e);function bu(e,t,n){return[{name:e??"type",cell:r=>c`<${gu} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},{name:"per second",cell:r=>c`<span title=${`${_(r.all)} requests`}>
          ${t===null?"":_(Number((r.all/t).toPrecision(3)))}
        </span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Ra(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Ra(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"most time of the kept",cell:r=>c`<${on} of=${r.top} />`},{name:"kept",cell:r=>c`<span title=${`${_(r.kept)} of ${_(r.all)}`}>
          ${r.all>0?D(r.kept/r.all):""}
        </span>`,isNumber:!0,sort:r=>r.kept}]}function $u({keys:e,chosen:t}){return c`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>c`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Oa({answer:e,url:t,requests:n,seconds:r}){let[s,o]=O(!1),a=fu(n),i=$.value.params.get("key"),l=i!==null&&a.includes(i)?i:a[0]??null,m=du(n,l),u=l===null||n.length>1,p=c`<${H} of=${e.data} />
    ${l!==null&&a.length>1&&c`by <${$u} keys=${a} chosen=${l} />`}
    <${U} url=${t} />`;return c`<${P}
    title="Routes"
    note=${m.length>0?`${_(m.length)} of them`:""}
    tools=${p}
    answer=${e}
    className="routes"
  >
    ${m.length>0&&c`<${K}
        label="Routes"
        columns=${bu(l,r,u)}
        rows=${m}
        rowKey=${d=>`${d.type} ${d.value}`}
        rowsMax=${s?void 0:Nr}
      />`}
    ${m.length>Nr&&!s&&c`<button class="plain more" onClick=${()=>o(!0)}>
        ${_(m.length-Nr)} more
      </button>`}
  <//>`}var _u=50,vu=6n*3600000000000n,Ir=60000000000n,Pa=["trace","thread","id"];function yu({from:e,to:t}){let n=Ve.value?(e+Ir-1n)/Ir*Ir:e;return{from:n<t?n:e,to:t}}function xu(e,t){return e.getAll("where").length-t.getAll("where").length>0||Pa.some(r=>e.has(r))}function wu(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?st(t,xe(e)):null}function ku({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return Yt(BigInt(e),t,s,r)}function Su({data:e,seconds:t,jvms:n,unit:r}){let s=ct(e.columns),o=u=>{let p=ze(s,u);return p===null?"-":y(p)},a=u=>(n?.recordings??[]).reduce((p,d)=>p+u(d),0),i=a(u=>u.bytes_out),l=a(u=>u.bytes_in),m=(u,p,d="")=>c`<span title=${d}><b>${u}</b>${p}</span>`;return c`<div class="facts">
    ${m(`${_(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${_(e.all)}`)}
    ${n&&m(_(n.recordings.length),"JVMs","that ran in this time")}
    ${m(o(.5),"median")} ${m(o(.99),"p99")}
    ${m(e.all>0?D(e.kept/e.all):"-",`kept, ${_(e.kept)}`)}
    ${l>0&&m(`${le(i)} of ${le(l)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Ru(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return _e({value:n?e:null,frame:t!==null?vn(t):n?null:vn(r),zoom:null})}function Tu({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=$.value,a=st(rt($.value,ee.value),n),i=st(Ho($.value,ee.value),n),l=o.has("box")&&Ve.value?0:E.value,m=["box","where","min_duration_ns","max_duration_ns",...Pa].some(w=>o.has(w)),p=i.has("base")||o.has("base_box")||!m?i:Z(i,{base:"rest"}),d=S(n,st(a,"contexts"),{sort:Lr(o,n)}),f=nn(d,_u,l),h=R(xn(i),l),{data:b}=f.answer;if(b?.matched===0&&!b.is_truncated&&e.data)return c`<section>
      <${ka}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let g=new Map(r.map(w=>[w.id,w.instance])),v={service:a.get("service"),sort:null,view:null,unit:null,key:null},k=o.has("box")&&n==="contexts"?ce(ke("e"),a):ce(ke("e"),Z(o,{...v,box:null,base_box:null}));return c`<div class="three">
      <${kn} query=${a} base=${wu(i)} tick=${l} hrefOf=${Ru} />
      <${Xs}
        query=${p}
        tick=${l}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
      <${As} url=${xn(i)} answer=${h} />
    </div>
    <${it} query=${i} tick=${l} whole=${h} />
    <${Sa}
      pages=${f}
      url=${d}
      query=${a}
      instances=${g}
      eventsHref=${k}
    />`}function Ou(e,t){return[e&&e.unknown>0&&`${_(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Ca(e,t,n){let r=S("contexts/heatmap",e),s=n&&t&&!e.has("where"),o=R(s?r:null,E.value),a=S("contexts/heatmap",e,{exemplars:"0"}),i=R(n&&!o.data?a:null,E.value),l=o.data?o:i,{data:m}=l,u=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,p=S("contexts/heatmap",Z(e,{where:null})),d=R(u?p:null,E.value);return u&&d.data?{heat:d,heatUrl:p,isOfAll:!0}:{heat:l,heatUrl:r,isOfAll:!1}}function Cu(e,t){let n=ss($.value.params),r=n!=="contexts",s=Ca(st(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),l=Ca(e,t,i);return i?{...l,unit:"contexts"}:{...s,unit:"requests"}}function Pu(e){let[t,n]=O(!1);return de(()=>{e&&n(!0)},[e]),t}function Ma(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=yu(ee.value),s=jo($.value,r),[o,a]=O(!1),{heat:i,heatUrl:l,isOfAll:m,unit:u}=Cu(s,o),p=Pu(i.data!==null||i.problem!==null),d=Z(s,{where:null,context:null}),f=S("contexts/types",d),h=R(u==="requests"||p?f:null,E.value),b=h.data?.requests??[],g=i.data&&ku(i.data,r),x=Z(d,{recording:null}),v=R(p?S("recordings",x):null,E.value),k=v.data?.recordings??[],w=m||xu(e,s),M=n-t<=vu||e.get("whole")==="1"||ve(e.get("box"))!==null||e.has("trace"),N=nt($.value),z=[{name:"services",href:B([])},{name:N===null?"all":be(N)}],j=i.data?.all===0&&v.data!==null&&k.length===0;return c`<${ne} crumbs=${z}>
    ${i.data&&c`<${Su} data=${i.data} seconds=${g} jvms=${v.data} unit=${u} />`}
    <${Ys}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(Oe=>Oe.instance))]}
    />
    ${u==="requests"&&c`<${Oa}
        answer=${h}
        url=${f}
        requests=${b}
        seconds=${g}
      />`}
    ${!j&&c`<${wa}
        answer=${i}
        url=${l}
        unit=${u}
        isEither=${b.length>0}
        note=${Ou(i.data,w)}
        onPoint=${()=>a(!0)}
      />`}
    ${p&&M&&c`<${Tu}
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
  <//>`}var Aa=e=>e===null?"":y(e);function Mu(e,t){let n=({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?Yt(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a};return[{name:"service",cell:r=>c`<b>${be(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>_(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>_(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>c`${_(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Aa(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Aa(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?D(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>c`<${on} of=${r.top} />`},{name:"p99 over time",cell:r=>c`<${Ko} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function La(){let{from:e,to:t}=ee.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),s=R(r,E.value),o=(s.data?.services??[]).map(as),a=c`<${K}
    label="Services"
    columns=${Mu(s.data,ee.value)}
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
      ${o.length>0&&a} ${i&&c`<${Ee} />`}
    <//>
  <//>`}function Au({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function Lu({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                <a href=${Te(s.recording,s.id,t+BigInt(Math.round(s.start)))}
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
  </div>`}var Nu=e=>e===null?"":me(BigInt(e));function Na({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Nu(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Eu({of:e}){return e.state==="eliminated"?c`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Na} of=${e} />
      <//>`:c`<${F} title="Not seen">
        No context of this trace is known here. <${Na} of=${e} />
      <//>`}function Ea(){let e=$.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=r?Au(r,e):[],o=BigInt(r?.t0_ns??"0"),a=Uu(e,o,s),i=new Set(s.map(p=>p.service)).size,l=new Set(s.map(p=>p.recording)).size,m=c`<${H} of=${r} />
    ${s.length>0&&c`<${Ne} query=${a} />`} <${U} url=${t} />`,u=s.length>0&&`${Se(s.length,"context")} kept, ${Se(i,"service")}, ${Se(l,"JVM")}, from ${me(o)}`;return c`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${Lu} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${Eu} of=${r} />`}
    <//>
    ${s.length>0&&c`<${kn} query=${a} tick=${E.value} />
        <${it} query=${a} tick=${E.value} />`}
  <//>`}function Uu(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function Ua(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(S(o,new URLSearchParams,{from:s})),{data:i}=a,l=i?.parts[0];de(()=>{if(i&&l){let u=BigInt(i.t0_ns)+BigInt(Math.round(l.start));$e(Te(n,l.id,u),!0)}},[i]);let m=[{name:"services",href:B([])},{name:"request"}];return c`<${ne} crumbs=${m}>
    <${P} title="Request" note=${r} answer=${a}>
      ${i&&!l&&c`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function Iu([e]){switch(e){case void 0:return La;case"c":return zs;case"e":return Qo;case"q":return Ua;case"r":return os;case"s":return Ma;case"t":return Ea;default:return ts}}var Bu={s:"all services",e:"events",r:"recordings"};function Du(){let{path:e}=$.value;return ae.value===null?null:ae.value.is_needed&&ae.value.identity===null?c`<${es} />`:c`<${Iu(e)} key=${e.join("/")} />`}$o();Uo();Bo();Oo();he(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?Bu[t??""]??t:be(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Xr(c`<${Du} />`,document.body);})();
