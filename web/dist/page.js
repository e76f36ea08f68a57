"use strict";(()=>{var L,Or,Rn,ye,kn,Ot,Mr,Pt,Ar,Tn,Sn,xa,ct=Symbol.for("pv"),Mt={},At=[],ya=/^m(i|n|o|s|text|space)$/,Pn=Array.isArray,Cn=At.slice,Ie=Object.assign;function Ne(e){e&&e.parentNode&&e.remove()}function Lt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Cn.call(arguments,2):n),lt(e,a,r,s,null)}function lt(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ct,__v:s||++Or,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function Ue(e){return e.children}function Ve(e,t){this.props=e,this.context=t,this.__g=0}function we(e,t){if(t==null)return e.__&&we(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:we(e)}function wa(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Ie({constructor:ct},n)).__v=n.__v+1,L.vnode&&L.vnode(t),On(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||we(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Dr(s,t,o),n.__=n.__e=null,t.__e!=r&&Lr(t))}function Lr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Lr(e)}function Pr(e){(8&e.__g||(e.__g|=8,ye.push(e),Ot++))&&kn==L.debounceRendering||((kn=L.debounceRendering)||queueMicrotask)(Er)}function Er(){try{for(var e,t=1;ye.length;)ye.length>t&&ye.sort(Mr),e=ye.shift(),t=ye.length,8&e.__g&&wa(e)}finally{(Ot=ye.length)&&(kn||queueMicrotask)(Er)}}function Nr(e,t,n,r,s,o,a,i,c,m,u){var p,d,f,h,$,g,y=r.__k||At,x=t.length;for(c=ka(n,t,y,c,x),p=0;p<x;p++)(f=n.__k[p])!=null&&(d=~f.__i&&y[f.__i]||Mt,f.__i=p,g=On(e,f,d,s,o,a,i,c,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Mn(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),$=$||h,4&f.__u?(c=Ir(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),f.__u&=-21);return n.__e=$,c}function ka(e,t,n,r,s){var o,a,i,c,m,u,p,d,f,h=n.length,$=h,g=0,y=0,x=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=x[o]=lt(null,a):Pn(a)?a=x[o]=lt(Ue,{children:a}):a.constructor===ct&&a.__b?a=x[o]=lt(a.type,a.props,a.key,a.ref,a.__v):x[o]=a,c=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=Sa(a,n,c,$))&&($--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==c-1?g--:m==c+1?g++:m!=c&&(m>c?g--:g++,y=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):x[o]=null;if(y){for(u=[],p=[],o=0;o<s;o++)if((a=x[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<a.__i?g=f+1:d=f;u[g]=a.__i,p[o]=g+1}for(g=u.length;o--;)p[o]&&(p[o]==g?g--:x[o].__u|=4)}if($)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=we(i)),An(i,i));return r}function Ir(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=Ir(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=we(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Sa(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&o==null||c&&o==i.key&&a==i.type)return n;if(r>(c?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function Cr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Tt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Cr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Cr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Sn[t]||(Sn[t]=Ra(t)),(e.__a||(e.__a={}))[t]=Tn,o=t!=(t=t.replace(Ar,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Ra(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Pt]==null)t[Pt]=Tn++;else if(t[Pt]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function On(e,t,n,r,s,o,a,i,c,m){var u,p,d,f,h,$,g,y,x,T,w,A,N,G,te,We,S,I,X=t.type;if(t.constructor!==ct)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=o=[],u.nodeType==8?i=Ct(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof X=="function"){d=a.length;try{if(y=t.props,x=(u=X.prototype)&&u.render,T=(u=X.contextType)&&r[u.__c],w=u?T?T.props.value:u.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(x?t.__c=f=new X(y,w):(t.__c=f=new Ve(y,w),f.constructor=X,f.render=Pa),T&&T.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),x&&(f.__s||(f.__s=f.state),X.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Ie({},f.__s)),Ie(f.__s,X.getDerivedStateFromProps(y,f.__s)))),h=f.props,$=f.state,f.__v=t,n.__c){if(y!==h&&x&&!X.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(y,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(y,f.__s,w)===!1){t.__v!=n.__v&&(f.props=y,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(W){W&&(W.__=t)}),At.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=we(n);break e}f.componentWillUpdate&&f.componentWillUpdate(y,f.__s,w),x&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,$,g)})}else x&&!X.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),x&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=y,f.__P=e,f.__g&=-5,A=L.__r,N=x?25:0;do f.__g&=-9,A&&A(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++N<25);x&&(At.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Ie({},r,f.getChildContext())),x&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,$)),G=u&&u.type===Ue&&u.key==null?u.props.children:u,y.__P&&(u=i,s=(e=y.__P).namespaceURI,c=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(W){W&&An(W,W)}),n.__k=null),i=n.__k?we(n,0):null),i=Nr(e,Pn(G)?G:[G],t,n,r,s,o,a,i,c,m),y.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(Ne),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(W){if(a.length=d,t.__v=null,c||o)if(W&&W.then){if(t.__u|=128|c,o){for(~(S=o.indexOf(i||void 0))||(S=o.length);(I=o[S-1])&&I.nodeType==8;)S--;for(;S<o.length;S++)if(I=o[S])if(o[S]=null,te){if(I==We)break}else{if(I.nodeType!=8)break;I.data.startsWith("$s")&&(We=Ct(te=I))}}if(!te){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;te=i}(u=Ct(te=t.__c.__z||(t.__c.__z=te)))?(t.__e=te,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Ne);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),W&&W.then||Ur(t),L.__e(W,t,n)}}else i=t.__e=Ta(n.__e,t,n,r,s,o,a,c,m,e);return(u=L.diffed)&&u(t),i}function Ct(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ur(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ur))}function Dr(e,t,n){for(var r=0;r<n.length;)Mn(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Ta(e,t,n,r,s,o,a,i,c,m){var u,p,d,f,h,$,g,y,x=n.props||Mt,T=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(y=m.ownerDocument||document,!w)return y.createTextNode(T);e=y.createElementNS(s,w,T.is?T:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&T.defaultValue!=null?null:o&&Cn.call(m.childNodes),!i&&o)for(x={},u=0;u<e.attributes.length;u++)x[(h=e.attributes[u]).name]=h.value;for(u in x)h=x[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in T||u=="value"&&"defaultValue"in T||u=="checked"&&"defaultChecked"in T||Tt(e,u,null,h,s);for(u in T)h=T[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?$=h:u=="checked"?g=h:i&&typeof h!="function"||x[u]===h||Tt(e,u,h,x[u],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&ya.test(w))&&(s="http://www.w3.org/1999/xhtml"),Nr(m,Pn(f)?f:[f],t,n,r,s,o,a,o?o[0]:n.__k&&we(n,0),i,c),o&&o.some(Ne)),i&&w!="textarea"||(u="value",w=="progress"&&$==null?e.removeAttribute(u):$==null||$===e[u]&&(w!="progress"||$)||Tt(e,u,$,x[u],s),u="checked",g!=null&&g!=e[u]&&Tt(e,u,g,x[u],s))}else x===T||i&&e.data==T||(e.data=T);return e}function Mn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function An(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Mn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&An(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Ct(r,o=[]))&&(r==e.__e&&o.some(Ne),Ne(s),Ne(r)),n||Ne(e.__e),e.__e=e.__c=e.__=null}function Pa(e,t,n){return this.constructor(e,n)}function Br(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=lt(Ue,{children:[e]}),s=[],o=[],On(t,t.__k,r||Mt,Mt,t.namespaceURI,r?null:t.firstChild?Cn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),Dr(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Ot=0,e}},Or=0,Rn=function(e){return e!=null&&e.constructor===ct},Ve.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ie({},this.state)),typeof e=="function"&&(e=e(Ie({},n),this.props)),e&&(Ie(n,e),this.__v&&(t&&this.__k.push(t),Pr(this)))},Ve.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Pr(this))},Ve.prototype.render=Ue,ye=[],Ot=0,Mr=function(e,t){return e.__v.__b-t.__v.__b},Pt=Symbol(),Ar=/(PointerCapture)$|Capture$/i,Tn=0,Sn={},xa=0;var Ge,K,Ln,Fr,En=Object.is,mt=0,Xr=[],Nn=[],V=L,Hr=V.__b,jr=V.__r,qr=V.diffed,Wr=V.__c,Vr=V.unmount,Gr=V.__;function Et(e,t){V.__h&&V.__h(K,e,mt||t),mt=0;var n=K.__H||(K.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return mt=1,Ca(zr,e)}function Ca(e,t,n){var r=Et(Ge++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):zr(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);En(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=K,!K.__f)){K.__f=!0;var s=K.shouldComponentUpdate;K.shouldComponentUpdate=function(o,a,i){var c=this.__H;if(!c)return!0;var m=!1,u=this.props!=o;if(c.__.some(function(d){d.__N&&(m=!0,En(d.__[0],d.__N[0])||(u=!0))}),s){var p=s.call(this,o,a,i);return m?p||u:p}return!m||u}}return r.__}function $e(e,t){var n=Et(Ge++,3);!V.__s&&Un(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,K.__H.__h.push(n))}function De(e,t){var n=Et(Ge++,4);!V.__s&&Un(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,K.__h.push(n))}function se(e){return mt=5,M(function(){return{current:e}},[])}function M(e,t){var n=Et(Ge++,7);return Un(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Nt(e,t){return mt=8,M(function(){return e},t)}function Oa(){var e;do{for(;e=Nn.shift();)try{ut(e)}catch(n){V.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Xr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ut),t.__h.some(In),t.__h=[]}catch(n){t.__h=[],V.__e(n,e.__v)}}}while(Nn.length)}V.__b=function(e){K=null,Hr&&Hr(e)},V.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Gr&&Gr(e,t)},V.__r=function(e){jr&&jr(e),Ge=0;var t=(K=e.__c).__H;t&&(Ln==K?K.__h=[]:(t.__h.some(ut),t.__h.some(In),Ge=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ln=K},V.diffed=function(e){qr&&qr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Jr(Xr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ln=K=null},V.__c=function(e,t){t.some(function(n){try{n.__h.some(ut),n.__h=n.__h.filter(function(r){return!r.__||In(r)})}catch(r){n.__h=[function(){throw r}]}}),Wr&&Wr(e,t)},V.unmount=function(e){Vr&&Vr(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Jr(Nn.push(s))}else ut(s)}catch(o){t=o}}),r.__H=void 0,t&&V.__e(t,r.__v))};var Kr=typeof requestAnimationFrame=="function";function Ma(e){var t,n=function(){clearTimeout(r),Kr&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Kr&&(t=requestAnimationFrame(n))}function Jr(e){e!=1&&Fr==V.requestAnimationFrame||((Fr=V.requestAnimationFrame)||Ma)(Oa)}function ut(e){var t=K,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),K=t}function In(e){var t=K;e.__c=e.__(),K=t}function Un(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!En(n,e[r])})}function zr(e,t){return typeof t=="function"?t(e):t}var Aa=Symbol.for("preact-signals");function Bt(){if(_e>1)_e--;else{var e,t=!1;for((function(){var s=Ut;for(Ut=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();ft!==void 0;){var n=ft;for(ft=void 0,It++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Zr(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(It=0,_e--,t)throw e}}function Bn(e){if(_e>0)return e();Dn=++La,_e++;try{return e()}finally{Bt()}}var pt,H=void 0;function dt(e){var t=H,n=pt;H=void 0,pt=void 0;try{return e()}finally{H=t,pt=n}}var ft=void 0,_e=0,It=0,La=0,Dn=0,Ut=void 0,Dt=0;function Yr(e){if(H!==void 0){var t=e.n;if(t===void 0||t.t!==H)return t={i:0,S:e,p:H.s,n:void 0,t:H,e:void 0,x:void 0,r:t},H.s!==void 0&&(H.s.n=t),H.s=t,e.n=t,32&H.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=H.s,t.n=void 0,H.s.n=t,H.s=t),t}}function z(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}z.prototype.brand=Aa;z.prototype.h=function(){return!0};z.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:dt(function(){var r;(r=t.W)==null||r.call(t)}))};z.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&dt(function(){var s;(s=t.Z)==null||s.call(t)}))}};z.prototype.subscribe=function(e){var t=this;return he(function(){var n=t.value;dt(function(){return e(n)})},{name:"sub"})};z.prototype.valueOf=function(){return this.value};z.prototype.toString=function(){return this.value+""};z.prototype.toJSON=function(){return this.value};z.prototype.peek=function(){var e=this;return dt(function(){return e.value})};Object.defineProperty(z.prototype,"value",{get:function(){var e=Yr(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(It>100)throw new Error("Cycle detected");(function(n){_e!==0&&It===0&&n.l!==Dn&&(n.l=Dn,Ut={S:n,v:n.v,i:n.i,o:Ut})})(this),this.v=e,this.i++,Dt++,_e++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Bt()}}}});function le(e,t){return new z(e,t)}function Zr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Qr(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function eo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Be(e,t){z.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Dt-1,this.f=4}Be.prototype=new z;Be.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Dt))return!0;if(this.g=Dt,this.f|=1,this.i>0&&!Zr(this))return this.f&=-2,!0;var e=H;try{Qr(this),H=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return H=e,eo(this),this.f&=-2,!0};Be.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}z.prototype.S.call(this,e)};Be.prototype.U=function(e){if(this.t!==void 0&&(z.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Be.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Be.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Yr(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ke(e,t){return new Be(e,t)}function to(e){var t=e.j;if(e.j=void 0,typeof t=="function"){_e++;var n=H;H=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Fn(e),r}finally{H=n,Bt()}}}function Fn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,to(e)}function Ea(e){if(H!==this)throw new Error("Out-of-order effect");eo(this),H=e,this.f&=-2;try{8&this.f&&Fn(this)}finally{Bt()}}function Ke(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,pt&&pt.push(this)}Ke.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Ke.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,to(this),Qr(this),_e++;var e=H;return H=this,Ea.bind(this,e)};Ke.prototype.N=function(){2&this.f||(this.f|=2,this.u=ft,ft=this)};Ke.prototype.d=function(){this.f|=8,1&this.f||Fn(this)};Ke.prototype.dispose=function(){this.d()};function he(e,t){var n=new Ke(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var no,Ht,Ft,Na=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var ro=[];he(function(){no=this.N})();function Je(e,t){L[e]=t.bind(null,L[e]||function(){})}function ht(e){if(Ft){var t=Ft;Ft=void 0,t()}Ft=e&&e.S()}function oo(e){var t=this,n=e.data,r=Ua(n);r.name="ReactiveDom",r.value=n;var s=M(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var m=ke(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),u=ke(function(){return!Array.isArray(m.value)&&!Rn(m.value)}),p=he(function(){if(this.N=so,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}oo.displayName="ReactiveTextNode";Object.defineProperties(z.prototype,{constructor:{configurable:!0,value:Lt(Ue,null).constructor},type:{configurable:!0,value:oo},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Je("__b",function(e,t){if(ht(),Ht=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof z&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});Je("__r",function(e,t){if(e(t),t.type!==Ue){ht();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return he(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;Na&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Ht=r,ht(n)}});Je("__e",function(e,t,n,r){ht(),Ht=void 0,e(t,n,r)});Je("diffed",function(e,t){ht(),Ht=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var c in r){var m=o[c],u=r[c];m===void 0?(m=Ia(n,c,u,s),o[c]=m):m.o(u,s)}}}e(t)});function Ia(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=le(n);return{o:function(a,i){o.value=a,r=i},d:he(function(){this.N=so;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}Je("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});Je("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});Ve.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Ua(e,t){return M(function(){return le(e,t)},[])}var Da=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Ba(){Bn(function(){for(var e;e=ro.shift();)no.call(e)})}function so(){ro.push(this)===1&&(L.requestAnimationFrame||Da)(Ba)}var Fa=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function Ha(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function ja(e){return e.split("/").filter(t=>t!=="").map(Ha)}function Hn(){return{path:ja(location.pathname),params:new URLSearchParams(location.search)}}var b=le({path:[],params:new URLSearchParams});function Xe(...e){return"/"+e.map(Fa).join("/")}function Y(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ae(e,t){let n=t.toString();return n===""?e:e+"?"+n}function Se(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=Hn()}function C(e,t=!1){Se(ae(location.pathname,Y(b.value.params,e)),t)}function Re(e){return ae(Xe(...b.value.path),Y(b.value.params,e))}function qa(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function D(e,t={}){return ae(Xe(...e),Y(qa(b.value.params),t))}function Wa(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),Se(t.pathname+t.search),scrollTo(0,0))}function ao(){addEventListener("popstate",()=>b.value=Hn()),addEventListener("click",Wa),b.value=Hn()}function bt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function v(e){if(e<0)return"-"+v(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):bt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var Va={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function io(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*Va[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ce(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):bt(t))+" "+n;t/=1e3}return bt(t)+" TB"}function _(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?bt(e/1e6)+" M":bt(e/1e9)+" G"}function ve(e,t){return`${_(e)} ${t}${e===1?"":"s"}`}function B(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function me(e,t){return t==="ns"?v(e):t==="bytes"?ce(e):_(e)}var gt=e=>String(e).padStart(2,"0");function Z(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${gt(n.getHours())}:${gt(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${gt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function xe(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${gt(t.getMonth()+1)}-${gt(t.getDate())}`}function pe(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function ge(e){return e||"(no name)"}function ne(e){return e.slice(e.lastIndexOf(".")+1)}function Te(e){return e.split(".").slice(-2).join(".")}var co=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,co(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},lo=new Map;function uo(e){var t=lo.get(this);return t||(t=new Map,lo.set(this,t)),(t=co(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",c=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):o===3&&(d||a)?(c.push(3,d,a),o=2):o===2&&a==="..."&&d?c.push(4,d,0):o===2&&a&&!d?c.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(c.push(o,0,a,s),o=6),d&&(c.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var p=0;p<n[u].length;p++)r=n[u][p],o===1?r==="<"?(m(),c=[c],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][p+1]===">")?(m(),o===3&&(c=c[0]),o=c,(c=c[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,c=c[0])}return m(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=uo.bind(Lt);function Ga(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function jt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await Ga(s*1e3,t.signal)}}async function qt(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ie=le(null),$t=le(!1),mo="/api/v1/login",po={"loupe-page":"1"},fo=e=>`the collector cannot be reached: ${String(e)}`;async function ho(e){if(!e.ok)return qt(e);let t=await e.json();return ie.value={is_needed:t.is_needed,identity:t.identity},null}async function go(e,t={}){try{return await ho(await fetch(mo,{method:e,headers:{...po,...t}}))}catch(n){return fo(n)}}async function bo(){await jt(mo,{headers:po}).then(ho).catch(fo)!==null&&(ie.value={is_needed:!1,identity:null})}async function $o(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await go("POST",{authorization:`Bearer ${e}`});return $t.value&&=t!==null,t}async function _o(){let e=await go("DELETE");return $t.value&&=e!==null,e}function vo(){$t.value||=ie.value?.identity!=null,ie.value={is_needed:!0,identity:null}}var jn=0;function xo(){return jn>0}async function Ka(e,t){let n=await jt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&vo();let o=r?await n.json():null,a=r?null:await qt(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=P(n);return De(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),c=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>o.signal.aborted||u(p);return jn++,Ka(e,o.signal).then(m(i),m(c)).finally(()=>jn--),()=>o.abort()},[e,t]),r}var Vt=["5m","15m","1h","6h","1d","7d","30d"],yo="1h",Ja=5e3,Xa={s:1,m:60,h:3600,d:86400},wo=()=>BigInt(Date.now())*1000000n,E=le(wo());function qn(){E.value=wo()}function ko(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Xa[t[2]])*1000000000n:null}function Wt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var _t=ke(()=>{let e=b.value.params.get("last")??yo;return ko(e)===null?yo:e}),Fe=ke(()=>b.value.params.get("live")==="1"),Q=ke(()=>{let{params:e}=b.value,t=Wt(e.get("to")??"")??E.value;return{from:Wt(e.get("from")??"")??t-ko(_t.value),to:t}}),za=18e10;function Gt(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=za;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function So(){let e=0;he(()=>{if(clearInterval(e),Fe.value){let t=()=>document.hidden||xo()||qn();e=window.setInterval(t,Ja)}})}var He=le(0),Wn=new Map;function F(e){let t=Wn.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Wn.set(e,t)),t}function Vn(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Ro(e,t,n){let r=Vn(t);return"#"+Vn(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var Ya=.2;function Kt(e){let[t,n,r]=Vn(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>Ya?"#101113":"#ffffff"}function To(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Wn=new Map,He.value++})}var Za={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Qa={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function ee(e){let t=e.startsWith("other: ")?e.slice(7):e;return Za[e]??{name:t,token:"other"}}function ze(e){return Qa[e]??"other: other"}function Jt(e){return e==="."?null:ee(ze(e))}var ei={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Pe(e){return(e.startsWith("jdk.")?ei[e.slice(4)]:void 0)??"other: "+e}var ti=/^(java|javax|jdk|sun|com\.sun)\./;function Ye(e){return ti.test(e)}function ue(e,t,n){return D(["c",e,t],n===void 0?{}:{at:String(n)})}function Xt(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function zt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var ni=1e3,Po=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function ri(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Po(e.url)===Po(t)?Math.min(ni,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Yt(e,t,n){let[r,s]=P([]),[,o]=P(""),a=se({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=ri(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:m}=a.current,u=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${u}`,n);$e(()=>{p.data&&!p.isLoading&&s([...m,...zt(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}var oi=["recording","instance","context","where","trace","thread","id"],si=["recording","instance","context"],ai=["min_duration_ns","max_duration_ns"];function be(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function vt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Zt(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function Gn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Co=30000000000n;function Kn({from:e,to:t}){return{from:e-Co,to:t+Co}}function Oo(e,t,n=""){Gn(e,Kn(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Ze({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Qe(e,t){let n=new URLSearchParams,r=Ze(e);r!==null&&n.set("service",r),Zt(n,e.params,oi);let s=be(e.params.get("box"));return s?Oo(n,s):(Gn(n,t),Zt(n,e.params,ai)),n}function Mo(e,t){let n=Qe(e,t),r=be(e.params.get("base_box"));if(!r)return Zt(n,e.params,["base"]),n;Oo(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function Ao(e,t){let n=new URLSearchParams,r=Ze(e);r!==null&&n.set("service",r),Zt(n,e.params,si),Gn(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return ae("/api/v1/"+e,Y(t,n))}function re({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${ee(e).token})`}}
  ></span>`}function Eo({of:e}){return e&&l`<${re} category=${e.category} />${ee(e.category).name}
      <span class="dim"> ${B(e.share)}</span>`}function No({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${ee(e).token})`;return l`<div class="bar" style=${{width:n,background:r}}></div>`}var Lo=120,Jn=22;function Io({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*Lo,c=Jn-1-o/n*(Jn-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(s?"":"h1"),s=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Lo} ${Jn}"
  >
    <path d=${r} />
  </svg>`}var ii=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${v(Number(e))}`],["max_duration_ns",e=>`\u2264 ${v(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function li(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}function ci(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function Qt({keys:e=[],values:t=[]}){let n=ii.flatMap(([r,s])=>b.value.params.getAll(r).map(o=>l`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>li(r,o)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${ci} aria-label="Add a condition on an attribute">
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
  </div>`}function Uo(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function ui(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,c])=>` \\
  --data-urlencode ${Uo(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${Uo(t+r)}${o.join("")}`}async function mi(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function U({url:e}){let[t,n]=P(!1);if(e===null)return null;let r=ui(e,location.origin,ie.value?.is_needed);return l`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await mi(r),n(!0)}} title=${r}>${t?"copied":"curl"}</button>
  </span>`}var pi=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ce({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([c])=>!c.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(c,m)=>k(m,r,{...c===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=k("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return l`<details class="menu">
    <summary>download</summary>
    <div>
      ${pi.map(([c,m,u])=>l`<a href=${o(c,m)} download title=${u}
            >${c}<small>${u}</small></a
          >`)}
      <a href=${"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function Do(e){return ae(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function en(e){return typeof e=="string"?e:JSON.stringify(e)}function Bo(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Xn(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function fi(e){return e.find(t=>!Ye(t))??e[0]??""}function di({item:e,columns:t}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${pe(e.start)}</dd>
        ${Bo(e).map(([n,r])=>[l`<dt>${n}</dt>`,l`<dd>${en(r)}</dd>`])}
      </dl>
      <ol>
        ${Xn(e).map(n=>l`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function tn({items:e,since:t,contextHref:n,label:r}){let[s,o]=P(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(c,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=c.values,$=t===void 0?Z(c.start):"+"+v(Number(c.start-t)),g=Bo(c).map(([A,N])=>`${A}=${en(N)}`),y=`${c.start} ${u} ${d} ${f}`,x=s===y,T=()=>o(x?null:y),w=n&&f!==null&&h?n(String(f),String(h)):null;return l`<tr key=${m} class=${x?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(x)} onClick=${T}>${$}</button>
        </td>
        <td title=${u}>
          <${re} category=${Pe(String(u))} />${ne(String(u))}
        </td>
        <td class="n">${typeof p=="number"?v(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${Xn(c)[0]}>
          ${Te(fi(Xn(c)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&l`<td data-name="context">${w&&l`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${x&&l`<${di} item=${c} columns=${a.length} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function j({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function hi({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function q({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:l`<span class="missing">${s.join("; ")}</span>`}function O({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r&&r.data!==null&&(r.isLoading||r.problem!==null);return l`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&l`<${hi} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function gi(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function bi({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=b.value,r=Y(n,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ae(Xe(...t),r)}>look at all of that time</a>.
  </p>`}function Oe(){let e=k("collector",new URLSearchParams),{data:t}=R(e,E.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<Q.value.from,r=Ze(b.value),s=a=>gi(a,location.hostname,ie.value?.is_needed),o=r===null?"":` of ${r}`;return l`<${j} title="No JVM${o} has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&l`<pre>${s(t.agents)}</pre>`}
    ${t&&n&&l`<${bi} of=${t} />`}
  <//>`}var $i=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,_i=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Fo=e=>e.replace(/\$(?=.)/g,"\\$");function Ho(e,{path:t,params:n}){if($i.test(e))return D(["t",e.toLowerCase()]);let r=t[0]==="s",s=_i.test(e);if(!r)return D(["s"],s?{where:e}:{frame:Fo(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:Fo(e)};return ae(Xe(...t),Y(n,a))}function vi(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(Se(Ho(s,b.value)),r.value="")},t="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function xi(){let{params:e}=b.value,t=Wt(e.get("from")??"")!==null,{from:n,to:r}=Q.value,s=i=>{let c=i.currentTarget.value;c!=="fixed"&&C({last:c,from:null,to:null,box:null,base_box:null})},o=Vt.includes(_t.value)?Vt:[_t.value,...Vt],a=`${pe(n)} to ${pe(r)}`;return l`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&l`<option value="fixed" selected>
          ${xe(n)} ${Z(n,1e9)} to ${Z(r,1e9)}
        </option>`}
      ${o.map(i=>l`<option value=${i} selected=${!t&&i===_t.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${qn} title="ask again">refresh</button>
    <button
      aria-pressed=${Fe.value?"true":"false"}
      onClick=${()=>C({live:Fe.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function yi(){let[e,t]=P(null),n=ie.value?.identity,r=async()=>t(await _o());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var wi=[["services",""],["events","e"],["recordings","r"]];function oe({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([o,a])=>l`<a href=${D(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?l`<a href=${a}>${o}</a>`:l`<b>${o}</b>`];return l`<header>
      <a class="logo" href=${D([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${wi.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${vi} />
      <${xi} />
      <${yi} />
    </header>
    <main>${t}</main>`}var ki=4;function Si(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function J({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=P(null),c=a===null?void 0:e[a]?.sort,u=(c?[...t].sort((f,h)=>Si(c(f),c(h))):t).slice(0,s),p=(f,h)=>{let $=a!==h?"none":f.isNumber?"descending":"ascending",g=f.sort?l`<button class="plain" onClick=${()=>i(h)}>${f.name}</button>`:f.name;return l`<th
      class=${(f.isNumber?"n ":"")+(f.sort?"sort":"")}
      title=${f.title}
      scope="col"
      aria-sort=${f.sort?$:void 0}
    >
      ${g}
    </th>`},d=(f,h,$)=>{let g=h.cell(f);return l`<td
      class=${(h.isNumber?"n ":"")+(h.className??"")}
      data-name=${$>0?h.name:void 0}
    >
      ${r&&$===0?l`<a href=${r(f)}>${g}</a>`:g}
    </td>`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class=${e.length>ki?"stacks":""}>
      <thead class=${e.some(f=>f.sort)?"sorts":""}>
        <tr>
          ${e.map(p)}
        </tr>
      </thead>
      <tbody>
        ${u.map(f=>l`<tr key=${n(f)} class=${r?"opens":""}>
              ${e.map((h,$)=>d(f,h,$))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var Ri=100,zn=e=>e===null?"":v(e),et=(e,t)=>b.value.params.getAll(e).includes(t);function Yn({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Ti({types:e}){let t=n=>Re({context:et("context",n)?null:n,key:null,where:null,event:null});return l`<${J}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${Yn} href=${t(n)} on=${et("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>_(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>_(n.contexts_out),isNumber:!0},{name:"median",cell:n=>zn(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>zn(n.p99_ns),isNumber:!0}]}
  />`}function jo({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return Re({where:et("where",s)?o:[...o,s],event:null})};return l`<${J}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${Yn}
            href=${n(r)}
            on=${et("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":_(r.all),isNumber:!0},{name:"kept",cell:r=>_(r.kept),isNumber:!0},{name:"p99",cell:r=>zn(r.p99_ns),isNumber:!0}]}
  />`}function Pi({name:e}){let t=Qe(b.value,Q.value);t.delete("where");let r=R(k("attributes",t,{limit:"100"}),E.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&l`<${jo} name=${e} rows=${s} />`}`}function Ci({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>l`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return l`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?l`<${Pi} name=${n.key} />`:l`<${jo} name=${n.key} rows=${r} />`}`}function Oi({of:e}){let t=n=>Re({event:et("event",n)?null:n});return l`<${J}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${re} category=${Pe(n)} /><${Yn}
              href=${t(n)}
              on=${et("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>_(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?v(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Mi({query:e}){let t=b.value.params.get("event"),n=k("events",e,{event:t}),{answer:r,items:s,more:o}=Yt(n,Ri,E.value),a=l`<${q} of=${r.data} /><${U} url=${n} />`;return l`<${O} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&l`<${tn} label="Events" items=${s} contextHref=${ue} />`}
    ${o&&l`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&l`<${j} title="No events here" />`}
  <//>`}function qo(){let e=b.value,t=Qe(e,Q.value),n=k("contexts/types",Li(t)),r=R(n,E.value),s=k("events/types",t),o=R(s,E.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=o.data&&`${_(o.data.events)} events`+Ai(o.data.contexts);return l`<${oe}>
    <${Qt} />
    <div class="three">
      <${O}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${Ti} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${Oe} />`}
      <//>
      <${O} title="Context values" note=${a?.type}><${Ci} of=${a} /><//>
      <${O}
        title="Event types"
        note=${i}
        tools=${l`<${q} of=${o.data} /><${U} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&l`<${Oi} of=${o.data} />`}
      <//>
    </div>
    <${Mi} query=${t} />
  <//>`}var Ai=e=>e===null?", in contexts or not":` in ${_(e)} contexts`;function Li(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function Wo(){let[e,t]=P(null),[n,r]=P(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await $o(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${$t.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function Vo(){return l`<${oe}>
    <${j} title="There is nothing here">
      <a href=${D([])}>Services</a> is where everything begins.
    <//>
  <//>`}function Ei(e){return e.replaceAll("_","-")}function xt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function yt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${Ei(t)} <b>${_(n)}</b></span
        >`)}
  </span>`}var Ko=e=>e.slice(0,19).replace("T"," "),Ni=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),nn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Go=(e,t)=>l`${_(e)} <span class="dim">of ${_(t)}</span>`,Ii=[{name:"service",cell:e=>l`<b>${ge(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>Ko(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${v(nn(e))}, running`:v(nn(e)),isNumber:!0,sort:nn},{name:"contexts kept",cell:e=>Go(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Go(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${ce(e.bytes_out)} <span class="dim">of ${ce(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Ni(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function Ui(){let{params:e}=b.value,{from:t,to:n}=Q.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=k("recordings",r),o=R(s,E.value),a=o.data?.recordings??[],i=l`<${q} of=${o.data} /><${U} url=${s} />`;return l`<${oe}>
    <${O} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&l`<${J}
          label="Recordings"
          columns=${Ii}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>D(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&l`<${Oe} />`}
    <//>
  <//>`}var Di=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>_(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>_(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ce(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ce(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${yt} of=${xt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Me(e,t){return l`<span><b>${e}</b>${t}</span>`}function Bi({of:e}){let t=e.contexts_in?B(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Me(e.is_running?"running":"ended",`${v(nn(e))} since ${Ko(e.start)} UTC`)}
    ${Me(t,`of ${_(e.contexts_in)} contexts kept`)}
    ${Me(_(e.events_out),`of ${_(e.events_in)} events kept`)}
    ${Me(ce(e.bytes_out),`of ${ce(e.bytes_in)} kept`)}
    ${Me(ce(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Me(v(e.waiting.duration_ns),`not compacted yet, ${ce(e.waiting.journal_bytes)}`)}
    ${Me(e.jvm_version,e.jvm_name)} ${Me(e.pid,`process, on ${e.instance}`)}
  </div>`}var Fi={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function Hi({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${_(r)} ${Fi[n]??n}</li>`)}
      </ul>`}function ji({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=k("policies/"+t,new URLSearchParams),r=R(n,E.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${O}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${l`<${U} url=${n} />`}
    answer=${r}
  >
    ${s?.refused&&l`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&l`<${J}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>o(a).join(", "),className:"w"}]}
      />`}
  <//>`}function qi({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=[{name:r?`${ge(r.service)}, ${r.instance}`:e}],o=l`<a href=${Do(e)} download>download .jfr</a><${U} url=${t} />`,a=r?xt(r.types):[];return l`<${oe} crumbs=${s}>
    <${O} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&l`<${Bi} of=${r} />`}
      ${n.status===404&&l`<${j} title="This collector has no such recording">
          <a href=${D(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${O}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?l`<${yt} of=${a} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${O} title="Lost" note="what is missing, and should not be"
          ><${Hi} of=${r}
        /><//>
        <${O} title="Event types">
          <${J}
            label="Event types"
            columns=${Di}
            rows=${Object.entries(r.types).sort((i,c)=>c[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${ji} service=${r.service} />`}
  <//>`}function Jo(){let e=b.value.path[1];return e===void 0?l`<${Ui} />`:l`<${qi} id=${e} />`}function Xo(e){let[t,n]=P({width:0,height:0,ratio:1});return De(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Zn(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function zo(e,{width:t,height:n,ratio:r},s,o){De(()=>{let a=t>0&&e.current&&Zn(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,He.value,...o])}function Wi(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=Zn(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function rn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=se(null),a=se(null),i=se(t),c=se(0);i.current=t;let m=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&o.current&&Wi(a.current,o.current,i.current)})};$e(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),$e(m,[t,n,r,He.value]),$e(()=>{let{scrollTop:d,clientHeight:f}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+f&&(o.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),$=f.clientY-h.top+o.current.scrollTop;d?.({x:f.clientX-h.left,y:$,width:h.width,event:f})},p=Math.min(n,r);return l`<div
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
  </div>`}var on=14,sn=8;function tt({at:e,children:t}){let n=se(null);return De(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+on+s>innerHeight-sn,i=Math.min(e.clientX+on,innerWidth-r-sn);o.left=`${Math.max(sn,i)}px`,o.top=`${a?Math.max(sn,e.clientY-on-s):e.clientY+on}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var tr=e=>e.charCodeAt(0);function Yo(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[tr(n.length===1?n:t),tr(r.length===1?r:t)]}var nr=e=>/\w/.test(String.fromCharCode(e)),Zo=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),ts=(e,t)=>t>=0&&t<e.length&&nr(e.charCodeAt(t)),an=(e,t)=>ts(e,t-1),ln=ts,Qn={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>an(e,t)!==ln(e,t),"\\B":(e,t)=>an(e,t)===ln(e,t),"\\<":(e,t)=>!an(e,t)&&ln(e,t),"\\>":(e,t)=>an(e,t)&&!ln(e,t)},Qo=e=>e>=48&&e<=57,er={"\\d":Qo,"\\D":e=>!Qo(e),"\\w":nr,"\\W":e=>!nr(e),"\\s":Zo,"\\S":e=>!Zo(e)},es={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},fe=class extends Error{},rr=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new fe;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new fe;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new fe;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new fe;if(r!==1/0&&r>255)throw new fe;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(es,r)?es[r]:void 0;if(n===":"?!s:r.length!==1)throw new fe;return n===":"?o=>s.test(String.fromCharCode(o)):tr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new fe;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new fe;t.push(this.range())}this.at++,this.addAtom(r=>Yo(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Qn,n)||Object.hasOwn(er,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new fe;if(Object.hasOwn(Qn,n))this.atom=null,this.add({holds:Qn[n]});else if(Object.hasOwn(er,n))this.addAtom(er[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=Yo(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function ns(e){try{return e.length>256?null:new rr(e).parse()}catch(t){if(t instanceof fe)return null;throw t}}function rs(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(m,u)=>{r[m]!==u&&(r[m]=u,s.push(m),n.count++)},a=[],i=!1,c=(m,u,p)=>{o(u,p);for(let d=s.pop();d!==void 0;d=s.pop()){let{takes:f,holds:h,jumps:$,isEnd:g}=e[d];i||=g===!0,f?m.push(d):h?.(t,p)&&o(d+1,p);for(let y of $??[])o(d+y,p)}};for(let m=0;;m++){if(c(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),p=[];for(let d of a)e[d].takes(u)&&c(p,d+1,m+1);a=p}}function mn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let p=n[u]-1;s[u]=p<0?-1:i[p],a[u]=p<0?0:c[p],p>=0&&(c[p]+=r[u]),c[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function ss(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<s&&m.push({node:d,x:0,width:n,row:f})}let u=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,$=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor($),n-1):$;f>=r&&(h>=1||g>=p[f-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return m}function as(e,t,n,r,s){let{weight:o,start:a,end:i,flame:c}=e,m=t;for(;m>0&&c.level[m]>s;)m=e.parent[m];if(m!==t||c.level[m]===s)return c.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+o[m];if(p&&c.level[m]===s)return m;m=p?m+1:i[m]}return-1}function is(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?ls(e,t)[c+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===c&&s[u]>0)return u;return n}default:return n}}function ls(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var un=4;function cs(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**un).toString(36).padStart(un,"0")}function pn(e,t){return ls(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(cs).join("")}function fn(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=un){let a=t.slice(o,o+un),i=s+1;for(;i<(e.end[s]??0)&&cs(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var Vi=1024,Gi=5e7;function us(e){let t=/^\/(.+)\/$/.exec(e);if(!t){let i=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(i),{isOver:()=>!1})}let n=ns(t[1]),r=new Map,s={count:0},o=()=>s.count>Gi;return n&&Object.assign(i=>(r.has(i)||r.set(i,!o()&&rs(n,i.slice(0,Vi),s)),r.get(i)),{isOver:o})}function ms(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=o[n.name[i]]===1;a+=c?s[i]:0,i=c?r[i]:i+1}return{names:o,weight:a}}var cn=(e,t)=>t>0?e/t:0;function ps({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(cn(r.total,n),cn(r.base_total??0,o)),i=cn(e[s],n)-cn(t?.[s]??0,o);return a>0?i/a:0}function fs(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function Ki({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!Ye(e.names[e.name[o]]))return o;return s}function os({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function ds(e,t){let{flame:n}=e,r=os(e,n.value),s=os(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&s[i]===0)continue;let m=c==="."?"c":c,u=n.names[n.name[Ki(e,i)]],p=o.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(m+u,p)}return[...o.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var de=18,Ji=22,hs=4,Xi=5,zi="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function Yi(e){return e.split(".").slice(0,-2).join(".")}function Zi(e){if(Ye(e))return"frame-jdk";let t=7;for(let n of Yi(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Xi}`}function Qi({names:e,kinds:t}){return e.map((n,r)=>{let s=Jt(t[r]??".");return F(r===0?"frame-root":s?s.token:Zi(n))})}var or=32,sr=e=>({fill:e,ink:Kt(e)});function gs(e){if(e.base_value===void 0){let s=Qi(e).map(sr);return e.name.map(o=>s[o])}let t=s=>Array.from({length:or+1},(o,a)=>sr(Ro(F("frame-same"),F(s),a/or))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:ps(e,o),i=Math.round(or*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function el(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function bs(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:c}=t,m=F("ink"),u=sr(F("accent"));e.font=zi,e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:$}of n){let g=$*de-r,y=s.name[d],x=d!==c&&s.level[d]<s.level[c],T=a!==null&&a.names[y]===1,w=x||a!==null&&!T,{fill:A,ink:N}=T?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=A,e.fillRect(f,g,Math.max(h-.5,.5),de-1),h>=Ji){let G=Math.floor((h-2*hs)/p);e.globalAlpha=1,e.fillStyle=w?m:N,e.fillText(el(s.names[y],G),f+hs,g+de/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),de-3))}}var tl=24,nl=3,ar=(e,t)=>B(t>0?e/t:0);function rl({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let c=me(n[i]/Math.max(1,a),o),m=me(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${ar(n[i],s)}, ${c} each, own ${m}`}function ol(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:c,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:m??0};return[{...u,name:"selection"},p]}function sl({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,c=ol(r,t),m=(u,p)=>l`<tr>
      <th scope="row">${u}</th>
      ${c.map(d=>l`<td class="n"><b>${me(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${ar(p(d),d.whole)}</td>
            <td class="n dim">${me(p(d),s)}</td>`)}
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
    ${n>0&&l`<div class="dim">${ar(i[t],i[n])} of ${o[a[n]]}</div>`}`}function $s({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=P(null),[i,c]=P(null),m=M(()=>i===null?-1:fn(e,i),[e,i]),u=o?.node??-1,p=M(()=>gs(s),[s,He.value]),d=Nt((w,{width:A,top:N,height:G})=>{let te=Math.floor(N/de),We=ss(e,t,A,te,Math.ceil((N+G)/de));bs(w,{flame:s,shades:p,zoom:t,found:n,marks:[m,u]},We,N)},[e,t,n,m,u,p]),f=({x:w,y:A,width:N})=>as(e,t,N,w,Math.floor(A/de)),h=w=>{let A=f(w),{clientX:N,clientY:G}=w.event;a(A<0?null:{node:A,at:{clientX:N,clientY:G}})},$=w=>{let A=f(w);A>=0&&w.event.button===0&&r(A)},g=w=>{let A=m<0?t:m;if(w.key.startsWith("Arrow")){let N=m<0?t:is(e,t,A,w.key);c(pn(e,N)),a(null)}else if(w.key==="Enter")r(A);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},y=m>=0?m:t,x=s.level[y],T=[Math.max(0,x-nl)*de,(x+1)*de];return l`<${rn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*de}
      heightMax=${tl*de}
      draw=${d}
      reveal=${T}
      onPoint=${h}
      onUp=${$}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&rl(s,m)}</div>
    ${o&&l`<${tt} at=${o.at}><${sl} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var al=500;function il(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>me(p/Math.max(1,r),t),a=p=>l`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${ll} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>o(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>B(n>0?p.total/n:0),m=p=>me(p/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,c)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function ll({kind:e}){let t=Jt(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function _s({tree:e,matches:t}){let n=fs(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),l`<div class="frames">
    <${J}
      label="Frames"
      columns=${il(e.flame)}
      rows=${n}
      rowsMax=${al}
      rowKey=${r=>r.name}
    />
  </div>`}var cl=8;function dn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function vs({url:e,answer:t}){let{data:n}=t,r=M(()=>n&&n.requests>0?ds(mn(n),cl):[],[n]),s=b.value.params.get("frame"),o=(c,m=0)=>me(c/Math.max(1,m),"ns"),a=c=>{let m=dn(c.name);return l`<tr key=${c.name+c.kind}>
      <td title=${c.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>C({frame:s===m?null:m,zoom:null})}
        >
          <${re} category=${ze(c.kind)} />${Te(c.name)}
        </button>
      </td>
      <td class="n">${o(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${o(c.base,n.base_requests)}</td>`}
      <td class="n dim">${B(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${q} of=${n} /><${U} url=${e} />`;return l`<${O} title="Top frames" tools=${i} answer=${t} className="top-frames">
    <table class="frames">
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
    </table>
  <//>`}var ir=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function hn({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function ul(e){let t=e.get("value")??"";return ir.some(([n])=>n===t)?t:"time"}function ml({value:e}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${ir.map(([t,n])=>l`<${hn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function pl({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return l`<${hn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all other contexts of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${hn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function fl({found:e,flame:t,matches:n}){let r=b.value.params.get("find")??"",s=r!==""&&n===null,o=b.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?B(e.weight/o):B(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;C({find:u===""?null:u},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function dl(){let e=b.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function hl({flame:e}){let t=(o,a)=>l`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>B(e.total>0?o/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):l`<span>
              <${re} category=${ze(o)} />${ee(ze(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${_(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function gl({requests:e,total:t,unit:n,...r}){let s=me(t/Math.max(1,e),n),o=r.base_requests??0,a=me((r.base_total??0)/Math.max(1,o),n),i=r.base_value?`; base: ${_(o)}, ${a} each`:"";return`${ve(e,"context")}, ${s} each${i}`}function gn(e){return k("flamegraph",e,{value:"time",frame:null})}function nt({query:e,tick:t,whole:n}){let{params:r}=b.value,s=ul(r),o=r.get("frame"),a=Y(e,{value:s,frame:o}),i=k("flamegraph",a),c=n!==void 0&&i===gn(e),m=R(c?null:i,t),u=m.problem===null?n?.data??null:null,p=c?n:{...m,data:m.data??u},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=M(()=>d&&mn(d,f),[d,f]),$=r.get("find")??"",g=M(()=>$===""?null:us($),[$]),y=M(()=>h&&g&&ms(h,g),[h,g]),x=r.get("flame")==="table",T=!h||h.weight.length===0||!(h.weight[0]>0),w=h?fn(h,r.get("zoom")??""):0,A=h&&l`<${$s}
      tree=${h}
      zoom=${w}
      found=${y}
      onZoom=${te=>C({zoom:pn(h,te)||null})}
    />`,N=l`<${q} of=${d} /><${Ce}
      query=${e}
      value=${s}
      frame=${o}
    /><${U} url=${i} />`,G=d?gl(d):"";return l`<${O} title="Flame graph" note=${G} tools=${N} answer=${p}>
    <div class="flame-tools">
      <${ml} value=${s} />
      <${dl} />
      <${pl} flame=${d} />
      <${fl} found=${y} flame=${d} matches=${g} />
      ${w>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${hn}
        isOn=${x}
        onChange=${()=>C({flame:x?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&T&&l`<${j} title="No ${ir.find(([te])=>te===s)[1]} in this selection" />`}
    ${!T&&(x?l`<${_s} tree=${h} matches=${g} />`:A)}
    ${d&&!T&&l`<${hl} flame=${d} />`}
  <//>`}function lr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function cr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),c=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,c-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function xs(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function ys(e,t,n,r,s){let o=cr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,c)=>a(i)-a(c)),o[0]?.box??null}function ws(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function ks({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Ss(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[o]).sort((c,m)=>a(c)-a(m));if(i)return{lane:o,box:i}}return t}var bl=560,$l=110,_l=4,vl=28,Ts=5,xl="11px Inter, system-ui, sans-serif",yl=500;function wl(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function bn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function kl(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function ur({count:e,name:t,duration:n}){return`${e>1?`${_(e)} \xD7 `:""}${ne(t)} \xB7 ${v(n)}`}function Sl(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",c=F(i?"hover":ee(s.kind).token);e.fillStyle=c,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=F(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=vl&&(e.fillStyle=i?F("ink"):Kt(c),e.fillText(kl(e,ur(s),a-2*Ts),o+Ts,n+20/2-1))}function Rl(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=F("panel"),e.fillRect(0,0,n,18);for(let o of ks(t,n/$l)){let a=Math.round((o-t.from)*s),i=o===0?"0":v(o),c=e.measureText(i).width;e.fillStyle=F("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=F("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function Tl(e,t,n,r){return Nt((s,{width:o,top:a,height:i})=>{let c=lr(e);s.font=xl,s.textBaseline="middle",Rl(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let p=c[u]-a;p>i||c[u+1]-a<0||cr(m,t,o).forEach(d=>Sl(s,d,p+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=F("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function Pl({title:e},t){return`${e}: ${ee(t.kind).name}, ${ur(t)}, at ${v(t.start)}`}function Cl({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${J}
    label="What is on the axis"
    rows=${t}
    rowsMax=${yl}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>v(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${re} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>_(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>v(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Ps({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=wl(b.value.params.get("part"),t),[a,i]=P(null),[c,m]=P(null),[u,p]=P(null),[d,f]=P(!1),h=M(()=>lr(e),[e]),$=c&&e[c.lane]?.boxes.includes(c.box)?c:null,g=Tl(e,o,[$?.box??null,a?.box??null],u),y=({x:S,y:I,width:X})=>{let W=xs(h,I),Ee=W<0?null:ys(e[W],o,X,S,I-h[W]);return Ee&&{lane:W,box:Ee}},x=S=>{if(u){p([u[0],Math.max(0,Math.min(S.x,S.width))]),i(null);return}let I=y(S),{clientX:X,clientY:W}=S.event;i(I&&{...I,at:{clientX:X,clientY:W}})},T=({lane:S,box:I})=>{let X=n?.(e[S],I)??null;X!==null&&r?r(X):bn({from:I.start,to:I.start+Math.max(1,I.duration)})},w=({x:S,event:I})=>{I.button===0&&I.pointerType!=="touch"&&(I.target.setPointerCapture(I.pointerId),p([S,S]))},A=S=>{p(null);let[I=0,X=0]=u?[...u].sort((Ee,va)=>Ee-va):[],W=y(S);if(X-I>=_l){let Ee=(o.to-o.from)/S.width;bn({from:o.from+I*Ee,to:o.from+X*Ee})}else W&&T(W)},N=e.findIndex(({boxes:S})=>S.length>0),G=S=>{if(S.key.startsWith("Arrow")&&N>=0)m($?Ss(e,$,S.key):{lane:N,box:e[N].boxes[0]});else if(S.key==="Enter"&&$)T($);else if(S.key==="Escape"||S.key==="Backspace")bn(null);else return;S.preventDefault()},te=$?h[$.lane]+20+$.box.level*20:0,We=b.value.params.get("part")!==null;return l`<${rn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${bl}
      draw=${g}
      reveal=${$?[te-20-20,te+20]:void 0}
      onPoint=${x}
      onDown=${w}
      onUp=${A}
      onLeave=${()=>i(null)}
      onKey=${G}
    >
      ${e.map((S,I)=>l`<div class="lane-title" key=${S.key} style=${{top:`${h[I]}px`}}>
            ${S.href?l`<a href=${S.href}>${S.title}</a>`:S.title}
            <small title=${S.note}>${S.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${$&&Pl(e[$.lane],$.box)}</div>
    ${a&&l`<${tt} at=${a.at}>
        <b>${ur(a.box)}</b>
        <div>${a.box.name}, ${ee(a.box.kind).name}</div>
        <div class="dim">at ${v(a.box.start)}</div>
      <//>`}
    ${We&&l`<button onClick=${()=>bn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${S=>f(S.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&l`<${Cl} lanes=${e} />`}
    </details>`}var Ol=3;function Ml(e,{category:t,is_count:n}){let r=e.slices.find(a=>a.category===t),s=(n?r?.events:r?.total_ns)??0,o=e.requests?s/e.requests:0;return n?`${o.toFixed(1)} x`:v(o)}function Al({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${_(t.events)} in ${ve(t.requests,"context")}, ${v(t.total_ns)} in all`}
        >
          ${_(t.per_request)} x ${Te(t.frame)}
          <span class="dim"> ${ee(t.category).name}, ${v(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Ll({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=s&&!e.is_count,a=(p,d)=>o?l`<a href=${s(e.category,d)}>${p}</a>`:p,i=p=>e.is_count?`${(p.events/t.requests).toFixed(1)} x`:v(p.total_ns/t.requests),c=p=>e.is_count?"":B(p.total_ns/Math.max(1,t.total_ns)),m=e.top.slice(0,Ol).filter(p=>e.is_count||p.total_ns>0),u=o?"opens":"";return l`<tr
      class=${u}
      title=${`${v(e.total_ns)} in all, ${_(e.events)} events`}
    >
      <th scope="row">
        <${re} category=${e.category} />${a(ee(e.category).name,null)}
      </th>
      <td class="fill"><${No} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${i(e)}</td>
      ${r&&l`<td class="n dim">${Ml(r,e)}</td>`}
      <td class="n dim">${c(e)}</td>
    </tr>
    ${m.map(p=>l`<tr class=${`frame ${u}`} title=${p.frame}>
            <td colspan="2">${a(Te(p.frame),p.frame)}</td>
            <td class="n">${i(p)}</td>
            ${r&&l`<td></td>`}
            <td class="n dim">${c(p)}</td>
          </tr>
          ${p.via&&l`<tr class="frame via" title=${p.via}>
              <td colspan="2">via ${Te(p.via)}</td>
              <td colspan=${r?3:2}></td>
            </tr>`}`)}`}function mr({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return l`<table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th></th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title="each of those to compare with">base</th>`}
          <th scope="col" class="n">share</th>
        </tr>
      </thead>
      <tbody>
        ${e.slices.map(s=>l`<${Ll}
              key=${s.category}
              slice=${s}
              of=${e}
              largest=${r}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${Al} of=${e} />`}`}function $n({query:e,base:t=null,tick:n,hrefOf:r}){let s=k("why",e),o=R(s,n),a=R(t&&k("why",t),n),{data:i}=o,c=l`<${q} of=${i} /><${U} url=${s} />`,m=i&&i.requests>0?`mean of ${ve(i.requests,"context")}, ${v(i.total_ns/i.requests)} each`:"";return l`<${O}
    title="Why"
    note=${m}
    tools=${c}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&l`<${mr} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&l`<${j} title="No kept context is in this selection" />`}
  <//>`}var pr=8192,Cs=60000000000n,Os=5,El=2000000000n;function Ms(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function As({t0_ns:e,events:t,is_truncated:n}){return zt({...t,t0_ns:e,next:null,is_truncated:n})}function fr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=Ms(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let c=Ms(s,"monitorClass")??"",m={thread:o,monitor:c,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function dr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,c,m,u,p]of e.rows){let d={level:o,start:a+n,duration:i,kind:c,name:m,count:u,id:p};r[s]?.boxes.push(d)}return r}function Nl(e,t,n){return zt(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),c=Pe(o),m={level:0,start:Number(r-t),duration:i,kind:c,name:o};return a?[{...m,count:1,id:null}]:[]})}function Il(e,t,n,r){let s=BigInt(e.t0_ns),a=dr(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),c=Nl(r,s,new Set([e.type,...i])),m=ws([...a,...c]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${ne(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function Ul(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-El)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?k(m,r,u):null,o=R(s("timeline",{width:String(pr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=M(()=>t&&o.data&&a.data?Il(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),c=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:c}}function Dl(e){let t=M(()=>fr(e),[e]),n=[];for(let i=0;i<Os;i++){let c=n.every(m=>m.isAnswered);n.push(Ul(e,c?t[i]:void 0))}let r=t.slice(Os),s=v(r.reduce((i,c)=>i+c.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return M(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function Bl(e){let t=Xt(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Cs)});r.set("to",String(n+BigInt(e.duration)+Cs));let s=String(pr),o=R(t&&k("timeline",r,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return M(()=>(o?dr(o,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:D(["t",t])}}),[e,o,i])}function Ls(e,t){let n=R(k("timeline",t,{width:String(pr)})).data,r=Dl(e),s=Bl(e);return M(()=>{let o=n?dr(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(u.thread),i=o.filter(({thread:u})=>u===null),c=o.filter(({thread:u})=>u!==null),m=`this one, ${v(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...c.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var Es=300000000000n,Fl=100,rt=({t0_ns:e})=>BigInt(e);function hr(e){let t=rt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function Hl(e){let t=hr(e);if(b.value.params.get("base")==="rest"){let n=rt(e);t.set("from",String(n-Es)),t.set("to",String(n+Es)),t.set("context",e.type),t.set("base","rest")}return t}function jl({context:e,jvm:t}){let n=rt(e),r=Xt(e.attributes),s=([o,a])=>[l`<dt>${o}</dt>`,l`<dd>
      ${a===r&&r!==null?l`<a class="link" href=${D(["t",r])}>${r}</a>`:en(a)}
    </dd>`];return l`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${pe(n)}>${xe(n)} ${Z(n)}</dd>
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
          <a class="link" href=${Ns(e,e.parent)}
            >${ne(e.parent.type)}, ${v(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Ns(e,{id:t,start:n}){return ue(e.recording,t,rt(e)+BigInt(Math.round(n)))}function ql({why:e}){return l`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${ee(t).name} ${B(r)}`,o=`var(--${ee(t).token})`;return l`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function Wl({context:e}){let t=fr(e);return l`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>l`<tr key=${n}>
              <td title=${n}>
                <${re} category=${Pe(n)} />${_(r)} × ${ne(n)}
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
                  <td class="w">${ne(n.monitor)}</td>
                  <td class="n">${v(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Vl({context:e}){return l`<${O} title="Contexts in it" note=${_(e.children.length)}>
    <${J}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Fl}
      rowKey=${t=>t.id}
      href=${t=>Ns(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+v(t.start),isNumber:!0},{name:"duration",cell:t=>v(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Gl({context:e,tick:t}){let n=M(()=>hr(e),[e]),r=Ls(e,n),s=M(()=>As(e),[e]),o=(i,{id:c,start:m})=>c===null||c===e.id?null:ue(i.recording,c,rt(e)+BigInt(Math.round(m))),a=l`<${U} url=${k("timeline",n)} />`;return l`<${O}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Ps}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${Se}
      />
    <//>
    ${e.children.length>0&&l`<${Vl} context=${e} />`}
    <${nt} query=${Hl(e)} tick=${t} />
    <${O} title="Events" note=${_(s.length)}>
      ${s.length>0?l`<${tn}
              items=${s}
              since=${rt(e)}
              label="Events of the request"
            />`:l`<${j} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Is(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=k(a,o),c=R(i,E.value),m=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=c.data,p=u?`${ne(u.type)}, ${v(u.duration)}`:r,d=[{name:"services",href:D([])},...m?[{name:ge(m.service),href:D(["s",m.service])}]:[],{name:p}],f=u&&hr(u),h=l`<${q} of=${u} /> ${f&&l`<${Ce} query=${f} />`}
    <${U} url=${i} />`;return l`<${oe} crumbs=${d}>
    ${u?l`<div class="three">
              <${O}
                title=${ne(u.type)}
                note=${v(u.duration)}
                tools=${h}
                answer=${c}
              >
                <${jl} context=${u} jvm=${m} />
              <//>
              <${O} title=${`Why ${v(u.duration)}`}>
                <${ql} why=${u.why} /><${mr} of=${u.why} base=${null} />
              <//>
              <${O} title="Kept because"><${Wl} context=${u} /><//>
            </div>
            <${Gl} context=${u} tick=${E.value} />`:l`<${O} title="Request" tools=${h} answer=${c} />`}
  <//>`}var Kl=100,Jl=10,Xl=1.96;function zl(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-Xl*o)}function Yl({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?zl(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function Zl({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function Ql({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>l`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":v(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>l`<span title=${`${_(o.count)} of ${_(e)}`}>
          ${B(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>l`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${_(o.base_count)} of ${_(t)} to compare with`}
      >
        ${Zl(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function ec({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return Re({where:[...r,n]})}function tc({data:e}){let[t,n]=P(!1),r=b.value.params.getAll("where"),s=Yl(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,Jl),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return l`<${J}
      label="Attributes"
      columns=${Ql(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${ec}
    />
    ${o.length<s.length&&l`<button class="plain more" onClick=${()=>n(!0)}>
        ${_(s.length-o.length)} more
      </button>`}
    ${a.length>0&&l`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function Us({query:e,against:t,tick:n}){let r=k("attributes",e,{limit:String(Kl)}),s=R(r,n),{data:o}=s,a=l`<${q} of=${o} /><${U} url=${r} />`;return l`<${O}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&l`<${tc} data=${o} />`}
  <//>`}function Ds({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function nc(){let{params:e}=b.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,c=io(i.value);i.setCustomValidity(c===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:c===null?null:String(c),box:null})};return l`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?v(Number(s)):""}
      onChange=${o}
    />`};return l`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function Bs({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return l`<div class="choosers">
    <${Ds}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${_(a)})`])}
    />
    <${Ds}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${nc} />
    <${Qt}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var rc=[1,1.189207115002721,1.4142135623730951,1.681792830507429],oc=e=>rc[e&3]*2**(e>>2);function Fs(e){return e<0?1:Math.floor(oc(e+1))}function Ae(e,{column:t,row:n}){return t*e.rows+n}function ot(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function je(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function st(e,t,n){let r=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,o=-1/0;for(let u of e.columns)s=Math.min(s,u[0]?.[0]??s),o=Math.max(o,u.at(-1)?.[0]??o);let a=1;for(;Math.floor(o/a)-Math.floor(s/a)>=n;)a*=2;let i=s>o?0:Math.floor(s/a),c={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(r),columns:Math.ceil(e.columns.length/r),first:i,buckets:a,rows:s>o?0:Math.floor(o/a)-i+1,cells:new Map,most:0,exemplars:new Map},m=(u,p)=>({column:Math.floor(u/r),row:Math.floor(p/a)-i});e.columns.forEach((u,p)=>{for(let[d,f,h]of u){let $=m(p,d),g=c.cells.get(Ae(c,$))??{...$,all:0,kept:0};g.all+=f,g.kept+=h,c.cells.set(Ae(c,$),g),c.most=Math.max(c.most,g.all)}});for(let[u,p,d,f]of e.exemplars)c.exemplars.set(Ae(c,m(u,p)),{recording:d,id:f});return c}function js(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function at(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0?0:Fs(i-1)+1,max:Fs((e.first+a+1)*e.buckets-1)}}function _n(e,t,n){let r=at(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function qe(e,t){let n={all:0,kept:0};for(let r of e.cells.values())_n(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function qs(e,t){return[...e.cells.values()].filter(n=>_n(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ae(e,n))??[])}function vn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function Ws(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function br(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function gr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function St(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function $r(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,gr(e,t,n.from)),c=Math.max(o,St(e,t,n.max)),m=Math.min(s,gr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,St(e,t,n.min-1));return m<=0||u<=c?null:{x:i,y:c,width:m,height:u-c}}function _r(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function Vs(e,t,n,r){let s=[],o=a=>{let i=St(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var Hs=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function Gs(e,t,n,r,s){let{from:o,to:a}=_r(e),i=Number(a-o)/1e9*(n/t.width),c=Hs.find(p=>p>=i)??Hs.at(-1),m=BigInt(c)*1000000000n,u=[];for(let p=(o+r+m-1n)/m*m-r;p<a;p+=m)u.push({at:gr(e,t,p),text:s(p,c*1e9)});return u}var sc=4,ac={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Le(e){return be(b.value.params.get(e))}function Rt(e,t){let n=e&&vt(e);C(t?{base_box:n,base:null}:{box:n,...e?{min_duration_ns:null,max_duration_ns:null}:{}})}function ic(){Rt(null,Le("base_box")!==null)}function vr({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function Xs(e,t){return e.column===t.column&&e.row===t.row}function Js(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function lc(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function it({grid:e,isRate:t},{from:n,to:r}){return t?at(e,{...n,row:0},{...r,row:e.rows-1}):at(e,n,r)}function zs(e,t){let n=e.exemplars.get(Ae(e,t));n&&Se(ue(n.recording,n.id))}function Ys(e){let{grid:t,plot:n}=e,[r,s]=P(null),[o,a]=P(null),i=se(null),c=({offsetX:g,offsetY:y})=>Ws(t,n,g,y),m=g=>{let{offsetX:y,offsetY:x}=g;if(g.button===0&&t.rows>0&&br(n,y,x)){g.currentTarget.setPointerCapture(g.pointerId);let T=g.shiftKey||e.isComparing;s({from:c(g),to:c(g),x:y,y:x,isLong:!1,isBase:T})}},u=g=>{let{offsetX:y,offsetY:x}=g;if(r){let N=r.isLong||Math.hypot(y-r.x,x-r.y)>=sc;s({...r,to:c(g),isLong:N})}let{clientX:T,clientY:w}=g,A=t.rows>0&&br(n,y,x);a(A?{place:c(g),clientX:T,clientY:w}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){zs(t,r.from);return}let y=it(e,r),x=!r.isLong&&qe(t,y).all===0;Rt(x?null:y,r.isBase)},d=g=>{let y=i.current,x=y&&_n(t,y,c(g))?y:it(e,{from:c(g),to:c(g)});C({box:vt(x)},!0),vr(x)},f=({detail:g})=>{i.current=g>1?i.current:Le("box")},h=()=>a(null),$=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:$,onDblClick:d}}}function Zs(e){let{grid:t}=e,[n,r]=P(null),s=i=>{let c=ac[i.key];if(c&&t.rows>0){let m=n?Js(t,n.to,c):lc(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)zs(t,n.to);else if(i.key==="Enter"&&n)Rt(it(e,n),i.shiftKey||e.isComparing);else if(i.key==="Escape")r(null),ic();else return;i.preventDefault()},o=i=>Js(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var xn=52,cc=20,Qs=6,uc=52,mc=72,pc=26,fc=5,dc=60000000000n;function ea(e,t,n){let r=e-xn-(n?uc:0);return{x:xn,y:Qs,width:Math.max(1,r),height:Math.max(1,t-Qs-cc)}}function hc(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*dc}function gc(e,t){let n=Z(e,t);return n==="00:00"?xe(e).slice(5):n}function bc(e,t){let n=r=>v(r).replace(/\.0+ /," ");return{times:Gs(e,t,mc,hc(e.t0),gc),durations:e.rows===0?[]:Vs(e,t,pc,n)}}function $c(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function _c(e,t,n,r){e.fillStyle=F("kept"),e.beginPath();let s=-1;for(let o of t.cells.values()){if(o.kept===0)continue;o.column!==s&&(e.fill(),e.beginPath(),s=o.column);let{x:a,y:i,width:c,height:m}=vn(t,n,o);$c(e,a+c-r,i,Math.min(fc,c/2,m/2))}e.fill()}function ta(e,t,n){let r=["h0","h1","h2","h3","h4","h5"].map(F),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let o of t.cells.values()){let{x:a,y:i,width:c,height:m}=vn(t,n,o);e.fillStyle=r[js(o.all,t.most)],e.fillRect(a,i,c-s,m-s)}_c(e,t,n,s),yr(e,t,n)}function yr(e,t,n){let{times:r,durations:s}=bc(t,n);e.fillStyle=F("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,xn-8,o),e.fillRect(xn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function xr(e,t,n,r){t&&(e.fillStyle=F("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function na(e,t,n,r){xr(e,r.base&&$r(t,n,r.base),F("soft"),[4,3]),xr(e,r.box&&$r(t,n,r.box),F("accent"),[]);for(let s of r.cells)xr(e,vn(t,n,s),F("ink"),[])}function ra({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=ot(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:je(i,.5),p99:je(i,.99)}})}function oa(e){return`${_(Number(e.toPrecision(3)))}/s`}function vc(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function xc(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function sa(e,t,n,r){let s=n.width/t.columns,o=vc(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=F("h1"),r.forEach(({perSecond:a},i)=>{let c=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-c,s-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=F(i);let c=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*s,St(t,n,p)]};xc(e,r.map(c),s)}yr(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(oa(o*a),n.x+n.width+6,i+(a===1?5:0))}}function aa({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":v(s);return l`<b>${oa(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function ia(){let e=(t,n)=>l`<span><span class="dot" style=${{background:`var(--${t})`}}></span>${n}</span>`;return l`${e("h1","contexts/s, right")}${e("cpu","median")}${e("lock","p99")}`}var wr=6e10;function yn({from:e,to:t,min:n,max:r}){let s=e%BigInt(wr)===0n&&t%BigInt(wr)===0n,o=i=>Z(i,s?wr:1e9),a=n<=1?`up to ${v(r)}`:`${v(n)} to ${v(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function kr({all:e,kept:t}){return`${_(t)} kept of ${_(e)}`}var yc=5,wc=6;function kc({view:{grid:e},hover:t,rates:n}){let{place:r}=t,s=Ae(e,r),o=e.cells.get(s),a=n?.[r.column];if(!o&&!a)return null;let[i,c]=yn(at(e,r,r)).split(", "),m=o&&`${_(o.all)} contexts, ${_(o.kept)} kept`,u=a?l`<${aa} of=${a} /><br />${i}`:l`<b>${c}</b><br />${i}<br />${m}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${tt} at=${t}>${u}<//>`}var Sc={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Rc(e,t){let n=e??Sc,r=Math.max(1,t.width/yc),s=Math.max(1,t.height/wc);return M(()=>st(n,r,s),[n,r,s])}function Tc({data:e,isRate:t,isComparing:n,onPoint:r}){let s=se(null),o=Xo(s),a=ea(o.width,o.height,t),i=Rc(e,a),c=M(()=>t&&e?ra(e,i):null,[t,e,i]),m={grid:i,plot:a,isRate:t,isComparing:n},{drag:u,hover:p,on:d}=Ys(m),{cursor:f,on:h}=Zs(m),$=u??(f&&!Xs(f.from,f.to)?f:null),g=$&&it(m,$),y=u?.isBase??n,x={box:!y&&g||Le("box"),base:y&&g||Le("base_box"),cells:[t?null:p?.place,f?.to].filter(G=>G!=null)},T=G=>{c?sa(G,i,a,c):e&&ta(G,i,a),na(G,i,a,x)},{column:w,row:A}=p?.place??{};zo(s,o,T,[i,c,b.value,n,u,f,w,A]);let N=f&&it(m,f);return l`<div class="heatmap">
    <canvas
      ref=${s}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label="All contexts by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away."
      onPointerEnter=${r}
      onFocus=${r}
      ...${d}
      ...${h}
    ></canvas>
    ${p&&l`<${kc} view=${m} hover=${p} rates=${c} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${N&&`${yn(N)}: ${kr(qe(i,N))}`}
    </div>
    ${e&&l`<${Oc} data=${e} most=${i.most} isRate=${t} />`}
  </div>`}function Pc({most:e}){let t=Array.from({length:5},(r,s)=>Math.ceil((e+1)**(s/5))),n=r=>l`<span class="dot" style=${{background:`var(--h${r+1})`}}></span>`;return l`<span
    >contexts in a cell
    ${t.map((r,s)=>r<(t[s+1]??e+1)&&l` ${n(s)}${_(r)}`)}
    ${e>1&&l` to ${_(e)}`}</span
  >`}var Cc="Counted by chunk: a context is in the column in which the middle of its chunk lies. The panels below have the kept contexts that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).";function ca({data:e,box:t,isBase:n}){let r=M(()=>st(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${n?"base_box":"box"}`}
    title=${Cc}
    onClick=${()=>Rt(null,n)}
  >
    ${n?"compared with":"selected"} <b>${yn(t)}</b>${" "}
    ${kr(qe(r,t))} by chunk <i>×</i>
  </button>`}function Oc({data:e,most:t,isRate:n}){let r=[t>0&&l`<${Pc} most=${t} />`,l`<span><span class="dot kept"></span>has kept ones</span>`],[s,o]=[Le("box"),Le("base_box")];return l`<div class="legend">
    ${n?l`<${ia} />`:r}
    ${s&&l`<${ca} data=${e} box=${s} isBase=${!1} />`}
    ${o&&l`<${ca} data=${e} box=${o} isBase=${!0} />`}
  </div>`}function Mc({data:e}){let[t,n]=P(!1),r=(o,a)=>{let i=ot([o]),[c,m]=[1,2].map(p=>o.reduce((d,f)=>d+f[p],0)),u=p=>v(je(i,p));return l`<tr>
      <td>${Z(BigInt(e.t0_ns)+BigInt(a)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${_(c)}</td>
      <td class="n">${_(m)}</td>
      <td class="n">${u(.5)}</td>
      <td class="n">${u(.99)}</td>
    </tr>`},s=["contexts","kept","median","p99"].map(o=>l`<th class="n">${o}</th>`);return l`<details
    class="as-table"
    onToggle=${o=>n(o.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts by time">
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
  </details>`}function ua({answer:e,url:t,note:n,onPoint:r}){let[s,o]=P(!1),a=b.value.params.get("view")==="rate",i=Le("box"),{data:c}=e,m=M(()=>c&&l`<${Mc} data=${c} />`,[c]),u=(d,f,h)=>l`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:d})}>
      ${f}
    </button>`,p=l`<${q} of=${c} />
    ${i&&l`<button class="plain" onClick=${()=>vr(i)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${s?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>o(!s)}
      >
        compare
      </button></span
    >
    <span class="tabs">${u(null,"duration",!a)} ${u("rate","rate",a)}</span>
    <${U} url=${t} />`;return l`<${O}
    title="All contexts"
    note=${n}
    tools=${p}
    answer=${e}
    className="heatmap-panel"
  >
    <${Tc} data=${c} isRate=${a} isComparing=${s} onPoint=${r} />
    ${m}
  <//>`}var Ac=3;function Lc({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&xt(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${D(["r",e.id])}>${e.instance}</a>, since it started:
        <${yt} of=${n} />
      </p>`:null}function Ec(e,t){return vt({...e,from:e.from-t,to:e.to+t})}function Nc({grid:e,heatUrl:t,box:n,kept:r}){let{data:s}=R(t),o=v(Number(e.step)).replace(/ 0 (s|min)$/,""),a=s?qs(st(s,1/0,1/0),n).slice(0,Ac):[],i=({recording:c,id:m},u)=>l`<a class="link" key=${m} href=${ue(c,m)}>${u+1}</a>${" "}`;return l`<${j} title="No kept context began in this box">
    <p>
      The heat map has ${_(r)} kept ones here: it counts a context in the column in which the
      middle of its chunk lies, and chunks that are longer than a minute reach farther than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Ec(n,e.step)})}>
        ${o} more on either side
      </button>
      ${a.length>0&&l`${" "}or open one of them: ${a.map(i)}`}
    </p>
  <//>`}function ma({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=M(()=>st(e,1/0,1/0),[e]),a=be(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),c=(h,$)=>Number(n.get(h)??$),m=a??{..._r(o),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:u,kept:p}=qe(o,m),d=r[0];if(r.length===0)return l`<${Oe} />`;let f=(h,$)=>l`<${j} title=${h}>${$}<//>`;return s?f("No kept context is like this","Take a condition away to see more."):u===0&&a?f("No context is in this box","Choose a coloured cell."):u===0&&i?f("No context is like this","Take a condition away, or look at a longer time."):u===0?f("No contexts in this time",r.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?l`<${Nc} grid=${o} heatUrl=${t} box=${a} kept=${p} />`:l`<${j} title=${`Nothing is kept of these ${_(u)} contexts`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${d&&l`<${Lc} of=${d} />`}
  <//>`}var Ic=12,wn=[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]];function Rr(e){let t=e.get("sort");return wn.some(([n])=>n===t)?t:wn[0][0]}function Uc({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),attributes:Object.fromEntries(r)}}function Dc({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${v(e)}, ${B(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Sr=(e,t)=>new Set(e.map(t)).size>1;function Bc(e,t){let n=[...new Set(e.flatMap(a=>Object.keys(a.attributes)))],r=Sr(e,a=>xe(a.start)),s=a=>l`<span title=${pe(a.start)}>
      ${r?`${xe(a.start).slice(5)} `:""}${Z(a.start)}
    </span>`,o=[[Sr(e,a=>a.type),{name:"type",cell:a=>ne(a.type)}],[Sr(e,a=>a.recording),{name:"JVM",cell:a=>t.get(a.recording)??a.recording.slice(0,8)}]];return[{name:"start",cell:s},{name:"duration",cell:a=>l`<b>${v(a.duration)}</b>`,isNumber:!0},{name:"blocked",cell:a=>l`<${Dc} of=${a} />`},{name:"events",cell:a=>_(a.triggers),isNumber:!0},...o.flatMap(([a,i])=>a?[i]:[]),...n.slice(0,Ic).map(a=>({name:a,cell:i=>Fc(i.attributes[a]),className:"cut"})),{name:"thread",cell:a=>l`<span title=${a.thread}>${a.thread}</span>`,className:"dim cut"}]}function Fc(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function Hc(){let e=Rr(b.value.params),t=n=>C({sort:n===wn[0][0]?null:n});return l`<span class="tabs" role="group" aria-label="Order">
    ${wn.map(([n,r])=>l`<button
          key=${n}
          aria-pressed=${e===n?"true":"false"}
          onClick=${()=>t(n)}
        >
          ${r}
        </button>`)}
  </span>`}function pa({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,c=a.map(Uc),m=l`<${q} of=${o.data} />
    <${Hc} />
    <a href=${s}>events</a>
    <${Ce} query=${n} value=${b.value.params.get("value")??void 0} />
    <${U} url=${t} />`,u=be(b.value.params.get("box")),p=u&&Kn(u),d=o.data&&`${_(c.length)} of ${_(o.data.matched)}`+(p?`, began ${Z(p.from,1e9)} to ${Z(p.to,1e9)}`:"");return l`<${O}
    title="Kept contexts"
    note=${d}
    tools=${m}
    answer=${o}
    className="requests"
  >
    ${c.length>0&&l`<${J}
        label="Kept contexts"
        columns=${Bc(c,r)}
        rows=${c}
        rowKey=${f=>f.recording+f.id}
        href=${f=>ue(f.recording,f.id,f.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var jc=50,qc=6n*3600000000000n,Tr=60000000000n,fa=["trace","thread","id"];function Wc({from:e,to:t}){let n=Fe.value?(e+Tr-1n)/Tr*Tr:e;return{from:n<t?n:e,to:t}}function Vc(e,t){return e.getAll("where").length-t.getAll("where").length>0||fa.some(r=>e.has(r))}function Gc(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?t:null}function Kc({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return Gt(BigInt(e),t,s,r)}function Jc({data:e,seconds:t,jvms:n}){let r=ot(e.columns),s=m=>{let u=je(r,m);return u===null?"-":v(u)},o=m=>(n?.recordings??[]).reduce((u,p)=>u+m(p),0),a=o(m=>m.bytes_out),i=o(m=>m.bytes_in),c=(m,u,p="")=>l`<span title=${p}><b>${m}</b>${u}</span>`;return l`<div class="facts">
    ${c(`${_(Number((e.all/t).toPrecision(3)))}/s`,`contexts, ${_(e.all)}`)}
    ${n&&c(_(n.recordings.length),"JVMs","that ran in this time")}
    ${c(s(.5),"median")} ${c(s(.99),"p99")}
    ${c(e.all>0?B(e.kept/e.all):"-",`kept, ${_(e.kept)}`)}
    ${i>0&&c(`${ce(a)} of ${ce(i)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Xc(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return Re({value:n?e:null,frame:t!==null?dn(t):n?null:dn(r),zoom:null})}function zc({heat:e,heatUrl:t,recordings:n,isNarrowed:r}){let{params:s}=b.value,o=Qe(b.value,Q.value),a=Mo(b.value,Q.value),i=s.has("box")&&Fe.value?0:E.value,c=["box","where","min_duration_ns","max_duration_ns",...fa].some(x=>s.has(x)),u=a.has("base")||s.has("base_box")||!c?a:Y(a,{base:"rest"}),p=k("contexts",o,{sort:Rr(s)}),d=Yt(p,jc,i),f=R(gn(a),i),{data:h}=d.answer;if(h?.matched===0&&!h.is_truncated&&e.data)return l`<section>
      <${ma}
        heat=${e.data}
        heatUrl=${t}
        query=${o}
        recordings=${n}
        isNarrowed=${r}
      />
    </section>`;let $=new Map(n.map(x=>[x.id,x.instance])),g=o.get("service"),y=s.has("box")?ae("/e",o):ae("/e",Y(s,{service:g,sort:null,view:null}));return l`<div class="three">
      <${$n} query=${o} base=${Gc(a)} tick=${i} hrefOf=${Xc} />
      <${Us}
        query=${u}
        tick=${i}
        against=${s.has("base_box")?"the other box":"the rest"}
      />
      <${vs} url=${gn(a)} answer=${f} />
    </div>
    <${nt} query=${a} tick=${i} whole=${f} />
    <${pa}
      pages=${d}
      url=${p}
      query=${o}
      instances=${$}
      eventsHref=${y}
    />`}function Yc(e,t){return[e&&e.unknown>0&&`${_(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Zc(e,t){let n=k("contexts/heatmap",e),r=R(t&&!e.has("where")?n:null,E.value),s=k("contexts/heatmap",e,{exemplars:"0"}),o=R(r.data?null:s,E.value),a=r.data?r:o,{data:i}=a,c=e.has("where")&&i!==null&&i.all===0&&i.unknown>0,m=k("contexts/heatmap",Y(e,{where:null})),u=R(c?m:null,E.value);return c&&u.data?{heat:u,heatUrl:m,isOfAll:!0}:{heat:a,heatUrl:n,isOfAll:!1}}function Qc(e){let[t,n]=P(!1);return $e(()=>{e&&n(!0)},[e]),t}function da(){let{params:e}=b.value,{from:t,to:n}=Q.value,r=Wc(Q.value),s=Ao(b.value,r),[o,a]=P(!1),{heat:i,heatUrl:c,isOfAll:m}=Zc(s,o),u=Qc(i.data!==null||i.problem!==null),p=Y(s,{where:null,context:null}),d=R(u?k("contexts/types",p):null,E.value),f=Y(p,{recording:null}),h=R(u?k("recordings",f):null,E.value),$=h.data?.recordings??[],g=m||Vc(e,s),y=n-t<=qc||e.get("whole")==="1"||be(e.get("box"))!==null||e.has("trace"),x=Ze(b.value),T=[{name:"services",href:D([])},{name:x===null?"all":ge(x)}],w=i.data?.all===0&&h.data!==null&&$.length===0;return l`<${oe} crumbs=${T}>
    ${i.data&&l`<${Jc} data=${i.data} seconds=${Kc(i.data,r)} jvms=${h.data} />`}
    <${Bs}
      types=${d.data?.types??[]}
      instances=${[...new Set($.map(A=>A.instance))]}
    />
    ${!w&&l`<${ua}
        answer=${i}
        url=${c}
        note=${Yc(i.data,g)}
        onPoint=${()=>a(!0)}
      />`}
    ${u&&y&&l`<${zc}
        heat=${i}
        heatUrl=${c}
        recordings=${$}
        isNarrowed=${g}
      />`}
    ${u&&!y&&l`<section>
        <${j} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function ha(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:m,top:u}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:c,spark:m,top:u}}var ga=e=>e===null?"":v(e);function eu(e,t){let n=({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?Gt(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a};return[{name:"service",cell:r=>l`<b>${ge(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>_(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>_(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>l`${_(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>ga(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>l`<b>${ga(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?B(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>l`<${Eo} of=${r.top} />`},{name:"p99 over time",cell:r=>l`<${Io} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function ba(){let{from:e,to:t}=Q.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=k("services",n),s=R(r,E.value),o=(s.data?.services??[]).map(ha),a=l`<${J}
    label="Services"
    columns=${eu(s.data,Q.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>D(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,c=l`<${q} of=${s.data} /><${U} url=${r} />`;return l`<${oe}>
    <${O}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&l`<${Oe} />`}
    <//>
  <//>`}function tu({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((c,m)=>c.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${c.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function nu({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
        ${e.map(s=>l`<tr class="opens" key=${s.recording+s.id}>
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
  </div>`}var ru=e=>e===null?"":pe(BigInt(e));function $a({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${ru(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function ou({of:e}){return e.state==="eliminated"?l`<${j} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${$a} of=${e} />
      <//>`:l`<${j} title="Not seen">
        No context of this trace is known here. <${$a} of=${e} />
      <//>`}function _a(){let e=b.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,E.value),{data:r}=n,s=r?tu(r,e):[],o=BigInt(r?.t0_ns??"0"),a=su(e,o,s),i=new Set(s.map(p=>p.service)).size,c=new Set(s.map(p=>p.recording)).size,m=l`<${q} of=${r} />
    ${s.length>0&&l`<${Ce} query=${a} />`} <${U} url=${t} />`,u=s.length>0&&`${ve(s.length,"context")} kept, ${ve(i,"service")}, ${ve(c,"JVM")}, from ${pe(o)}`;return l`<${oe} crumbs=${[{name:`trace ${e}`}]}>
    <${O} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&l`<${nu} rows=${s} first=${o} />`}
      ${r&&s.length===0&&l`<${ou} of=${r} />`}
    <//>
    ${s.length>0&&l`<${$n} query=${a} tick=${E.value} />
        <${nt} query=${a} tick=${E.value} />`}
  <//>`}function su(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function au([e]){switch(e){case void 0:return ba;case"c":return Is;case"e":return qo;case"r":return Jo;case"s":return da;case"t":return _a;default:return Vo}}var iu={s:"all services",e:"events",r:"recordings"};function lu(){let{path:e}=b.value;return ie.value===null?null:ie.value.is_needed&&ie.value.identity===null?l`<${Wo} />`:l`<${au(e)} key=${e.join("/")} />`}ao();So();To();bo();he(()=>{let{path:e}=b.value,[t,...n]=e,r=n.length===0?iu[t??""]??t:ge(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Br(l`<${lu} />`,document.body);})();
