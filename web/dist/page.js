"use strict";(()=>{var L,_r,_n,_e,bn,Tt,vr,St,xr,vn,$n,Vs,it=Symbol.for("pv"),Pt={},Ct=[],Gs=/^m(i|n|o|s|text|space)$/,xn=Array.isArray,yn=Ct.slice,Le=Object.assign;function Ae(e){e&&e.parentNode&&e.remove()}function Mt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?yn.call(arguments,2):n),at(e,a,r,s,null)}function at(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:it,__v:s||++_r,__i:-1,__u:0};return!s&&L.vnode&&L.vnode(o),o}function Ne(e){return e.children}function je(e,t){this.props=e,this.context=t,this.__g=0}function ve(e,t){if(t==null)return e.__&&ve(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:ve(e)}function Ks(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=Le({constructor:it},n)).__v=n.__v+1,L.vnode&&L.vnode(t),wn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||ve(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Tr(s,t,o),n.__=n.__e=null,t.__e!=r&&yr(t))}function yr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),yr(e)}function br(e){(8&e.__g||(e.__g|=8,_e.push(e),Tt++))&&bn==L.debounceRendering||((bn=L.debounceRendering)||queueMicrotask)(wr)}function wr(){try{for(var e,t=1;_e.length;)_e.length>t&&_e.sort(vr),e=_e.shift(),t=_e.length,8&e.__g&&Ks(e)}finally{(Tt=_e.length)&&(bn||queueMicrotask)(wr)}}function kr(e,t,n,r,s,o,a,i,l,m,u){var p,d,f,h,$,g,y=r.__k||Ct,x=t.length;for(l=Js(n,t,y,l,x),p=0;p<x;p++)(f=n.__k[p])!=null&&(d=~f.__i&&y[f.__i]||Pt,f.__i=p,g=wn(e,f,d,s,o,a,i,l,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&kn(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),$=$||h,4&f.__u?(l=Sr(f,l,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),f.__u&=-21);return n.__e=$,l}function Js(e,t,n,r,s){var o,a,i,l,m,u,p,d,f,h=n.length,$=h,g=0,y=0,x=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=x[o]=at(null,a):xn(a)?a=x[o]=at(Ne,{children:a}):a.constructor===it&&a.__b?a=x[o]=at(a.type,a.props,a.key,a.ref,a.__v):x[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=zs(a,n,l,$))&&($--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==l-1?g--:m==l+1?g++:m!=l&&(m>l?g--:g++,y=1)):(~m||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):x[o]=null;if(y){for(u=[],p=[],o=0;o<s;o++)if((a=x[o])&&16&a.__u){for(g=0,d=u.length;g<d;)u[f=g+d>>1]<a.__i?g=f+1:d=f;u[g]=a.__i,p[o]=g+1}for(g=u.length;o--;)p[o]&&(p[o]==g?g--:x[o].__u|=4)}if($)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=ve(i)),Sn(i,i));return r}function Sr(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=Sr(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=ve(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function zs(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function $r(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function kt(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||$r(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||$r(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=$n[t]||($n[t]=Xs(t)),(e.__a||(e.__a={}))[t]=vn,o=t!=(t=t.replace(xr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Xs(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[St]==null)t[St]=vn++;else if(t[St]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function wn(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,$,g,y,x,T,w,A,E,G,te,He,S,I,z=t.type;if(t.constructor!==it)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,p=o=[],u.nodeType==8?i=Rt(u,o):o.push(u),i=o[0]||i),(u=L.__b)&&u(t);e:if(typeof z=="function"){d=a.length;try{if(y=t.props,x=(u=z.prototype)&&u.render,T=(u=z.contextType)&&r[u.__c],w=u?T?T.props.value:u.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(x?t.__c=f=new z(y,w):(t.__c=f=new je(y,w),f.constructor=z,f.render=Qs),T&&T.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),x&&(f.__s||(f.__s=f.state),z.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Le({},f.__s)),Le(f.__s,z.getDerivedStateFromProps(y,f.__s)))),h=f.props,$=f.state,f.__v=t,n.__c){if(y!==h&&x&&!z.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(y,w),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(y,f.__s,w)===!1){t.__v!=n.__v&&(f.props=y,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(q){q&&(q.__=t)}),Ct.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=ve(n);break e}f.componentWillUpdate&&f.componentWillUpdate(y,f.__s,w),x&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,$,g)})}else x&&!z.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),x&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=w,f.props=y,f.__P=e,f.__g&=-5,A=L.__r,E=x?25:0;do f.__g&=-9,A&&A(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++E<25);x&&(Ct.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Le({},r,f.getChildContext())),x&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,$)),G=u&&u.type===Ne&&u.key==null?u.props.children:u,y.__P&&(u=i,s=(e=y.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(q){q&&Sn(q,q)}),n.__k=null),i=n.__k?ve(n,0):null),i=kr(e,xn(G)?G:[G],t,n,r,s,o,a,i,l,m),y.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(Ae),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(q){if(a.length=d,t.__v=null,l||o)if(q&&q.then){if(t.__u|=128|l,o){for(~(S=o.indexOf(i||void 0))||(S=o.length);(I=o[S-1])&&I.nodeType==8;)S--;for(;S<o.length;S++)if(I=o[S])if(o[S]=null,te){if(I==He)break}else{if(I.nodeType!=8)break;I.data.startsWith("$s")&&(He=Rt(te=I))}}if(!te){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;te=i}(u=Rt(te=t.__c.__z||(t.__c.__z=te)))?(t.__e=te,i=u):t.__e=i,i=i&&i.nextSibling}else o&&o.some(Ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),q&&q.then||Rr(t),L.__e(q,t,n)}}else i=t.__e=Ys(n.__e,t,n,r,s,o,a,l,m,e);return(u=L.diffed)&&u(t),i}function Rt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Rr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Rr))}function Tr(e,t,n){for(var r=0;r<n.length;)kn(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){L.__e(o,s.__v)}})}function Ys(e,t,n,r,s,o,a,i,l,m){var u,p,d,f,h,$,g,y,x=n.props||Pt,T=t.props,w=t.type;if(w=="svg"?s="http://www.w3.org/2000/svg":w=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((h=o[u])&&(w?h.localName==w:h.nodeType==3)){e=h,o[u]=null;break}}if(!e){if(y=m.ownerDocument||document,!w)return y.createTextNode(T);e=y.createElementNS(s,w,T.is?T:m),i&&(L.__m&&L.__m(t,o),i=!1),o=null}if(w){if(m=w=="template"&&e.content||e,o=w=="textarea"&&T.defaultValue!=null?null:o&&yn.call(m.childNodes),!i&&o)for(x={},u=0;u<e.attributes.length;u++)x[(h=e.attributes[u]).name]=h.value;for(u in x)h=x[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in T||u=="value"&&"defaultValue"in T||u=="checked"&&"defaultChecked"in T||kt(e,u,null,h,s);for(u in T)h=T[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?$=h:u=="checked"?g=h:i&&typeof h!="function"||x[u]===h||kt(e,u,h,x[u],s);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(w=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Gs.test(w))&&(s="http://www.w3.org/1999/xhtml"),kr(m,xn(f)?f:[f],t,n,r,s,o,a,o?o[0]:n.__k&&ve(n,0),i,l),o&&o.some(Ae)),i&&w!="textarea"||(u="value",w=="progress"&&$==null?e.removeAttribute(u):$==null||$===e[u]&&(w!="progress"||$)||kt(e,u,$,x[u],s),u="checked",g!=null&&g!=e[u]&&kt(e,u,g,x[u],s))}else x===T||i&&e.data==T||(e.data=T);return e}function kn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){L.__e(s,n)}}function Sn(e,t,n){var r,s,o,a;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||kn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){L.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Sn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Rt(r,o=[]))&&(r==e.__e&&o.some(Ae),Ae(s),Ae(r)),n||Ae(e.__e),e.__e=e.__c=e.__=null}function Qs(e,t,n){return this.constructor(e,n)}function Pr(e,t){var n,r,s,o;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=at(Ne,{children:[e]}),s=[],o=[],wn(t,t.__k,r||Pt,Pt,t.namespaceURI,r?null:t.firstChild?yn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),Tr(s,t.__k,o),t.__k.props.children=null}L={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Tt=0,e}},_r=0,_n=function(e){return e!=null&&e.constructor===it},je.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Le({},this.state)),typeof e=="function"&&(e=e(Le({},n),this.props)),e&&(Le(n,e),this.__v&&(t&&this.__k.push(t),br(this)))},je.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),br(this))},je.prototype.render=Ne,_e=[],Tt=0,vr=function(e,t){return e.__v.__b-t.__v.__b},St=Symbol(),xr=/(PointerCapture)$|Capture$/i,vn=0,$n={},Vs=0;var We,K,Rn,Cr,Tn=Object.is,ct=0,Br=[],Pn=[],V=L,Mr=V.__b,Or=V.__r,Ar=V.diffed,Lr=V.__c,Nr=V.unmount,Er=V.__;function Ot(e,t){V.__h&&V.__h(K,e,ct||t),ct=0;var n=K.__H||(K.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function M(e){return ct=1,Zs(Dr,e)}function Zs(e,t,n){var r=Ot(We++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Dr(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Tn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=K,!K.__f)){K.__f=!0;var s=K.shouldComponentUpdate;K.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var m=!1,u=this.props!=o;if(l.__.some(function(d){d.__N&&(m=!0,Tn(d.__[0],d.__N[0])||(u=!0))}),s){var p=s.call(this,o,a,i);return m?p||u:p}return!m||u}}return r.__}function ge(e,t){var n=Ot(We++,3);!V.__s&&Mn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,K.__H.__h.push(n))}function Ee(e,t){var n=Ot(We++,4);!V.__s&&Mn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,K.__h.push(n))}function se(e){return ct=5,O(function(){return{current:e}},[])}function O(e,t){var n=Ot(We++,7);return Mn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function At(e,t){return ct=8,O(function(){return e},t)}function ea(){var e;do{for(;e=Pn.shift();)try{lt(e)}catch(n){V.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Br.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(lt),t.__h.some(Cn),t.__h=[]}catch(n){t.__h=[],V.__e(n,e.__v)}}}while(Pn.length)}V.__b=function(e){K=null,Mr&&Mr(e)},V.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Er&&Er(e,t)},V.__r=function(e){Or&&Or(e),We=0;var t=(K=e.__c).__H;t&&(Rn==K?K.__h=[]:(t.__h.some(lt),t.__h.some(Cn),We=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Rn=K},V.diffed=function(e){Ar&&Ar(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ur(Br.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Rn=K=null},V.__c=function(e,t){t.some(function(n){try{n.__h.some(lt),n.__h=n.__h.filter(function(r){return!r.__||Cn(r)})}catch(r){n.__h=[function(){throw r}]}}),Lr&&Lr(e,t)},V.unmount=function(e){Nr&&Nr(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Ur(Pn.push(s))}else lt(s)}catch(o){t=o}}),r.__H=void 0,t&&V.__e(t,r.__v))};var Ir=typeof requestAnimationFrame=="function";function ta(e){var t,n=function(){clearTimeout(r),Ir&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Ir&&(t=requestAnimationFrame(n))}function Ur(e){e!=1&&Cr==V.requestAnimationFrame||((Cr=V.requestAnimationFrame)||ta)(ea)}function lt(e){var t=K,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),K=t}function Cn(e){var t=K;e.__c=e.__(),K=t}function Mn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Tn(n,e[r])})}function Dr(e,t){return typeof t=="function"?t(e):t}var na=Symbol.for("preact-signals");function It(){if(be>1)be--;else{var e,t=!1;for((function(){var s=Nt;for(Nt=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();mt!==void 0;){var n=mt;for(mt=void 0,Lt++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Hr(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(Lt=0,be--,t)throw e}}function An(e){if(be>0)return e();On=++ra,be++;try{return e()}finally{It()}}var ut,H=void 0;function ft(e){var t=H,n=ut;H=void 0,ut=void 0;try{return e()}finally{H=t,ut=n}}var mt=void 0,be=0,Lt=0,ra=0,On=0,Nt=void 0,Et=0;function Fr(e){if(H!==void 0){var t=e.n;if(t===void 0||t.t!==H)return t={i:0,S:e,p:H.s,n:void 0,t:H,e:void 0,x:void 0,r:t},H.s!==void 0&&(H.s.n=t),H.s=t,e.n=t,32&H.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=H.s,t.n=void 0,H.s.n=t,H.s=t),t}}function X(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}X.prototype.brand=na;X.prototype.h=function(){return!0};X.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:ft(function(){var r;(r=t.W)==null||r.call(t)}))};X.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&ft(function(){var s;(s=t.Z)==null||s.call(t)}))}};X.prototype.subscribe=function(e){var t=this;return fe(function(){var n=t.value;ft(function(){return e(n)})},{name:"sub"})};X.prototype.valueOf=function(){return this.value};X.prototype.toString=function(){return this.value+""};X.prototype.toJSON=function(){return this.value};X.prototype.peek=function(){var e=this;return ft(function(){return e.value})};Object.defineProperty(X.prototype,"value",{get:function(){var e=Fr(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Lt>100)throw new Error("Cycle detected");(function(n){be!==0&&Lt===0&&n.l!==On&&(n.l=On,Nt={S:n,v:n.v,i:n.i,o:Nt})})(this),this.v=e,this.i++,Et++,be++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{It()}}}});function de(e,t){return new X(e,t)}function Hr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function jr(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Wr(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Ie(e,t){X.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Et-1,this.f=4}Ie.prototype=new X;Ie.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Et))return!0;if(this.g=Et,this.f|=1,this.i>0&&!Hr(this))return this.f&=-2,!0;var e=H;try{jr(this),H=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return H=e,Wr(this),this.f&=-2,!0};Ie.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}X.prototype.S.call(this,e)};Ie.prototype.U=function(e){if(this.t!==void 0&&(X.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Ie.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Ie.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Fr(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function xe(e,t){return new Ie(e,t)}function qr(e){var t=e.j;if(e.j=void 0,typeof t=="function"){be++;var n=H;H=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Ln(e),r}finally{H=n,It()}}}function Ln(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,qr(e)}function oa(e){if(H!==this)throw new Error("Out-of-order effect");Wr(this),H=e,this.f&=-2;try{8&this.f&&Ln(this)}finally{It()}}function qe(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,ut&&ut.push(this)}qe.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};qe.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,qr(this),jr(this),be++;var e=H;return H=this,oa.bind(this,e)};qe.prototype.N=function(){2&this.f||(this.f|=2,this.u=mt,mt=this)};qe.prototype.d=function(){this.f|=8,1&this.f||Ln(this)};qe.prototype.dispose=function(){this.d()};function fe(e,t){var n=new qe(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Vr,Bt,Ut,sa=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Gr=[];fe(function(){Vr=this.N})();function Ve(e,t){L[e]=t.bind(null,L[e]||function(){})}function pt(e){if(Ut){var t=Ut;Ut=void 0,t()}Ut=e&&e.S()}function Kr(e){var t=this,n=e.data,r=ia(n);r.name="ReactiveDom",r.value=n;var s=O(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var m=xe(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),u=xe(function(){return!Array.isArray(m.value)&&!_n(m.value)}),p=fe(function(){if(this.N=Jr,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}Kr.displayName="ReactiveTextNode";Object.defineProperties(X.prototype,{constructor:{configurable:!0,value:Mt(Ne,null).constructor},type:{configurable:!0,value:Kr},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Ve("__b",function(e,t){if(pt(),Bt=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof X&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});Ve("__r",function(e,t){if(e(t),t.type!==Ne){pt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return fe(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;sa&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Bt=r,pt(n)}});Ve("__e",function(e,t,n,r){pt(),Bt=void 0,e(t,n,r)});Ve("diffed",function(e,t){pt(),Bt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var m=o[l],u=r[l];m===void 0?(m=aa(n,l,u,s),o[l]=m):m.o(u,s)}}}e(t)});function aa(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=de(n);return{o:function(a,i){o.value=a,r=i},d:fe(function(){this.N=Jr;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}Ve("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});Ve("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});je.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function ia(e,t){return O(function(){return de(e,t)},[])}var la=function(e){queueMicrotask(function(){queueMicrotask(e)})};function ca(){An(function(){for(var e;e=Gr.shift();)Vr.call(e)})}function Jr(){Gr.push(this)===1&&(L.requestAnimationFrame||la)(ca)}var ua=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function ma(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function fa(e){return e.split("/").filter(t=>t!=="").map(ma)}function Nn(){return{path:fa(location.pathname),params:new URLSearchParams(location.search)}}var b=de({path:[],params:new URLSearchParams});function Ge(...e){return"/"+e.map(ua).join("/")}function Y(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ae(e,t){let n=t.toString();return n===""?e:e+"?"+n}function ye(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=Nn()}function P(e,t=!1){ye(ae(location.pathname,Y(b.value.params,e)),t)}function we(e){return ae(Ge(...b.value.path),Y(b.value.params,e))}function pa(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function B(e,t={}){return ae(Ge(...e),Y(pa(b.value.params),t))}function da(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),ye(t.pathname+t.search),scrollTo(0,0))}function zr(){addEventListener("popstate",()=>b.value=Nn()),addEventListener("click",da),b.value=Nn()}function ht(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function _(e){if(e<0)return"-"+_(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):ht(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ha={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Xr(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*ha[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ie(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):ht(t))+" "+n;t/=1e3}return ht(t)+" TB"}function v(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?ht(e/1e6)+" M":ht(e/1e9)+" G"}function ke(e,t){return`${v(e)} ${t}${e===1?"":"s"}`}function D(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ce(e,t){return t==="ns"?_(e):t==="bytes"?ie(e):v(e)}var dt=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${dt(n.getHours())}:${dt(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${dt(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function $e(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${dt(t.getMonth()+1)}-${dt(t.getDate())}`}function ue(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function pe(e){return e||"(no name)"}function ne(e){return e.slice(e.lastIndexOf(".")+1)}function Ke(e){return e.split(".").slice(-2).join(".")}var Qr=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,Qr(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},Yr=new Map;function Zr(e){var t=Yr.get(this);return t||(t=new Map,Yr.set(this,t)),(t=Qr(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],m=function(d){o===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,d,a):o===3&&(d||a)?(l.push(3,d,a),o=2):o===2&&a==="..."&&d?l.push(4,d,0):o===2&&a&&!d?l.push(5,0,!0,a):o>=5&&((a||!d&&o===5)&&(l.push(o,0,a,s),o=6),d&&(l.push(o,d,0,s),o=6)),a=""},u=0;u<n.length;u++){u&&(o===1&&m(),m(u));for(var p=0;p<n[u].length;p++)r=n[u][p],o===1?r==="<"?(m(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[u][p+1]===">")?(m(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return m(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=Zr.bind(Mt);var En=0;function eo(){return En>0}var ga=5,ba=1;function $a(e,t){return new Promise(n=>{let r=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function _a(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}async function va(e,t){for(let n=0;;n++){let r=await fetch(e,{signal:t,headers:{accept:"application/json"}});if(r.ok)return{data:await r.json(),problem:null,status:r.status,isLoading:!1};if(r.status!==503||n===ga)return{data:null,problem:await _a(r),status:r.status,isLoading:!1};let s=Number(r.headers.get("retry-after"))||ba;await $a(s*1e3,t)}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=M(n);return Ee(()=>{if(e===null){s(n);return}let o=new AbortController;s(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>s(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),l=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>o.signal.aborted||u(p);return En++,va(e,o.signal).then(m(i),m(l)).finally(()=>En--),()=>o.abort()},[e,t]),r}var Ft=["5m","15m","1h","6h","1d","7d","30d"],to="1h",xa=5e3,ya={s:1,m:60,h:3600,d:86400},no=()=>BigInt(Date.now())*1000000n,N=de(no());function In(){N.value=no()}function ro(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*ya[t[2]])*1000000000n:null}function Dt(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var gt=xe(()=>{let e=b.value.params.get("last")??to;return ro(e)===null?to:e}),Ue=xe(()=>b.value.params.get("live")==="1"),Z=xe(()=>{let{params:e}=b.value,t=Dt(e.get("to")??"")??N.value;return{from:Dt(e.get("from")??"")??t-ro(gt.value),to:t}}),wa=18e10;function Ht(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=wa;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function oo(){let e=0;fe(()=>{if(clearInterval(e),Ue.value){let t=()=>document.hidden||eo()||In();e=window.setInterval(t,xa)}})}var Be=de(0),Un=new Map;function F(e){let t=Un.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Un.set(e,t)),t}function Bn(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function so(e,t,n){let r=Bn(t);return"#"+Bn(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var ka=.2;function jt(e){let[t,n,r]=Bn(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>ka?"#101113":"#ffffff"}function ao(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Un=new Map,Be.value++})}var Sa={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},unaccounted:{name:"not accounted",token:"none"}},Ra={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc","-":"unaccounted"};function ee(e){let t=e.startsWith("other: ")?e.slice(7):e;return Sa[e]??{name:t,token:"other"}}function Je(e){return Ra[e]??"other: other"}function Wt(e){return e==="."?null:ee(Je(e))}var Ta={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Se(e){return(e.startsWith("jdk.")?Ta[e.slice(4)]:void 0)??"other: "+e}var Pa=/^(java|javax|jdk|sun|com\.sun)\./;function ze(e){return Pa.test(e)}function le(e,t,n){return B(["c",e,t],n===void 0?{}:{at:String(n)})}function qt(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function Vt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var Ca=1e3,io=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Ma(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&io(e.url)===io(t)?Math.min(Ca,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Gt(e,t,n){let[r,s]=M([]),[,o]=M(""),a=se({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Ma(a.current,e,n,r.length,t);let{rows:i,cursor:l,before:m}=a.current,u=l?`&cursor=${encodeURIComponent(l)}`:"",p=R(`${e}&limit=${i}${u}`,n);ge(()=>{p.data&&!p.isLoading&&s([...m,...Vt(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},o(d)}}}var Oa=["recording","instance","context","where","trace","thread","id"],Aa=["recording","instance","context"],La=["min_duration_ns","max_duration_ns"];function he(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function bt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Kt(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function Dn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var lo=30000000000n;function Fn({from:e,to:t}){return{from:e-lo,to:t+lo}}function co(e,t,n=""){Dn(e,Fn(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Xe({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Ye(e,t){let n=new URLSearchParams,r=Xe(e);r!==null&&n.set("service",r),Kt(n,e.params,Oa);let s=he(e.params.get("box"));return s?co(n,s):(Dn(n,t),Kt(n,e.params,La)),n}function uo(e,t){let n=Ye(e,t),r=he(e.params.get("base_box"));if(!r)return Kt(n,e.params,["base"]),n;co(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function mo(e,t){let n=new URLSearchParams,r=Xe(e);r!==null&&n.set("service",r),Kt(n,e.params,Aa),Dn(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return ae("/api/v1/"+e,Y(t,n))}function re({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${ee(e).token})`}}
  ></span>`}function po({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${ee(e).token})`;return c`<div class="bar" style=${{width:n,background:r}}></div>`}var fo=120,Hn=22;function ho({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*fo,l=Hn-1-o/n*(Hn-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${fo} ${Hn}"
  >
    <path d=${r} />
  </svg>`}var Na=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${_(Number(e))}`],["max_duration_ns",e=>`\u2264 ${_(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ea(e,t){P({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}function Ia(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");P({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}function Jt({keys:e=[],values:t=[]}){let n=Na.flatMap(([r,s])=>b.value.params.getAll(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>Ea(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Ia} aria-label="Add a condition on an attribute">
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
  </div>`}function go(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function bo(e,t){let[n,r=""]=e.split("?"),s=[...new URLSearchParams(r)].map(([o,a])=>` \\
  --data-urlencode ${go(`${o}=${a}`)}`);return`curl -f${s.length>0?"G":""} ${go(t+n)}${s.join("")}`}async function Ua(e){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let t=document.createElement("textarea");t.value=e,document.body.append(t),t.select(),document.execCommand("copy"),t.remove()}function U({url:e}){let[t,n]=M(!1);return e===null?null:c`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await Ua(bo(e,location.origin)),n(!0)}} title=${bo(e,location.origin)}>
      ${t?"copied":"curl"}
    </button>
  </span>`}var Ba=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Re({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([l])=>!l.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(l,m)=>k(m,r,{...l===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=k("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<details class="menu">
    <summary>download</summary>
    <div>
      ${Ba.map(([l,m,u])=>c`<a href=${o(l,m)} download title=${u}
            >${l}<small>${u}</small></a
          >`)}
      <a href=${"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function $o(e){return ae(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function zt(e){return typeof e=="string"?e:JSON.stringify(e)}function _o(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function jn(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Da(e){return e.find(t=>!ze(t))??e[0]??""}function Fa({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${ue(e.start)}</dd>
        ${_o(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${zt(r)}</dd>`])}
      </dl>
      <ol>
        ${jn(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function Xt({items:e,since:t,contextHref:n,label:r}){let[s,o]=M(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=l.values,$=t===void 0?Q(l.start):"+"+_(Number(l.start-t)),g=_o(l).map(([A,E])=>`${A}=${zt(E)}`),y=`${l.start} ${u} ${d} ${f}`,x=s===y,T=()=>o(x?null:y),w=n&&f!==null&&h?n(String(f),String(h)):null;return c`<tr key=${m} class=${x?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(x)} onClick=${T}>${$}</button>
        </td>
        <td title=${u}>
          <${re} category=${Se(String(u))} />${ne(String(u))}
        </td>
        <td class="n">${typeof p=="number"?_(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${jn(l)[0]}>
          ${Ke(Da(jn(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${w&&c`<a href=${w}>open</a>`}</td>`}
      </tr>
      ${x&&c`<${Fa} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function j({title:e,children:t}){return c`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function Ha({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function W({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}function C({title:e,note:t,tools:n,answer:r,className:s,children:o}){let a=r&&r.data!==null&&(r.isLoading||r.problem!==null);return c`<section class=${s} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&c`<${Ha} answer=${r} />`}
    <div class=${a?"stale":""}>${o}</div>
  </section>`}function ja(e,t){return`-agentpath:/path/to/libloupe.so=collector=${e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t)},service=NAME`}function Wa({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=b.value,r=Y(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ae(Ge(...t),r)}>look at all of that time</a>.
  </p>`}function Te(){let e=k("collector",new URLSearchParams),{data:t}=R(e,N.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<Z.value.from,r=Xe(b.value),s=r===null?"":` of ${r}`;return c`<${j} title="No JVM${s} has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&c`<pre>${ja(t.agents,location.hostname)}</pre>`}
    ${t&&n&&c`<${Wa} of=${t} />`}
  <//>`}var qa=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Va=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,vo=e=>e.replace(/\$(?=.)/g,"\\$");function xo(e,{path:t,params:n}){if(qa.test(e))return B(["t",e.toLowerCase()]);let r=t[0]==="s",s=Va.test(e);if(!r)return B(["s"],s?{where:e}:{frame:vo(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:vo(e)};return ae(Ge(...t),Y(n,a))}function Ga(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(ye(xo(s,b.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function Ka(){let{params:e}=b.value,t=Dt(e.get("from")??"")!==null,{from:n,to:r}=Z.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&P({last:l,from:null,to:null,box:null,base_box:null})},o=Ft.includes(gt.value)?Ft:[gt.value,...Ft],a=`${ue(n)} to ${ue(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${$e(n)} ${Q(n,1e9)} to ${Q(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===gt.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${In} title="ask again">refresh</button>
    <button
      aria-pressed=${Ue.value?"true":"false"}
      onClick=${()=>P({live:Ue.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}var Ja=[["services",""],["events","e"],["recordings","r"]];function oe({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([o,a])=>c`<a href=${B(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${B([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Ja.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${Ga} />
      <${Ka} />
    </header>
    <main>${t}</main>`}var za=4;function Xa(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function J({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o}){let[a,i]=M(null),l=a===null?void 0:e[a]?.sort,u=(l?[...t].sort((f,h)=>Xa(l(f),l(h))):t).slice(0,s),p=(f,h)=>{let $=a!==h?"none":f.isNumber?"descending":"ascending",g=f.sort?c`<button class="plain" onClick=${()=>i(h)}>${f.name}</button>`:f.name;return c`<th
      class=${(f.isNumber?"n ":"")+(f.sort?"sort":"")}
      title=${f.title}
      scope="col"
      aria-sort=${f.sort?$:void 0}
    >
      ${g}
    </th>`},d=(f,h,$)=>{let g=h.cell(f);return c`<td
      class=${(h.isNumber?"n ":"")+(h.className??"")}
      data-name=${$>0?h.name:void 0}
    >
      ${r&&$===0?c`<a href=${r(f)}>${g}</a>`:g}
    </td>`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class=${e.length>za?"stacks":""}>
      <thead class=${e.some(f=>f.sort)?"sorts":""}>
        <tr>
          ${e.map(p)}
        </tr>
      </thead>
      <tbody>
        ${u.map(f=>c`<tr key=${n(f)} class=${r?"opens":""}>
              ${e.map((h,$)=>d(f,h,$))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var Ya=100,Wn=e=>e===null?"":_(e),Qe=(e,t)=>b.value.params.getAll(e).includes(t);function qn({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Qa({types:e}){let t=n=>we({context:Qe("context",n)?null:n,key:null,where:null,event:null});return c`<${J}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${qn} href=${t(n)} on=${Qe("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>v(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>v(n.contexts_out),isNumber:!0},{name:"median",cell:n=>Wn(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>Wn(n.p99_ns),isNumber:!0}]}
  />`}function yo({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return we({where:Qe("where",s)?o:[...o,s],event:null})};return c`<${J}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${qn}
            href=${n(r)}
            on=${Qe("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":v(r.all),isNumber:!0},{name:"kept",cell:r=>v(r.kept),isNumber:!0},{name:"p99",cell:r=>Wn(r.p99_ns),isNumber:!0}]}
  />`}function Za({name:e}){let t=Ye(b.value,Z.value);t.delete("where");let r=R(k("attributes",t,{limit:"100"}),N.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${yo} name=${e} rows=${s} />`}`}function ei({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>P({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${Za} name=${n.key} />`:c`<${yo} name=${n.key} rows=${r} />`}`}function ti({of:e}){let t=n=>we({event:Qe("event",n)?null:n});return c`<${J}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${re} category=${Se(n)} /><${qn}
              href=${t(n)}
              on=${Qe("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>v(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?_(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function ni({query:e}){let t=b.value.params.get("event"),n=k("events",e,{event:t}),{answer:r,items:s,more:o}=Gt(n,Ya,N.value),a=c`<${W} of=${r.data} /><${U} url=${n} />`;return c`<${C} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${Xt} label="Events" items=${s} contextHref=${le} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${j} title="No events here" />`}
  <//>`}function wo(){let e=b.value,t=Ye(e,Z.value),n=k("contexts/types",oi(t)),r=R(n,N.value),s=k("events/types",t),o=R(s,N.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${v(o.data.events)} events`+ri(o.data.contexts);return c`<${oe}>
    <${Jt} />
    <div class="three">
      <${C}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${Qa} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Te} />`}
      <//>
      <${C} title="Context values" note=${a?.type}><${ei} of=${a} /><//>
      <${C}
        title="Event types"
        note=${i}
        tools=${c`<${W} of=${o.data} /><${U} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${ti} of=${o.data} />`}
      <//>
    </div>
    <${ni} query=${t} />
  <//>`}var ri=e=>e===null?", in contexts or not":` in ${v(e)} contexts`;function oi(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function ko(){return c`<${oe}>
    <${j} title="There is nothing here">
      <a href=${B([])}>Services</a> is where everything begins.
    <//>
  <//>`}function si(e){return e.replaceAll("_","-")}function $t(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function _t({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${si(t)} <b>${v(n)}</b></span
        >`)}
  </span>`}var Ro=e=>e.slice(0,19).replace("T"," "),ai=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Yt=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,So=(e,t)=>c`${v(e)} <span class="dim">of ${v(t)}</span>`,ii=[{name:"service",cell:e=>c`<b>${pe(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>Ro(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${_(Yt(e))}, running`:_(Yt(e)),isNumber:!0,sort:Yt},{name:"contexts kept",cell:e=>So(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>So(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ie(e.bytes_out)} <span class="dim">of ${ie(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>ai(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function li(){let{params:e}=b.value,{from:t,to:n}=Z.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let s=k("recordings",r),o=R(s,N.value),a=o.data?.recordings??[],i=c`<${W} of=${o.data} /><${U} url=${s} />`;return c`<${oe}>
    <${C} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${J}
          label="Recordings"
          columns=${ii}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>B(["r",m.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Te} />`}
    <//>
  <//>`}var ci=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>v(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>v(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ie(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ie(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${_t} of=${$t({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Pe(e,t){return c`<span><b>${e}</b>${t}</span>`}function ui({of:e}){let t=e.contexts_in?D(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${Pe(e.is_running?"running":"ended",`${_(Yt(e))} since ${Ro(e.start)} UTC`)}
    ${Pe(t,`of ${v(e.contexts_in)} contexts kept`)}
    ${Pe(v(e.events_out),`of ${v(e.events_in)} events kept`)}
    ${Pe(ie(e.bytes_out),`of ${ie(e.bytes_in)} kept`)}
    ${Pe(ie(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Pe(_(e.waiting.duration_ns),`not compacted yet, ${ie(e.waiting.journal_bytes)}`)}
    ${Pe(e.jvm_version,e.jvm_name)} ${Pe(e.pid,`process, on ${e.instance}`)}
  </div>`}var mi={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",power_cuts:"power cuts, each of which may have cost a second"};function fi({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${v(r)} ${mi[n]??n}</li>`)}
      </ul>`}function pi({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=k("policies/"+t,new URLSearchParams),r=R(n,N.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${C}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${c`<${U} url=${n} />`}
    answer=${r}
  >
    ${s?.refused&&c`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&c`<${J}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>o(a).join(", "),className:"w"}]}
      />`}
  <//>`}function di({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=[{name:r?`${pe(r.service)}, ${r.instance}`:e}],o=c`<a href=${$o(e)} download>download .jfr</a><${U} url=${t} />`,a=r?$t(r.types):[];return c`<${oe} crumbs=${s}>
    <${C} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${ui} of=${r} />`}
      ${n.status===404&&c`<${j} title="This collector has no such recording">
          <a href=${B(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${C}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${_t} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${C} title="Lost" note="what is missing, and should not be"
          ><${fi} of=${r}
        /><//>
        <${C} title="Event types">
          <${J}
            label="Event types"
            columns=${ci}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${pi} service=${r.service} />`}
  <//>`}function To(){let e=b.value.path[1];return e===void 0?c`<${li} />`:c`<${di} id=${e} />`}function Po(e){let[t,n]=M({width:0,height:0,ratio:1});return Ee(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function Vn(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Co(e,{width:t,height:n,ratio:r},s,o){Ee(()=>{let a=t>0&&e.current&&Vn(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Be.value,...o])}function hi(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=Vn(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function Qt(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=se(null),a=se(null),i=se(t),l=se(0);i.current=t;let m=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&hi(a.current,o.current,i.current)})};ge(()=>{let d=new ResizeObserver(m);return d.observe(o.current),()=>(d.disconnect(),cancelAnimationFrame(l.current))},[]),ge(m,[t,n,r,Be.value]),ge(()=>{let{scrollTop:d,clientHeight:f}=o.current;s&&s[0]<d?o.current.scrollTop=s[0]:s&&s[1]>d+f&&(o.current.scrollTop=s[1]-f)},[s?.[0],s?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),$=f.clientY-h.top+o.current.scrollTop;d?.({x:f.clientX-h.left,y:$,width:h.width,event:f})},p=Math.min(n,r);return c`<div
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
  </div>`}var Zt=14,en=8;function Ze({at:e,children:t}){let n=se(null);return Ee(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+Zt+s>innerHeight-en,i=Math.min(e.clientX+Zt,innerWidth-r-en);o.left=`${Math.max(en,i)}px`,o.top=`${a?Math.max(en,e.clientY-Zt-s):e.clientY+Zt}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}function rn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)o[i.pop()]=u;let p=n[u]-1;s[u]=p<0?-1:i[p],a[u]=p<0?0:l[p],p>=0&&(l[p]+=r[u]),l[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>o[u]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:m}}function Oo(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=l.level[d];f>=r&&f<s&&m.push({node:d,x:0,width:n,row:f})}let u=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let d=t;d<(i[t]??0);){let f=l.level[d];if(f>=s||o[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:o[d]*u,$=(a[d]-a[t])*u,g=h<1?Math.min(Math.floor($),n-1):$;f>=r&&(h>=1||g>=p[f-r])&&(m.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return m}function Ao(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,m=t;for(;m>0&&l.level[m]>s;)m=e.parent[m];if(m!==t||l.level[m]===s)return l.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(o[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+o[m];if(p&&l.level[m]===s)return m;m=p?m+1:i[m]}return-1}function Lo(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?No(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<o[t];u+=m)if(i.level[u]===l&&s[u]>0)return u;return n}default:return n}}function No(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var nn=4;function Eo(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**nn).toString(36).padStart(nn,"0")}function on(e,t){return No(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Eo).join("")}function sn(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=nn){let a=t.slice(o,o+nn),i=s+1;for(;i<(e.end[s]??0)&&Eo(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}function Gn(e){let t=/^\/(.+)\/$/.exec(e);if(!t){let n=e.toLowerCase();return r=>r.toLowerCase().includes(n)}try{let n=new RegExp(t[1],"i");return r=>n.test(r)}catch{return null}}function Io(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var tn=(e,t)=>t>0?e/t:0;function Uo({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(tn(r.total,n),tn(r.base_total??0,o)),i=tn(e[s],n)-tn(t?.[s]??0,o);return a>0?i/a:0}function Bo(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function gi({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!ze(e.names[e.name[o]]))return o;return s}function Mo({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Do(e,t){let{flame:n}=e,r=Mo(e,n.value),s=Mo(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let m=l==="."?"c":l,u=n.names[n.name[gi(e,i)]],p=o.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(m+u,p)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var me=18,bi=22,Fo=4,$i=5,_i="11px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";function vi(e){return e.split(".").slice(0,-2).join(".")}function xi(e){if(ze(e))return"frame-jdk";let t=7;for(let n of vi(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%$i}`}function yi({names:e,kinds:t}){return e.map((n,r)=>{let s=Wt(t[r]??".");return F(r===0?"frame-root":s?s.token:xi(n))})}var Kn=32,Jn=e=>({fill:e,ink:jt(e)});function Ho(e){if(e.base_value===void 0){let s=yi(e).map(Jn);return e.name.map(o=>s[o])}let t=s=>Array.from({length:Kn+1},(o,a)=>Jn(so(F("frame-same"),F(s),a/Kn))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:Uo(e,o),i=Math.round(Kn*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function wi(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function jo(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,m=F("ink"),u=Jn(F("accent"));e.font=_i,e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:$}of n){let g=$*me-r,y=s.name[d],x=d!==l&&s.level[d]<s.level[l],T=a!==null&&a.names[y]===1,w=x||a!==null&&!T,{fill:A,ink:E}=T?u:o[d];if(e.globalAlpha=w?.6:1,e.fillStyle=A,e.fillRect(f,g,Math.max(h-.5,.5),me-1),h>=bi){let G=Math.floor((h-2*Fo)/p);e.globalAlpha=1,e.fillStyle=w?m:E,e.fillText(wi(s.names[y],G),f+Fo,g+me/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),me-3))}}var ki=24,Si=3,zn=(e,t)=>D(t>0?e/t:0);function Ri({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=ce(n[i]/Math.max(1,a),o),m=ce(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${zn(n[i],s)}, ${l} each, own ${m}`}function Ti(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:l??0,whole:m??0};return[{...u,name:"selection"},p]}function Pi({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=Ti(r,t),m=(u,p)=>c`<tr>
      <th scope="row">${u}</th>
      ${l.map(d=>c`<td class="n"><b>${ce(p(d)/Math.max(1,d.requests),s)}</b></td>
            <td class="n">${zn(p(d),d.whole)}</td>
            <td class="n dim">${ce(p(d),s)}</td>`)}
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
    ${n>0&&c`<div class="dim">${zn(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Wo({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=M(null),[i,l]=M(null),m=O(()=>i===null?-1:sn(e,i),[e,i]),u=o?.node??-1,p=O(()=>Ho(s),[s,Be.value]),d=At((w,{width:A,top:E,height:G})=>{let te=Math.floor(E/me),He=Oo(e,t,A,te,Math.ceil((E+G)/me));jo(w,{flame:s,shades:p,zoom:t,found:n,marks:[m,u]},He,E)},[e,t,n,m,u,p]),f=({x:w,y:A,width:E})=>Ao(e,t,E,w,Math.floor(A/me)),h=w=>{let A=f(w),{clientX:E,clientY:G}=w.event;a(A<0?null:{node:A,at:{clientX:E,clientY:G}})},$=w=>{let A=f(w);A>=0&&w.event.button===0&&r(A)},g=w=>{let A=m<0?t:m;if(w.key.startsWith("Arrow")){let E=m<0?t:Lo(e,t,A,w.key);l(on(e,E)),a(null)}else if(w.key==="Enter")r(A);else if(w.key==="Escape")r(0);else if(w.key==="Backspace")r(Math.max(0,e.parent[t]));else return;w.preventDefault()},y=m>=0?m:t,x=s.level[y],T=[Math.max(0,x-Si)*me,(x+1)*me];return c`<${Qt}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*me}
      heightMax=${ki*me}
      draw=${d}
      reveal=${T}
      onPoint=${h}
      onUp=${$}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&Ri(s,m)}</div>
    ${o&&c`<${Ze} at=${o.at}><${Pi} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var Ci=500;function Mi(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>ce(p/Math.max(1,r),t),a=p=>c`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>P({find:p.name,flame:null,zoom:null})}
    >
      <${Oi} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>o(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),l=p=>D(n>0?p.total/n:0),m=p=>ce(p/Math.max(1,s??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,l)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function Oi({kind:e}){let t=Wt(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function qo({tree:e,matches:t}){let n=Bo(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${J}
      label="Frames"
      columns=${Mi(e.flame)}
      rows=${n}
      rowsMax=${Ci}
      rowKey=${r=>r.name}
    />
  </div>`}var Ai=8;function an(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Vo({url:e,answer:t}){let{data:n}=t,r=O(()=>n&&n.requests>0?Do(rn(n),Ai):[],[n]),s=b.value.params.get("frame"),o=(l,m=0)=>ce(l/Math.max(1,m),"ns"),a=l=>{let m=an(l.name);return c`<tr key=${l.name+l.kind}>
      <td title=${l.name}>
        <button
          class="plain"
          aria-pressed=${s===m?"true":"false"}
          onClick=${()=>P({frame:s===m?null:m,zoom:null})}
        >
          <${re} category=${Je(l.kind)} />${Ke(l.name)}
        </button>
      </td>
      <td class="n">${o(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${o(l.base,n.base_requests)}</td>`}
      <td class="n dim">${D(l.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=c`<${W} of=${n} /><${U} url=${e} />`;return c`<${C} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
  <//>`}var Xn=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function ln({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Li(e){let t=e.get("value")??"";return Xn.some(([n])=>n===t)?t:"time"}function Ni({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${Xn.map(([t,n])=>c`<${ln}
          key=${t}
          isOn=${t===e}
          onChange=${()=>P({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function Ei({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${ln}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all other contexts of the range"}"
      onChange=${()=>P(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${ln}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>P({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Ii({found:e,flame:t}){let n=b.value.params.get("find")??"",r=n!==""&&Gn(n)===null,s=b.value.params.get("width")==="base"&&t?.base_total||t?.total,o=e&&s?D(e.weight/s):D(0);return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${n}
      onInput=${i=>{let{value:l}=i.currentTarget;P({find:l===""?null:l},!0)}}
    /><span role="status"
      >${r?"no regular expression":e?`${o} found`:""}</span
    >`}function Ui(){let e=b.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>P({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Bi({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>D(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${re} category=${Je(o)} />${ee(Je(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${v(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function Di({requests:e,total:t,unit:n,...r}){let s=ce(t/Math.max(1,e),n),o=r.base_requests??0,a=ce((r.base_total??0)/Math.max(1,o),n),i=r.base_value?`; base: ${v(o)}, ${a} each`:"";return`${ke(e,"context")}, ${s} each${i}`}function cn(e){return k("flamegraph",e,{value:"time",frame:null})}function et({query:e,tick:t,whole:n}){let{params:r}=b.value,s=Li(r),o=r.get("frame"),a=Y(e,{value:s,frame:o}),i=k("flamegraph",a),l=n!==void 0&&i===cn(e),m=R(l?null:i,t),u=m.problem===null?n?.data??null:null,p=l?n:{...m,data:m.data??u},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=O(()=>d&&rn(d,f),[d,f]),$=r.get("find")??"",g=O(()=>$===""?null:Gn($),[$]),y=O(()=>h&&g&&Io(h,g),[h,g]),x=r.get("flame")==="table",T=!h||h.weight.length===0||!(h.weight[0]>0),w=h?sn(h,r.get("zoom")??""):0,A=h&&c`<${Wo}
      tree=${h}
      zoom=${w}
      found=${y}
      onZoom=${te=>P({zoom:on(h,te)||null})}
    />`,E=c`<${W} of=${d} /><${Re}
      query=${e}
      value=${s}
      frame=${o}
    /><${U} url=${i} />`,G=d?Di(d):"";return c`<${C} title="Flame graph" note=${G} tools=${E} answer=${p}>
    <div class="flame-tools">
      <${Ni} value=${s} />
      <${Ui} />
      <${Ei} flame=${d} />
      <${Ii} found=${y} flame=${d} />
      ${w>0&&c`<button onClick=${()=>P({zoom:null})}>whole graph</button>`}
      <${ln}
        isOn=${x}
        onChange=${()=>P({flame:x?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&T&&c`<${j} title="No ${Xn.find(([te])=>te===s)[1]} in this selection" />`}
    ${!T&&(x?c`<${qo} tree=${h} matches=${g} />`:A)}
    ${d&&!T&&c`<${Bi} flame=${d} />`}
  <//>`}function Yn(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Qn({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),m=Math.max(2,l-i),u=Math.min(i,r-2);o.push({box:a,x:u,width:m,y:20+a.level*20})}return o}function Go(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ko(e,t,n,r,s){let o=Qn(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Jo(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function zo({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function Xo(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,m)=>a(l)-a(m));if(i)return{lane:o,box:i}}return t}var Fi=560,Hi=110,ji=4,Wi=28,Qo=5,qi="11px Inter, system-ui, sans-serif",Vi=500;function Gi(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function un(e){P({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Ki(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function Zn({count:e,name:t,duration:n}){return`${e>1?`${v(e)} \xD7 `:""}${ne(t)} \xB7 ${_(n)}`}function Ji(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=F(i?"hover":ee(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=F(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=Wi&&(e.fillStyle=i?F("ink"):jt(l),e.fillText(Ki(e,Zn(s),a-2*Qo),o+Qo,n+20/2-1))}function zi(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=F("panel"),e.fillRect(0,0,n,18);for(let o of zo(t,n/Hi)){let a=Math.round((o-t.from)*s),i=o===0?"0":_(o),l=e.measureText(i).width;e.fillStyle=F("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=F("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function Xi(e,t,n,r){return At((s,{width:o,top:a,height:i})=>{let l=Yn(e);s.font=qi,s.textBaseline="middle",zi(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((m,u)=>{let p=l[u]-a;p>i||l[u+1]-a<0||Qn(m,t,o).forEach(d=>Ji(s,d,p+d.y,n.includes(d.box)))}),s.restore(),r&&(s.fillStyle=F("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function Yi({title:e},t){return`${e}: ${ee(t.kind).name}, ${Zn(t)}, at ${_(t.start)}`}function Qi({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${J}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Vi}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>_(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${re} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>v(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>_(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Zo({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=Gi(b.value.params.get("part"),t),[a,i]=M(null),[l,m]=M(null),[u,p]=M(null),[d,f]=M(!1),h=O(()=>Yn(e),[e]),$=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=Xi(e,o,[$?.box??null,a?.box??null],u),y=({x:S,y:I,width:z})=>{let q=Go(h,I),Oe=q<0?null:Ko(e[q],o,z,S,I-h[q]);return Oe&&{lane:q,box:Oe}},x=S=>{if(u){p([u[0],Math.max(0,Math.min(S.x,S.width))]),i(null);return}let I=y(S),{clientX:z,clientY:q}=S.event;i(I&&{...I,at:{clientX:z,clientY:q}})},T=({lane:S,box:I})=>{let z=n?.(e[S],I)??null;z!==null&&r?r(z):un({from:I.start,to:I.start+Math.max(1,I.duration)})},w=({x:S,event:I})=>{I.button===0&&I.pointerType!=="touch"&&(I.target.setPointerCapture(I.pointerId),p([S,S]))},A=S=>{p(null);let[I=0,z=0]=u?[...u].sort((Oe,qs)=>Oe-qs):[],q=y(S);if(z-I>=ji){let Oe=(o.to-o.from)/S.width;un({from:o.from+I*Oe,to:o.from+z*Oe})}else q&&T(q)},E=e.findIndex(({boxes:S})=>S.length>0),G=S=>{if(S.key.startsWith("Arrow")&&E>=0)m($?Xo(e,$,S.key):{lane:E,box:e[E].boxes[0]});else if(S.key==="Enter"&&$)T($);else if(S.key==="Escape"||S.key==="Backspace")un(null);else return;S.preventDefault()},te=$?h[$.lane]+20+$.box.level*20:0,He=b.value.params.get("part")!==null;return c`<${Qt}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Fi}
      draw=${g}
      reveal=${$?[te-20-20,te+20]:void 0}
      onPoint=${x}
      onDown=${w}
      onUp=${A}
      onLeave=${()=>i(null)}
      onKey=${G}
    >
      ${e.map((S,I)=>c`<div class="lane-title" key=${S.key} style=${{top:`${h[I]}px`}}>
            ${S.href?c`<a href=${S.href}>${S.title}</a>`:S.title}
            <small title=${S.note}>${S.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${$&&Yi(e[$.lane],$.box)}</div>
    ${a&&c`<${Ze} at=${a.at}>
        <b>${Zn(a.box)}</b>
        <div>${a.box.name}, ${ee(a.box.kind).name}</div>
        <div class="dim">at ${_(a.box.start)}</div>
      <//>`}
    ${He&&c`<button onClick=${()=>un(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${S=>f(S.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&c`<${Qi} lanes=${e} />`}
    </details>`}var Zi=3;function el(e,t){let n=e.slices.find(r=>r.category===t);return _(e.requests?(n?.total_ns??0)/e.requests:0)}function tl({slice:e,of:t,largest:n,base:r,hrefOf:s}){let o=(m,u)=>s?c`<a href=${s(e.category,u)}>${m}</a>`:m,a=e.total_ns/t.requests,i=e.top.slice(0,Zi).filter(m=>m.total_ns>0),l=s?"opens":"";return c`<tr
      class=${l}
      title=${`${_(e.total_ns)} in all, ${v(e.events)} events`}
    >
      <th scope="row">
        <${re} category=${e.category} />${o(ee(e.category).name,null)}
      </th>
      <td class="fill"><${po} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${_(a)}</td>
      ${r&&c`<td class="n dim">${el(r,e.category)}</td>`}
      <td class="n dim">${D(e.total_ns/Math.max(1,t.total_ns))}</td>
    </tr>
    ${i.map(m=>c`<tr class=${`frame ${l}`} title=${m.frame}>
          <td colspan="2">${o(Ke(m.frame),m.frame)}</td>
          <td class="n">${_(m.total_ns/t.requests)}</td>
          ${r&&c`<td></td>`}
          <td class="n dim">${D(m.total_ns/Math.max(1,t.total_ns))}</td>
        </tr>`)}`}function er({of:e,base:t,hrefOf:n}){let r=e.slices.reduce((s,o)=>Math.max(s,o.total_ns),1);return c`<table class="why">
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
      ${e.slices.map(s=>c`<${tl}
            key=${s.category}
            slice=${s}
            of=${e}
            largest=${r}
            base=${t}
            hrefOf=${n}
          />`)}
    </tbody>
  </table>`}function mn({query:e,base:t=null,tick:n,hrefOf:r}){let s=k("why",e),o=R(s,n),a=R(t&&k("why",t),n),{data:i}=o,l=c`<${W} of=${i} /><${U} url=${s} />`,m=i&&i.requests>0?`mean of ${ke(i.requests,"context")}, ${_(i.total_ns/i.requests)} each`:"";return c`<${C}
    title="Why"
    note=${m}
    tools=${l}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${er} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${j} title="No kept context is in this selection" />`}
  <//>`}var tr=8192,es=60000000000n,ts=5,nl=2000000000n;function ns(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function rs({t0_ns:e,events:t,is_truncated:n}){return Vt({...t,t0_ns:e,next:null,is_truncated:n})}function nr(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=ns(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=ns(s,"monitorClass")??"",m={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(o)??m;t.set(o,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function rr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,m,u,p]of e.rows){let d={level:o,start:a+n,duration:i,kind:l,name:m,count:u,id:p};r[s]?.boxes.push(d)}return r}function rl(e,t,n){return Vt(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=Se(o),m={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...m,count:1,id:null}]:[]})}function ol(e,t,n,r){let s=BigInt(e.t0_ns),a=rr(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),l=rl(r,s,new Set([e.type,...i])),m=Jo([...a,...l]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${ne(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function sl(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-nl)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(m,u)=>t?k(m,r,u):null,o=R(s("timeline",{width:String(tr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=O(()=>t&&o.data&&a.data?ol(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),l=[o,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:l}}function al(e){let t=O(()=>nr(e),[e]),n=[];for(let i=0;i<ts;i++){let l=n.every(m=>m.isAnswered);n.push(sl(e,l?t[i]:void 0))}let r=t.slice(ts),s=_(r.reduce((i,l)=>i+l.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return O(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function il(e){let t=qt(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-es)});r.set("to",String(n+BigInt(e.duration)+es));let s=String(tr),o=R(t&&k("timeline",r,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return O(()=>(o?rr(o,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:B(["t",t])}}),[e,o,i])}function os(e,t){let n=R(k("timeline",t,{width:String(tr)})).data,r=al(e),s=il(e);return O(()=>{let o=n?rr(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(u.thread),i=o.filter(({thread:u})=>u===null),l=o.filter(({thread:u})=>u!==null),m=`this one, ${_(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...l.map(u=>({...u,note:m})),...r,...s.filter(a)]},[e,n,r,s])}var ss=300000000000n,ll=100,tt=({t0_ns:e})=>BigInt(e);function or(e){let t=tt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function cl(e){let t=or(e);if(b.value.params.get("base")==="rest"){let n=tt(e);t.set("from",String(n-ss)),t.set("to",String(n+ss)),t.set("context",e.type),t.set("base","rest")}return t}function ul({context:e,jvm:t}){let n=tt(e),r=qt(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${B(["t",r])}>${r}</a>`:zt(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${ue(n)}>${$e(n)} ${Q(n)}</dd>
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
          <a class="link" href=${as(e,e.parent)}
            >${ne(e.parent.type)}, ${_(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function as(e,{id:t,start:n}){return le(e.recording,t,tt(e)+BigInt(Math.round(n)))}function ml({why:e}){return c`<div class="why-bar">
    ${e.slices.map(({category:t,total_ns:n})=>{let r=n/Math.max(1,e.total_ns),s=`${ee(t).name} ${D(r)}`,o=`var(--${ee(t).token})`;return c`<div
        key=${t}
        title=${s}
        style=${{width:`${100*r}%`,background:o}}
      ></div>`})}
  </div>`}function fl({context:e}){let t=nr(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${re} category=${Se(n)} />${v(r)} × ${ne(n)}
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
                  <td class="w">${ne(n.monitor)}</td>
                  <td class="n">${_(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function pl({context:e}){return c`<${C} title="Contexts in it" note=${v(e.children.length)}>
    <${J}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${ll}
      rowKey=${t=>t.id}
      href=${t=>as(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+_(t.start),isNumber:!0},{name:"duration",cell:t=>_(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function dl({context:e,tick:t}){let n=O(()=>or(e),[e]),r=os(e,n),s=O(()=>rs(e),[e]),o=(i,{id:l,start:m})=>l===null||l===e.id?null:le(i.recording,l,tt(e)+BigInt(Math.round(m))),a=c`<${U} url=${k("timeline",n)} />`;return c`<${C}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${Zo}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${ye}
      />
    <//>
    ${e.children.length>0&&c`<${pl} context=${e} />`}
    <${et} query=${cl(e)} tick=${t} />
    <${C} title="Events" note=${v(s.length)}>
      ${s.length>0?c`<${Xt}
              items=${s}
              since=${tt(e)}
              label="Events of the request"
            />`:c`<${j} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function is(){let{path:e,params:t}=b.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=k(a,o),l=R(i,N.value),m=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=l.data,p=u?`${ne(u.type)}, ${_(u.duration)}`:r,d=[{name:"services",href:B([])},...m?[{name:pe(m.service),href:B(["s",m.service])}]:[],{name:p}],f=u&&or(u),h=c`<${W} of=${u} /> ${f&&c`<${Re} query=${f} />`}
    <${U} url=${i} />`;return c`<${oe} crumbs=${d}>
    ${u?c`<div class="three">
              <${C}
                title=${ne(u.type)}
                note=${_(u.duration)}
                tools=${h}
                answer=${l}
              >
                <${ul} context=${u} jvm=${m} />
              <//>
              <${C} title=${`Why ${_(u.duration)}`}>
                <${ml} why=${u.why} /><${er} of=${u.why} base=${null} />
              <//>
              <${C} title="Kept because"><${fl} context=${u} /><//>
            </div>
            <${dl} context=${u} tick=${N.value} />`:c`<${C} title="Request" tools=${h} answer=${l} />`}
  <//>`}var hl=100,gl=10,bl=1.96;function $l(e,t,n){let r=(e.count+.5)/(t+.5),s=(e.base_count+.5)/(n+.5),o=Math.sqrt(1/(e.count+.5)-1/(t+.5)+1/(e.base_count+.5)-1/(n+.5));return r/s*Math.exp(-bl*o)}function _l({contexts:e,base_contexts:t,keys:n},r){let s=o=>t>0?$l(o,e,t):o.count;return n.filter(({key:o,label:a})=>!r.has(o)&&!r.has(a)).flatMap(({key:o,values:a})=>a.map(i=>({...i,key:o}))).filter(o=>o.count>0).map(o=>[o,s(o)]).sort((o,a)=>a[1]-o[1]).map(([o])=>o)}function vl({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}function xl({contexts:e,base_contexts:t}){let r=[{name:"attribute",cell:o=>o.key},{name:"value",cell:o=>c`<b>${o.value===""?"(empty)":o.value}</b>`,className:"cut"},{name:"p99",cell:o=>o.p99_ns===null?"":_(o.p99_ns),isNumber:!0,className:"dim"},{name:"share",title:"of the selected contexts have it",cell:o=>c`<span title=${`${v(o.count)} of ${v(e)}`}>
          ${D(o.count/e)}
        </span>`,isNumber:!0}],s={name:"lift",title:"its share here, over its share among those to compare with",cell:o=>c`<span
        class=${(o.lift??1/0)>=1.5?"lift":"dim"}
        title=${`${v(o.base_count)} of ${v(t)} to compare with`}
      >
        ${vl(o)}
      </span>`,isNumber:!0};return t>0?[...r,s]:r}function yl({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(s=>s!==n);return we({where:[...r,n]})}function wl({data:e}){let[t,n]=M(!1),r=b.value.params.getAll("where"),s=_l(e,new Set(r.map(i=>/^[^=<>!^]*/.exec(i)[0]))),o=t?s:s.slice(0,gl),a=e.keys.filter(i=>i.search_only).map(i=>i.key);return c`<${J}
      label="Attributes"
      columns=${xl(e)}
      rows=${o}
      rowKey=${i=>`${i.key}=${i.value}`}
      href=${yl}
    />
    ${o.length<s.length&&c`<button class="plain more" onClick=${()=>n(!0)}>
        ${v(s.length-o.length)} more
      </button>`}
    ${a.length>0&&c`<p class="dim">${a.join(", ")}: over 1,000 values, search for one above</p>`}`}function ls({query:e,against:t,tick:n}){let r=k("attributes",e,{limit:String(hl)}),s=R(r,n),{data:o}=s,a=c`<${W} of=${o} /><${U} url=${r} />`;return c`<${C}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${wl} data=${o} />`}
  <//>`}function cs({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>P({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function kl(){let{params:e}=b.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=Xr(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&P({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&/^\d+$/.test(s)?_(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function us({types:e,instances:t}){let n=b.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${cs}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${v(a)})`])}
    />
    <${cs}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${kl} />
    <${Jt}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Sl=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Rl=e=>Sl[e&3]*2**(e>>2);function ms(e){return e<0?1:Math.floor(Rl(e+1))}function Ce(e,{column:t,row:n}){return t*e.rows+n}function nt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function De(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function rt(e,t,n){let r=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,o=-1/0;for(let u of e.columns)s=Math.min(s,u[0]?.[0]??s),o=Math.max(o,u.at(-1)?.[0]??o);let a=1;for(;Math.floor(o/a)-Math.floor(s/a)>=n;)a*=2;let i=s>o?0:Math.floor(s/a),l={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(r),columns:Math.ceil(e.columns.length/r),first:i,buckets:a,rows:s>o?0:Math.floor(o/a)-i+1,cells:new Map,most:0,exemplars:new Map},m=(u,p)=>({column:Math.floor(u/r),row:Math.floor(p/a)-i});e.columns.forEach((u,p)=>{for(let[d,f,h]of u){let $=m(p,d),g=l.cells.get(Ce(l,$))??{...$,all:0,kept:0};g.all+=f,g.kept+=h,l.cells.set(Ce(l,$),g),l.most=Math.max(l.most,g.all)}});for(let[u,p,d,f]of e.exemplars)l.exemplars.set(Ce(l,m(u,p)),{recording:d,id:f});return l}function ps(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function ot(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0?0:ms(i-1)+1,max:ms((e.first+a+1)*e.buckets-1)}}function fn(e,t,n){let r=ot(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function Fe(e,t){let n={all:0,kept:0};for(let r of e.cells.values())fn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function ds(e,t){return[...e.cells.values()].filter(n=>fn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ce(e,n))??[])}function pn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function hs(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function ar(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function sr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function yt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function ir(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,sr(e,t,n.from)),l=Math.max(o,yt(e,t,n.max)),m=Math.min(s,sr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,yt(e,t,n.min-1));return m<=0||u<=l?null:{x:i,y:l,width:m,height:u-l}}function lr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function gs(e,t,n,r){let s=[],o=a=>{let i=yt(e,t,a);s.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var fs=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function bs(e,t,n,r,s){let{from:o,to:a}=lr(e),i=Number(a-o)/1e9*(n/t.width),l=fs.find(p=>p>=i)??fs.at(-1),m=BigInt(l)*1000000000n,u=[];for(let p=(o+r+m-1n)/m*m-r;p<a;p+=m)u.push({at:sr(e,t,p),text:s(p,l*1e9)});return u}var Tl=4,Pl={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Me(e){return he(b.value.params.get(e))}function wt(e,t){let n=e&&bt(e);P(t?{base_box:n,base:null}:{box:n,...e?{min_duration_ns:null,max_duration_ns:null}:{}})}function Cl(){wt(null,Me("base_box")!==null)}function cr({from:e,to:t}){P({from:String(e),to:String(t),last:null,live:null})}function vs(e,t){return e.column===t.column&&e.row===t.row}function _s(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Ml(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function st({grid:e,isRate:t},{from:n,to:r}){return t?ot(e,{...n,row:0},{...r,row:e.rows-1}):ot(e,n,r)}function xs(e,t){let n=e.exemplars.get(Ce(e,t));n&&ye(le(n.recording,n.id))}function ys(e){let{grid:t,plot:n}=e,[r,s]=M(null),[o,a]=M(null),i=se(null),l=({offsetX:g,offsetY:y})=>hs(t,n,g,y),m=g=>{let{offsetX:y,offsetY:x}=g;if(g.button===0&&t.rows>0&&ar(n,y,x)){g.currentTarget.setPointerCapture(g.pointerId);let T=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x:y,y:x,isLong:!1,isBase:T})}},u=g=>{let{offsetX:y,offsetY:x}=g;if(r){let E=r.isLong||Math.hypot(y-r.x,x-r.y)>=Tl;s({...r,to:l(g),isLong:E})}let{clientX:T,clientY:w}=g,A=t.rows>0&&ar(n,y,x);a(A?{place:l(g),clientX:T,clientY:w}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){xs(t,r.from);return}let y=st(e,r),x=!r.isLong&&Fe(t,y).all===0;wt(x?null:y,r.isBase)},d=g=>{let y=i.current,x=y&&fn(t,y,l(g))?y:st(e,{from:l(g),to:l(g)});P({box:bt(x)},!0),cr(x)},f=({detail:g})=>{i.current=g>1?i.current:Me("box")},h=()=>a(null),$=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:$,onDblClick:d}}}function ws(e){let{grid:t}=e,[n,r]=M(null),s=i=>{let l=Pl[i.key];if(l&&t.rows>0){let m=n?_s(t,n.to,l):Ml(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)xs(t,n.to);else if(i.key==="Enter"&&n)wt(st(e,n),i.shiftKey||e.isComparing);else if(i.key==="Escape")r(null),Cl();else return;i.preventDefault()},o=i=>_s(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var dn=52,Ol=20,ks=6,Al=52,Ll=72,Nl=26,El=5,Il=60000000000n;function Ss(e,t,n){let r=e-dn-(n?Al:0);return{x:dn,y:ks,width:Math.max(1,r),height:Math.max(1,t-ks-Ol)}}function Ul(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*Il}function Bl(e,t){let n=Q(e,t);return n==="00:00"?$e(e).slice(5):n}function Dl(e,t){let n=r=>_(r).replace(/\.0+ /," ");return{times:bs(e,t,Ll,Ul(e.t0),Bl),durations:e.rows===0?[]:gs(e,t,Nl,n)}}function Fl(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Hl(e,t,n,r){e.fillStyle=F("kept"),e.beginPath();let s=-1;for(let o of t.cells.values()){if(o.kept===0)continue;o.column!==s&&(e.fill(),e.beginPath(),s=o.column);let{x:a,y:i,width:l,height:m}=pn(t,n,o);Fl(e,a+l-r,i,Math.min(El,l/2,m/2))}e.fill()}function Rs(e,t,n){let r=["h0","h1","h2","h3","h4","h5"].map(F),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let o of t.cells.values()){let{x:a,y:i,width:l,height:m}=pn(t,n,o);e.fillStyle=r[ps(o.all,t.most)],e.fillRect(a,i,l-s,m-s)}Hl(e,t,n,s),mr(e,t,n)}function mr(e,t,n){let{times:r,durations:s}=Dl(t,n);e.fillStyle=F("faint"),e.font="11px Inter, system-ui, sans-serif",e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,dn-8,o),e.fillRect(dn-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function ur(e,t,n,r){t&&(e.fillStyle=F("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function Ts(e,t,n,r){ur(e,r.base&&ir(t,n,r.base),F("soft"),[4,3]),ur(e,r.box&&ir(t,n,r.box),F("accent"),[]);for(let s of r.cells)ur(e,pn(t,n,s),F("ink"),[])}function Ps({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=nt(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:De(i,.5),p99:De(i,.99)}})}function Cs(e){return`${v(Number(e.toPrecision(3)))}/s`}function jl(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Wl(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function Ms(e,t,n,r){let s=n.width/t.columns,o=jl(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=F("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=F(i);let l=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*s,yt(t,n,p)]};Wl(e,r.map(l),s)}mr(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Cs(o*a),n.x+n.width+6,i+(a===1?5:0))}}function Os({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":_(s);return c`<b>${Cs(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function As(){let e=(t,n)=>c`<span><span class="dot" style=${{background:`var(--${t})`}}></span>${n}</span>`;return c`${e("h1","contexts/s, right")}${e("cpu","median")}${e("lock","p99")}`}var fr=6e10;function hn({from:e,to:t,min:n,max:r}){let s=e%BigInt(fr)===0n&&t%BigInt(fr)===0n,o=i=>Q(i,s?fr:1e9),a=n<=1?`up to ${_(r)}`:`${_(n)} to ${_(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function pr({all:e,kept:t}){return`${v(t)} kept of ${v(e)}`}var ql=5,Vl=6;function Gl({view:{grid:e},hover:t,rates:n}){let{place:r}=t,s=Ce(e,r),o=e.cells.get(s),a=n?.[r.column];if(!o&&!a)return null;let[i,l]=hn(ot(e,r,r)).split(", "),m=o&&`${v(o.all)} contexts, ${v(o.kept)} kept`,u=a?c`<${Os} of=${a} /><br />${i}`:c`<b>${l}</b><br />${i}<br />${m}
        ${e.exemplars.has(s)&&c`<br />Alt+click opens one`}`;return c`<${Ze} at=${t}>${u}<//>`}var Kl={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Jl(e,t){let n=e??Kl,r=Math.max(1,t.width/ql),s=Math.max(1,t.height/Vl);return O(()=>rt(n,r,s),[n,r,s])}function zl({data:e,isRate:t,isComparing:n,onPoint:r}){let s=se(null),o=Po(s),a=Ss(o.width,o.height,t),i=Jl(e,a),l=O(()=>t&&e?Ps(e,i):null,[t,e,i]),m={grid:i,plot:a,isRate:t,isComparing:n},{drag:u,hover:p,on:d}=ys(m),{cursor:f,on:h}=ws(m),$=u??(f&&!vs(f.from,f.to)?f:null),g=$&&st(m,$),y=u?.isBase??n,x={box:!y&&g||Me("box"),base:y&&g||Me("base_box"),cells:[t?null:p?.place,f?.to].filter(G=>G!=null)},T=G=>{l?Ms(G,i,a,l):e&&Rs(G,i,a),Ts(G,i,a,x)},{column:w,row:A}=p?.place??{};Co(s,o,T,[i,l,b.value,n,u,f,w,A]);let E=f&&st(m,f);return c`<div class="heatmap">
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
    ${p&&c`<${Gl} view=${m} hover=${p} rates=${l} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${E&&`${hn(E)}: ${pr(Fe(i,E))}`}
    </div>
    ${e&&c`<${Ql} data=${e} most=${i.most} isRate=${t} />`}
  </div>`}function Xl({most:e}){let t=Array.from({length:5},(r,s)=>Math.ceil((e+1)**(s/5))),n=r=>c`<span class="dot" style=${{background:`var(--h${r+1})`}}></span>`;return c`<span
    >contexts in a cell
    ${t.map((r,s)=>r<(t[s+1]??e+1)&&c` ${n(s)}${v(r)}`)}
    ${e>1&&c` to ${v(e)}`}</span
  >`}var Yl="Counted by chunk: a context is in the column in which the middle of its chunk lies. The panels below have the kept contexts that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).";function Ns({data:e,box:t,isBase:n}){let r=O(()=>rt(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${n?"base_box":"box"}`}
    title=${Yl}
    onClick=${()=>wt(null,n)}
  >
    ${n?"compared with":"selected"} <b>${hn(t)}</b>${" "}
    ${pr(Fe(r,t))} by chunk <i>×</i>
  </button>`}function Ql({data:e,most:t,isRate:n}){let r=[t>0&&c`<${Xl} most=${t} />`,c`<span><span class="dot kept"></span>has kept ones</span>`],[s,o]=[Me("box"),Me("base_box")];return c`<div class="legend">
    ${n?c`<${As} />`:r}
    ${s&&c`<${Ns} data=${e} box=${s} isBase=${!1} />`}
    ${o&&c`<${Ns} data=${e} box=${o} isBase=${!0} />`}
  </div>`}function Zl({data:e}){let[t,n]=M(!1),r=(o,a)=>{let i=nt([o]),[l,m]=[1,2].map(p=>o.reduce((d,f)=>d+f[p],0)),u=p=>_(De(i,p));return c`<tr>
      <td>${Q(BigInt(e.t0_ns)+BigInt(a)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${v(l)}</td>
      <td class="n">${v(m)}</td>
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
  </details>`}function Es({answer:e,url:t,note:n,onPoint:r}){let[s,o]=M(!1),a=b.value.params.get("view")==="rate",i=Me("box"),{data:l}=e,m=O(()=>l&&c`<${Zl} data=${l} />`,[l]),u=(d,f,h)=>c`<button aria-pressed=${h?"true":"false"} onClick=${()=>P({view:d})}>
      ${f}
    </button>`,p=c`<${W} of=${l} />
    ${i&&c`<button class="plain" onClick=${()=>cr(i)}>zoom in</button>`}
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
    <${U} url=${t} />`;return c`<${C}
    title="All contexts"
    note=${n}
    tools=${p}
    answer=${e}
    className="heatmap-panel"
  >
    <${zl} data=${l} isRate=${a} isComparing=${s} onPoint=${r} />
    ${m}
  <//>`}var ec=3;function tc({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&$t(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${B(["r",e.id])}>${e.instance}</a>, since it started:
        <${_t} of=${n} />
      </p>`:null}function nc(e,t){return bt({...e,from:e.from-t,to:e.to+t})}function rc({grid:e,heatUrl:t,box:n,kept:r}){let{data:s}=R(t),o=_(Number(e.step)).replace(/ 0 (s|min)$/,""),a=s?ds(rt(s,1/0,1/0),n).slice(0,ec):[],i=({recording:l,id:m},u)=>c`<a class="link" key=${m} href=${le(l,m)}>${u+1}</a>${" "}`;return c`<${j} title="No kept context began in this box">
    <p>
      The heat map has ${v(r)} kept ones here: it counts a context in the column in which the
      middle of its chunk lies, and chunks that are longer than a minute reach farther than that.
    </p>
    <p>
      <button onClick=${()=>P({box:nc(n,e.step)})}>
        ${o} more on either side
      </button>
      ${a.length>0&&c`${" "}or open one of them: ${a.map(i)}`}
    </p>
  <//>`}function Is({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=O(()=>rt(e,1/0,1/0),[e]),a=he(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),l=(h,$)=>Number(n.get(h)??$),m=a??{...lr(o),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:u,kept:p}=Fe(o,m),d=r[0];if(r.length===0)return c`<${Te} />`;let f=(h,$)=>c`<${j} title=${h}>${$}<//>`;return s?f("No kept context is like this","Take a condition away to see more."):u===0&&a?f("No context is in this box","Choose a coloured cell."):u===0&&i?f("No context is like this","Take a condition away, or look at a longer time."):u===0?f("No contexts in this time",r.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?c`<${rc} grid=${o} heatUrl=${t} box=${a} kept=${p} />`:c`<${j} title=${`Nothing is kept of these ${v(u)} contexts`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${d&&c`<${tc} of=${d} />`}
  <//>`}var oc=12,gn=[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]];function hr(e){let t=e.get("sort");return gn.some(([n])=>n===t)?t:gn[0][0]}function sc({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),attributes:Object.fromEntries(r)}}function ac({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${_(e)}, ${D(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var dr=(e,t)=>new Set(e.map(t)).size>1;function ic(e,t){let n=[...new Set(e.flatMap(a=>Object.keys(a.attributes)))],r=dr(e,a=>$e(a.start)),s=a=>c`<span title=${ue(a.start)}>
      ${r?`${$e(a.start).slice(5)} `:""}${Q(a.start)}
    </span>`,o=[[dr(e,a=>a.type),{name:"type",cell:a=>ne(a.type)}],[dr(e,a=>a.recording),{name:"JVM",cell:a=>t.get(a.recording)??a.recording.slice(0,8)}]];return[{name:"start",cell:s},{name:"duration",cell:a=>c`<b>${_(a.duration)}</b>`,isNumber:!0},{name:"blocked",cell:a=>c`<${ac} of=${a} />`},{name:"events",cell:a=>v(a.triggers),isNumber:!0},...o.flatMap(([a,i])=>a?[i]:[]),...n.slice(0,oc).map(a=>({name:a,cell:i=>lc(i.attributes[a]),className:"cut"})),{name:"thread",cell:a=>c`<span title=${a.thread}>${a.thread}</span>`,className:"dim cut"}]}function lc(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function cc(){let e=hr(b.value.params),t=n=>P({sort:n===gn[0][0]?null:n});return c`<span class="tabs" role="group" aria-label="Order">
    ${gn.map(([n,r])=>c`<button
          key=${n}
          aria-pressed=${e===n?"true":"false"}
          onClick=${()=>t(n)}
        >
          ${r}
        </button>`)}
  </span>`}function Us({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(sc),m=c`<${W} of=${o.data} />
    <${cc} />
    <a href=${s}>events</a>
    <${Re} query=${n} value=${b.value.params.get("value")??void 0} />
    <${U} url=${t} />`,u=he(b.value.params.get("box")),p=u&&Fn(u),d=o.data&&`${v(l.length)} of ${v(o.data.matched)}`+(p?`, began ${Q(p.from,1e9)} to ${Q(p.to,1e9)}`:"");return c`<${C}
    title="Kept contexts"
    note=${d}
    tools=${m}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${J}
        label="Kept contexts"
        columns=${ic(l,r)}
        rows=${l}
        rowKey=${f=>f.recording+f.id}
        href=${f=>le(f.recording,f.id,f.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var uc=50,mc=6n*3600000000000n,gr=60000000000n,Bs=["trace","thread","id"];function fc({from:e,to:t}){let n=Ue.value?(e+gr-1n)/gr*gr:e;return{from:n<t?n:e,to:t}}function pc(e,t){return e.getAll("where").length-t.getAll("where").length>0||Bs.some(r=>e.has(r))}function dc(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?t:null}function hc({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return Ht(BigInt(e),t,s,r)}function gc({data:e,seconds:t,jvms:n}){let r=nt(e.columns),s=m=>{let u=De(r,m);return u===null?"-":_(u)},o=m=>(n?.recordings??[]).reduce((u,p)=>u+m(p),0),a=o(m=>m.bytes_out),i=o(m=>m.bytes_in),l=(m,u,p="")=>c`<span title=${p}><b>${m}</b>${u}</span>`;return c`<div class="facts">
    ${l(`${v(Number((e.all/t).toPrecision(3)))}/s`,`contexts, ${v(e.all)}`)}
    ${n&&l(v(n.recordings.length),"JVMs","that ran in this time")}
    ${l(s(.5),"median")} ${l(s(.99),"p99")}
    ${l(e.all>0?D(e.kept/e.all):"-",`kept, ${v(e.kept)}`)}
    ${i>0&&l(`${ie(a)} of ${ie(i)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function bc(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return we({value:n?e:null,frame:t!==null?an(t):n?null:an(r),zoom:null})}function $c({heat:e,heatUrl:t,recordings:n,isNarrowed:r}){let{params:s}=b.value,o=Ye(b.value,Z.value),a=uo(b.value,Z.value),i=s.has("box")&&Ue.value?0:N.value,l=["box","where","min_duration_ns","max_duration_ns",...Bs].some(x=>s.has(x)),u=a.has("base")||s.has("base_box")||!l?a:Y(a,{base:"rest"}),p=k("contexts",o,{sort:hr(s)}),d=Gt(p,uc,i),f=R(cn(a),i),{data:h}=d.answer;if(h?.matched===0&&!h.is_truncated&&e.data)return c`<section>
      <${Is}
        heat=${e.data}
        heatUrl=${t}
        query=${o}
        recordings=${n}
        isNarrowed=${r}
      />
    </section>`;let $=new Map(n.map(x=>[x.id,x.instance])),g=o.get("service"),y=s.has("box")?ae("/e",o):ae("/e",Y(s,{service:g,sort:null,view:null}));return c`<div class="three">
      <${mn} query=${o} base=${dc(a)} tick=${i} hrefOf=${bc} />
      <${ls}
        query=${u}
        tick=${i}
        against=${s.has("base_box")?"the other box":"the rest"}
      />
      <${Vo} url=${cn(a)} answer=${f} />
    </div>
    <${et} query=${a} tick=${i} whole=${f} />
    <${Us}
      pages=${d}
      url=${p}
      query=${o}
      instances=${$}
      eventsHref=${y}
    />`}function _c(e,t){return[e&&e.unknown>0&&`${v(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function vc(e,t){let n=k("contexts/heatmap",e),r=R(t&&!e.has("where")?n:null,N.value),s=k("contexts/heatmap",e,{exemplars:"0"}),o=R(r.data?null:s,N.value),a=r.data?r:o,{data:i}=a,l=e.has("where")&&i!==null&&i.all===0&&i.unknown>0,m=k("contexts/heatmap",Y(e,{where:null})),u=R(l?m:null,N.value);return l&&u.data?{heat:u,heatUrl:m,isOfAll:!0}:{heat:a,heatUrl:n,isOfAll:!1}}function xc(e){let[t,n]=M(!1);return ge(()=>{e&&n(!0)},[e]),t}function Ds(){let{params:e}=b.value,{from:t,to:n}=Z.value,r=fc(Z.value),s=mo(b.value,r),[o,a]=M(!1),{heat:i,heatUrl:l,isOfAll:m}=vc(s,o),u=xc(i.data!==null||i.problem!==null),p=Y(s,{where:null,context:null}),d=R(u?k("contexts/types",p):null,N.value),f=Y(p,{recording:null}),h=R(u?k("recordings",f):null,N.value),$=h.data?.recordings??[],g=m||pc(e,s),y=n-t<=mc||e.get("whole")==="1"||he(e.get("box"))!==null||e.has("trace"),x=Xe(b.value),T=[{name:"services",href:B([])},{name:x===null?"all":pe(x)}],w=i.data?.all===0&&h.data!==null&&$.length===0;return c`<${oe} crumbs=${T}>
    ${i.data&&c`<${gc} data=${i.data} seconds=${hc(i.data,r)} jvms=${h.data} />`}
    <${us}
      types=${d.data?.types??[]}
      instances=${[...new Set($.map(A=>A.instance))]}
    />
    ${!w&&c`<${Es}
        answer=${i}
        url=${l}
        note=${_c(i.data,g)}
        onPoint=${()=>a(!0)}
      />`}
    ${u&&y&&c`<${$c}
        heat=${i}
        heatUrl=${l}
        recordings=${$}
        isNarrowed=${g}
      />`}
    ${u&&!y&&c`<section>
        <${j} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>P({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Fs=e=>e===null?"":_(e);function yc(e,t){let n=({contexts_in:s,spark:o})=>{let a=o.map(l=>l!==null),i=e?Ht(BigInt(e.t0_ns),e.step_ns,a,t):1;return s/i};return[{name:"service",cell:s=>c`<b>${pe(s.service)}</b>`,sort:s=>s.service},{name:"JVMs",cell:s=>v(s.jvms),isNumber:!0,sort:s=>s.jvms},{name:"contexts/s",title:"of all types together",cell:s=>v(Number(n(s).toPrecision(3))),isNumber:!0,sort:n},{name:"median",cell:s=>Fs(s.p50_ns),isNumber:!0,sort:s=>s.p50_ns??-1},{name:"p99",cell:s=>c`<b>${Fs(s.p99_ns)}</b>`,isNumber:!0,sort:s=>s.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:s=>s.contexts_in?D(s.contexts_out/s.contexts_in):"",isNumber:!0,sort:s=>s.contexts_out},{name:"most time of the kept",cell:({top:s})=>s&&c`<${re} category=${s.category} />${ee(s.category).name}
      <span class="dim"> ${D(s.share)}</span>`},{name:"p99 over time",cell:s=>c`<${ho} values=${s.spark} label=${`p99 of ${s.service} over time`} />`}]}function Hs(){let{from:e,to:t}=Z.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=k("services",n),s=R(r,N.value),o=s.data?.services??[],a=c`<${J}
    label="Services"
    columns=${yc(s.data,Z.value)}
    rows=${o}
    rowKey=${m=>m.service}
    href=${m=>B(["s",m.service])}
  />`,i=s.data!==null&&o.length===0,l=c`<${W} of=${s.data} /><${U} url=${r} />`;return c`<${oe}>
    <${C} title="Services" note="by all their contexts" tools=${l} answer=${s}>
      ${o.length>0&&a} ${i&&c`<${Te} />`}
    <//>
  <//>`}function wc({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,m)=>l.startsWith("attr.")&&o[m]!==null&&o[m]!==r?[`${l.slice(5)}=${o[m]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function kc({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                <a href=${le(s.recording,s.id,t+BigInt(Math.round(s.start)))}
                  ><b>${s.service}</b></a
                >
                <small class="dim"> ${s.thread}</small>
              </td>
              <td title=${s.attributes}>
                ${ne(s.type)} <small class="dim">${s.attributes}</small>
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
  </div>`}var Sc=e=>e===null?"":ue(BigInt(e));function js({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Sc(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Rc({of:e}){return e.state==="eliminated"?c`<${j} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${js} of=${e} />
      <//>`:c`<${j} title="Not seen">
        No context of this trace is known here. <${js} of=${e} />
      <//>`}function Ws(){let e=b.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=r?wc(r,e):[],o=BigInt(r?.t0_ns??"0"),a=Tc(e,o,s),i=new Set(s.map(p=>p.service)).size,l=new Set(s.map(p=>p.recording)).size,m=c`<${W} of=${r} />
    ${s.length>0&&c`<${Re} query=${a} />`} <${U} url=${t} />`,u=s.length>0&&`${ke(s.length,"context")} kept, ${ke(i,"service")}, ${ke(l,"JVM")}, from ${ue(o)}`;return c`<${oe} crumbs=${[{name:`trace ${e}`}]}>
    <${C} title="Trace" note=${u} tools=${m} answer=${n}>
      ${s.length>0&&c`<${kc} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${Rc} of=${r} />`}
    <//>
    ${s.length>0&&c`<${mn} query=${a} tick=${N.value} />
        <${et} query=${a} tick=${N.value} />`}
  <//>`}function Tc(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function Pc([e]){switch(e){case void 0:return Hs;case"c":return is;case"e":return wo;case"r":return To;case"s":return Ds;case"t":return Ws;default:return ko}}var Cc={s:"all services",e:"events",r:"recordings"};function Mc(){let{path:e}=b.value;return c`<${Pc(e)} key=${e.join("/")} />`}zr();oo();ao();fe(()=>{let{path:e}=b.value,[t,...n]=e,r=n.length===0?Cc[t??""]??t:pe(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Pr(c`<${Mc} />`,document.body);})();
