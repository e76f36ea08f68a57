"use strict";(()=>{var L,Hr,Ln,Ce,Mn,Dt,jr,Ut,Wr,En,An,Ha,bt=Symbol.for("pv"),Bt={},qt=[],ja=/^m(i|n|o|s|text|space)$/,Nn=Array.isArray,Un=qt.slice,Fe=Object.assign;function qe(e){e&&e.parentNode&&e.remove()}function Ft(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Un.call(arguments,2):n),gt(e,a,r,s,null)}function gt(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:bt,__v:s||++Hr,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function He(e){return e.children}function Ye(e,t){this.props=e,this.context=t,this.__g=0}function Pe(e,t){if(t==null)return e.__&&Pe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Pe(e)}function Wa(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Fe({constructor:bt},n)).__v=n.__v+1,L.vnode&&L.vnode(t),In(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Pe(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Jr(s,t,o),n.__=n.__e=null,t.__e!=r&&Vr(t))}function Vr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Vr(e)}function qr(e){(8&e.__g||(e.__g|=8,Ce.push(e),Dt++))&&Mn==L.debounceRendering||((Mn=L.debounceRendering)||queueMicrotask)(Kr)}function Kr(){try{for(var e,t=1;Ce.length;)Ce.length>t&&Ce.sort(jr),e=Ce.shift(),t=Ce.length,8&e.__g&&Wa(e)}finally{(Dt=Ce.length)&&(Mn||queueMicrotask)(Kr)}}function Gr(e,t,n,r,s,o,a,i,l,m,u){var p,d,f,h,b,g,x=r.__k||qt,v=t.length;for(l=Va(n,t,x,l,v),p=0;p<v;p++)(f=n.__k[p])!=null&&(d=~f.__i&&x[f.__i]||Bt,f.__i=p,g=In(e,f,d,s,o,a,i,l,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Dn(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),b=b||h,4&f.__u?(l=zr(f,l,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),f.__u&=-21);return n.__e=b,l}function Va(e,t,n,r,s){var o,a,i,l,m,u,p,d,f,h=n.length,b=h,g=0,x=0,v=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=v[o]=gt(null,a):Nn(a)?a=v[o]=gt(He,{children:a}):a.constructor===bt&&a.__b?a=v[o]=gt(a.type,a.props,a.key,a.ref,a.__v):v[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Ka(a,n,l,b))&&(b--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,x=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):v[o]=null;if(x){for(u=[],p=[],o=0;o<s;o++)if((a=v[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<a.__i?g=f+1:d=f;u[g]=a.__i,p[o]=g+1}for(g=u.length;o--;)p[o]&&(p[o]==g?g--:v[o].__u|=4)}if(b)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Pe(i)),Bn(i,i));return r}function zr(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=zr(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Pe(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ka(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function Fr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Nt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Fr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Fr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=An[t]||(An[t]=Ga(t)),(e.__a||(e.__a={}))[t]=En,o=t!=(t=t.replace(Wr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Ga(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ut]==null)t[Ut]=En++;else if(t[Ut]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function In(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,b,g,x,v,S,w,M,E,z,j,Oe,T,I,J=t.type;if(t.constructor!==bt)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,p=o=[],u.nodeType==8?i=It(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof J=="function"){d=a.length;try{if(x=t.props,v=(u=J.prototype)&&u.render,S=(u=J.contextType)&&r[u.__c],w=u?S?S.props.value:u.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(v?t.__c=f=new J(x,w):(t.__c=f=new Ye(x,w),f.constructor=J,f.render=Xa),S&&S.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),v&&(f.__s||(f.__s=f.state),J.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Fe({},f.__s)),Fe(f.__s,J.getDerivedStateFromProps(x,f.__s)))),h=f.props,b=f.state,f.__v=t,n.__c){if(x!==h&&v&&!J.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(x,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(x,f.__s,w)===!1){t.__v!=n.__v&&(f.props=x,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(V){V&&(V.__=t)}),qt.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Pe(n);break e}f.componentWillUpdate&&f.componentWillUpdate(x,f.__s,w),v&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,b,g)})}else v&&!J.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),v&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=x,f.__P=e,f.__g&=-5,M=L.__r,E=v?25:0;do f.__g&=-9,M&&M(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++E<25);v&&(qt.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Fe({},r,f.getChildContext())),v&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,b)),z=u&&u.type===He&&u.key==null?u.props.children:u,x.__P&&(u=i,s=(e=x.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(V){V&&Bn(V,V)}),n.__k=null),i=n.__k?Pe(n,0):null),i=Gr(e,Nn(z)?z:[z],t,n,r,s,o,a,i,l,m),x.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(qe),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(V){if(a.length=d,t.__v=null,l||o)if(V&&V.then){if(t.__u|=128|l,o){for(~(T=o.indexOf(i||void 0))||(T=o.length);(I=o[T-1])&&I.nodeType==8;)T--;for(;T<o.length;T++)if(I=o[T])if(o[T]=null,j){if(I==Oe)break}else{if(I.nodeType!=8)break;I.data.startsWith("$s")&&(Oe=It(j=I))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(u=It(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(qe);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),V&&V.then||Xr(t),L.__e(V,t,n)}}else i=t.__e=za(n.__e,t,n,r,s,o,a,l,m,e);return(u=L.diffed)&&u(t),i}function It(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Xr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Xr))}function Jr(e,t,n){for(var r=0;r<n.length;)Dn(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function za(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,b,g,x,v=n.props||Bt,S=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(x=m.ownerDocument||document,!w)return x.createTextNode(S);e=x.createElementNS(s,w,S.is?S:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&S.defaultValue!=null?null:o&&Un.call(m.childNodes),!i&&o)for(v={},u=0;u<e.attributes.length;u++)v[(h=e.attributes[u]).name]=h.value;for(u in v)h=v[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in S||Nt(e,u,null,h,s);for(u in S)h=S[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?b=h:u=="checked"?g=h:i&&typeof h!="function"||v[u]===h||Nt(e,u,h,v[u],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&ja.test(w))&&(s="http://www.w3.org/1999/xhtml"),Gr(m,Nn(f)?f:[f],t,n,r,s,o,a,o?o[0]:n.__k&&Pe(n,0),i,l),o&&o.some(qe)),i&&w!="textarea"||(u="value",w=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(w!="progress"||b)||Nt(e,u,b,v[u],s),u="checked",g!=null&&g!=e[u]&&Nt(e,u,g,v[u],s))}else v===S||i&&e.data==S||(e.data=S);return e}function Dn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function Bn(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Dn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Bn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=It(r,o=[]))&&(r==e.__e&&o.some(qe),qe(s),qe(r)),n||qe(e.__e),e.__e=e.__c=e.__=null}function Xa(e,t,n){return this.constructor(e,n)}function Yr(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=gt(He,{children:[e]}),s=[],o=[],In(t,t.__k,r||Bt,Bt,t.namespaceURI,r?null:t.firstChild?Un.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),Jr(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Dt=0,e}},Hr=0,Ln=function(e){return e!=null&&e.constructor===bt},Ye.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Fe({},this.state)),typeof e=="function"&&(e=e(Fe({},n),this.props)),e&&(Fe(n,e),this.__v&&(t&&this.__k.push(t),qr(this)))},Ye.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),qr(this))},Ye.prototype.render=He,Ce=[],Dt=0,jr=function(e,t){return e.__v.__b-t.__v.__b},Ut=Symbol(),Wr=/(PointerCapture)$|Capture$/i,En=0,An={},Ha=0;var Ze,X,qn,Zr,Fn=Object.is,_t=0,io=[],Hn=[],G=L,Qr=G.__b,eo=G.__r,to=G.diffed,no=G.__c,ro=G.unmount,oo=G.__;function Ht(e,t){G.__h&&G.__h(X,e,_t||t),_t=0;var n=X.__H||(X.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return _t=1,Ja(lo,e)}function Ja(e,t,n){var r=Ht(Ze++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):lo(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Fn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=X,!X.__f)){X.__f=!0;var s=X.shouldComponentUpdate;X.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,Fn(d.__[0],d.__N[0])||(u=!0))}),s){var p=s.call(this,o,a,i);return m?p||u:p}return!m||u}}return r.__}function he(e,t){var n=Ht(Ze++,3);!G.__s&&Wn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,X.__H.__h.push(n))}function je(e,t){var n=Ht(Ze++,4);!G.__s&&Wn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,X.__h.push(n))}function ae(e){return _t=5,A(function(){return{current:e}},[])}function A(e,t){var n=Ht(Ze++,7);return Wn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function jt(e,t){return _t=8,A(function(){return e},t)}function Ya(){var e;do{for(;e=Hn.shift();)try{$t(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=io.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some($t),t.__h.some(jn),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(Hn.length)}G.__b=function(e){X=null,Qr&&Qr(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),oo&&oo(e,t)},G.__r=function(e){eo&&eo(e),Ze=0;var t=(X=e.__c).__H;t&&(qn==X?X.__h=[]:(t.__h.some($t),t.__h.some(jn),Ze=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),qn=X},G.diffed=function(e){to&&to(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ao(io.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),qn=X=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some($t),n.__h=n.__h.filter(function(r){return!r.__||jn(r)})}catch(r){n.__h=[function(){throw r}]}}),no&&no(e,t)},G.unmount=function(e){ro&&ro(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,ao(Hn.push(s))}else $t(s)}catch(o){t=o}}),r.__H=void 0,t&&G.__e(t,r.__v))};var so=typeof requestAnimationFrame=="function";function Za(e){var t,n=function(){clearTimeout(r),so&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);so&&(t=requestAnimationFrame(n))}function ao(e){e!=1&&Zr==G.requestAnimationFrame||((Zr=G.requestAnimationFrame)||Za)(Ya)}function $t(e){var t=X,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),X=t}function jn(e){var t=X;e.__c=e.__(),X=t}function Wn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Fn(n,e[r])})}function lo(e,t){return typeof t=="function"?t(e):t}var Qa=Symbol.for("preact-signals");function Gt(){if(ke>1)ke--;else{var e,t=!1;for((function(){var s=Vt;for(Vt=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();yt!==void 0;){var n=yt;for(yt=void 0,Wt++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&uo(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(Wt=0,ke--,t)throw e}}function Kn(e){if(ke>0)return e();Vn=++ei,ke++;try{return e()}finally{Gt()}}var vt,W=void 0;function xt(e){var t=W,n=vt;W=void 0,vt=void 0;try{return e()}finally{W=t,vt=n}}var yt=void 0,ke=0,Wt=0,ei=0,Vn=0,Vt=void 0,Kt=0;function co(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Y(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Y.prototype.brand=Qa;Y.prototype.h=function(){return!0};Y.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:xt(function(){var r;(r=t.W)==null||r.call(t)}))};Y.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&xt(function(){var s;(s=t.Z)==null||s.call(t)}))}};Y.prototype.subscribe=function(e){var t=this;return ge(function(){var n=t.value;xt(function(){return e(n)})},{name:"sub"})};Y.prototype.valueOf=function(){return this.value};Y.prototype.toString=function(){return this.value+""};Y.prototype.toJSON=function(){return this.value};Y.prototype.peek=function(){var e=this;return xt(function(){return e.value})};Object.defineProperty(Y.prototype,"value",{get:function(){var e=co(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Wt>100)throw new Error("Cycle detected");(function(n){ke!==0&&Wt===0&&n.l!==Vn&&(n.l=Vn,Vt={S:n,v:n.v,i:n.i,o:Vt})})(this),this.v=e,this.i++,Kt++,ke++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Gt()}}}});function oe(e,t){return new Y(e,t)}function uo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function mo(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function po(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function We(e,t){Y.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Kt-1,this.f=4}We.prototype=new Y;We.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Kt))return!0;if(this.g=Kt,this.f|=1,this.i>0&&!uo(this))return this.f&=-2,!0;var e=W;try{mo(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,po(this),this.f&=-2,!0};We.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Y.prototype.S.call(this,e)};We.prototype.U=function(e){if(this.t!==void 0&&(Y.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};We.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(We.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=co(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Me(e,t){return new We(e,t)}function fo(e){var t=e.j;if(e.j=void 0,typeof t=="function"){ke++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Gn(e),r}finally{W=n,Gt()}}}function Gn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,fo(e)}function ti(e){if(W!==this)throw new Error("Out-of-order effect");po(this),W=e,this.f&=-2;try{8&this.f&&Gn(this)}finally{Gt()}}function Qe(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,vt&&vt.push(this)}Qe.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Qe.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,fo(this),mo(this),ke++;var e=W;return W=this,ti.bind(this,e)};Qe.prototype.N=function(){2&this.f||(this.f|=2,this.u=yt,yt=this)};Qe.prototype.d=function(){this.f|=8,1&this.f||Gn(this)};Qe.prototype.dispose=function(){this.d()};function ge(e,t){var n=new Qe(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var ho,Xt,zt,ni=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var go=[];ge(function(){ho=this.N})();function et(e,t){L[e]=t.bind(null,L[e]||function(){})}function wt(e){if(zt){var t=zt;zt=void 0,t()}zt=e&&e.S()}function bo(e){var t=this,n=e.data,r=oi(n);r.name="ReactiveDom",r.value=n;var s=A(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=Me(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),u=Me(function(){return!Array.isArray(m.value)&&!Ln(m.value)}),p=ge(function(){if(this.N=$o,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}bo.displayName="ReactiveTextNode";Object.defineProperties(Y.prototype,{constructor:{configurable:!0,value:Ft(He,null).constructor},type:{configurable:!0,value:bo},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});et("__b",function(e,t){if(wt(),Xt=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Y&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});et("__r",function(e,t){if(e(t),t.type!==He){wt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return ge(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;ni&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Xt=r,wt(n)}});et("__e",function(e,t,n,r){wt(),Xt=void 0,e(t,n,r)});et("diffed",function(e,t){wt(),Xt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=ri(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function ri(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=oe(n);return{o:function(a,i){o.value=a,r=i},d:ge(function(){this.N=$o;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}et("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});et("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});Ye.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function oi(e,t){return A(function(){return oe(e,t)},[])}var si=function(e){queueMicrotask(function(){queueMicrotask(e)})};function ai(){Kn(function(){for(var e;e=go.shift();)ho.call(e)})}function $o(){go.push(this)===1&&(L.requestAnimationFrame||si)(ai)}function ii(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var _o=globalThis.document?.currentScript,be=_o?ii(_o.src):"";function zn(e,t=be){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var li=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function ci(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function ui(e){return zn(e).split("/").filter(t=>t!=="").map(ci)}function Xn(){return{path:ui(location.pathname),params:new URLSearchParams(location.search)}}var $=oe({path:[],params:new URLSearchParams});function $e(...e){return be+"/"+e.map(li).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ie(e,t){let n=t.toString();return n===""?e:e+"?"+n}function ue(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Xn()}function C(e,t=!1){ue(ie(location.pathname,Z($.value.params,e)),t)}function ve(e){return ie($e(...$.value.path),Z($.value.params,e))}function mi(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function D(e,t={}){return ie($e(...e),Z(mi($.value.params),t))}function pi(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith(be+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(zn(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),ue(t.pathname+t.search),scrollTo(0,0))}function vo(){addEventListener("popstate",()=>$.value=Xn()),addEventListener("click",pi),$.value=Xn()}function St(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):St(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var fi={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function yo(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*fi[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ce(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):St(t))+" "+n;t/=1e3}return St(t)+" TB"}function _(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?St(e/1e6)+" M":St(e/1e9)+" G"}function Se(e,t){return`${_(e)} ${t}${e===1?"":"s"}`}function B(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function me(e,t){return t==="ns"?y(e):t==="bytes"?ce(e):_(e)}var kt=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${kt(n.getHours())}:${kt(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${kt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function Re(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${kt(t.getMonth()+1)}-${kt(t.getDate())}`}function pe(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function _e(e){return e||"(no name)"}function re(e){return e.slice(e.lastIndexOf(".")+1)}function Ae(e){return e.split(".").slice(-2).join(".")}var wo=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,wo(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},xo=new Map;function ko(e){var t=xo.get(this);return t||(t=new Map,xo.set(this,t)),(t=wo(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var p=0;p<n[u].length;p++)r=n[u][p],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][p+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=ko.bind(Ft);function di(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function tt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await di(s*1e3,t.signal)}}async function Ve(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var le=oe(null),Rt=oe(!1),So=be+"/api/v1/login",Ro={"loupe-page":"1"},To=e=>`the collector cannot be reached: ${String(e)}`;async function Oo(e){if(!e.ok)return Ve(e);let t=await e.json();return le.value={is_needed:t.is_needed,identity:t.identity},null}async function Co(e,t={}){try{return await Oo(await fetch(So,{method:e,headers:{...Ro,...t}}))}catch(n){return To(n)}}async function Po(){await tt(So,{headers:Ro}).then(Oo).catch(To)!==null&&(le.value={is_needed:!1,identity:null})}async function Mo(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Co("POST",{authorization:`Bearer ${e}`});return Rt.value&&=t!==null,t}async function Ao(){let e=await Co("DELETE");return Rt.value&&=e!==null,e}function Lo(){Rt.value||=le.value?.identity!=null,le.value={is_needed:!0,identity:null}}var Jn=0;function Eo(){return Jn>0}async function hi(e,t){let n=await tt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&Lo();let o=r?await n.json():null,a=r?null:await Ve(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=O(n);return je(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),l=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>o.signal.aborted||u(p);return Jn++,hi(e,o.signal).then(m(i),m(l)).finally(()=>Jn--),()=>o.abort()},[e,t]),r}var Yt=["5m","15m","1h","6h","1d","7d","30d"],No="1h",gi=5e3,bi={s:1,m:60,h:3600,d:86400},Uo=()=>BigInt(Date.now())*1000000n,N=oe(Uo());function Yn(){N.value=Uo()}function Io(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*bi[t[2]])*1000000000n:null}function Jt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var Tt=Me(()=>{let e=$.value.params.get("last")??No;return Io(e)===null?No:e}),Ke=Me(()=>$.value.params.get("live")==="1"),ee=Me(()=>{let{params:e}=$.value,t=Jt(e.get("to")??"")??N.value;return{from:Jt(e.get("from")??"")??t-Io(Tt.value),to:t}}),$i=18e10;function Zt(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=$i;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function Do(){let e=0;ge(()=>{if(clearInterval(e),Ke.value){let t=()=>document.hidden||Eo()||Yn();e=window.setInterval(t,gi)}})}var Ge=oe(0),Zn=new Map;function F(e){let t=Zn.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Zn.set(e,t)),t}function Qn(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Bo(e,t,n){let r=Qn(t);return"#"+Qn(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var _i=.2;function Qt(e){let[t,n,r]=Qn(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>_i?"#101113":"#ffffff"}function qo(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Zn=new Map,Ge.value++})}var vi=["recording","instance","context","where","trace","thread","id"],yi=["recording","instance","context"],xi=["min_duration_ns","max_duration_ns"];function ye(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Ot(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function en(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function er(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Fo=30000000000n;function tr({from:e,to:t}){return{from:e-Fo,to:t+Fo}}function Ho(e,t,n=""){er(e,tr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function nt({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function rt(e,t){let n=new URLSearchParams,r=nt(e);r!==null&&n.set("service",r),en(n,e.params,vi);let s=ye(e.params.get("box"));return s?Ho(n,s):(er(n,t),en(n,e.params,xi)),n}function jo(e,t){let n=rt(e,t),r=ye(e.params.get("base_box"));if(!r)return en(n,e.params,["base"]),n;Ho(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function Wo(e,t){let n=new URLSearchParams,r=nt(e);r!==null&&n.set("service",r),en(n,e.params,yi),er(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return ie(be+"/api/v1/"+e,Z(t,n))}function tn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function wi(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,l])=>` \\
  --data-urlencode ${tn(`${i}=${l}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${tn(t+r)}${o.join("")}`}async function ki(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function U({url:e}){let[t,n]=O(!1);if(e===null)return null;let r=wi(e,location.origin,le.value?.is_needed);return c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await ki(r),n(!0)}} title=${r}>${t?"copied":"curl"}</button>
  </span>`}var Si=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Le({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(l,m)=>k(m,r,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=k("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${Si.map(([l,m,u])=>c`<a href=${o(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${be+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function Vo(e){return`${be}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var ot=oe(null),Ko={accept:"application/json"};async function Ri(e){let t=await tt(k("collector",new URLSearchParams),{headers:Ko});if(!t.ok)return Ve(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${tn(e.name)}\` shows a file on your machine`;let n=await fetch(k("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...Ko,"loupe-page":"1"},body:e});return n.ok?await n.json():Ve(n)}async function Ti(e){ot.value={name:e.name,problem:null};let t=await Ri(e).catch(r=>`it cannot be sent: ${String(r)}`);if(typeof t=="string"){ot.value={name:e.name,problem:t};return}ot.value=null;let n=new URLSearchParams({from:t.from_ns,to:t.to_ns});ue(ie($e("s",t.service),n))}function Oi(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Ci(e){let[t]=e.dataTransfer?.files??[];t&&(e.preventDefault(),Ti(t))}function Go(){addEventListener("dragover",Oi),addEventListener("drop",Ci)}function zo(){if(ot.value===null)return null;let{name:e,problem:t}=ot.value;return t===null?c`<div class="upload" role="status">Reading ${e} …</div>`:c`<div class="upload" role="alert">
        <span><b>${e}</b>: ${t}</span>
        <button onClick=${()=>ot.value=null}>close</button>
      </div>`}var Pi={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Mi={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function te(e){let t=e.startsWith("other: ")?e.slice(7):e;return Pi[e]??{name:t,token:"other"}}function st(e){return Mi[e]??"other: other"}function nn(e){return e==="."?null:te(st(e))}var Ai={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Ee(e){return(e.startsWith("jdk.")?Ai[e.slice(4)]:void 0)??"other: "+e}var Li=/^(java|javax|jdk|sun|com\.sun)\./;function at(e){return Li.test(e)}function Te(e,t,n){return ze("contexts",e,t,n)}function ze(e,t,n,r){return D([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function rn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function on({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var Ei=1e3,Xo=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Ni(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Xo(e.url)===Xo(t)?Math.min(Ei,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function sn(e,t,n){let[r,s]=O([]),[,o]=O(""),a=ae({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Ni(a.current,e,n,r.length,t);let{rows:i,cursor:l,before:m}=a.current,u=l?`&cursor=${encodeURIComponent(l)}`:"",p=R(`${e}&limit=${i}${u}`,n);he(()=>{p.data&&!p.isLoading&&s([...m,...on(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}function se({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${te(e).token})`}}
  ></span>`}function an({of:e}){return e&&c`<${se} category=${e.category} />${te(e.category).name}
      <span class="dim"> ${B(e.share)}</span>`}function Yo({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${te(e).token})`;return c`<div class="bar" style=${{width:n,background:r}}></div>`}var Jo=120,nr=22;function Zo({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*Jo,l=nr-1-o/n*(nr-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Jo} ${nr}"
  >
    <path d=${r} />
  </svg>`}var Ui=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ii(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}function Di(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}function ln({keys:e=[],values:t=[]}){let n=Ui.flatMap(([r,s])=>$.value.params.getAll(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Ii(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Di} aria-label="Add a condition on an attribute">
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
  </div>`}function cn(e){return typeof e=="string"?e:JSON.stringify(e)}function Qo(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function rr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Bi(e){return e.find(t=>!at(t))??e[0]??""}function qi({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${pe(e.start)}</dd>
        ${Qo(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${cn(r)}</dd>`])}
      </dl>
      <ol>
        ${rr(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function un({items:e,since:t,contextHref:n,label:r}){let[s,o]=O(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=l.values,b=t===void 0?Q(l.start):"+"+y(Number(l.start-t)),g=Qo(l).map(([M,E])=>`${M}=${cn(E)}`),x=`${l.start} ${u} ${d} ${f}`,v=s===x,S=()=>o(v?null:x),w=n&&f!==null&&h?n(String(f),String(h)):null;return c`<tr key=${m} class=${v?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(v)} onClick=${S}>${b}</button>
        </td>
        <td title=${u}>
          <${se} category=${Ee(String(u))} />${re(String(u))}
        </td>
        <td class="n">${typeof p=="number"?y(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${rr(l)[0]}>
          ${Ae(Bi(rr(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${w&&c`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${v&&c`<${qi} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function q({title:e,children:t}){return c`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function Fi({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function P({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r&&r.data!==null&&(r.isLoading||r.problem!==null);return c`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&c`<${Fi} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function Hi(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function ji({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=$.value,r=Z(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ie($e(...t),r)}>look at all of that time</a>.
  </p>`}function Ne(){let e=k("collector",new URLSearchParams),{data:t}=R(e,N.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<ee.value.from,r=nt($.value),s=a=>Hi(a,location.hostname,le.value?.is_needed);if(t?.takes_files&&!n)return c`<${q} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let o=r===null?"":` of ${r}`;return c`<${q} title="No JVM${o} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&c`Start one with this option, and it is here within seconds:
        <pre>${s(t.agents)}</pre>`}
    ${t&&n&&c`<${ji} of=${t} />`}
  <//>`}var Wi=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Vi=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,es=e=>e.replace(/\$(?=.)/g,"\\$");function ts(e,{path:t,params:n}){if(Wi.test(e))return D(["t",e.toLowerCase()]);let r=t[0]==="s",s=Vi.test(e);if(!r)return D(["s"],s?{where:e}:{frame:es(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:es(e)};return ie($e(...t),Z(n,a))}function Ki(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(ue(ts(s,$.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function Gi(){let{params:e}=$.value,t=Jt(e.get("from")??"")!==null,{from:n,to:r}=ee.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=Yt.includes(Tt.value)?Yt:[Tt.value,...Yt],a=`${pe(n)} to ${pe(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${Re(n)} ${Q(n,1e9)} to ${Q(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===Tt.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${Yn} title="ask again">refresh</button>
    <button
      aria-pressed=${Ke.value?"true":"false"}
      onClick=${()=>C({live:Ke.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function zi(){let[e,t]=O(null),n=le.value?.identity,r=async()=>t(await Ao());return n==null?null:c`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Xi=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([o,a])=>c`<a href=${D(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${D([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Xi.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${Ki} />
      <${Gi} />
      <${zi} />
    </header>
    <main>${t}</main>`}var Ji=4;function Yi(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=O(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((f,h)=>Yi(l(f),l(h))):t).slice(0,s),p=(f,h)=>{let b=a!==h?"none":f.isNumber?"descending":"ascending",g=f.sort?c`<button class="plain" onClick=${()=>i(h)}>${f.name}</button>`:f.name;return c`<th
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
    <table class=${e.length>Ji?"stacks":""}>
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
  </div>`}var Zi=100,or=e=>e===null?"":y(e),it=(e,t)=>$.value.params.getAll(e).includes(t);function sr({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Qi({types:e}){let t=n=>ve({context:it("context",n)?null:n,key:null,where:null,event:null});return c`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${sr} href=${t(n)} on=${it("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>_(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>_(n.contexts_out),isNumber:!0},{name:"median",cell:n=>or(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>or(n.p99_ns),isNumber:!0}]}
  />`}function ns({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return ve({where:it("where",s)?o:[...o,s],event:null})};return c`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${sr}
            href=${n(r)}
            on=${it("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":_(r.all),isNumber:!0},{name:"kept",cell:r=>_(r.kept),isNumber:!0},{name:"p99",cell:r=>or(r.p99_ns),isNumber:!0}]}
  />`}function el({name:e}){let t=rt($.value,ee.value);t.delete("where");let r=R(k("attributes",t,{limit:"100"}),N.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${ns} name=${e} rows=${s} />`}`}function tl({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${el} name=${n.key} />`:c`<${ns} name=${n.key} rows=${r} />`}`}function nl({of:e}){let t=n=>ve({event:it("event",n)?null:n});return c`<${K}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${se} category=${Ee(n)} /><${sr}
              href=${t(n)}
              on=${it("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>_(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function rl({query:e}){let t=$.value.params.get("event"),n=k("events",e,{event:t}),{answer:r,items:s,more:o}=sn(n,Zi,N.value),a=c`<${H} of=${r.data} /><${U} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${un} label="Events" items=${s} contextHref=${Te} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${q} title="No events here" />`}
  <//>`}function rs(){let e=$.value,t=rt(e,ee.value),n=k("contexts/types",sl(t)),r=R(n,N.value),s=k("events/types",t),o=R(s,N.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${_(o.data.events)} events`+ol(o.data.contexts);return c`<${ne}>
    <${ln} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${Qi} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Ne} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${tl} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${H} of=${o.data} /><${U} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${nl} of=${o.data} />`}
      <//>
    </div>
    <${rl} query=${t} />
  <//>`}var ol=e=>e===null?", in contexts or not":` in ${_(e)} contexts`;function sl(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function os(){let[e,t]=O(null),[n,r]=O(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await Mo(a.value.trim());r(!1),t(i),a.select()};return c`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Rt.value&&c`<p role="status">Your session is over.</p>`}
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
    </main>`}function ss(){return c`<${ne}>
    <${q} title="There is nothing here">
      <a href=${D([])}>Services</a> is where everything begins.
    <//>
  <//>`}function al(e){return e.replaceAll("_","-")}function Ct(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function Pt({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${al(t)} <b>${_(n)}</b></span
        >`)}
  </span>`}var is=e=>e.slice(0,19).replace("T"," "),il=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),mn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,as=(e,t)=>c`${_(e)} <span class="dim">of ${_(t)}</span>`,ll=[{name:"service",cell:e=>c`<b>${_e(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>is(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${y(mn(e))}, running`:y(mn(e)),isNumber:!0,sort:mn},{name:"contexts kept",cell:e=>as(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>as(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ce(e.bytes_out)} <span class="dim">of ${ce(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>il(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function cl(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=k("recordings",r),o=R(s,N.value),a=o.data?.recordings??[],i=c`<${H} of=${o.data} /><${U} url=${s} />`;return c`<${ne}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${K}
          label="Recordings"
          columns=${ll}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>D(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Ne} />`}
    <//>
  <//>`}var ul=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>_(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>_(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ce(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ce(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${Pt} of=${Ct({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Ue(e,t){return c`<span><b>${e}</b>${t}</span>`}function ml({of:e}){let t=e.contexts_in?B(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Ue(e.is_running?"running":"ended",`${y(mn(e))} since ${is(e.start)} UTC`)}
    ${Ue(t,`of ${_(e.contexts_in)} contexts kept`)}
    ${Ue(_(e.events_out),`of ${_(e.events_in)} events kept`)}
    ${Ue(ce(e.bytes_out),`of ${ce(e.bytes_in)} kept`)}
    ${Ue(ce(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Ue(y(e.waiting.duration_ns),`not compacted yet, ${ce(e.waiting.journal_bytes)}`)}
    ${Ue(e.jvm_version,e.jvm_name)} ${Ue(e.pid,`process, on ${e.instance}`)}
  </div>`}var pl={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function fl({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${_(r)} ${pl[n]??n}</li>`)}
      </ul>`}function dl({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=k("policies/"+t,new URLSearchParams),r=R(n,N.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${P}
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
  <//>`}function hl({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=[{name:r?`${_e(r.service)}, ${r.instance}`:e}],o=c`<a href=${Vo(e)} download>download .jfr</a><${U} url=${t} />`,a=r?Ct(r.types):[];return c`<${ne} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${ml} of=${r} />`}
      ${n.status===404&&c`<${q} title="This collector has no such recording">
          <a href=${D(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${Pt} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${fl} of=${r}
        /><//>
        <${P} title="Event types">
          <${K}
            label="Event types"
            columns=${ul}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${dl} service=${r.service} />`}
  <//>`}function ls(){let e=$.value.path[1];return e===void 0?c`<${cl} />`:c`<${hl} id=${e} />`}function xe(e){return e==="requests"?"request":"context"}var gl=["context","thread","trace","id","box","base_box"];function cs(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:gl.some(n=>e.has(n))?"contexts":null}function we(e){return e.get("unit")==="requests"?"requests":"contexts"}function lt(e,t){return Z(e,{unit:t==="requests"?t:null})}function us(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:l,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:l,spark:m,top:u}}function ms(e){let[t,n]=O({width:0,height:0,ratio:1});return je(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function ar(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function ps(e,{width:t,height:n,ratio:r},s,o){je(()=>{let a=t>0&&e.current&&ar(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Ge.value,...o])}function bl(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=ar(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function pn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=ae(null),a=ae(null),i=ae(t),l=ae(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&bl(a.current,o.current,i.current)})};he(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),he(m,[t,n,r,Ge.value]),he(()=>{let{scrollTop:d,clientHeight:f}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+f&&(o.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),b=f.clientY-h.top+o.current.scrollTop;d?.({x:f.clientX-h.left,y:b,width:h.width,event:f})},p=Math.min(n,r);return c`<div
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
  </div>`}var fn=14,dn=8;function ct({at:e,children:t}){let n=ae(null);return je(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+fn+s>innerHeight-dn,i=Math.min(e.clientX+fn,innerWidth-r-dn);o.left=`${Math.max(dn,i)}px`,o.top=`${a?Math.max(dn,e.clientY-fn-s):e.clientY+fn}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var cr=e=>e.charCodeAt(0);function fs(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[cr(n.length===1?n:t),cr(r.length===1?r:t)]}var ur=e=>/\w/.test(String.fromCharCode(e)),ds=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),bs=(e,t)=>t>=0&&t<e.length&&ur(e.charCodeAt(t)),hn=(e,t)=>bs(e,t-1),gn=bs,ir={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>hn(e,t)!==gn(e,t),"\\B":(e,t)=>hn(e,t)===gn(e,t),"\\<":(e,t)=>!hn(e,t)&&gn(e,t),"\\>":(e,t)=>hn(e,t)&&!gn(e,t)},hs=e=>e>=48&&e<=57,lr={"\\d":hs,"\\D":e=>!hs(e),"\\w":ur,"\\W":e=>!ur(e),"\\s":ds,"\\S":e=>!ds(e)},gs={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},fe=class extends Error{},mr=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new fe;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new fe;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new fe;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new fe;if(r!==1/0&&r>255)throw new fe;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(gs,r)?gs[r]:void 0;if(n===":"?!s:r.length!==1)throw new fe;return n===":"?o=>s.test(String.fromCharCode(o)):cr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new fe;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new fe;t.push(this.range())}this.at++,this.addAtom(r=>fs(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(ir,n)||Object.hasOwn(lr,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new fe;if(Object.hasOwn(ir,n))this.atom=null,this.add({holds:ir[n]});else if(Object.hasOwn(lr,n))this.addAtom(lr[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=fs(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function $s(e){try{return e.length>256?null:new mr(e).parse()}catch(t){if(t instanceof fe)return null;throw t}}function _s(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,l=(m,u,p)=>{o(u,p);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:f,holds:h,jumps:b,isEnd:g}=e[d];i||=g===!0,f?m.push(d):h?.(t,p)&&o(d+1,p);for(let x of b??[])o(d+x,p)}};for(let m=0;;m++){if(l(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),p=[];for(let d of a)e[d].takes(u)&&l(p,d+1,m+1);a=p}}function _n(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let p=n[u]-1;s[u]=p<0?-1:i[p],a[u]=p<0?0:l[p],p>=0&&(l[p]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function ys(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=l.level[d];f>=r&&f<s&&m.push({node:d,x:0,width:n,row:f})}let u=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let f=l.level[d];if(f>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,b=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor(b),n-1):b;f>=r&&(h>=1||g>=p[f-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return m}function xs(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+o[m];if(p&&l.level[m]===s)return m;m=p?m+1:i[m]}return-1}function ws(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?ks(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function ks(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var $n=4;function Ss(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**$n).toString(36).padStart($n,"0")}function vn(e,t){return ks(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Ss).join("")}function yn(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=$n){let a=t.slice(o,o+$n),i=s+1;for(;i<(e.end[s]??0)&&Ss(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var $l=1024,_l=5e7;function Rs(e,t=_l){let n=/^\/(.+)\/$/.exec(e);if(!n){let l=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(l),{isOver:()=>!1})}let r=$s(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(l=>(s.has(l)||s.set(l,!a()&&_s(r,l.slice(0,$l),o)),s.get(l)),{isOver:a})}function Ts(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var bn=(e,t)=>t>0?e/t:0;function Os({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(bn(r.total,n),bn(r.base_total??0,o)),i=bn(e[s],n)-bn(t?.[s]??0,o);return a>0?i/a:0}function Cs(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function vl({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!at(e.names[e.name[o]]))return o;return s}function vs({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Ps(e,t){let{flame:n}=e,r=vs(e,n.value),s=vs(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[vl(e,i)]],p=o.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(m+u,p)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var de=18,yl=22,Ms=4,xl=5,wl="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function kl(e){return e.split(".").slice(0,-2).join(".")}function Sl(e){if(at(e))return"frame-jdk";let t=7;for(let n of kl(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%xl}`}function Rl({names:e,kinds:t}){return e.map((n,r)=>{let s=nn(t[r]??".");return F(r===0?"frame-root":s?s.token:Sl(n))})}var pr=32,fr=e=>({fill:e,ink:Qt(e)});function As(e){if(e.base_value===void 0){let s=Rl(e).map(fr);return e.name.map(o=>s[o])}let t=s=>Array.from({length:pr+1},(o,a)=>fr(Bo(F("frame-same"),F(s),a/pr))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:Os(e,o),i=Math.round(pr*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Tl(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ls(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=F("ink"),u=fr(F("accent"));e.font=wl,e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:b}of n){let g=b*de-r,x=s.name[d],v=d!==l&&s.level[d]<s.level[l],S=a!==null&&a.names[x]===1,w=v||a!==null&&!S,{fill:M,ink:E}=S?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=M,e.fillRect(f,g,Math.max(h-.5,.5),de-1),h>=yl){let z=Math.floor((h-2*Ms)/p);e.globalAlpha=1,e.fillStyle=w?m:E,e.fillText(Tl(s.names[x],z),f+Ms,g+de/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),de-3))}}var Ol=24,Cl=3,dr=(e,t)=>B(t>0?e/t:0);function Pl({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=me(n[i]/Math.max(1,a),o),m=me(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${dr(n[i],s)}, ${l} each, own ${m}`}function Ml(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},p]}function Al({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=Ml(r,t),m=(u,p)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${me(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${dr(p(d),d.whole)}</td>
            <td class="n dim">${me(p(d),s)}</td>`)}
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
    ${n>0&&c`<div class="dim">${dr(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Es({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=O(null),[i,l]=O(null),m=A(()=>i===null?-1:yn(e,i),[e,i]),u=o?.node??-1,p=A(()=>As(s),[s,Ge.value]),d=jt((w,{width:M,top:E,height:z})=>{let j=Math.floor(E/de),Oe=ys(e,t,M,j,Math.ceil((E+z)/de));Ls(w,{flame:s,shades:p,zoom:t,found:n,marks:[m,u]},Oe,E)},[e,t,n,m,u,p]),f=({x:w,y:M,width:E})=>xs(e,t,E,w,Math.floor(M/de)),h=w=>{let M=f(w),{clientX:E,clientY:z}=w.event;a(M<0?null:{node:M,at:{clientX:E,clientY:z}})},b=w=>{let M=f(w);M>=0&&w.event.button===0&&r(M)},g=w=>{let M=m<0?t:m;if(w.key.startsWith("Arrow")){let E=m<0?t:ws(e,t,M,w.key);l(vn(e,E)),a(null)}else if(w.key==="Enter")r(M);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},x=m>=0?m:t,v=s.level[x],S=[Math.max(0,v-Cl)*de,(v+1)*de];return c`<${pn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*de}
      heightMax=${Ol*de}
      draw=${d}
      reveal=${S}
      onPoint=${h}
      onUp=${b}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&Pl(s,m)}</div>
    ${o&&c`<${ct} at=${o.at}><${Al} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Ll=500;function El(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>me(p/Math.max(1,r),t),a=p=>c`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${Nl} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>o(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),l=p=>B(n>0?p.total/n:0),m=p=>me(p/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,l)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function Nl({kind:e}){let t=nn(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Ns({tree:e,matches:t}){let n=Cs(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${K}
      label="Frames"
      columns=${El(e.flame)}
      rows=${n}
      rowsMax=${Ll}
      rowKey=${r=>r.name}
    />
  </div>`}var Ul=8;function xn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Us({url:e,answer:t}){let{data:n}=t,r=A(()=>n&&n.requests>0?Ps(_n(n),Ul):[],[n]),s=$.value.params.get("frame"),o=(l,m=0)=>me(l/Math.max(1,m),"ns"),a=l=>{let m=xn(l.name);return c`<tr key=${l.name+l.kind}>
      <td title=${l.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${se} category=${st(l.kind)} />${Ae(l.name)}
        </button>
      </td>
      <td class="n">${o(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${o(l.base,n.base_requests)}</td>`}
      <td class="n dim">${B(l.value/Math.max(1,n?.total??0))}</td>
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
  <//>`}var hr=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function wn({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Il(e){let t=e.get("value")??"";return hr.some(([n])=>n===t)?t:"time"}function Dl({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${hr.map(([t,n])=>c`<${wn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Bl({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${wn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${wn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function ql({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",s=r!==""&&n===null,o=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?B(e.weight/o):B(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function Fl(){let e=$.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Hl({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>B(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${se} category=${st(o)} />${te(st(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${_(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function jl({requests:e,total:t,unit:n,...r},s){let o=me(t/Math.max(1,e),n),a=r.base_requests??0,i=me((r.base_total??0)/Math.max(1,a),n),l=r.base_value?`; base: ${_(a)}, ${i} each`:"";return`${Se(e,s)}, ${o} each${l}`}function kn(e){return k("flamegraph",e,{value:"time",frame:null})}function ut({query:e,tick:t,whole:n}){let{params:r}=$.value,s=Il(r),o=r.get("frame"),a=Z(e,{value:s,frame:o}),i=k("flamegraph",a),l=n!==void 0&&i===kn(e),m=R(l?null:i,t),u=m.problem===null?n?.data??null:null,p=l?n:{...m,data:m.data??u},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=A(()=>d&&_n(d,f),[d,f]),b=r.get("find")??"",g=A(()=>b===""?null:Rs(b),[b]),x=A(()=>h&&g&&Ts(h,g),[h,g]),v=r.get("flame")==="table",S=!h||h.weight.length===0||!(h.weight[0]>0),w=h?yn(h,r.get("zoom")??""):0,M=h&&c`<${Es}
      tree=${h}
      zoom=${w}
      found=${x}
      onZoom=${j=>C({zoom:vn(h,j)||null})}
    />`,E=c`<${H} of=${d} /><${Le}
      query=${e}
      value=${s}
      frame=${o}
    /><${U} url=${i} />`,z=d?jl(d,xe(we(e))):"";return c`<${P} title="Flame graph" note=${z} tools=${E} answer=${p}>
    <div class="flame-tools">
      <${Dl} value=${s} />
      <${Fl} />
      <${Bl} flame=${d} />
      <${ql} found=${x} flame=${d} matches=${g} />
      ${w>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${wn}
        isOn=${v}
        onChange=${()=>C({flame:v?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&S&&c`<${q} title="No ${hr.find(([j])=>j===s)[1]} in this selection" />`}
    ${!S&&(v?c`<${Ns} tree=${h} matches=${g} />`:M)}
    ${d&&!S&&c`<${Hl} flame=${d} />`}
  <//>`}function gr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function br({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function Is(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ds(e,t,n,r,s){let o=br(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Bs(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function qs({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Fs(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var Wl=560,Vl=110,Kl=4,Gl=28,js=5,zl="11px Inter, system-ui, sans-serif",Xl=500;function Jl(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function Sn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Yl(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function $r({count:e,name:t,duration:n}){return`${e>1?`${_(e)} \xD7 `:""}${re(t)} \xB7 ${y(n)}`}function Zl(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=F(i?"hover":te(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=F(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=Gl&&(e.fillStyle=i?F("ink"):Qt(l),e.fillText(Yl(e,$r(s),a-2*js),o+js,n+20/2-1))}function Ql(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=F("panel"),e.fillRect(0,0,n,18);for(let o of qs(t,n/Vl)){let a=Math.round((o-t.from)*s),i=o===0?"0":y(o),l=e.measureText(i).width;e.fillStyle=F("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=F("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function ec(e,t,n,r){return jt((s,{width:o,top:a,height:i})=>{let l=gr(e);s.font=zl,s.textBaseline="middle",Ql(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let p=l[u]-a;p>i||l[u+1]-a<0||br(m,t,o).forEach(d=>Zl(s,d,p+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=F("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function tc({title:e},t){return`${e}: ${te(t.kind).name}, ${$r(t)}, at ${y(t.start)}`}function nc({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Xl}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${se} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>_(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Ws({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Jl($.value.params.get("part"),t),[a,i]=O(null),[l,m]=O(null),[u,p]=O(null),[d,f]=O(!1),h=A(()=>gr(e),[e]),b=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=ec(e,o,[b?.box??null,a?.box??null],u),x=({x:T,y:I,width:J})=>{let V=Is(h,I),Be=V<0?null:Ds(e[V],o,J,T,I-h[V]);return Be&&{lane:V,box:Be}},v=T=>{if(u){p([u[0],Math.max(0,Math.min(T.x,T.width))]),i(null);return}let I=x(T),{clientX:J,clientY:V}=T.event;i(I&&{...I,at:{clientX:J,clientY:V}})},S=({lane:T,box:I})=>{let J=n?.(e[T],I)??null;J!==null&&r?r(J):Sn({from:I.start,to:I.start+Math.max(1,I.duration)})},w=({x:T,event:I})=>{I.button===0&&I.pointerType!=="touch"&&(I.target.setPointerCapture(I.pointerId),p([T,T]))},M=T=>{p(null);let[I=0,J=0]=u?[...u].sort((Be,Fa)=>Be-Fa):[],V=x(T);if(J-I>=Kl){let Be=(o.to-o.from)/T.width;Sn({from:o.from+I*Be,to:o.from+J*Be})}else V&&S(V)},E=e.findIndex(({boxes:T})=>T.length>0),z=T=>{if(T.key.startsWith("Arrow")&&E>=0)m(b?Fs(e,b,T.key):{lane:E,box:e[E].boxes[0]});else if(T.key==="Enter"&&b)S(b);else if(T.key==="Escape"||T.key==="Backspace")Sn(null);else return;T.preventDefault()},j=b?h[b.lane]+20+b.box.level*20:0,Oe=$.value.params.get("part")!==null;return c`<${pn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Wl}
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
    <div class="seen-by-readers" aria-live="polite">${b&&tc(e[b.lane],b.box)}</div>
    ${a&&c`<${ct} at=${a.at}>
        <b>${$r(a.box)}</b>
        <div>${a.box.name}, ${te(a.box.kind).name}</div>
        <div class="dim">at ${y(a.box.start)}</div>
      <//>`}
    ${Oe&&c`<button onClick=${()=>Sn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${T=>f(T.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${nc} lanes=${e} />`}
    </details>`}var rc=3;function oc(e,{category:t,is_count:n}){let r=e.slices.find(a=>a.category===t),s=(n?r?.events:r?.total_ns)??0,o=e.requests?s/e.requests:0;return n?`${o.toFixed(1)} x`:y(o)}function sc({of:e}){return c`<ul class="repeated">
    ${e.repeated.map(t=>c`<li
          title=${`${t.frame}: ${_(t.events)} in ${Se(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${_(t.per_request)} x ${Ae(t.frame)}
          <span class="dim"> ${te(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function ac({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=s&&!e.is_count,a=(p,d)=>o?c`<a href=${s(e.category,d)}>${p}</a>`:p,i=p=>e.is_count?`${(p.events/t.requests).toFixed(1)} x`:y(p.total_ns/t.requests),l=p=>e.is_count?"":B(p.total_ns/Math.max(1,t.total_ns)),m=e.top.slice(0,rc).filter(p=>e.is_count||p.total_ns>0),u=o?"opens":"";return c`<tr
      class=${u}
      title=${`${y(e.total_ns)} in all, ${_(e.events)} events`}
    >
      <th scope="row">
        <${se} category=${e.category} />${a(te(e.category).name,null)}
      </th>
      <td class="fill"><${Yo} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${i(e)}</td>
      ${r&&c`<td class="n dim">${oc(r,e)}</td>`}
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
            </tr>`}`)}`}function _r({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return c`<table class="why">
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
        ${e.slices.map(s=>c`<${ac}
              key=${s.category}
              slice=${s}
              of=${e}
              largest=${r}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&c`<${sc} of=${e} />`}`}function Rn({query:e,base:t=null,tick:n,hrefOf:r}){let s=k("why",e),o=R(s,n),a=R(t&&k("why",t),n),{data:i}=o,l=xe(we(e)),m=c`<${H} of=${i} /><${U} url=${s} />`,u=i&&i.requests>0?`mean of ${Se(i.requests,l)}, ${y(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${u}
    tools=${m}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${_r} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${q} title=${`No kept ${l} is in this selection`} />`}
  <//>`}var vr=8192,Vs=60000000000n,Ks=5,ic=2000000000n;function Gs(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function zs({t0_ns:e,events:t,is_truncated:n}){return on({...t,t0_ns:e,next:null,is_truncated:n})}function yr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=Gs(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=Gs(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function xr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,p]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:p};r[s]?.boxes.push(d)}return r}function lc(e,t,n){return on(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=Ee(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function cc(e,t,n,r){let s=BigInt(e.t0_ns),a=xr(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),l=lc(r,s,new Set([e.type,...i])),m=Bs([...a,...l]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${re(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function uc(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-ic)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?k(m,r,u):null,o=R(s("timeline",{width:String(vr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=A(()=>t&&o.data&&a.data?cc(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),l=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:l}}function mc(e){let t=A(()=>yr(e),[e]),n=[];for(let i=0;i<Ks;i++){let l=n.every(m=>m.isAnswered);n.push(uc(e,l?t[i]:void 0))}let r=t.slice(Ks),s=y(r.reduce((i,l)=>i+l.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return A(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function pc(e){let t=rn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Vs)});r.set("to",String(n+BigInt(e.duration)+Vs));let s=String(vr),o=R(t&&k("timeline",r,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return A(()=>(o?xr(o,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:D(["t",t])}}),[e,o,i])}function Xs(e,t){let n=R(k("timeline",t,{width:String(vr)})).data,r=mc(e),s=pc(e);return A(()=>{let o=n?xr(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(u.thread),i=o.filter(({thread:u})=>u===null),l=o.filter(({thread:u})=>u!==null),m=`this one, ${y(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...l.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var Js=300000000000n,fc=100,mt=({t0_ns:e})=>BigInt(e);function wr(e){let t=mt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function dc(e){let t=wr(e);if($.value.params.get("base")==="rest"){let n=mt(e);t.set("from",String(n-Js)),t.set("to",String(n+Js)),t.set("context",e.type),t.set("base","rest")}return t}function hc({context:e,jvm:t}){let n=mt(e),r=rn(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${D(["t",r])}>${r}</a>`:cn(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${pe(n)}>${Re(n)} ${Q(n)}</dd>
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
          <a class="link" href=${Ys(e,e.parent)}
            >${re(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Ys(e,{id:t,start:n}){return Te(e.recording,t,mt(e)+BigInt(Math.round(n)))}function gc({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${te(t).name} ${B(r)}`,o=`var(--${te(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function bc({context:e}){let t=yr(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${se} category=${Ee(n)} />${_(r)} × ${re(n)}
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
        </table>`}`}function $c({context:e}){return c`<${P} title="Contexts in it" note=${_(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${fc}
      rowKey=${t=>t.id}
      href=${t=>Ys(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function _c({context:e,tick:t}){let n=A(()=>wr(e),[e]),r=Xs(e,n),s=A(()=>zs(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:Te(i.recording,l,mt(e)+BigInt(Math.round(m))),a=c`<${U} url=${k("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Ws}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${ue}
      />
    <//>
    ${e.children.length>0&&c`<${$c} context=${e} />`}
    <${ut} query=${dc(e)} tick=${t} />
    <${P} title="Events" note=${_(s.length)}>
      ${s.length>0?c`<${un}
              items=${s}
              since=${mt(e)}
              label="Events of the request"
            />`:c`<${q} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Zs(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=k(a,o),l=R(i,N.value),m=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,p=u?`${re(u.type)}, ${y(u.duration)}`:r,d=[{name:"services",href:D([])},...m?[{name:_e(m.service),href:D(["s",m.service])}]:[],{name:p}],f=u&&wr(u),h=c`<${H} of=${u} /> ${f&&c`<${Le} query=${f} />`}
    <${U} url=${i} />`;return c`<${ne} crumbs=${d}>
    ${u?c`<div class="three">
              <${P}
                title=${re(u.type)}
                note=${y(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${hc} context=${u} jvm=${m} />
              <//>
              <${P} title=${`Why ${y(u.duration)}`}>
                <${gc} why=${u.why} /><${_r} of=${u.why} base=${null} />
              <//>
              <${P} title="Kept because"><${bc} context=${u} /><//>
            </div>
            <${_c} context=${u} tick=${N.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var vc=100,yc=10,xc=1.96;function wc(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-xc*o)}function kc({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?wc(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function Sc({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function Rc({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":y(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${_(o.count)} of ${_(e)}`}>
          ${B(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${_(o.base_count)} of ${_(t)} to compare with`}
      >
        ${Sc(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function Tc({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(s=>s!==n);return ve({where:[...r,n]})}function Oc({data:e}){let[t,n]=O(!1),r=$.value.params.getAll("where"),s=kc(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,yc),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${K}
      label="Attributes"
      columns=${Rc(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${Tc}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${_(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function Qs({query:e,against:t,tick:n}){let r=k("attributes",e,{limit:String(vc)}),s=R(r,n),{data:o}=s,a=c`<${H} of=${o} /><${U} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${Oc} data=${o} />`}
  <//>`}function ea({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function Cc(){let{params:e}=$.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=yo(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?y(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function ta({types:e,instances:t}){let n=$.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${ea}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${_(a)})`])}
    />
    <${ea}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${Cc} />
    <${ln}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Pc=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Mc=e=>Pc[e&3]*2**(e>>2);function na(e){return e<0?1:Math.floor(Mc(e+1))}function Ie(e,{column:t,row:n}){return t*e.rows+n}function pt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function Xe(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function ft(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let d of e.columns)o=Math.min(o,d[0]?.[0]??o),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let l=1;for(;Math.floor(a/l)-Math.floor(o/l)>=n;)l*=2;let m=o>a?0:Math.floor(o/l),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:m,buckets:l,hasShorter:i,rows:o>a?0:Math.floor(a/l)-m+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/s),row:Math.max(0,Math.floor(f/l)-m)});e.columns.forEach((d,f)=>{for(let[h,b,g]of d){let x=p(f,h),v=u.cells.get(Ie(u,x))??{...x,all:0,kept:0};v.all+=b,v.kept+=g,u.cells.set(Ie(u,x),v),u.most=Math.max(u.most,v.all)}});for(let[d,f,h,b]of e.exemplars)u.exemplars.set(Ie(u,p(d,f)),{recording:h,id:b});return u}function oa(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function dt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:na(i-1)+1,max:na((e.first+a+1)*e.buckets-1)}}function Tn(e,t,n){let r=dt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function Je(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Tn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function sa(e,t){return[...e.cells.values()].filter(n=>Tn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ie(e,n))??[])}function On(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function aa(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Sr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function kr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Lt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function Rr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,kr(e,t,n.from)),l=Math.max(o,Lt(e,t,n.max)),m=Math.min(s,kr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,Lt(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function Tr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ia(e,t,n,r){let s=[],o=a=>{let i=Lt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var ra=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function la(e,t,n,r,s){let{from:o,to:a}=Tr(e),i=Number(a-o)/1e9*(n/t.width),l=ra.find(p=>p>=i)??ra.at(-1),m=BigInt(l)*1000000000n,u=[];for(let p=(o+r+m-1n)/m*m-r;p<a;p+=m)u.push({at:kr(e,t,p),text:s(p,l*1e9)});return u}var Ac=4,Lc={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function De(e){return ye($.value.params.get(e))}var ma=e=>e==="requests"?{unit:e}:{};function Et(e,t,n){let r=e&&Ot(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=ma(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function Ec(e){Et(null,De("base_box")!==null,e)}function Or({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function pa(e,t){return e.column===t.column&&e.row===t.row}function ua(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Nc(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function ht({grid:e,isRate:t},{from:n,to:r}){return t?dt(e,{...n,row:0},{...r,row:e.rows-1}):dt(e,n,r)}function fa({grid:e,unit:t},n){let r=e.exemplars.get(Ie(e,n));r&&ue(ze(t,r.recording,r.id))}function da(e){let{grid:t,plot:n}=e,[r,s]=O(null),[o,a]=O(null),i=ae(null),l=({offsetX:g,offsetY:x})=>aa(t,n,g,x),m=g=>{let{offsetX:x,offsetY:v}=g;if(g.button===0&&t.rows>0&&Sr(n,x,v)){g.currentTarget.setPointerCapture(g.pointerId);let S=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x,y:v,isLong:!1,isBase:S})}},u=g=>{let{offsetX:x,offsetY:v}=g;if(r){let E=r.isLong||Math.hypot(x-r.x,v-r.y)>=Ac;s({...r,to:l(g),isLong:E})}let{clientX:S,clientY:w}=g,M=t.rows>0&&Sr(n,x,v);a(M?{place:l(g),clientX:S,clientY:w}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){fa(e,r.from);return}let x=ht(e,r),v=!r.isLong&&Je(t,x).all===0;Et(v?null:x,r.isBase,e.unit)},d=g=>{let x=i.current,v=x&&Tn(t,x,l(g))?x:ht(e,{from:l(g),to:l(g)});C({box:Ot(v),...ma(e.unit)},!0),Or(v)},f=({detail:g})=>{i.current=g>1?i.current:De("box")},h=()=>a(null),b=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:b,onDblClick:d}}}function ha(e){let{grid:t}=e,[n,r]=O(null),s=i=>{let l=Lc[i.key];if(l&&t.rows>0){let m=n?ua(t,n.to,l):Nc(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)fa(e,n.to);else if(i.key==="Enter"&&n)Et(ht(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),Ec(e.unit);else return;i.preventDefault()},o=i=>ua(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var Cn=52,Uc=20,ga=6,Ic=52,Dc=72,Bc=26,qc=5,Fc=60000000000n;function ba(e,t,n){let r=e-Cn-(n?Ic:0);return{x:Cn,y:ga,width:Math.max(1,r),height:Math.max(1,t-ga-Uc)}}function Hc(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*Fc}function jc(e,t){let n=Q(e,t);return n==="00:00"?Re(e).slice(5):n}function Wc(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:la(e,t,Dc,Hc(e.t0),jc),durations:e.rows===0?[]:ia(e,t,Bc,n)}}function Vc(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Kc(e,t,n,r,s){e.fillStyle=F("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:l,width:m,height:u}=On(t,n,a);Vc(e,i+m-r,l,Math.min(qc,m/2,u/2))}e.fill()}function Gc({all:e,kept:t},n){return n==="requests"?t<e:t>0}function $a(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(F),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:l,width:m,height:u}=On(t,n,a);e.fillStyle=s[oa(a.all,t.most)],e.fillRect(i,l,m-o,u-o)}Kc(e,t,n,o,a=>Gc(a,r)),Pr(e,t,n)}function Pr(e,t,n){let{times:r,durations:s}=Wc(t,n);e.fillStyle=F("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,Cn-8,o),e.fillRect(Cn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function Cr(e,t,n,r){t&&(e.fillStyle=F("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function _a(e,t,n,r){Cr(e,r.base&&Rr(t,n,r.base),F("soft"),[4,3]),Cr(e,r.box&&Rr(t,n,r.box),F("accent"),[]);for(let s of r.cells)Cr(e,On(t,n,s),F("ink"),[])}function va({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=pt(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:Xe(i,.5),p99:Xe(i,.99)}})}function ya(e){return`${_(Number(e.toPrecision(3)))}/s`}function zc(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Xc(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function xa(e,t,n,r){let s=n.width/t.columns,o=zc(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=F("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=F(i);let l=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*s,Lt(t,n,p)]};Xc(e,r.map(l),s)}Pr(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(ya(o*a),n.x+n.width+6,i+(a===1?5:0))}}function wa({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":y(s);return c`<b>${ya(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function ka({unit:e}){let t=(n,r)=>c`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return c`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Mr=6e10;function Pn({from:e,to:t,min:n,max:r}){let s=e%BigInt(Mr)===0n&&t%BigInt(Mr)===0n,o=i=>Q(i,s?Mr:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function Ar({all:e,kept:t}){return`${_(t)} kept of ${_(e)}`}var Yc=5,Zc=6;function Qc({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=Ie(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[l,m]=Pn(dt(e,s,s)).split(", "),u=a&&`${_(a.all)} ${t}, ${_(a.kept)} kept`,p=i?c`<${wa} of=${i} /><br />${l}`:c`<b>${m}</b><br />${l}<br />${u}
        ${e.exemplars.has(o)&&c`<br />Alt+click opens one`}`;return c`<${ct} at=${n}>${p}<//>`}var eu={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function tu(e,t,n){let r=e??eu,s=Math.max(1,t.width/Yc),o=Math.max(1,t.height/Zc);return A(()=>ft(r,s,o,n),[r,s,o,n])}function nu({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=ae(null),a=ms(o),i=ba(a.width,a.height,n),l=tu(e,i,t==="requests"&&!n?79:null),m=A(()=>n&&e?va(e,l):null,[n,e,l]),u={grid:l,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=da(u),{cursor:h,on:b}=ha(u),g=p??(h&&!pa(h.from,h.to)?h:null),x=g&&ht(u,g),v=p?.isBase??r,S={box:!v&&x||De("box"),base:v&&x||De("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},w=j=>{m?xa(j,l,i,m):e&&$a(j,l,i,t),_a(j,l,i,S)},{column:M,row:E}=d?.place??{};ps(o,a,w,[l,m,$.value,r,p,h,M,E]);let z=h&&ht(u,h);return c`<div class="heatmap">
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
    ${d&&c`<${Qc} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${z&&`${Pn(z)}: ${Ar(Je(l,z))}`}
    </div>
    ${e&&c`<${su} data=${e} unit=${t} most=${l.most} isRate=${n} />`}
  </div>`}function ru({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>c`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return c`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&c` ${r(o)}${_(s)}`)}
    ${e>1&&c` to ${_(e)}`}</span
  >`}var ou=e=>`Counted by chunk: a ${xe(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).`;function Ra({data:e,unit:t,box:n,isBase:r}){let s=A(()=>ft(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${ou(t)}
    onClick=${()=>Et(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${Pn(n)}</b>${" "}
    ${Ar(Je(s,n))} by chunk <i>×</i>
  </button>`}function su({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&c`<${ru} most=${n} unit=${t} />`,c`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[De("box"),De("base_box")];return c`<div class="legend">
    ${r?c`<${ka} unit=${t} />`:s}
    ${o&&c`<${Ra} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&c`<${Ra} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function au({data:e,unit:t}){let[n,r]=O(!1),s=(a,i)=>{let l=pt([a]),[m,u]=[1,2].map(d=>a.reduce((f,h)=>f+h[d],0)),p=d=>y(Xe(l,d));return c`<tr>
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
  </details>`}function iu({unit:e}){let t=n=>c`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return c`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Ta({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=O(!1),l=$.value.params.get("view")==="rate",m=De("box"),{data:u}=e,p=A(()=>u&&c`<${au} data=${u} unit=${n} />`,[u,n]),d=(h,b,g)=>c`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${b}
    </button>`,f=c`<${H} of=${u} />
    ${m&&c`<button class="plain" onClick=${()=>Or(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&c`<${iu} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!l)} ${d("rate","rate",l)}</span>
    <${U} url=${t} />`;return c`<${P}
    title=${`All ${n}`}
    note=${s}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
  >
    <${nu}
      data=${u}
      unit=${n}
      isRate=${l}
      isComparing=${a}
      onPoint=${o}
    />
    ${p}
  <//>`}var lu=3;function cu({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Ct(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${Pt} of=${n} />
      </p>`:null}function uu(e,t){return Ot({...e,from:e.from-t,to:e.to+t})}function mu({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?sa(ft(o,1/0,1/0),n).slice(0,lu):[],l=({recording:m,id:u},p)=>c`<a class="link" key=${u} href=${ze(s,m,u)}>${p+1}</a>${" "}`;return c`<${q} title=${`No kept ${xe(s)} began in this box`}>
    <p>
      The heat map has ${_(r)} kept ones here: it counts a ${xe(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:uu(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&c`${" "}or open one of them: ${i.map(l)}`}
    </p>
  <//>`}function Oa({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=A(()=>ft(e,1/0,1/0),[e]),a=ye($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),l=(g,x)=>Number(n.get(g)??x),m=a??{...Tr(o),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:u,kept:p}=Je(o,m),d=we(n),f=xe(d),h=r[0];if(r.length===0)return c`<${Ne} />`;let b=(g,x)=>c`<${q} title=${g}>${x}<//>`;return s?b(`No kept ${f} is like this`,"Take a condition away to see more."):u===0&&a?b(`No ${f} is in this box`,"Choose a coloured cell."):u===0&&i?b(`No ${f} is like this`,"Take a condition away, or look at a longer time."):u===0?b(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?c`<${mu}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:c`<${q} title=${`Nothing is kept of these ${_(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&c`<${cu} of=${h} />`}
  <//>`}var pu=12,Er={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function Nr(e,t){let n=e.get("sort");return Er[t].some(([r])=>r===n)?n:Er[t][0][0]}function fu({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function du({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${B(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Lr=(e,t)=>new Set(e.map(t)).size>1,hu={contexts:[{name:"blocked",cell:e=>c`<${du} of=${e} />`},{name:"events",cell:e=>_(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>_(e.parts),isNumber:!0}]},gu={contexts:{name:"thread",cell:e=>c`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}};function bu(e,t,n){let r=[...new Set(e.flatMap(l=>Object.keys(l.attributes)))],s=Lr(e,l=>Re(l.start)),o=l=>c`<span title=${pe(l.start)}>
      ${s?`${Re(l.start).slice(5)} `:""}${Q(l.start)}
    </span>`,a=(l,m)=>[e.some(u=>u[l]>0),{name:l,title:m,cell:u=>u[l]>0?y(u[l]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Lr(e,l=>l.type),{name:"type",cell:l=>re(l.type)}],[Lr(e,l=>l.recording),{name:"JVM",cell:l=>t.get(l.recording)??l.recording.slice(0,8)}]];return[{name:"start",cell:o},{name:"duration",cell:l=>c`<b>${y(l.duration)}</b>`,isNumber:!0},...hu[n],...i.flatMap(([l,m])=>l?[m]:[]),...r.slice(0,pu).map(l=>({name:l,cell:m=>$u(m.attributes[l]),className:"cut"})),gu[n]]}function $u(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function _u({unit:e}){let t=Er[e],n=Nr($.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return c`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>c`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function Ca({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(fu),m=we(n),u=c`<${H} of=${o.data} />
    <${_u} unit=${m} />
    <a href=${s}>events</a>
    <${Le} query=${n} value=${$.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=ye($.value.params.get("box")),d=p&&tr(p),f=o.data&&`${_(l.length)} of ${_(o.data.matched)}`+(d?`, began ${Q(d.from,1e9)} to ${Q(d.to,1e9)}`:"");return c`<${P}
    title=${`Kept ${m}`}
    note=${f}
    tools=${u}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${K}
        label=${`Kept ${m}`}
        columns=${bu(l,r,m)}
        rows=${l}
        rowKey=${h=>h.recording+h.id}
        href=${h=>ze(m,h.recording,h.id,h.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Ur=10,Ir=["http_route","http.route","route","endpoint"],vu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function yu(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!vu.test(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>Ir.includes(s)?Ir.indexOf(s):Ir.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function xu(e,t){return e.flatMap(r=>{let{type:s,requests_in:o,requests_out:a,p50_ns:i,p99_ns:l,top:m}=r,u=r.attributes.find(b=>b.key===t)?.values??[];if(u.length===0)return[{type:s,value:null,all:o,kept:a,p50_ns:i,p99_ns:l,top:m}];let p=u.map(({value:b,requests_in:g,requests_out:x,...v})=>{let{p50_ns:S,p99_ns:w,top:M}=v;return{type:s,value:b,all:g,kept:x,p50_ns:S,p99_ns:w,top:M}}),d=p.reduce((b,g)=>b-g.all,o),f=p.reduce((b,g)=>b-g.kept,a),h={type:s,value:null,all:d,kept:f,p50_ns:null,p99_ns:null,top:null};return d>0?[...p,h]:p}).sort((r,s)=>s.all-r.all)}var Dr=(e,t)=>`${e}=${t}`,Ma=e=>$.value.params.getAll("where").includes(e);function wu(e,t){let n=Dr(e,t),r=$.value.params.getAll("where").filter(s=>!s.startsWith(Dr(e,"")));return ve({where:Ma(n)?r:[...r,n]})}function ku({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&c` <span class="dim">${s}</span>`;if(r===null||t===null)return c`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=Ma(Dr(t,r));return c`<a
      href=${wu(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}var Pa=e=>e===null?"":y(e);function Su(e,t,n){return[{name:e??"type",cell:r=>c`<${ku} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},{name:"per second",cell:r=>c`<span title=${`${_(r.all)} requests`}>
          ${t===null?"":_(Number((r.all/t).toPrecision(3)))}
        </span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Pa(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Pa(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"most time of the kept",cell:r=>c`<${an} of=${r.top} />`},{name:"kept",cell:r=>c`<span title=${`${_(r.kept)} of ${_(r.all)}`}>
          ${r.all>0?B(r.kept/r.all):""}
        </span>`,isNumber:!0,sort:r=>r.kept}]}function Ru({keys:e,chosen:t}){return c`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>c`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Aa({answer:e,url:t,requests:n,seconds:r}){let[s,o]=O(!1),a=yu(n),i=$.value.params.get("key"),l=i!==null&&a.includes(i)?i:a[0]??null,m=xu(n,l),u=l===null||n.length>1,p=c`<${H} of=${e.data} />
    ${l!==null&&a.length>1&&c`by <${Ru} keys=${a} chosen=${l} />`}
    <${U} url=${t} />`;return c`<${P}
    title="Routes"
    note=${m.length>0?`${_(m.length)} of them`:""}
    tools=${p}
    answer=${e}
    className="routes"
  >
    ${m.length>0&&c`<${K}
        label="Routes"
        columns=${Su(l,r,u)}
        rows=${m}
        rowKey=${d=>`${d.type} ${d.value}`}
        rowsMax=${s?void 0:Ur}
      />`}
    ${m.length>Ur&&!s&&c`<button class="plain more" onClick=${()=>o(!0)}>
        ${_(m.length-Ur)} more
      </button>`}
  <//>`}var Tu=50,Ou=6n*3600000000000n,Br=60000000000n,Ea=["trace","thread","id"];function Cu({from:e,to:t}){let n=Ke.value?(e+Br-1n)/Br*Br:e;return{from:n<t?n:e,to:t}}function Pu(e,t){return e.getAll("where").length-t.getAll("where").length>0||Ea.some(r=>e.has(r))}function Mu(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?lt(t,we(e)):null}function Au({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return Zt(BigInt(e),t,s,r)}function Lu({data:e,seconds:t,jvms:n,unit:r}){let s=pt(e.columns),o=u=>{let p=Xe(s,u);return p===null?"-":y(p)},a=u=>(n?.recordings??[]).reduce((p,d)=>p+u(d),0),i=a(u=>u.bytes_out),l=a(u=>u.bytes_in),m=(u,p,d="")=>c`<span title=${d}><b>${u}</b>${p}</span>`;return c`<div class="facts">
    ${m(`${_(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${_(e.all)}`)}
    ${n&&m(_(n.recordings.length),"JVMs","that ran in this time")}
    ${m(o(.5),"median")} ${m(o(.99),"p99")}
    ${m(e.all>0?B(e.kept/e.all):"-",`kept, ${_(e.kept)}`)}
    ${l>0&&m(`${ce(i)} of ${ce(l)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Eu(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return ve({value:n?e:null,frame:t!==null?xn(t):n?null:xn(r),zoom:null})}function Nu({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=$.value,a=lt(rt($.value,ee.value),n),i=lt(jo($.value,ee.value),n),l=o.has("box")&&Ke.value?0:N.value,m=["box","where","min_duration_ns","max_duration_ns",...Ea].some(w=>o.has(w)),p=i.has("base")||o.has("base_box")||!m?i:Z(i,{base:"rest"}),d=k(n,lt(a,"contexts"),{sort:Nr(o,n)}),f=sn(d,Tu,l),h=R(kn(i),l),{data:b}=f.answer;if(b?.matched===0&&!b.is_truncated&&e.data)return c`<section>
      <${Oa}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let g=new Map(r.map(w=>[w.id,w.instance])),v={service:a.get("service"),sort:null,view:null,unit:null,key:null},S=o.has("box")&&n==="contexts"?ie($e("e"),a):ie($e("e"),Z(o,{...v,box:null,base_box:null}));return c`<div class="three">
      <${Rn} query=${a} base=${Mu(i)} tick=${l} hrefOf=${Eu} />
      <${Qs}
        query=${p}
        tick=${l}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
      <${Us} url=${kn(i)} answer=${h} />
    </div>
    <${ut} query=${i} tick=${l} whole=${h} />
    <${Ca}
      pages=${f}
      url=${d}
      query=${a}
      instances=${g}
      eventsHref=${S}
    />`}function Uu(e,t){return[e&&e.unknown>0&&`${_(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function La(e,t,n){let r=k("contexts/heatmap",e),s=n&&t&&!e.has("where"),o=R(s?r:null,N.value),a=k("contexts/heatmap",e,{exemplars:"0"}),i=R(n&&!o.data?a:null,N.value),l=o.data?o:i,{data:m}=l,u=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,p=k("contexts/heatmap",Z(e,{where:null})),d=R(u?p:null,N.value);return u&&d.data?{heat:d,heatUrl:p,isOfAll:!0}:{heat:l,heatUrl:r,isOfAll:!1}}function Iu(e,t){let n=cs($.value.params),r=n!=="contexts",s=La(lt(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),l=La(e,t,i);return i?{...l,unit:"contexts"}:{...s,unit:"requests"}}function Du(e){let[t,n]=O(!1);return he(()=>{e&&n(!0)},[e]),t}function Na(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=Cu(ee.value),s=Wo($.value,r),[o,a]=O(!1),{heat:i,heatUrl:l,isOfAll:m,unit:u}=Iu(s,o),p=Du(i.data!==null||i.problem!==null),d=Z(s,{where:null,context:null}),f=k("contexts/types",d),h=R(u==="requests"||p?f:null,N.value),b=h.data?.requests??[],g=i.data&&Au(i.data,r),x=Z(d,{recording:null}),v=R(p?k("recordings",x):null,N.value),S=v.data?.recordings??[],w=m||Pu(e,s),M=n-t<=Ou||e.get("whole")==="1"||ye(e.get("box"))!==null||e.has("trace"),E=nt($.value),z=[{name:"services",href:D([])},{name:E===null?"all":_e(E)}],j=i.data?.all===0&&v.data!==null&&S.length===0;return c`<${ne} crumbs=${z}>
    ${i.data&&c`<${Lu} data=${i.data} seconds=${g} jvms=${v.data} unit=${u} />`}
    <${ta}
      types=${h.data?.types??[]}
      instances=${[...new Set(S.map(Oe=>Oe.instance))]}
    />
    ${u==="requests"&&c`<${Aa}
        answer=${h}
        url=${f}
        requests=${b}
        seconds=${g}
      />`}
    ${!j&&c`<${Ta}
        answer=${i}
        url=${l}
        unit=${u}
        isEither=${b.length>0}
        note=${Uu(i.data,w)}
        onPoint=${()=>a(!0)}
      />`}
    ${p&&M&&c`<${Nu}
        key=${u}
        heat=${i}
        heatUrl=${l}
        unit=${u}
        recordings=${S}
        isNarrowed=${w}
      />`}
    ${p&&!M&&c`<section>
        <${q} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Ua=e=>e===null?"":y(e);function Bu(e,t){let n=({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?Zt(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a};return[{name:"service",cell:r=>c`<b>${_e(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>_(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>_(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>c`${_(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Ua(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Ua(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?B(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>c`<${an} of=${r.top} />`},{name:"p99 over time",cell:r=>c`<${Zo} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function Ia(){let{from:e,to:t}=ee.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=k("services",n),s=R(r,N.value),o=(s.data?.services??[]).map(us),a=c`<${K}
    label="Services"
    columns=${Bu(s.data,ee.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>D(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,l=c`<${H} of=${s.data} /><${U} url=${r} />`;return c`<${ne}>
    <${P}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${l}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&c`<${Ne} />`}
    <//>
  <//>`}function qu({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function Fu({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
  </div>`}var Hu=e=>e===null?"":pe(BigInt(e));function Da({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Hu(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function ju({of:e}){return e.state==="eliminated"?c`<${q} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Da} of=${e} />
      <//>`:c`<${q} title="Not seen">
        No context of this trace is known here. <${Da} of=${e} />
      <//>`}function Ba(){let e=$.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=r?qu(r,e):[],o=BigInt(r?.t0_ns??"0"),a=Wu(e,o,s),i=new Set(s.map(p=>p.service)).size,l=new Set(s.map(p=>p.recording)).size,m=c`<${H} of=${r} />
    ${s.length>0&&c`<${Le} query=${a} />`} <${U} url=${t} />`,u=s.length>0&&`${Se(s.length,"context")} kept, ${Se(i,"service")}, ${Se(l,"JVM")}, from ${pe(o)}`;return c`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${Fu} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${ju} of=${r} />`}
    <//>
    ${s.length>0&&c`<${Rn} query=${a} tick=${N.value} />
        <${ut} query=${a} tick=${N.value} />`}
  <//>`}function Wu(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function qa(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(k(o,new URLSearchParams,{from:s})),{data:i}=a,l=i?.parts[0];he(()=>{if(i&&l){let u=BigInt(i.t0_ns)+BigInt(Math.round(l.start));ue(Te(n,l.id,u),!0)}},[i]);let m=[{name:"services",href:D([])},{name:"request"}];return c`<${ne} crumbs=${m}>
    <${P} title="Request" note=${r} answer=${a}>
      ${i&&!l&&c`<${q} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function Vu([e]){switch(e){case void 0:return Ia;case"c":return Zs;case"e":return rs;case"q":return qa;case"r":return ls;case"s":return Na;case"t":return Ba;default:return ss}}var Ku={s:"all services",e:"events",r:"recordings"};function Gu(){let{path:e}=$.value;return le.value===null?null:le.value.is_needed&&le.value.identity===null?c`<${os} />`:c`<${Vu(e)} key=${e.join("/")} /> <${zo} />`}vo();Do();qo();Po();Go();ge(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?Ku[t??""]??t:_e(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Yr(c`<${Gu} />`,document.body);})();
