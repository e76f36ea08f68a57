"use strict";(()=>{var F,Co,ir,Ie,sr,an,Mo,on,Ao,lr,ar,rl,Lt=Symbol.for("pv"),ln={},cn=[],ol=/^m(i|n|o|s|text|space)$/,cr=Array.isArray,ur=cn.slice,Ze=Object.assign;function Ye(e){e&&e.parentNode&&e.remove()}function un(e,t,n){var r,o,s,a={},i=arguments.length;for(s in t)s=="key"?r=t[s]:s=="ref"&&typeof e!="function"?o=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?ur.call(arguments,2):n),Nt(e,a,r,o,null)}function Nt(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Lt,__v:o||++Co,__i:-1,__u:0};return!o&&F.vnode&&F.vnode(s),s}function Qe(e){return e.children}function mt(e,t){this.props=e,this.context=t,this.__g=0}function Be(e,t){if(t==null)return e.__&&Be(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Be(e)}function sl(e){var t,n=e.__v,r=n.__e,o=[],s=[],a=e.__P;a&&((t=Ze({constructor:Lt},n)).__v=n.__v+1,F.vnode&&F.vnode(t),mr(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||Be(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Bo(o,t,s),n.__=n.__e=null,t.__e!=r&&No(t))}function No(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),No(e)}function Po(e){(8&e.__g||(e.__g|=8,Ie.push(e),an++))&&sr==F.debounceRendering||((sr=F.debounceRendering)||queueMicrotask)(Lo)}function Lo(){try{for(var e,t=1;Ie.length;)Ie.length>t&&Ie.sort(Mo),e=Ie.shift(),t=Ie.length,8&e.__g&&sl(e)}finally{(an=Ie.length)&&(sr||queueMicrotask)(Lo)}}function Eo(e,t,n,r,o,s,a,i,c,m,u){var p,d,f,h,v,b,w=r.__k||cn,x=t.length;for(c=al(n,t,w,c,x),p=0;p<x;p++)(f=n.__k[p])!=null&&(d=~f.__i&&w[f.__i]||ln,f.__i=p,b=mr(e,f,d,o,s,a,i,c,m,u),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&pr(d.ref,null,f,d),f.ref&&u.push(f.ref,f.__c||h,f)),v=v||h,4&f.__u?(c=Uo(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&b!==void 0?c=b:h&&(c=h.nextSibling),f.__u&=-21);return n.__e=v,c}function al(e,t,n,r,o){var s,a,i,c,m,u,p,d,f,h=n.length,v=h,b=0,w=0,x=e.__k=Array(o);for(s=0;s<o;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=x[s]=Nt(null,a):cr(a)?a=x[s]=Nt(Qe,{children:a}):a.constructor===Lt&&a.__b?a=x[s]=Nt(a.type,a.props,a.key,a.ref,a.__v):x[s]=a,c=s+b,a.__=e,a.__b=e.__b+1,i=null,~(m=a.__i=il(a,n,c,v))&&(v--,(i=n[m])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,m==c-1?b--:m==c+1?b++:m!=c&&(m>c?b--:b++,w=1)):(~m||(o>h?b--:o<h&&b++),typeof a.type!="function"&&(a.__u|=4))):x[s]=null;if(w){for(u=[],p=[],s=0;s<o;s++)if((a=x[s])&&16&a.__u){for(b=0,d=u.length;b<d;)u[f=b+d>>1]<a.__i?b=f+1:d=f;u[b]=a.__i,p[s]=b+1}for(b=u.length;s--;)p[s]&&(p[s]==b?b--:x[s].__u|=4)}if(v)for(s=0;s<h;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=Be(i)),fr(i,i));return r}function Uo(e,t,n,r){var o,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=Uo(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=Be(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function il(e,t,n,r){var o,s=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&a==i.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o}return-1}function Oo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function rn(e,t,n,r,o){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Oo(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Oo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=ar[t]||(ar[t]=ll(t)),(e.__a||(e.__a={}))[t]=lr,s=t!=(t=t.replace(Ao,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ll(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[on]==null)t[on]=lr++;else if(t[on]<this.__a[e])return;return n(F.event?F.event(t):t)}}}function mr(e,t,n,r,o,s,a,i,c,m){var u,p,d,f,h,v,b,w,x,k,y,M,L,X,G,ge,C,q,te=t.type;if(t.constructor!==Lt)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=s=[],u.nodeType==8?i=sn(u,s):s.push(u),i=s[0]||i),(u=F.__b)&&u(t);e:if(typeof te=="function"){d=a.length;try{if(w=t.props,x=(u=te.prototype)&&u.render,k=(u=te.contextType)&&r[u.__c],y=u?k?k.props.value:u.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(x?t.__c=f=new te(w,y):(t.__c=f=new mt(w,y),f.constructor=te,f.render=ul),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),x&&(f.__s||(f.__s=f.state),te.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Ze({},f.__s)),Ze(f.__s,te.getDerivedStateFromProps(w,f.__s)))),h=f.props,v=f.state,f.__v=t,n.__c){if(w!==h&&x&&!te.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(w,y),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(w,f.__s,y)===!1){t.__v!=n.__v&&(f.props=w,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(K){K&&(K.__=t)}),cn.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Be(n);break e}f.componentWillUpdate&&f.componentWillUpdate(w,f.__s,y),x&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,v,b)})}else x&&!te.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),x&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=y,f.props=w,f.__P=e,f.__g&=-5,M=F.__r,L=x?25:0;do f.__g&=-9,M&&M(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++L<25);x&&(cn.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Ze({},r,f.getChildContext())),x&&n.__c&&f.getSnapshotBeforeUpdate&&(b=f.getSnapshotBeforeUpdate(h,v)),X=u&&u.type===Qe&&u.key==null?u.props.children:u,w.__P&&(u=i,o=(e=w.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(K){K&&fr(K,K)}),n.__k=null),i=n.__k?Be(n,0):null),i=Eo(e,cr(X)?X:[X],t,n,r,o,s,a,i,c,m),w.__P&&(t.__e=null,i=u),t.__u&=-161,p&&p.some(Ye),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(K){if(a.length=d,t.__v=null,c||s)if(K&&K.then){if(t.__u|=128|c,s){for(~(C=s.indexOf(i||void 0))||(C=s.length);(q=s[C-1])&&q.nodeType==8;)C--;for(;C<s.length;C++)if(q=s[C])if(s[C]=null,G){if(q==ge)break}else{if(q.nodeType!=8)break;q.data.startsWith("$s")&&(ge=sn(G=q))}}if(!G){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;G=i}(u=sn(G=t.__c.__z||(t.__c.__z=G)))?(t.__e=G,i=u):t.__e=i,i=i&&i.nextSibling}else s&&s.some(Ye);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),K&&K.then||Io(t),F.__e(K,t,n)}}else i=t.__e=cl(n.__e,t,n,r,o,s,a,c,m,e);return(u=F.diffed)&&u(t),i}function sn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Io(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Io))}function Bo(e,t,n){for(var r=0;r<n.length;)pr(n[r++],n[r++],n[r++]);F.__c&&F.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){F.__e(s,o.__v)}})}function cl(e,t,n,r,o,s,a,i,c,m){var u,p,d,f,h,v,b,w,x=n.props||ln,k=t.props,y=t.type;if(y=="svg"?o="http://www.w3.org/2000/svg":y=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((h=s[u])&&(y?h.localName==y:h.nodeType==3)){e=h,s[u]=null;break}}if(!e){if(w=m.ownerDocument||document,!y)return w.createTextNode(k);e=w.createElementNS(o,y,k.is?k:m),i&&(F.__m&&F.__m(t,s),i=!1),s=null}if(y){if(m=y=="template"&&e.content||e,s=y=="textarea"&&k.defaultValue!=null?null:s&&ur.call(m.childNodes),!i&&s)for(x={},u=0;u<e.attributes.length;u++)x[(h=e.attributes[u]).name]=h.value;for(u in x)h=x[u],u=="dangerouslySetInnerHTML"?d=h:u=="children"||u in k||u=="value"&&"defaultValue"in k||u=="checked"&&"defaultChecked"in k||rn(e,u,null,h,o);for(u in k)h=k[u],u=="children"?f=h:u=="dangerouslySetInnerHTML"?p=h:u=="value"?v=h:u=="checked"?b=h:i&&typeof h!="function"||x[u]===h||rn(e,u,h,x[u],o);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(y=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&ol.test(y))&&(o="http://www.w3.org/1999/xhtml"),Eo(m,cr(f)?f:[f],t,n,r,o,s,a,s?s[0]:n.__k&&Be(n,0),i,c),s&&s.some(Ye)),i&&y!="textarea"||(u="value",y=="progress"&&v==null?e.removeAttribute(u):v==null||v===e[u]&&(y!="progress"||v)||rn(e,u,v,x[u],o),u="checked",b!=null&&b!=e[u]&&rn(e,u,b,x[u],o))}else x===k||i&&e.data==k||(e.data=k);return e}function pr(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){F.__e(o,n)}}function fr(e,t,n){var r,o,s,a;if(F.unmount&&F.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||pr(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){F.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&fr(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=sn(r,s=[]))&&(r==e.__e&&s.some(Ye),Ye(o),Ye(r)),n||Ye(e.__e),e.__e=e.__c=e.__=null}function ul(e,t,n){return this.constructor(e,n)}function Do(e,t){var n,r,o,s;F.__&&F.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Nt(Qe,{children:[e]}),o=[],s=[],mr(t,t.__k,r||ln,ln,t.namespaceURI,r?null:t.firstChild?ur.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),Bo(o,t.__k,s),t.__k.props.children=null}F={__e:function(e,t,n,r){for(var o,s,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw an=0,e}},Co=0,ir=function(e){return e!=null&&e.constructor===Lt},mt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ze({},this.state)),typeof e=="function"&&(e=e(Ze({},n),this.props)),e&&(Ze(n,e),this.__v&&(t&&this.__k.push(t),Po(this)))},mt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Po(this))},mt.prototype.render=Qe,Ie=[],an=0,Mo=function(e,t){return e.__v.__b-t.__v.__b},on=Symbol(),Ao=/(PointerCapture)$|Capture$/i,lr=0,ar={},rl=0;var pt,Y,dr,Fo,hr=Object.is,Ut=0,zo=[],gr=[],z=F,Ho=z.__b,qo=z.__r,jo=z.diffed,Wo=z.__c,Jo=z.unmount,Vo=z.__;function mn(e,t){z.__h&&z.__h(Y,e,Ut||t),Ut=0;var n=Y.__H||(Y.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function T(e){return Ut=1,ml(Xo,e)}function ml(e,t,n){var r=mn(pt++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Xo(void 0,t),function(s){var a=(r.__N||r.__)[0],i=r.t(a,s);hr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=Y,!Y.__f)){Y.__f=!0;var o=Y.shouldComponentUpdate;Y.shouldComponentUpdate=function(s,a,i){var c=this.__H;if(!c)return!0;var m=!1,u=this.props!=s;if(c.__.some(function(d){d.__N&&(m=!0,hr(d.__[0],d.__N[0])||(u=!0))}),o){var p=o.call(this,s,a,i);return m?p||u:p}return!m||u}}return r.__}function he(e,t){var n=mn(pt++,3);!z.__s&&$r(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Y.__H.__h.push(n))}function Oe(e,t){var n=mn(pt++,4);!z.__s&&$r(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Y.__h.push(n))}function Z(e){return Ut=5,E(function(){return{current:e}},[])}function E(e,t){var n=mn(pt++,7);return $r(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function pn(e,t){return Ut=8,E(function(){return e},t)}function pl(){var e;do{for(;e=gr.shift();)try{Et(e)}catch(n){z.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=zo.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Et),t.__h.some(br),t.__h=[]}catch(n){t.__h=[],z.__e(n,e.__v)}}}while(gr.length)}z.__b=function(e){Y=null,Ho&&Ho(e)},z.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Vo&&Vo(e,t)},z.__r=function(e){qo&&qo(e),pt=0;var t=(Y=e.__c).__H;t&&(dr==Y?Y.__h=[]:(t.__h.some(Et),t.__h.some(br),pt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),dr=Y},z.diffed=function(e){jo&&jo(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ko(zo.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),dr=Y=null},z.__c=function(e,t){t.some(function(n){try{n.__h.some(Et),n.__h=n.__h.filter(function(r){return!r.__||br(r)})}catch(r){n.__h=[function(){throw r}]}}),Wo&&Wo(e,t)},z.unmount=function(e){Jo&&Jo(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,Ko(gr.push(o))}else Et(o)}catch(s){t=s}}),r.__H=void 0,t&&z.__e(t,r.__v))};var Go=typeof requestAnimationFrame=="function";function fl(e){var t,n=function(){clearTimeout(r),Go&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Go&&(t=requestAnimationFrame(n))}function Ko(e){e!=1&&Fo==z.requestAnimationFrame||((Fo=z.requestAnimationFrame)||fl)(pl)}function Et(e){var t=Y,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Y=t}function br(e){var t=Y;e.__c=e.__(),Y=t}function $r(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!hr(n,e[r])})}function Xo(e,t){return typeof t=="function"?t(e):t}var dl=Symbol.for("preact-signals");function gn(){if(Ce>1)Ce--;else{var e,t=!1;for((function(){var o=dn;for(dn=void 0;o!==void 0;){var s=o.S;if(s.v===o.v)for(var a=s.t;a!==void 0;a=a.x)a.i===o.i&&(a.i=s.i);o=o.o}})();Bt!==void 0;){var n=Bt;for(Bt=void 0,fn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Zo(n))try{n.c()}catch(o){t||(e=o,t=!0)}n=r}}if(fn=0,Ce--,t)throw e}}function _r(e){if(Ce>0)return e();vr=++hl,Ce++;try{return e()}finally{gn()}}var It,W=void 0;function Dt(e){var t=W,n=It;W=void 0,It=void 0;try{return e()}finally{W=t,It=n}}var Bt=void 0,Ce=0,fn=0,hl=0,vr=0,dn=void 0,hn=0;function Yo(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function ne(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}ne.prototype.brand=dl;ne.prototype.h=function(){return!0};ne.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Dt(function(){var r;(r=t.W)==null||r.call(t)}))};ne.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Dt(function(){var o;(o=t.Z)==null||o.call(t)}))}};ne.prototype.subscribe=function(e){var t=this;return xe(function(){var n=t.value;Dt(function(){return e(n)})},{name:"sub"})};ne.prototype.valueOf=function(){return this.value};ne.prototype.toString=function(){return this.value+""};ne.prototype.toJSON=function(){return this.value};ne.prototype.peek=function(){var e=this;return Dt(function(){return e.value})};Object.defineProperty(ne.prototype,"value",{get:function(){var e=Yo(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(fn>100)throw new Error("Cycle detected");(function(n){Ce!==0&&fn===0&&n.l!==vr&&(n.l=vr,dn={S:n,v:n.v,i:n.i,o:dn})})(this),this.v=e,this.i++,hn++,Ce++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{gn()}}}});function oe(e,t){return new ne(e,t)}function Zo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Qo(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function es(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function et(e,t){ne.call(this,void 0,t),this.x=e,this.s=void 0,this.g=hn-1,this.f=4}et.prototype=new ne;et.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===hn))return!0;if(this.g=hn,this.f|=1,this.i>0&&!Zo(this))return this.f&=-2,!0;var e=W;try{Qo(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,es(this),this.f&=-2,!0};et.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}ne.prototype.S.call(this,e)};et.prototype.U=function(e){if(this.t!==void 0&&(ne.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};et.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(et.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Yo(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Se(e,t){return new et(e,t)}function ts(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Ce++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,yr(e),r}finally{W=n,gn()}}}function yr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,ts(e)}function gl(e){if(W!==this)throw new Error("Out-of-order effect");es(this),W=e,this.f&=-2;try{8&this.f&&yr(this)}finally{gn()}}function ft(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,It&&It.push(this)}ft.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};ft.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,ts(this),Qo(this),Ce++;var e=W;return W=this,gl.bind(this,e)};ft.prototype.N=function(){2&this.f||(this.f|=2,this.u=Bt,Bt=this)};ft.prototype.d=function(){this.f|=8,1&this.f||yr(this)};ft.prototype.dispose=function(){this.d()};function xe(e,t){var n=new ft(e,t);try{n.c()}catch(o){throw n.d(),o}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var ns,$n,bn,bl=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var rs=[];xe(function(){ns=this.N})();function dt(e,t){F[e]=t.bind(null,F[e]||function(){})}function Ft(e){if(bn){var t=bn;bn=void 0,t()}bn=e&&e.S()}function os(e){var t=this,n=e.data,r=vl(n);r.name="ReactiveDom",r.value=n;var o=E(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var m=Se(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),u=Se(function(){return!Array.isArray(m.value)&&!ir(m.value)}),p=xe(function(){if(this.N=ss,u.value){var f=m.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[u,m]},[]),s=o[0],a=o[1];return s.value?a.peek():a.value}os.displayName="ReactiveTextNode";Object.defineProperties(ne.prototype,{constructor:{configurable:!0,value:un(Qe,null).constructor},type:{configurable:!0,value:os},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});dt("__b",function(e,t){if(Ft(),$n=void 0,typeof t.type=="string"){var n,r=t.props;for(var o in r)if(o!=="children"){var s=r[o];s instanceof ne&&(n||(t.__np=n={}),n[o]=s,r[o]=s.peek())}}e(t)});dt("__r",function(e,t){if(e(t),t.type!==Qe){Ft();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(o,s){var a;return xe(function(){a=this},{name:s}),a.c=o,a})((function(o){return function(){var s;bl&&((s=this.y)==null||s.call(this)),o.__$f|=1,o.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),$n=r,Ft(n)}});dt("__e",function(e,t,n,r){Ft(),$n=void 0,e(t,n,r)});dt("diffed",function(e,t){Ft(),$n=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,o=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||r&&a in r||(i.d(),s[a]=void 0)}if(r){s||(s={},n.U=s);for(var c in r){var m=s[c],u=r[c];m===void 0?(m=$l(n,c,u,o),s[c]=m):m.o(u,o)}}}e(t)});function $l(e,t,n,r){var o=t in e&&e.ownerSVGElement===void 0,s=oe(n);return{o:function(a,i){s.value=a,r=i},d:xe(function(){this.N=ss;var a=s.value.value;r[t]!==a&&(r[t]=a,o?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}dt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var o in r){var s=r[o];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var m=t.__c;if(m){m.__$f|=8;var u=m.__$u;u&&(m.__$u=void 0,u.d())}}e(t)});dt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});mt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var o in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(r||s||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function vl(e,t){return E(function(){return oe(e,t)},[])}var _l=function(e){queueMicrotask(function(){queueMicrotask(e)})};function yl(){_r(function(){for(var e;e=rs.shift();)ns.call(e)})}function ss(){rs.push(this)===1&&(F.requestAnimationFrame||_l)(yl)}function wl(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var as=globalThis.document?.currentScript,ke=as?wl(as.src):"";function wr(e,t=ke){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var xl=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function kl(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function Sl(e){return wr(e).split("/").filter(t=>t!=="").map(kl)}function xr(){return{path:Sl(location.pathname),params:new URLSearchParams(location.search)}}var g=oe({path:[],params:new URLSearchParams});function fe(...e){return ke+"/"+e.map(xl).join("/")}function J(e,t){let n=new URLSearchParams(e);for(let[r,o]of Object.entries(t)){n.delete(r);for(let s of o===null?[]:typeof o=="string"?[o]:o)n.append(r,s)}return n}function ce(e,t){let n=t.toString();return n===""?e:e+"?"+n}function be(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),g.value=xr()}function P(e,t=!1){be(ce(location.pathname,J(g.value.params,e)),t)}function ae(e){return ce(fe(...g.value.path),J(g.value.params,e))}function Rl(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function H(e,t={}){return ce(fe(...e),J(Rl(g.value.params),t))}function Tl(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=(t.pathname+"/").startsWith(ke+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(wr(t.pathname));t.origin===location.origin&&o&&(e.preventDefault(),be(t.pathname+t.search),scrollTo(0,0))}function is(){addEventListener("popstate",()=>g.value=xr()),addEventListener("click",Tl),g.value=xr()}function Ht(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function _(e){if(e<0)return"-"+_(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[o,s]of t){let a=e/s;if(a<(o==="s"?99.5:999.5))return(o==="ns"?String(Math.round(a)):Ht(a))+" "+o}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var Pl={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function ls(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*Pl[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function Q(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Ht(t))+" "+n;t/=1e3}return Ht(t)+" TB"}function $(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Ht(e/1e6)+" M":Ht(e/1e9)+" G"}function Me(e,t){return`${$(e)} ${t}${e===1?"":"s"}`}function U(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function $e(e,t){return t==="ns"?_(e):t==="bytes"?Q(e):$(e)}function ue(e){return e||"(no name)"}function me(e){return e.slice(e.lastIndexOf(".")+1)}function De(e){return e.split(".").slice(-2).join(".")}var us=function(e,t,n,r){var o;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++s]]=i:a===6?r[1][t[++s]]+=i+"":a?(o=e.apply(i,us(e,i,n,["",null])),r.push(o),i[0]?t[0]|=2:(t[s-2]=0,t[s]=o)):r.push(i)}return r},cs=new Map;function ms(e){var t=cs.get(this);return t||(t=new Map,cs.set(this,t)),(t=us(this,t.get(e)||(t.set(e,t=(function(n){for(var r,o,s=1,a="",i="",c=[0],m=function(d){s===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):s===3&&(d||a)?(c.push(3,d,a),s=2):s===2&&a==="..."&&d?c.push(4,d,0):s===2&&a&&!d?c.push(5,0,!0,a):s>=5&&((a||!d&&s===5)&&(c.push(s,0,a,o),s=6),d&&(c.push(s,d,0,o),s=6)),a=""},u=0;u<n.length;u++){u&&(s===1&&m(),m(u));for(var p=0;p<n[u].length;p++)r=n[u][p],s===1?r==="<"?(m(),c=[c],s=3):a+=r:s===4?a==="--"&&r===">"?(s=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(m(),s=1):s&&(r==="="?(s=5,o=a,a=""):r==="/"&&(s<5||n[u][p+1]===">")?(m(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):r===" "||r==="	"||r===`
`||r==="\r"?(m(),s=2):a+=r),s===3&&a==="!--"&&(s=4,c=c[0])}return m(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=ms.bind(un);function Ol(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function ht(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let o=Number(r.headers.get("retry-after"))||1;await Ol(o*1e3,t.signal)}}async function tt(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var de=oe(null),qt=oe(!1),ps=ke+"/api/v1/login",fs={"loupe-page":"1"},ds=e=>`the collector cannot be reached: ${String(e)}`;async function hs(e){if(!e.ok)return tt(e);let t=await e.json();return de.value={is_needed:t.is_needed,identity:t.identity},null}async function gs(e,t={}){try{return await hs(await fetch(ps,{method:e,headers:{...fs,...t}}))}catch(n){return ds(n)}}async function bs(){await ht(ps,{headers:fs}).then(hs).catch(ds)!==null&&(de.value={is_needed:!1,identity:null})}async function $s(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await gs("POST",{authorization:`Bearer ${e}`});return qt.value&&=t!==null,t}async function vs(){let e=await gs("DELETE");return qt.value&&=e!==null,e}function _s(){qt.value||=de.value?.identity!=null,de.value={is_needed:!0,identity:null}}var vn=oe(!1);function ys(){let e=matchMedia("(max-width: 640px)"),t=()=>vn.value=e.matches;e.addEventListener("change",t),t()}var kr=0;function ws(){return kr>0}async function Cl(e,t){let n=await ht(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:o}=n;o===401&&_s();let s=r?await n.json():null,a=r?null:await tt(n);return{data:s,problem:a,status:o,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,o]=T(n);return Oe(()=>{if(e===null){o(n);return}let s=new AbortController;o(u=>({...u,isLoading:!0}));let a=({status:u})=>u>=400&&u<500,i=u=>o(({data:p})=>u.problem===null||a(u)?u:{...u,data:p}),c=u=>{let p=`the collector cannot be reached: ${String(u)}`;i({...n,problem:p,isLoading:!1})},m=u=>p=>s.signal.aborted||u(p);return kr++,Cl(e,s.signal).then(m(i),m(c)).finally(()=>kr--),()=>s.abort()},[e,t]),r}var Ml={s:1,m:60,h:3600,d:86400};function jt(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Ml[t[2]])*1000000000n:null}function ve(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],o=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(o)?null:BigInt(o)*1000000n+BigInt(n.padEnd(9,"0"))}var ks=["5m","15m","1h","6h","1d","7d","30d"],xs="1h",Al=5e3,Ss=()=>BigInt(Date.now())*1000000n,A=oe(Ss());function Sr(){A.value=Ss()}var gt=Se(()=>{let e=g.value.params.get("last")??xs;return jt(e)===null?xs:e}),nt=Se(()=>g.value.params.get("live")==="1"),V=Se(()=>{let{params:e}=g.value,t=ve(e.get("to")??"")??A.value,n=ve(e.get("from")??"");return{from:n!==null&&n<t?n:t-jt(gt.value),to:t}}),Nl=18e10;function _n(e,t,n,{from:r,to:o}){let s=n.lastIndexOf(!0),a=Number(o-e)-(s+1)*t,i=s>=0&&a>0&&a<=Nl;return Math.max(1,(Number(o-r)-(i?a:0))/1e9)}function Rs(){let e=0;xe(()=>{if(clearInterval(e),nt.value){let t=()=>document.hidden||ws()||Sr();e=window.setInterval(t,Al)}})}var Ae=oe(0),Rr=new Map;function N(e){let t=Rr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Rr.set(e,t)),t}function Fe(e){return`${N("t1")} ${N(e)}`}function Tr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Ts(e,t,n){let r=Tr(t);return"#"+Tr(e).map((s,a)=>Math.round(s+(r[a]-s)*n)).map(s=>s.toString(16).padStart(2,"0")).join("")}var Ll=.2;function bt(e){let[t,n,r]=Tr(e).map(o=>(o/255)**2.2);return .2126*t+.7152*n+.0722*r>Ll?"#101113":"#ffffff"}function Ps(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Rr=new Map,Ae.value++})}var El=["recording","instance","context","where","trace","thread","id"],Ul=["recording","instance","context"],Il=["min_duration_ns","max_duration_ns"];function $t(e){return/^\d{1,19}$/.test(e)}function pe(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Wt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function yn(e,t,n){for(let r of n)t.getAll(r).forEach(o=>e.append(r,o))}function wn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Os=30000000000n;function Pr({from:e,to:t}){let n=(t-e)/2n<Os?(t-e)/2n:Os;return{from:e-n,to:t+n}}function Cs(e,t,n=""){wn(e,Pr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Ne({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function vt(e,t){let n=new URLSearchParams,r=Ne(e);r!==null&&n.set("service",r),yn(n,e.params,El);let o=pe(e.params.get("box"));if(o)Cs(n,o);else{wn(n,t);for(let s of Il)e.params.getAll(s).filter($t).forEach(a=>n.append(s,a))}return n}function xn(e,t){let n=new URLSearchParams,r=Ne(e);return r!==null&&n.set("service",r),yn(n,e.params,["recording","instance"]),wn(n,t),n}function Ms(e,t){let n=vt(e,t),r=pe(e.params.get("base_box"));if(!r)return yn(n,e.params,["base"]),n;Cs(n,r,"base_");let o=n.get("service");o!==null&&n.set("base_service",o);for(let s of["recording","instance","context","where"])e.params.getAll(s).forEach(a=>n.append("base_"+s,a));return n}function As(e,t){let n=new URLSearchParams,r=Ne(e);r!==null&&n.set("service",r),yn(n,e.params,Ul),wn(n,t);let o=e.params.getAll("where");return o.length===1&&/^[^=<>!^]+=/.test(o[0])&&n.set("where",o[0]),n}function S(e,t,n={}){return ce(ke+"/api/v1/"+e,J(t,n))}function rt({text:e,label:t,title:n,className:r="",children:o}){let s=Z(null),[a,i]=T(!1),c=()=>i(!1);he(()=>{if(!a)return;let p=({target:f})=>s.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),s.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let m=({target:p})=>p.closest("a")&&c(),u=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${s}
    open=${a}
    onToggle=${u}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${m}>${o(c)}</div>`}
  </details>`}function kn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Bl(e,t,n=!1){let[r,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([i,c])=>` \\
  --data-urlencode ${kn(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${s.length>0?"G":""}${a} ${kn(t+r)}${s.join("")}`}async function Dl(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function I({url:e}){return e===null?null:l`<${rt} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${Fl} url=${e} />`}
      <//>`}function Fl({url:e}){let[t,n]=T(!1),r=Bl(e,location.origin,de.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:s})=>{await Dl(r,s),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var Hl=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function He({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([u])=>!u.startsWith("base"))),o=e.get("unit")==="threads",s={value:t==="time"?null:t,frame:n},a=(u,p)=>S(p,r,{...u===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(p)?s:{}}),i=S("slice.speedscope.json",r,s),c=new URLSearchParams({profileURL:i});return l`<${rt} text="download">${()=>l`${Hl.filter(([,u])=>!o||/collapsed|pprof|speedscope/.test(u)).map(([u,p,d])=>l`<a href=${a(u,p)} download title=${d}
            >${u}<small>${d}</small></a
          >`)}
      <a href=${ke+"/speedscope/#"+c.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function Ns(e){return`${ke}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var Jt=oe(null),_t=oe([]),Ls={accept:"application/json"};async function ql(e){let t=await ht(S("collector",new URLSearchParams),{headers:Ls});if(!t.ok)return tt(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${kn(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...Ls,"loupe-page":"1"},body:e});return n.ok?await n.json():tt(n)}var Us=(e,t)=>_t.value=[..._t.value,{name:e,text:t}];function jl(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&Us(e,`not all of it is shown: ${t.join("; ")}${r}`)}function Wl(e){let t=new Set(e.map(s=>s.service)),n=(s,a)=>BigInt(s)<BigInt(a)?s:a,r=(s,a)=>BigInt(s)<BigInt(a)?a:s,o=new URLSearchParams({from:e.map(s=>s.from_ns).reduce(n),to:e.map(s=>s.to_ns).reduce(r)});return ce(t.size===1?fe("s",...t):fe(),o)}async function Jl(e){let t=[];for(let n of e){Jt.value=n.name;let r=await ql(n).catch(o=>`it cannot be sent: ${String(o)}`);typeof r=="string"?Us(n.name,r):(t.push(r),jl(n.name,r))}Jt.value=null,t.length>0&&be(Wl(t))}var Es=Promise.resolve();function Vl(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Gl(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),Es=Es.then(()=>Jl(t)))}function Is(){addEventListener("dragover",Vl),addEventListener("drop",Gl)}function Bs(){return Jt.value===null&&_t.value.length===0?null:l`<div class="upload">
    <div>
      ${_t.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${Jt.value!==null&&l`<p role="status">Reading ${Jt.value} …</p>`}
    </div>
    ${_t.value.length>0&&l`<button onClick=${()=>_t.value=[]}>close</button>`}
  </div>`}var Kl={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},zl={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function ee(e){let t=e.startsWith("other: ")?e.slice(7):e;return Kl[e]??{name:t,token:"other"}}function yt(e){return zl[e]??"other: other"}function Sn(e){return e==="."?null:ee(yt(e))}var Xl={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Re(e){return(e.startsWith("jdk.")?Xl[e.slice(4)]:void 0)??"other: "+e}var Yl=/^(java|javax|jdk|sun|com\.sun)\./;function wt(e){return Yl.test(e)}function Le(e,t,n){return ot("contexts",e,t,n)}function ot(e,t,n,r){return H([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function Rn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function Tn({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(o=>({start:BigInt(e)+BigInt(Math.round(Number(o[r]??0))),values:Object.fromEntries(t.map((s,a)=>[s,o[a]??null]))}))}var Zl=1e3,Ds=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Ql(e,t,n,r,o){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Ds(e.url)===Ds(t)?Math.min(Zl,Math.max(o,r)):o;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Pn(e,t,n){let[r,o]=T([]),[,s]=T(""),a=Z({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Ql(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:m}=a.current,u=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${u}`,n);he(()=>{p.data&&!p.isLoading&&o([...m,...Tn(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},s(d)}}}function ie({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${ee(e).token})`}}
  ></span>`}function On({of:e}){return e&&l`<${ie} category=${e.category} />${ee(e.category).name}
      <span class="dim"> ${U(e.share)}</span>`}var ec=.07,tc=.16;function Hs({parts:e,total:t,each:n}){let r=e.filter(m=>m.total_ns>0),o=m=>m.total_ns/Math.max(1,t),s=m=>ee(m.category).name,a=m=>o(m)<ec?"":o(m)<tc?s(m):`${s(m)} ${n(m)}`,i=m=>Ae.value>=0&&bt(N(ee(m.category).token)),c=r.map(m=>`${s(m)} ${U(o(m))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(m=>l`<span
          key=${m.category}
          title=${`${s(m)} ${n(m)}, ${U(o(m))}`}
          style=${{flexGrow:o(m),background:`var(--${ee(m.category).token})`,color:i(m)}}
          >${a(m)}</span
        >`)}
  </div>`}var Fs=120,Or=22;function qs({values:e,label:t}){let n=e.reduce((s,a)=>Math.max(s,a??0),1),r="",o=!1;return e.forEach((s,a)=>{if(s===null){o=!1;return}let i=(a+.5)/e.length*Fs,c=Or-1-s/n*(Or-3);r+=`${o?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(o?"":"h1"),o=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Fs} ${Or}"
  >
    <path d=${r} />
  </svg>`}var js="a time with its date, such as 2026-01-02T15:04:05Z, or nanoseconds since 1970",Ws="FROM,TO,MIN,MAX, all in nanoseconds",Cn=e=>t=>e.includes(t),Js={from:[e=>ve(e)!==null,js],to:[e=>ve(e)!==null,js],last:[e=>jt(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[$t,"a number of nanoseconds"],max_duration_ns:[$t,"a number of nanoseconds"],box:[e=>pe(e)!==null,Ws],base_box:[e=>pe(e)!==null,Ws],unit:[Cn(["requests","contexts","threads"]),"requests, contexts or threads"],jvm:[Cn(["1"]),"1"],live:[Cn(["1"]),"1"],zone:[Cn(["utc"]),"utc"]};function Cr(e,t){return Js[e]?.[0](t)??!0}function Vs(e){let t=[...e].filter(([a,i])=>!Cr(a,i)).map(([a,i])=>({name:a,value:i,wanted:Js[a][1]})),[n,r]=[e.get("from")??"",e.get("to")??""],[o,s]=[ve(n),ve(r)];return o!==null&&s!==null&&o>=s?[...t,{name:"from",value:n,wanted:"before to"}]:t}var nc=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${_(Number(e))}`],["max_duration_ns",e=>`\u2264 ${_(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function rc(e,t){P({[e]:g.value.params.getAll(e).filter(n=>n!==t)})}var oc=e=>g.value.params.getAll(e).filter(t=>Cr(e,t));function sc(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");P({where:[...new Set([...g.value.params.getAll("where"),r])]}),t.reset()}}var ac=["service","instance","recording","thread"];function Vt({keys:e=[],values:t=[],isWhole:n=!1}){let o=nc.filter(([s])=>!n||ac.includes(s)).flatMap(([s,a])=>oc(s).map(i=>l`<span class="chip" key=${s+i} title=${i}>
          ${a(i)}
          <button
            class="plain"
            aria-label=${`take away ${a(i)}`}
            onClick=${()=>rc(s,i)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${o} ${!n&&l`<${ic} keys=${e} values=${t} />`}
  </div>`}function ic({keys:e,values:t}){return l`<form class="where" onSubmit=${sc} aria-label="Add a condition on an attribute">
    <input
      name="key"
      list="where-keys"
      placeholder="attribute"
      aria-label="attribute"
      autocomplete="off"
    />
    <select name="op" aria-label="comparison">
      ${["=","!=","^=",">=","<="].map(n=>l`<option>${n}</option>`)}
    </select>
    <input
      name="value"
      list="where-values"
      placeholder="value"
      aria-label="value"
      autocomplete="off"
    />
    <button>add</button>
    <datalist id="where-keys">${e.map(n=>l`<option value=${n} />`)}</datalist>
    <datalist id="where-values">${t.map(n=>l`<option value=${n} />`)}</datalist>
  </form>`}var xt=Se(()=>g.value.params.get("zone")==="utc"),Mn=1000000n,Mr=6e4,Gs=e=>String(e).padStart(2,"0");function An(e,t=xt.value){return t?0:-new Date(Number(e/Mn)).getTimezoneOffset()*Mr}function Ks(e){return BigInt(An(e))*Mn}var Gt=e=>new Date(Number(e/Mn)+An(e)).toISOString().replace("Z","");function se(e,t=1e6){return Gt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function _e(e){return Gt(e).slice(0,10)}function qe(e){return Gt(e).slice(0,19).replace("T"," ")}function zs(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${Gs(t)}:${Gs(n)}`}function le(e,t=xt.value){let n=An(e,t)/Mr,r=zs(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Ee(e){let t=An(e)/Mr,n=String(e%1000000000n).padStart(9,"0");return`${Gt(e).slice(0,19)}.${n}${t===0?"Z":zs(t)}`}function Ar(e){return Gt(e).slice(0,19)}function Xs(e){let t=Date.parse(xt.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*Mn}function Nn(e){return typeof e=="string"?e:JSON.stringify(e)}function Ys(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Nr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function lc(e){return e.find(t=>!wt(t))??e[0]??""}function cc({item:e,columns:t}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Ee(e.start)}</dd>
        ${Ys(e).map(([n,r])=>[l`<dt>${n}</dt>`,l`<dd>${Nn(r)}</dd>`])}
      </dl>
      <ol>
        ${Nr(e).map(n=>l`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function Ln({items:e,since:t,contextHref:n,label:r}){let[o,s]=T(null),a=[t===void 0?`time, ${e[0]?le(e[0].start):""}`:"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(c,m)=>{let{type:u,duration:p,thread:d,recording:f,context:h}=c.values,v=t===void 0?se(c.start):"+"+_(Number(c.start-t)),b=Ys(c).map(([M,L])=>`${M}=${Nn(L)}`),w=`${c.start} ${u} ${d} ${f}`,x=o===w,k=()=>s(x?null:w),y=n&&f!==null&&h?n(String(f),String(h)):null;return l`<tr key=${m} class=${x?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(x)} onClick=${k}>${v}</button>
        </td>
        <td title=${u}>
          <${ie} category=${Re(String(u))} />${me(String(u))}
        </td>
        <td class="n">${typeof p=="number"?_(p):""}</td>
        <td class="cut" data-name="thread" title=${d}>${d}</td>
        <td class="cut" data-name="method" title=${Nr(c)[0]}>
          ${De(lc(Nr(c)))}
        </td>
        <td class="cut wide" title=${b.join(`
`)}>${b.join(" ")}</td>
        ${n&&l`<td data-name="context">${y&&l`<a href=${y}>open</a>`}</td>`}
      </tr>
      ${x&&l`<${cc} item=${c} columns=${a.length} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function B({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function Lr({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function uc({name:e,value:t,wanted:n}){let r=g.value.params.getAll(e).filter(o=>o!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>P({[e]:r},!0)}>take it away</button>
  </div>`}function Zs(){return Vs(g.value.params).map(e=>l`<${uc} key=${`${e.name} ${e.value}`} ...${e} />`)}function Er({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function D({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},o=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(s=>s!=="");return o.length===0?null:l`<span class="missing">${o.join("; ")}</span>`}var mc=5;function O(e){let{title:t,note:n,tools:r,answer:o,className:s,lines:a=mc,children:i}=e,c=o&&o.data!==null&&(o.isLoading||o.problem!==null);return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${o&&l`<${Lr} answer=${o} />`}
    ${o?.data===null&&o.isLoading&&a>0&&l`<${Er} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function pc(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),o=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${o},service=NAME${n?",token=@FILE":""}`}function fc({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=g.value,o=J(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${qe(t)} ${le(t)}:${" "}
    <a class="link" href=${ce(fe(...n),o)}>look at all of that time</a>.
  </p>`}function je(){let e=S("collector",new URLSearchParams),{data:t}=R(e,A.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<V.value.from,r=Ne(g.value),o=a=>pc(a,location.hostname,de.value?.is_needed);if(t?.takes_files&&!n)return l`<${B} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let s=r===null?"":` of ${r}`;return l`<${B} title="No JVM${s} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${o(t.agents)}</pre>`}
    ${t&&n&&l`<${fc} of=${t} />`}
  <//>`}var dc=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,hc=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Qs=e=>e.replace(/\$(?=.)/g,"\\$");function ea(e,{path:t,params:n}){if(dc.test(e))return H(["t",e.toLowerCase()]);let r=t[0]==="s",o=hc.test(e);if(!r)return H(["s"],o?{where:e}:{frame:Qs(e)});let s=n.getAll("where").filter(i=>i!==e),a=o?{where:[...s,e]}:{frame:Qs(e)};return ce(fe(...t),J(n,a))}var na={box:null,base_box:null},Kt=e=>ve(g.value.params.get(e)??"")!==null,ta=60000000000n;function gc(){let{from:e,to:t}=V.value;if(!Kt("from")&&!Kt("to"))return`last ${gt.value}`;let n=e%ta===0n&&(t%ta===0n||!Kt("to")),r=s=>se(s,n?6e10:1e9),o=_e(e)===_e(t)?r(t):`${_e(t)} ${r(t)}`;return`${_e(e)} ${r(e)} to ${Kt("to")?o:"now"}`}function bc(){let e=ks,t=e.includes(gt.value)?e:[gt.value,...e],n=r=>r===gt.value&&!Kt("from");return l`<div class="lengths">
    ${t.map(r=>l`<a
          key=${r}
          href=${ae({last:r,from:null,to:null,...na})}
          aria-current=${n(r)?"true":void 0}
          >last ${r}</a
        >`)}
  </div>`}function $c({close:e}){let[t,n]=T(""),{from:r,to:o}=V.value,s=i=>{i.preventDefault();let c=i.currentTarget,m=(d,f)=>{let h=c.elements.namedItem(d).value;return h===Ar(f)?f:Xs(h)},[u,p]=[m("from",r),m("to",o)];if(u===null||p===null)n("Both need a day and a time.");else if(u>=p)n("It has to begin before it ends.");else{e();let d={from:String(u),to:String(p)};P({...d,last:null,live:null,...na})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${Ar(c)}
    /></label>`;return l`<form class="between" onSubmit=${s}>
    ${a("from",r)} ${a("to",o)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function vc(){let{to:e}=V.value,t=(n,r)=>l`<button
      aria-pressed=${xt.value===n?"true":"false"}
      onClick=${()=>P({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${le(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function Ur(){let{from:e,to:t}=V.value,n=l`${gc()} <span class="dim">${le(t)}</span>`;return l`<${rt}
    text=${n}
    title=${`${qe(e)} to ${qe(t)} ${le(t)}`}
    className="time"
  >
    ${r=>l`<${bc} /><${$c} key=${xt.value} close=${r} /><${vc} />`}
  <//>`}function Ir(){return l`<button onClick=${Sr} title="ask again">refresh</button>
    <button
      aria-pressed=${nt.value?"true":"false"}
      onClick=${()=>P({live:nt.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function ra({onDone:e}){let t=r=>{r.preventDefault();let o=r.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(be(ea(s,g.value)),o.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function oa(){let[e,t]=T(null),n=de.value?.identity,r=async()=>t(await vs());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var _c=[["services",""],["events","e"],["recordings","r"]];function re({crumbs:e=[],children:t}){let n=g.value.path[0]??"",r=([u,p])=>l`<a href=${H(p?[p]:[])} aria-current=${p===n?"page":void 0}>
      ${u}
    </a>`,o=({name:u,href:p},d)=>[d>0?" / ":"",p?l`<a href=${p}>${u}</a>`:l`<b>${u}</b>`],s=l`<nav class="screens" aria-label="Screens">${_c.map(r)}</nav>`,a=l`<a class="logo" href=${H([])}>Loupe</a>`,i=vn.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(o)}</span>`,m=u=>l`${s}<${ra} onDone=${u} />
      <div class="row"><${Ir} /></div>
      <${oa} />`;return l`<header>
      ${vn.value?l`${a} ${c} <${Ur} />
              <${rt} text="☰" label="screens, search, refresh" className="all">${m}<//>`:l`${a} ${s} ${c} <${ra} /> <${Ur} /><${Ir} /> <${oa} />`}
    </header>
    <main><${Zs} />${t}</main>`}var yc=4;function wc(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function j({columns:e,rows:t,rowKey:n,href:r,rowsMax:o,rowsFirst:s,label:a,className:i}){let[c,m]=T(null),u=c===null?void 0:e[c]?.sort,p=u?[...t].sort((k,y)=>wc(u(k),u(y))):t,[d,f]=T(!1),h=p.slice(0,d?o:s??o),v=Math.min(t.length,o??1/0)-h.length,b=(k,y)=>{let M=c!==y?"none":k.isNumber?"descending":"ascending",L=k.sort?l`<button class="plain" onClick=${()=>m(y)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?M:void 0}
    >
      ${L}
    </th>`},w=(k,y,M)=>{let L=y.cell(k);return l`<td
      class=${(y.isNumber?"n ":"")+(y.className??"")}
      data-name=${M>0?y.name:void 0}
    >
      ${r&&M===0?l`<a href=${r(k)}>${L}</a>`:L}
    </td>`},x=v>0&&s!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${$(v)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>yc?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(b)}
          </tr>
        </thead>
        <tbody>
          ${h.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((y,M)=>w(k,y,M))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${x}`}var xc=15,kc=100,Br=e=>e===null?"":_(e),kt=(e,t)=>g.value.params.getAll(e).includes(t);function Dr({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Sc({types:e}){let t=n=>ae({context:kt("context",n)?null:n,key:null,where:null,event:null});return l`<${j}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${Dr} href=${t(n)} on=${kt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>Br(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>Br(n.p99_ns),isNumber:!0}]}
  />`}function sa({name:e,rows:t}){let n=r=>{let o=`${e}=${r}`,s=g.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return ae({where:kt("where",o)?s:[...s,o],event:null})};return l`<${j}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${Dr}
            href=${n(r)}
            on=${kt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>Br(r.p99_ns),isNumber:!0}]}
  />`}function Rc({name:e}){let t=vt(g.value,V.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),A.value).data?.keys.find(s=>s.key===e),o=(r?.values??[]).map(s=>({value:s.value,all:null,kept:s.count,p99_ns:s.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${o.length>0&&l`<${sa} name=${e} rows=${o} />`}`}function Tc({of:e}){let t=g.value.params.get("key"),n=e?.attributes.find(s=>s.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((s,a)=>a.contexts_in-s.contexts_in).map(s=>({value:s.value,all:s.contexts_in,kept:s.contexts_out,p99_ns:s.p99_ns})),o=({key:s})=>l`<button
      key=${s}
      aria-pressed=${String(s===n.key)}
      onClick=${()=>P({key:s},!0)}
    >
      ${s}
    </button>`;return l`<div class="tabs">${e.attributes.map(o)}</div>
    ${n.has_too_many?l`<${Rc} name=${n.key} />`:l`<${sa} name=${n.key} rows=${r} />`}`}function Pc({of:e}){let t=n=>ae({event:kt("event",n)?null:n});return l`<${j}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${xc}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ie} category=${Re(n)} /><${Dr}
              href=${t(n)}
              on=${kt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?_(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Oc({query:e}){let t=g.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:o,more:s}=Pn(n,kc,A.value),a=l`<${D} of=${r.data} /><${I} url=${n} />`;return l`<${O} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${o.length>0&&l`<${Ln} label="Events" items=${o} contextHref=${Le} />`}
    ${s&&l`<p><button onClick=${s}>more</button></p>`}
    ${r.data&&o.length===0&&l`<${B} title="No events here" />`}
  <//>`}function aa(){let e=g.value,t=vt(e,V.value),n=S("contexts/types",Mc(t)),r=R(n,A.value),o=S("events/types",t),s=R(o,A.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=s.data&&`${$(s.data.events)} events`+Cc(s.data.contexts);return l`<${re}>
    <${Vt} />
    <div class="three">
      <${O}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${Sc} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${je} />`}
      <//>
      <${O} title="Context values" note=${a?.type}><${Tc} of=${a} /><//>
      <${O}
        title="Event types"
        note=${i}
        tools=${l`<${D} of=${s.data} /><${I} url=${o} />`}
        answer=${s}
      >
        ${s.data&&s.data.types.length>0&&l`<${Pc} of=${s.data} />`}
      <//>
    </div>
    <${Oc} query=${t} />
  <//>`}var Cc=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function Mc(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function ia(){let[e,t]=T(null),[n,r]=T(!1),o=async s=>{s.preventDefault();let a=s.currentTarget.elements.namedItem("token");r(!0);let i=await $s(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${qt.value&&l`<p role="status">Your session is over.</p>`}
        <form onSubmit=${o}>
          <label for="token">Token</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            ref=${s=>!e&&s?.focus()}
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
    </main>`}function la(){return l`<${re}>
    <section>
      <${B} title="There is nothing here">
        <a class="link" href=${H([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function Ac(e){return e.replaceAll("_","-")}function st(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,o]of Object.entries(n))t.set(r,(t.get(r)??0)+o);return[...t].sort((n,r)=>r[1]-n[1])}function at({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${Ac(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var Nc="N/A";function Lc(e){let t=[e.young_collector,e.old_collector].filter(n=>n!==void 0&&n!==Nc);return[...new Set(t)].join(", ")}function Ec(e){let t=[e.jvm_arguments,e.java_arguments].filter(n=>n);return t.length===0?null:["java",...t].join(" ")}function Uc({os:e}){let t=String(e??"");return/^PRETTY_NAME="(.*)"$/m.exec(t)?.[1]??t.split(`
`)[0]}function ca({of:e}){let t=Ec(e),n=e.hardware_threads===void 0?"":`${e.hardware_threads} \xD7 `,r=[["JVM",e.jvm_version],["command line",t&&l`<code>${t}</code>`],["system",Uc(e)],["processor",e.cpu&&`${n}${e.cpu}`],["memory",e.memory_bytes&&Q(Number(e.memory_bytes))],["heap",e.heap_max_bytes&&`${Q(Number(e.heap_max_bytes))} at most`],["GC",Lc(e)]];return l`<div class="details">
    <dl>
      ${r.filter(([,o])=>o).map(([o,s])=>l`<dt>${o}</dt>
              <dd>${s}</dd>`)}
    </dl>
  </div>`}function En(e){let[t,n]=T({width:0,height:0,ratio:1});return Oe(()=>{let r=e.current,o=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},s=new ResizeObserver(o);s.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",o),o(),()=>{s.disconnect(),a.removeEventListener("change",o)}},[t.ratio]),t}function Fr(e,{width:t,height:n,ratio:r}){let[o,s]=[Math.round(t*r),Math.round(n*r)];(e.width!==o||e.height!==s)&&(e.width=o,e.height=s);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Un(e,{width:t,height:n,ratio:r},o,s){Oe(()=>{let a=t>0&&e.current&&Fr(e.current,{width:t,height:n,ratio:r});a&&o(a)},[t,n,r,Ae.value,...s])}var In=14,Bn=8;function We({at:e,children:t}){let n=Z(null);return Oe(()=>{let{offsetWidth:r,offsetHeight:o,style:s}=n.current,a=e.clientY+In+o>innerHeight-Bn,i=Math.min(e.clientX+In,innerWidth-r-Bn);s.left=`${Math.max(Bn,i)}px`,s.top=`${a?Math.max(Bn,e.clientY-In-o):e.clientY+In}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var Ic=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Bc=e=>Ic[e&3]*2**(e>>2);function ua(e){return e<0?1:Math.floor(Bc(e+1))}function Je(e,{column:t,row:n}){return t*e.rows+n}function St(e){let t=[];for(let r of e)for(let[o,s]of r)t[o+1]=(t[o+1]??0)+s;let n=[];return t.forEach((r,o)=>n.push([o-1,r])),n}function it(e,t){let n=e.reduce((o,[,s])=>o+s,0),r=Math.max(1,Math.ceil(t*n));for(let[o,s]of e){if(r<=s)return o<0?1:Math.floor(2**((o+r/s)/4));r-=s}return null}function Ve(e,t,n,r=null){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,a=-1/0;for(let d of e.columns)s=Math.min(s,d[0]?.[0]??s),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&s<=a;i&&(s=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(s/c)>=n;)c*=2;let m=s>a?0:Math.floor(s/c),u={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:m,buckets:c,hasShorter:i,rows:s>a?0:Math.floor(a/c)-m+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/o),row:Math.max(0,Math.floor(f/c)-m)});e.columns.forEach((d,f)=>{for(let[h,v,b]of d){let w=p(f,h),x=u.cells.get(Je(u,w))??{...w,all:0,kept:0};x.all+=v,x.kept+=b,u.cells.set(Je(u,w),x),u.most=Math.max(u.most,x.all)}});for(let[d,f,h,v]of e.exemplars)u.exemplars.set(Je(u,p(d,f)),{recording:h,id:v});return u}function pa(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Rt(e,t,n){let[r,o]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[s,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+s)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(o+1),min:i<0||e.hasShorter&&s===0?0:ua(i-1)+1,max:ua((e.first+a+1)*e.buckets-1)}}function Dn(e,t,n){let r=Rt(e,n,n),o=r.from<t.to&&r.to>t.from,s=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return o&&r.min<=t.max&&s}function lt(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Dn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function fa(e,t){return[...e.cells.values()].filter(n=>Dn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Je(e,n))??[])}function Fn(e,t,{column:n,row:r}){let o=t.width/e.columns,s=t.height/e.rows,a=t.y+t.height-(r+1)*s;return{x:t.x+n*o,y:a,width:o,height:s}}function da(e,t,n,r){let o=(s,a)=>Math.max(0,Math.min(a-1,Math.floor(s*a)));return{column:o((n-t.x)/t.width,e.columns),row:o(1-(r-t.y)/t.height,e.rows)}}function qr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function Hr(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function zt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function jr(e,t,n){let[r,o]=[t.x,t.x+t.width],[s,a]=[t.y,t.y+t.height],i=Math.max(r,Hr(e,t,n.from)),c=Math.max(s,zt(e,t,n.max)),m=Math.min(o,Hr(e,t,n.to))-i,u=n.min<=1?a:Math.min(a,zt(e,t,n.min-1));return m<=0||u<=c?null:{x:i,y:c,width:m,height:u-c}}function Wr(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ha(e,t,n,r){let o=[],s=a=>{let i=zt(e,t,a);o.every(m=>Math.abs(m.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&o.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)s(a*i);return o.sort((a,i)=>i.at-a.at)}var ma=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ga(e,t,n,r,o){let{from:s,to:a}=Wr(e),i=Number(a-s)/1e9*(n/t.width),c=ma.find(p=>p>=i)??ma.at(-1),m=BigInt(c)*1000000000n,u=[];for(let p=(s+r+m-1n)/m*m-r;p<a;p+=m)u.push({at:Hr(e,t,p),text:o(p,c*1e9)});return u}var Xt=52,Dc=20,$a=6,Fc=52,Hc=72,qc=26,jc=5;function Hn(e,t,n){let r=e-Xt-(n?Fc:0);return{x:Xt,y:$a,width:Math.max(1,r),height:Math.max(1,t-$a-Dc)}}function Wc(e,t){let n=se(e,t);return n==="00:00"?_e(e).slice(5):n}function Jc(e,t){let n=r=>_(r).replace(/\.0+ /," ");return{times:ga(e,t,Hc,Ks(e.t0),Wc),durations:e.rows===0?[]:ha(e,t,qc,n)}}function Vc(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Gc(e,t,n,r,o){e.fillStyle=N("corner"),e.beginPath();let s=-1;for(let a of t.cells.values()){if(!o(a))continue;a.column!==s&&(e.fill(),e.beginPath(),s=a.column);let{x:i,y:c,width:m,height:u}=Fn(t,n,a);Vc(e,i+m-r,c,Math.min(jc,m/2,u/2))}e.fill()}function Kc({all:e,kept:t},n){return n==="requests"?t<e:t>0}function va(e,t,n,r){let o=["h0","h1","h2","h3","h4","h5"].map(N),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:m,height:u}=Fn(t,n,a);e.fillStyle=o[pa(a.all,t.most)],e.fillRect(i,c,m-s,u-s)}Gc(e,t,n,s,a=>Kc(a,r)),Yt(e,t,n)}function Yt(e,t,n){let{times:r,durations:o}=Jc(t,n);e.fillStyle=N("faint"),e.font=Fe("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:s,text:a}of o)e.fillText(a,Xt-8,s),e.fillRect(Xt-5,Math.round(s),4,1);e.textBaseline="alphabetic",e.fillText(le(t.t0),Xt-8,n.y+n.height+16);for(let{at:s,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(s),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(s-i,n.x+n.width-2*i)),n.y+n.height+16)}}function Jr(e,t,n,r){t&&(e.fillStyle=N("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function _a(e,t,n,r){Jr(e,r.base&&jr(t,n,r.base),N("soft"),[4,3]),Jr(e,r.box&&jr(t,n,r.box),N("accent"),[]);for(let o of r.cells)Jr(e,Fn(t,n,o),N("ink"),[])}function ya({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(o,s)=>{let a=t.slice(s*r,(s+1)*r),i=St(a);return{perSecond:i.reduce((u,[,p])=>u+p,0)/(a.length*(e/1e9)),p50:it(i,.5),p99:it(i,.99)}})}function wa(e){return`${$(Number(e.toPrecision(3)))}/s`}function Vr(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function zc(e,t,n){let r=!1;e.beginPath();for(let o of t)o&&r?e.lineTo(...o):o&&(e.moveTo(o[0]-n/4,o[1]),e.lineTo(...o)),r=o!==null;e.stroke()}function xa(e,t,n,r){let o=n.width/t.columns,s=Vr(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=N("h1"),r.forEach(({perSecond:a},i)=>{let c=a/s*n.height;e.fillRect(n.x+i*o,n.y+n.height-c,o-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=N(i);let c=(m,u)=>{let p=m[a];return p===null?null:[n.x+(u+.5)*o,zt(t,n,p)]};zc(e,r.map(c),o)}Yt(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(wa(s*a),n.x+n.width+6,i+(a===1?5:0))}}function ka({of:{perSecond:e,p50:t,p99:n}}){let r=o=>o===null?"-":_(o);return l`<b>${wa(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Sa({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Tt=[{name:"heap",lines:[["heap_used","io"]],isBars:!1},{name:"GC pauses",lines:[["gc_pause","gc"]],isBars:!0},{name:"CPU",lines:[["cpu_machine","none"],["cpu_jvm","cpu"]],isBars:!1},{name:"threads",lines:[["threads","park"]],isBars:!1}],Xc={heap_used:"heap used",gc_pause:"GC pauses",cpu_jvm:"CPU of the JVM",cpu_machine:"CPU of the machine",resident:"resident memory",threads:"Java threads",classes:"loaded classes"};function Gr({line:e}){return Xc[e]??e}function ct({unit:e},t){return({bytes:Q,ns:_,ratio:U}[e]??$)(e==="count"?Math.round(t):t)}function Zt({lines:e},t){return t.lines.flatMap(([n,r])=>{let o=e.find(s=>s.line===n);return o?[{line:o,token:r}]:[]})}function Ra(e,t){let n=Zt(e,t).flatMap(({line:o})=>o.points.map(s=>s[4])),r=n.reduce((o,s)=>Math.max(o,s),0);return n.length===0?null:Vr(Math.max(r,.001))}var Yc=12e10,Zc=10;function Ta(e,t){let n=Math.max(1,e.chunks.all/Math.max(1,e.chunks.read)),r=Yc*n*(t.line==="heap_used"?Zc:1),o=Math.max(1,Math.ceil(r/e.step_ns)),s=[];for(let a of t.points){let i=s.at(-1);i&&a[0]-i.at(-1)[0]<=o?i.push(a):s.push([a])}return s}function Kr({points:e}){let t=e.reduce((n,[,r])=>n+r,0);return e.length===0?null:{count:t,least:Math.min(...e.map(n=>n[2])),mean:e.reduce((n,[,r,,o])=>n+r*o,0)/t,most:Math.max(...e.map(n=>n[4]))}}function Pa({points:e},t){return e.find(([n])=>n===t)??null}var zr=58,Qt=20,Qc=.25;function Xr(e,t){let{x:n,width:r}=Hn(t,0,!1);return{x:n,y:Qt+e*(zr+Qt),width:r,height:zr}}var Oa=Tt.length*(zr+Qt)+26;function Ca(e,t,n){let r=Xr(0,t),o=Math.floor((n-r.x)/r.width*e.column_count);return o>=0&&o<e.column_count?o:null}function Ma(e,t,n){let r=t.width/e.column_count;return{x:o=>t.x+(o+.5)*r,y:o=>t.y+t.height*(1-Math.min(1,o/n)),width:r}}function eu(e,t,{x:n,y:r,width:o}){let s=Math.max(1.5,o-1),a=r(0);for(let[i,,,,c]of t.points){let m=Math.min(r(c),a-1);e.fillRect(n(i)-s/2,m,s,a-m)}}function tu(e,t,n,r){let{x:o,y:s,width:a}=r;for(let i of Ta(t,n))e.globalAlpha=Qc,e.beginPath(),i.forEach(([c,,,,m])=>e.lineTo(o(c),s(m))),[...i].reverse().forEach(([c,,m])=>e.lineTo(o(c),s(m))),e.fill(),e.globalAlpha=1,e.beginPath(),e.moveTo(o(i[0][0])-a/2,s(i[0][3])),i.forEach(([c,,,m])=>e.lineTo(o(c),s(m))),e.lineTo(o(i.at(-1)[0])+a/2,s(i.at(-1)[3])),e.stroke()}function nu(e,t,n,r){let o=Ra(t,n);if(e.fillStyle=N("line"),e.fillRect(r.x,r.y+r.height,r.width,1),e.font=Fe("sans"),e.textBaseline="alphabetic",e.textAlign="left",e.fillStyle=N("soft"),e.fillText(n.name,r.x,r.y-4),o===null){e.fillStyle=N("faint"),e.fillText("not recorded",r.x+e.measureText(n.name).width+8,r.y-4);return}let s=Zt(t,n);e.fillStyle=N("faint"),e.textAlign="right",e.fillText(ct(s[0].line,o),r.x-8,r.y+8),e.fillText("0",r.x-8,r.y+r.height);let a=Ma(t,r,o);e.lineWidth=1.5;for(let{line:i,token:c}of s)e.fillStyle=N(c),e.strokeStyle=N(c),n.isBars?eu(e,i,a):tu(e,t,i,a)}function Aa(e,t,n,r){Tt.forEach((u,p)=>nu(e,t,u,Xr(p,n)));let o=Xr(Tt.length-1,n),{t0_ns:s,step_ns:a,column_count:i}=t,c=Array.from({length:i},()=>[]);if(Yt(e,Ve({t0_ns:s,step_ns:a,columns:c,...{exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1}},1/0,1),o),r!==null){e.fillStyle=N("ink");let u=Ma(t,o,1).x(r);e.fillRect(Math.round(u),Qt,1,o.y+o.height-Qt)}}function ru({data:e,hover:t}){let n=BigInt(e.t0_ns)+BigInt(t.column)*BigInt(e.step_ns),r=Tt.flatMap(o=>Zt(e,o)).map(({line:o,token:s})=>{let a=Pa(o,t.column),[,i,c,m,u]=a??[0,0,0,0,0];return l`<tr key=${o.line}>
      <th scope="row">
        <span class="dot" style=${{background:`var(--${s})`}}></span>${Gr(o)}
      </th>
      <td class="n"><b>${a?ct(o,m):"-"}</b></td>
      <td class="n dim">
        ${i>1&&`${ct(o,c)} to ${ct(o,u)}`}
      </td>
    </tr>`});return l`<${We} at=${t.at}>
    <b>${se(n,1e9)}</b>
    <table>
      ${r}
    </table>
  <//>`}function ou({data:e}){let t=Z(null),n=En(t),[r,o]=T(null);Un(t,n,i=>Aa(i,e,n.width,r?.column??null),[e,r?.column]);let a=i=>{let{clientX:c,clientY:m}=i,u=t.current.getBoundingClientRect().left,p=Ca(e,n.width,c-u);o(p===null?null:{column:p,at:{clientX:c,clientY:m}})};return l`<canvas
      ref=${t}
      style=${{height:`${Oa}px`}}
      role="img"
      aria-label="Heap, GC pauses, CPU and threads over the time; the table below has the same"
      onPointerMove=${a}
      onPointerLeave=${()=>o(null)}
    ></canvas>
    ${r&&l`<${ru} data=${e} hover=${r} />`}`}var Yr=(e,t)=>({name:e,isNumber:!0,cell:n=>{let r=Kr(n);return r?ct(n,t(r)):l`<span class="dim">-</span>`}}),su=[{name:"line",cell:e=>Gr(e)},Yr("least",e=>e.least),Yr("mean",e=>e.mean),Yr("most",e=>e.most),{name:"events",isNumber:!0,cell:e=>l`<span title=${e.event}>${$(Kr(e)?.count??0)}</span>`}];function au({data:e}){let[t,n]=T(!1);return l`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<${j}
        label="Lines of the JVM"
        columns=${su}
        rows=${e.lines}
        rowKey=${r=>r.line}
      />`}
  </details>`}function iu({chunks:{read:e,all:t},jvms:n}){return e<t?`by ${$(e)} of ${$(t)} chunks, evenly: short pauses may be missing`:n.length>1?"as they say themselves, all JVMs together":"as it says itself"}function Pt({answer:e,url:t,onClose:n}){let{data:r}=e,o=r!==null&&r.lines.every(({points:c})=>c.length===0),s=r&&{...r,is_truncated:r.is_truncated&&r.chunks.read===r.chunks.all},a=l`<${D} of=${s} />${n&&l`<button class="plain" onClick=${n}>close</button>`}<${I} url=${t} />`,i=E(()=>r&&l`<${au} data=${r} />`,[r]);return l`<${O}
    title="JVM"
    note=${r&&iu(r)}
    tools=${a}
    answer=${e}
    className="jvm-panel"
  >
    ${o&&l`<${B} title="No JVM says anything of itself here">
        Events such as jdk.GCHeapSummary and jdk.CPULoad are not recorded, or not kept.
      <//>`}
    ${r&&!o&&l`<${ou} data=${r} />${i}`}
  <//>`}var ut=e=>ve(e)??0n,lu=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),qn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Na=(e,t)=>l`${$(e)} <span class="dim">of ${$(t)}</span>`,cu=()=>[{name:"service",cell:e=>l`<b>${ue(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${le(A.value)}`,cell:e=>qe(ut(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${_(qn(e))}, running`:_(qn(e)),isNumber:!0,sort:qn},{name:"contexts kept",cell:e=>Na(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Na(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${Q(e.bytes_out)} <span class="dim">of ${Q(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>lu(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function uu(){let{params:e}=g.value,{from:t,to:n}=V.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let m of["service","instance"]){let u=e.get(m);u!==null&&r.set(m,u)}let o=S("recordings",r),s=R(o,A.value),a=s.data?.recordings??[],i=l`<${D} of=${s.data} /><${I} url=${o} />`;return l`<${re}>
    <${O} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${s}>
      ${a.length>0&&l`<${j}
          label="Recordings"
          columns=${cu()}
          rows=${a}
          rowKey=${m=>m.id}
          href=${m=>H(["r",m.id])}
        />`}
      ${s.data&&a.length===0&&l`<${je} />`}
    <//>
  <//>`}var La=10000000000n,mu=12,pu=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>Q(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>Q(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${at} of=${st({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Ge(e,t){return l`<span><b>${e}</b>${t}</span>`}function fu({of:e}){let t=e.contexts_in?U(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Ge(e.is_running?"running":"ended",`${_(qn(e))} since ${qe(ut(e.start))} ${le(ut(e.start))}`)}
    ${Ge(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${Ge($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${Ge(Q(e.bytes_out),`of ${Q(e.bytes_in)} kept`)}
    ${Ge(Q(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Ge(_(e.waiting.duration_ns),`not compacted yet, ${Q(e.waiting.journal_bytes)}`)}
    ${Ge(e.jvm_version,e.jvm_name)} ${Ge(e.pid,`process, on ${e.instance}`)}
  </div>`}var du={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function hu({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${$(r)} ${du[n]??n}</li>`)}
      </ul>`}function gu({service:e}){let[t,n]=T(!1);return l`<section class="policy">
    <details
      open=${t}
      onToggle=${r=>n(r.currentTarget.open)}
    >
      <summary>
        <b>Policy</b> <span class="dim">that is in force for ${ue(e)} now</span>
      </summary>
      ${t&&l`<${bu} service=${e} />`}
    </details>
  </section>`}function bu({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,A.value),{data:o}=r,s=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${Lr} answer=${r} />
    <p>
      ${o&&(o.file??"none: the JVM's own settings")}
      <a href=${n} target="_blank">JSON</a>
    </p>
    ${o?.refused&&l`<p class="missing">${o.refused.problem}</p>`}
    ${o&&o.events.length>0&&l`<${j}
        label="Policy"
        rows=${o.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>s(a).join(", "),className:"w"}]}
      />`}`}function $u({of:e}){let t={from:String(ut(e.start)-La),to:String(ut(e.end)+1n),recording:e.id},n=(r,o,s)=>l`<a class="link" href=${ce(fe(...r),new URLSearchParams({...t,...o}))}
      >${s}</a
    >`;return l`<p class="links">
    ${n(["s",e.service],{},"its requests")}
    ${n(["s",e.service],{unit:"threads"},"all that its threads did")}
    ${n(["e"],{service:e.service},"its events")}
  </p>`}function vu({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,A.value),{data:r}=n,o=[{name:r?`${ue(r.service)}, ${r.instance}`:e}],s=new URLSearchParams({recording:e});r&&(s.set("from",String(ut(r.start)-La)),s.set("to",String(ut(r.end)+1n)));let a=S("jvm",s),i=R(r&&a,A.value),c=i.data?.jvms[0],m=l`<a href=${Ns(e)} download>download .jfr</a><${I} url=${t} />`,u=r?st(r.types):[];return l`<${re} crumbs=${o}>
    <${O} title="Recording" note=${e} tools=${m} answer=${n}>
      ${r&&l`<${fu} of=${r} /><${$u} of=${r} />`}
      ${c&&l`<${ca} of=${c} />`}
      ${n.status===404&&l`<${B} title="This collector has no such recording">
          <a href=${H(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${Pt} answer=${i} url=${a} />
        <${O}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${u.length>0?l`<${at} of=${u} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${O} title="Lost" note="what is missing, and should not be"
          ><${hu} of=${r}
        /><//>
        <${O} title="Event types">
          <${j}
            label="Event types"
            columns=${pu}
            rows=${Object.entries(r.types).sort((p,d)=>d[1].bytes_in-p[1].bytes_in)}
            rowKey=${([p])=>p}
            rowsFirst=${mu}
          />
        <//>
        <${gu} service=${r.service} />`}
  <//>`}function Ea(){let e=g.value.path[1];return e===void 0?l`<${uu} />`:l`<${vu} id=${e} />`}function Te(e){return e.slice(0,-1)}var _u=["context","thread","trace","id","box","base_box"];function Ua(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:_u.some(n=>e.has(n))?"contexts":null}function Pe(e){let t=e.get("unit");return t==="requests"||t==="threads"?t:"contexts"}function Ue(e,t){return J(e,{unit:t==="contexts"?null:t})}function Ia(e){let{service:t,jvms:n,requests:r}=e,o=r.requests_in>0,[s,a]=o?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:m,top:u}=o?r:e;return{service:t,jvms:n,unit:o?"requests":"contexts",all:s,kept:a,p50_ns:i,p99_ns:c,spark:m,top:u}}function yu(e,t,n){let{clientWidth:r,clientHeight:o,scrollTop:s}=t,a=Fr(e,{width:r,height:o,ratio:devicePixelRatio});a&&n(a,{width:r,height:o,top:s})}function jn(e){let{draw:t,height:n,heightMax:r,reveal:o}=e,s=Z(null),a=Z(null),i=Z(t),c=Z(0);i.current=t;let m=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&s.current&&yu(a.current,s.current,i.current)})};he(()=>{let d=new ResizeObserver(m);return d.observe(s.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),he(m,[t,n,r,Ae.value]),he(()=>{let{scrollTop:d,clientHeight:f}=s.current;o&&o[0]<d?s.current.scrollTop=o[0]:o&&o[1]>d+f&&(s.current.scrollTop=o[1]-f)},[o?.[0],o?.[1]]);let u=d=>f=>{let h=a.current.getBoundingClientRect(),v=f.clientY-h.top+s.current.scrollTop;d?.({x:f.clientX-h.left,y:v,width:h.width,event:f})},p=Math.min(n,r);return l`<div
    class="pane"
    ref=${s}
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
  </div>`}var eo=e=>e.charCodeAt(0);function Ba(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[eo(n.length===1?n:t),eo(r.length===1?r:t)]}var to=e=>/\w/.test(String.fromCharCode(e)),Da=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),qa=(e,t)=>t>=0&&t<e.length&&to(e.charCodeAt(t)),Wn=(e,t)=>qa(e,t-1),Jn=qa,Zr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>Wn(e,t)!==Jn(e,t),"\\B":(e,t)=>Wn(e,t)===Jn(e,t),"\\<":(e,t)=>!Wn(e,t)&&Jn(e,t),"\\>":(e,t)=>Wn(e,t)&&!Jn(e,t)},Fa=e=>e>=48&&e<=57,Qr={"\\d":Fa,"\\D":e=>!Fa(e),"\\w":to,"\\W":e=>!to(e),"\\s":Da,"\\S":e=>!Da(e)},Ha={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},ye=class extends Error{},no=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new ye;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new ye;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new ye;let r=this.atom,o=this.states.length-r;if(n===0){this.states.length=r;return}for(let s=1;s<t;s++)this.copy(r,o);n===1/0&&this.add({jumps:[1,-o]});for(let s=Math.max(t,1);s<n&&n!==1/0;s++)this.copy(r,o),this.makeOptional(this.states.length-o);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new ye;if(r!==1/0&&r>255)throw new ye;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,o=Object.hasOwn(Ha,r)?Ha[r]:void 0;if(n===":"?!o:r.length!==1)throw new ye;return n===":"?s=>o.test(String.fromCharCode(s)):eo(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new ye;let r=n;return o=>o>=t&&o<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new ye;t.push(this.range())}this.at++,this.addAtom(r=>Ba(r).some(o=>t.some(s=>s(o)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Zr,n)||Object.hasOwn(Qr,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new ye;if(Object.hasOwn(Zr,n))this.atom=null,this.add({holds:Zr[n]});else if(Object.hasOwn(Qr,n))this.addAtom(Qr[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[o,s]=Ba(n.charCodeAt(n.length-1));this.addAtom(a=>a===o||a===s)}}};function ja(e){try{return e.length>256?null:new no(e).parse()}catch(t){if(t instanceof ye)return null;throw t}}function Wa(e,t,n){let r=new Int32Array(e.length).fill(-1),o=[],s=(m,u)=>{r[m]!==u&&(r[m]=u,o.push(m),n.count++)},a=[],i=!1,c=(m,u,p)=>{s(u,p);for(let d=o.pop();d!==void 0;d=o.pop()){let{takes:f,holds:h,jumps:v,isEnd:b}=e[d];i||=b===!0,f?m.push(d):h?.(t,p)&&s(d+1,p);for(let w of v??[])s(d+w,p)}};for(let m=0;;m++){if(c(a,0,m),i||m===t.length)return i;let u=t.charCodeAt(m),p=[];for(let d of a)e[d].takes(u)&&c(p,d+1,m+1);a=p}}function Kn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,o=new Int32Array(n.length),s=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],m=0;for(let u=0;u<n.length;u++){for(;i.length>n[u];)s[i.pop()]=u;let p=n[u]-1;o[u]=p<0?-1:i[p],a[u]=p<0?0:c[p],p>=0&&(c[p]+=r[u]),c[n[u]]=a[u],i.push(u),m=r[u]>0?Math.max(m,i.length):m}return i.forEach(u=>s[u]=n.length),{flame:e,weight:r,parent:o,end:s,start:a,depth:m}}function Va(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,m=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<o&&m.push({node:d,x:0,width:n,row:f})}let u=n/(s[t]||1),p=new Float64Array(Math.max(0,o-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=o||s[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:s[d]*u,v=(a[d]-a[t])*u,b=h<1?Math.min(Math.floor(v),n-1):v;f>=r&&(h>=1||b>=p[f-r])&&(m.push({node:d,x:b,width:Math.max(h,1),row:f}),p[f-r]=b+Math.max(h,1)),d++}return m}function Ga(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,m=t;for(;m>0&&c.level[m]>o;)m=e.parent[m];if(m!==t||c.level[m]===o)return c.level.length>0&&r>=0&&r<n?m:-1;let u=a[t]+r*(s[t]||1)/n;for(;m<i[t];){let p=u>=a[m]&&u<a[m]+s[m];if(p&&c.level[m]===o)return m;m=p?m+1:i[m]}return-1}function Ka(e,t,n,r){let{weight:o,end:s,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?za(e,t)[c+1]:n+1<s[n]&&o[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let m=r==="ArrowRight"?1:-1;for(let u=n+m;u>t&&u<s[t];u+=m)if(i.level[u]===c&&o[u]>0)return u;return n}default:return n}}function za(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var Gn=4;function Xa(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**Gn).toString(36).padStart(Gn,"0")}function zn(e,t){return za(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Xa).join("")}function Xn(e,t){let{names:n,name:r}=e.flame,o=0;for(let s=0;s<t.length;s+=Gn){let a=t.slice(s,s+Gn),i=o+1;for(;i<(e.end[o]??0)&&Xa(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[o]??0)||!(e.weight[i]>0))break;o=i}return o}var wu=1024,xu=5e7;function Ya(e,t=xu){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(u=>u.toLowerCase().includes(c),{isOver:()=>!1})}let r=ja(n[1]),o=new Map,s={count:0},a=()=>s.count>t;return r&&Object.assign(c=>(o.has(c)||o.set(c,!a()&&Wa(r,c.slice(0,wu),s)),o.get(c)),{isOver:a})}function Za(e,t){let{flame:n,end:r,weight:o}=e,s=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=s[n.name[i]]===1;a+=c?o[i]:0,i=c?r[i]:i+1}return{names:s,weight:a}}var Vn=(e,t)=>t>0?e/t:0;function Qa({value:e,base_value:t,requests:n,...r},o){let s=r.base_requests??0,a=Math.max(Vn(r.total,n),Vn(r.base_total??0,s)),i=Vn(e[o],n)-Vn(t?.[o]??0,s);return a>0?i/a:0}function ei(e){let{flame:t,end:n}=e,r=t.names.map((s,a)=>{let i=t.kinds[a]??".";return{name:s,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),o=new Int32Array(t.names.length);for(let s=1;s<t.level.length;s++){let a=t.name[s],i=r[a];i.self+=t.self[s],i.baseSelf+=t.base_self?.[s]??0,s>=o[a]&&(o[a]=n[s],i.total+=t.value[s],i.baseTotal+=t.base_value?.[s]??0)}return r.filter((s,a)=>o[a]>0)}function ku({flame:e,parent:t},n){let r=s=>s>0&&e.kinds[e.name[s]]===".",o=r(n)||!r(t[n])?n:t[n];for(let s=o;r(s);s=t[s])if(!wt(e.names[e.name[s]]))return s;return o}function Ja({flame:e,parent:t},n){let r=Float64Array.from(e.level,(o,s)=>n?.[s]??0);for(let o=1;o<r.length;o++)r[t[o]]-=n?.[o]??0;return r}function ti(e,t){let{flame:n}=e,r=Ja(e,n.value),o=Ja(e,n.base_value),s=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&o[i]===0)continue;let m=c==="."?"c":c,u=n.names[n.name[ku(e,i)]],p=s.get(m+u)??{name:u,kind:m,value:0,base:0};p.value+=r[i],p.base+=o[i],s.set(m+u,p)}return[...s.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var we=18,Su=22,ni=4,Ru=5;function Tu(e){return e.split(".").slice(0,-2).join(".")}function Pu(e){if(wt(e))return"frame-jdk";let t=7;for(let n of Tu(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Ru}`}function Ou({names:e,kinds:t}){return e.map((n,r)=>{let o=Sn(t[r]??".");return N(r===0?"frame-root":o?o.token:Pu(n))})}var ro=32,oo=e=>({fill:e,ink:bt(e)});function ri(e){if(e.base_value===void 0){let o=Ou(e).map(oo);return e.name.map(s=>o[s])}let t=o=>Array.from({length:ro+1},(s,a)=>oo(Ts(N("frame-same"),N(o),a/ro))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((o,s)=>{let a=s===0?0:Qa(e,s),i=Math.round(ro*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Cu(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(s=>s.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function oi(e,t,n,r){let{flame:o,shades:s,found:a,marks:i,zoom:c}=t,m=N("ink"),u=oo(N("accent"));e.font=Fe("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:v}of n){let b=v*we-r,w=o.name[d],x=d!==c&&o.level[d]<o.level[c],k=a!==null&&a.names[w]===1,y=x||a!==null&&!k,{fill:M,ink:L}=k?u:s[d];if(e.globalAlpha=y?.6:1,e.fillStyle=M,e.fillRect(f,b,Math.max(h-.5,.5),we-1),h>=Su){let X=Math.floor((h-2*ni)/p);e.globalAlpha=1,e.fillStyle=y?m:L,e.fillText(Cu(o.names[w],X),f+ni,b+we/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=m,e.lineWidth=2,e.strokeRect(f+1,b+1,Math.max(h-2,1),we-3))}}var Mu=24,Au=3,so=(e,t)=>U(t>0?e/t:0);function Nu({names:e,name:t,value:n,self:r,total:o,unit:s,requests:a},i){let c=$e(n[i]/Math.max(1,a),s),m=$e(r[i]/Math.max(1,a),s);return`${e[t[i]]}, ${so(n[i],o)}, ${c} each, own ${m}`}function Lu(e,t){let{value:n,self:r,requests:o,total:s,base_value:a,base_self:i,base_requests:c,base_total:m}=e,u={name:"",total:n[t],self:r[t],requests:o,whole:s};if(!a||!i)return[u];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:m??0};return[{...u,name:"selection"},p]}function Eu({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:o,names:s,name:a,value:i}=r,c=Lu(r,t),m=(u,p)=>l`<tr>
      <th scope="row">${u}</th>
      ${c.map(d=>l`<td class="n"><b>${$e(p(d)/Math.max(1,d.requests),o)}</b></td>
            <td class="n">${so(p(d),d.whole)}</td>
            <td class="n dim">${$e(p(d),o)}</td>`)}
    </tr>`;return l`<b>${s[a[t]]}</b>
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
    ${n>0&&l`<div class="dim">${so(i[t],i[n])} of ${s[a[n]]}</div>`}`}function si({tree:e,zoom:t,found:n,onZoom:r}){let{flame:o}=e,[s,a]=T(null),[i,c]=T(null),m=E(()=>i===null?-1:Xn(e,i),[e,i]),u=s?.node??-1,p=E(()=>ri(o),[o,Ae.value]),d=pn((y,{width:M,top:L,height:X})=>{let G=Math.floor(L/we),ge=Va(e,t,M,G,Math.ceil((L+X)/we));oi(y,{flame:o,shades:p,zoom:t,found:n,marks:[m,u]},ge,L)},[e,t,n,m,u,p]),f=({x:y,y:M,width:L})=>Ga(e,t,L,y,Math.floor(M/we)),h=y=>{let M=f(y),{clientX:L,clientY:X}=y.event;a(M<0?null:{node:M,at:{clientX:L,clientY:X}})},v=y=>{let M=f(y);M>=0&&y.event.button===0&&r(M)},b=y=>{let M=m<0?t:m;if(y.key.startsWith("Arrow")){let L=m<0?t:Ka(e,t,M,y.key);c(zn(e,L)),a(null)}else if(y.key==="Enter")r(M);else if(y.key==="Escape")r(0);else if(y.key==="Backspace")r(Math.max(0,e.parent[t]));else return;y.preventDefault()},w=m>=0?m:t,x=o.level[w],k=[Math.max(0,x-Au)*we,(x+1)*we];return l`<${jn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*we}
      heightMax=${Mu*we}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${v}
      onLeave=${()=>a(null)}
      onKey=${b}
    />
    <div class="seen-by-readers" aria-live="polite">${m>=0&&Nu(o,m)}</div>
    ${s&&l`<${We} at=${s.at}><${Eu} tree=${e} node=${s.node} zoom=${t} /><//>`}`}var Uu=20,Iu=16;function Bu(e){let t=e.slice(-Iu),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function Ot({name:e,title:t=e}){if(e.length<=Uu)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Bu(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var Du=500;function Fu(e){let{unit:t,total:n,requests:r,base_requests:o}=e,s=p=>$e(p/Math.max(1,r),t),a=p=>l`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>P({find:p.name,flame:null,zoom:null})}
    >
      <${Hu} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>s(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>U(n>0?p.total/n:0),m=p=>$e(p/Math.max(1,o??0),t),u=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,c)];return e.base_value===void 0?u:u.concat(i("base own",p=>p.baseSelf,p=>m(p.baseSelf)),i("base total",p=>p.baseTotal,p=>m(p.baseTotal)))}function Hu({kind:e}){let t=Sn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function ai({tree:e,matches:t}){let n=ei(e).filter(r=>!t||t(r.name));return n.sort((r,o)=>o.self-r.self||o.total-r.total),l`<div class="frames">
    <${j}
      label="Frames"
      columns=${Fu(e.flame)}
      rows=${n}
      rowsMax=${Du}
      rowKey=${r=>r.name}
    />
  </div>`}var qu=8;function Yn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function ii({url:e,answer:t}){let{data:n}=t,r=E(()=>n&&n.requests>0?ti(Kn(n),qu):[],[n]),o=g.value.params.get("frame"),s=(c,m=0)=>$e(c/Math.max(1,m),"ns"),a=c=>{let m=Yn(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${o===m?"true":"false"}
          onClick=${()=>P({frame:o===m?null:m,zoom:null})}
        >
          <${ie} category=${yt(c.kind)} /><${Ot}
            name=${De(c.name)}
            title=${c.name}
          />
        </button>
      </td>
      <td class="n">${s(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${s(c.base,n.base_requests)}</td>`}
      <td class="n dim">${U(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${D} of=${n} /><${I} url=${e} />`;return l`<${O} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
  <//>`}var ao=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function Zn({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function ju(e,t){let n=e.get("value")??"";return ao.some(([r])=>r===n)?n:t}function Qn(e,t,n="time"){let r=["lock","park","io","cpu"].includes(e),o=r?e:"time",s=`[${e==="unaccounted"?"not accounted":e}]`;return ae({value:o===n?null:o,frame:t!==null?Yn(t):r?null:Yn(s),zoom:null})}function Wu({value:e,standard:t}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${ao.map(([n,r])=>l`<${Zn}
          key=${n}
          isOn=${n===e}
          onChange=${()=>P({value:n===t?null:n,zoom:null})}
          >${r}<//
        >`)}
  </span>`}function Ju({flame:e}){let{params:t}=g.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",o={base:null,base_box:null,width:null};return l`<${Zn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>P(n||r?o:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${Zn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>P({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Vu({found:e,flame:t,matches:n}){let r=g.value.params.get("find")??"",o=r!==""&&n===null,s=g.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&s?U(e.weight/s):U(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${m=>{let{value:u}=m.currentTarget;P({find:u===""?null:u},!0)}}
    /><span role="status">${o?"no regular expression":i}</span>`}function Gu(){let e=g.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>P({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Ku({flame:e}){let t=(s,a)=>l`<span><i class="dot" style=${{background:`var(--${s})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((s,a)=>a[1]-s[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",o=s=>U(e.total>0?s/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([s,a])=>s==="."?t("frame-root",`${r} ${o(a)}`):l`<span>
              <${ie} category=${yt(s)} />${ee(yt(s)).name}
              ${" "+o(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${$(e.cut.nodes)} small frames cut, ${o(e.cut.value)}</span>`}
  </div>`}function zu({requests:e,total:t,unit:n,...r},o){let s=$e(t/Math.max(1,e),n),a=r.base_requests??0,i=$e((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${$(a)}, ${i} each`:"";return`${Me(e,o)}, ${s} each${c}`}function er(e){return S("flamegraph",e,{value:"time",frame:null})}function Ke({query:e,tick:t,whole:n,standard:r="time"}){let{params:o}=g.value,s=ju(o,r),a=o.get("frame"),i=J(e,{value:s,frame:a}),c=S("flamegraph",i),m=n!==void 0&&c===er(e),u=R(m?null:c,t),p=u.problem===null?n?.data??null:null,d=m?n:{...u,data:u.data??p},f=d.data,h=o.get("width")==="base"&&f?.base_value!==void 0,v=E(()=>f&&Kn(f,h),[f,h]),b=o.get("find")??"",w=E(()=>b===""?null:Ya(b),[b]),x=E(()=>v&&w&&Za(v,w),[v,w]),k=o.get("flame")==="table",y=!v||v.weight.length===0||!(v.weight[0]>0),M=v?Xn(v,o.get("zoom")??""):0,L=v&&l`<${si}
      tree=${v}
      zoom=${M}
      found=${x}
      onZoom=${ge=>P({zoom:zn(v,ge)||null})}
    />`,X=l`<${D} of=${f} /><${He}
      query=${e}
      value=${s}
      frame=${a}
    /><${I} url=${c} />`,G=f?zu(f,Te(Pe(e))):"";return l`<${O} title="Flame graph" note=${G} tools=${X} answer=${d}>
    <div class="flame-tools">
      <${Wu} value=${s} standard=${r} />
      <${Gu} />
      <${Ju} flame=${f} />
      <${Vu} found=${x} flame=${f} matches=${w} />
      ${M>0&&l`<button onClick=${()=>P({zoom:null})}>whole graph</button>`}
      <${Zn}
        isOn=${k}
        onChange=${()=>P({flame:k?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${f&&y&&l`<${B} title="No ${ao.find(([ge])=>ge===s)[1]} in this selection" />`}
    ${!y&&(k?l`<${ai} tree=${v} matches=${w} />`:L)}
    ${f&&!y&&l`<${Ku} flame=${f} />`}
  <//>`}function io(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((o,s)=>Math.max(o,s.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function lo({boxes:e},{from:t,to:n},r){let o=r/Math.max(1,n-t),s=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*o),c=Math.min(r,(a.start+a.duration-t)*o),m=Math.max(2,c-i),u=Math.min(i,r-2);s.push({box:a,x:u,width:m,y:20+a.level*20})}return s}function li(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function ci(e,t,n,r,o){let s=lo(e,t,n).filter(i=>o>=i.y&&o<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return s.sort((i,c)=>a(i)-a(c)),s[0]?.box??null}function ui(e){let t=[...e].sort((r,o)=>r.start-o.start||o.duration-r.duration),n=[];return t.map(r=>(n=n.filter(o=>o>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function mi({from:e,to:t},n){let r=(t-e)/Math.max(1,n),o=10**Math.floor(Math.log10(Math.max(1,r))),s=[1,2,5,10].map(i=>i*o).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/s)*s;i<=t;i+=s)a.push(i===0?0:i);return a}function pi(e,t,n){let r=({boxes:s})=>[...s].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let s=r(e[t.lane]),a=s[s.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let o=n==="ArrowDown"?1:-1;for(let s=t.lane+o;s>=0&&s<e.length;s+=o){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[s]).sort((c,m)=>a(c)-a(m));if(i)return{lane:s,box:i}}return t}var Xu=560,Yu=110,Zu=4,Qu=28,di=5,em=500;function tm(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,o]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<o?{from:r,to:o}:t}function tr(e){P({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function nm(e,t,n){let r=e.measureText(t).width,o=Math.floor(t.length*n/r)-1;return r<=n?t:o>1?t.slice(0,o)+"\u2026":""}function co({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${me(t)} \xB7 ${_(n)}`}function rm(e,t,n,r){let{box:o,x:s,width:a}=t,i=o.kind==="context",c=N(i?"hover":ee(o.kind).token);e.fillStyle=c,e.fillRect(s,n,a,18),(i||r)&&(e.strokeStyle=N(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(s+.5,n+.5,Math.max(1,a-1),17)),a>=Qu&&(e.fillStyle=i?N("ink"):bt(c),e.fillText(nm(e,co(o),a-2*di),s+di,n+20/2-1))}function om(e,t,n,r){let o=n/(t.to-t.from);e.fillStyle=N("panel"),e.fillRect(0,0,n,18);for(let s of mi(t,n/Yu)){let a=Math.round((s-t.from)*o),i=s===0?"0":_(s),c=e.measureText(i).width;e.fillStyle=N("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=N("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function sm(e,t,n,r){return pn((o,{width:s,top:a,height:i})=>{let c=io(e);o.font=Fe("sans"),o.textBaseline="middle",om(o,t,s,i),o.save(),o.beginPath(),o.rect(0,18,s,i),o.clip(),e.forEach((m,u)=>{let p=c[u]-a;p>i||c[u+1]-a<0||lo(m,t,s).forEach(d=>rm(o,d,p+d.y,n.includes(d.box)))}),o.restore(),r&&(o.fillStyle=N("sel"),o.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function am({title:e},t){return`${e}: ${ee(t.kind).name}, ${co(t)}, at ${_(t.start)}`}function im({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${j}
    label="What is on the axis"
    rows=${t}
    rowsMax=${em}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>_(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ie} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>_(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function hi({lanes:e,all:t,hrefOf:n,onOpen:r,label:o}){let s=tm(g.value.params.get("part"),t),[a,i]=T(null),[c,m]=T(null),[u,p]=T(null),[d,f]=T(!1),h=E(()=>io(e),[e]),v=c&&e[c.lane]?.boxes.includes(c.box)?c:null,b=sm(e,s,[v?.box??null,a?.box??null],u),w=({x:C,y:q,width:te})=>{let K=li(h,q),Xe=K<0?null:ci(e[K],s,te,C,q-h[K]);return Xe&&{lane:K,box:Xe}},x=C=>{if(u){p([u[0],Math.max(0,Math.min(C.x,C.width))]),i(null);return}let q=w(C),{clientX:te,clientY:K}=C.event;i(q&&{...q,at:{clientX:te,clientY:K}})},k=({lane:C,box:q})=>{let te=n?.(e[C],q)??null;te!==null&&r?r(te):tr({from:q.start,to:q.start+Math.max(1,q.duration)})},y=({x:C,event:q})=>{q.button===0&&q.pointerType!=="touch"&&(q.target.setPointerCapture(q.pointerId),p([C,C]))},M=C=>{p(null);let[q=0,te=0]=u?[...u].sort((Xe,nl)=>Xe-nl):[],K=w(C);if(te-q>=Zu){let Xe=(s.to-s.from)/C.width;tr({from:s.from+q*Xe,to:s.from+te*Xe})}else K&&k(K)},L=e.findIndex(({boxes:C})=>C.length>0),X=C=>{if(C.key.startsWith("Arrow")&&L>=0)m(v?pi(e,v,C.key):{lane:L,box:e[L].boxes[0]});else if(C.key==="Enter"&&v)k(v);else if(C.key==="Escape"||C.key==="Backspace")tr(null);else return;C.preventDefault()},G=v?h[v.lane]+20+v.box.level*20:0,ge=g.value.params.get("part")!==null;return l`<${jn}
      label="${o}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${Xu}
      draw=${b}
      reveal=${v?[G-20-20,G+20]:void 0}
      onPoint=${x}
      onDown=${y}
      onUp=${M}
      onLeave=${()=>i(null)}
      onKey=${X}
    >
      ${e.map((C,q)=>l`<div class="lane-title" key=${C.key} style=${{top:`${h[q]}px`}}>
            ${C.href?l`<a href=${C.href}>${C.title}</a>`:C.title}
            <small title=${C.note}>${C.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${v&&am(e[v.lane],v.box)}</div>
    ${a&&l`<${We} at=${a.at}>
        <b>${co(a.box)}</b>
        <div>${a.box.name}, ${ee(a.box.kind).name}</div>
        <div class="dim">at ${_(a.box.start)}</div>
      <//>`}
    ${ge&&l`<button onClick=${()=>tr(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${C=>f(C.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${d&&l`<${im} lanes=${e} />`}
    </details>`}var lm=3,cm=.001;function um({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var uo=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):$(Math.round(n))} \xD7`};function mm(e,{category:t,is_count:n}){let r=e.slices.find(o=>o.category===t);return n?uo(r?.events??0,e.requests):_((r?.total_ns??0)/Math.max(1,e.requests))}function pm({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${$(t.events)} in ${Me(t.requests,"context")}, ${_(t.total_ns)} in all`}
        >
          ${$(t.per_request)} × ${De(t.frame)}
          <span class="dim"> ${ee(t.category).name}, ${_(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function fm({slice:e,of:t,base:n,hrefOf:r}){let o=r&&!e.is_count,s=(p,d)=>o?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?uo(p.events,t.requests):_(p.total_ns/t.requests),share:e.is_count?"":U(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":uo(p.events,t.requests)}),i=Math.max(1,t.total_ns*cm),c=e.top.slice(0,lm).filter(p=>e.is_count||p.total_ns>=i),m=o?"opens":"",u=(p,d)=>{let{each:f,share:h,often:v}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${v}</td>`};return l`<tr
      class=${m}
      title=${`${_(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ie} category=${e.category} />${s(ee(e.category).name,null)}
      </th>
      ${u(e,n?mm(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${m}`}>
          <td>
            <div class="frame-name">
              ${s(l`<${Ot} name=${De(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${De(p.via)}</span>`}
            </div>
          </td>
          ${u(p,"")}
        </tr>`)}`}function mo({of:e,base:t,hrefOf:n}){let r=e.slices.filter(um),o=({total_ns:s})=>_(s/e.requests);return l`<${Hs} parts=${r} total=${e.total_ns} each=${o} />
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
        ${r.map(s=>l`<${fm}
              key=${s.category}
              slice=${s}
              of=${e}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${pm} of=${e} />`}`}function Ct({query:e,base:t=null,tick:n,hrefOf:r}){let o=S("why",e),s=R(o,n),a=R(t&&S("why",t),n),{data:i}=s,c=Te(Pe(e)),m=l`<${D} of=${i} /><${I} url=${o} />`,u=i&&i.requests>0?`mean of ${Me(i.requests,c)}, ${_(i.total_ns/i.requests)} each`:"";return l`<${O}
    title="Why"
    note=${u}
    tools=${m}
    answer=${s}
    className="why-panel"
  >
    ${i&&i.requests>0&&l`<${mo} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&l`<${B} title=${`No kept ${c} is in this selection`} />`}
  <//>`}var po=8192,gi=60000000000n,bi=5,dm=2000000000n;function $i(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function vi({t0_ns:e,events:t,is_truncated:n}){return Tn({...t,t0_ns:e,next:null,is_truncated:n})}function fo(e){let t=new Map,n=(r,o)=>r[e.events.columns.indexOf(o)]??null;for(let r of e.events.rows){let o=n(r,"fields"),s=$i(o,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||s===null)continue;let c=$i(o,"monitorClass")??"",m={thread:s,monitor:c,waited:0,waits:0,from:a,to:a},{waited:u,waits:p,from:d,to:f}=t.get(s)??m;t.set(s,{...m,waited:u+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,o)=>o.waited-r.waited)}function ho(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:o,thread:s})=>({key:`${o} ${s??""}`,title:s??"JVM",recording:o,thread:s,boxes:[]}));for(let[o,s,a,i,c,m,u,p]of e.rows){let d={level:s,start:a+n,duration:i,kind:c,name:m,count:u,id:p};r[o]?.boxes.push(d)}return r}function hm(e,t,n){return Tn(e).flatMap(({start:r,values:o})=>{let s=String(o.type),a=o.context===null&&!n.has(s),i=Number(o.duration??0),c=Re(s),m={level:0,start:Number(r-t),duration:i,kind:c,name:s};return a?[{...m,count:1,id:null}]:[]})}function gm(e,t,n,r){let o=BigInt(e.t0_ns),a=ho(n,o).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),c=hm(r,o,new Set([e.type,...i])),m=ui([...a,...c]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),u=`had the monitor of ${me(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:m.length>0?u:`${u}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:m}}function bm(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-dm)),r.set("to",String(n+BigInt(t?.to??0)+1n));let o=(m,u)=>t?S(m,r,u):null,s=R(o("timeline",{width:String(po)})),a=R(o("events",{limit:"1000",columns:"name"})),i=E(()=>t&&s.data&&a.data?gm(e,t,s.data,a.data):null,[e,t?.thread,s.data,a.data]),c=[s,a].every(m=>m.data!==null||m.problem!==null);return{lane:i,isAnswered:c}}function $m(e){let t=E(()=>fo(e),[e]),n=[];for(let i=0;i<bi;i++){let c=n.every(m=>m.isAnswered);n.push(bm(e,c?t[i]:void 0))}let r=t.slice(bi),o=_(r.reduce((i,c)=>i+c.waited,0)),s={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${o} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return E(()=>[...a.filter(i=>i!==null),...r.length>0?[s]:[]],[e,...a])}function vm(e){let t=Rn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-gi)});r.set("to",String(n+BigInt(e.duration)+gi));let o=String(po),s=R(t&&S("timeline",r,{width:o,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return E(()=>(s?ho(s,n):[]).map(m=>{let u=i?.[m.recording],p=u?`same trace, ${u.service} on ${u.instance}`:"same trace";return{...m,note:p,href:t===null?void 0:H(["t",t])}}),[e,s,i])}function _i(e,t){let n=R(S("timeline",t,{width:String(po)})).data,r=$m(e),o=vm(e);return E(()=>{let s=n?ho(n,BigInt(e.t0_ns)):[],a=u=>u.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(u.thread),i=s.filter(({thread:u})=>u===null),c=s.filter(({thread:u})=>u!==null),m=`this one, ${_(e.duration)}`;return[...i.map(u=>({...u,note:"pauses: GC, safepoints"})),...c.map(u=>({...u,note:m})),...r,...o.filter(a)]},[e,n,r,o])}var yi=300000000000n,_m=100,Mt=({t0_ns:e})=>BigInt(e);function go(e){let t=Mt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function ym(e){let t=go(e);if(g.value.params.get("base")==="rest"){let n=Mt(e);t.set("from",String(n-yi)),t.set("to",String(n+yi)),t.set("context",e.type),t.set("base","rest")}return t}function wm({context:e,jvm:t}){let n=Mt(e),r=Rn(e.attributes),o=([s,a])=>[l`<dt>${s}</dt>`,l`<dd>
      ${a===r&&r!==null?l`<a class="link" href=${H(["t",r])}>${r}</a>`:Nn(a)}
    </dd>`];return l`<dl class="kv">
    ${Object.entries(e.attributes).map(o)}
    <dt>start</dt>
    <dd title=${Ee(n)}>${_e(n)} ${se(n)} ${le(n)}</dd>
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <dt>JVM</dt>
    <dd>
      <a class="link" href=${H(["r",e.recording])}
        >${t?t.instance:e.recording}</a
      >
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${wi(e,e.parent)}
            >${me(e.parent.type)}, ${_(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function wi(e,{id:t,start:n}){return Le(e.recording,t,Mt(e)+BigInt(Math.round(n)))}function xm({context:e}){let t=fo(e);return l`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:o})=>l`<tr key=${n}>
              <td title=${n}>
                <${ie} category=${Re(n)} />${$(r)} × ${me(n)}
              </td>
              <td class="dim w">${o}</td>
            </tr>`)}
      </tbody>
    </table>
    ${e.kept_because.length===0&&l`<p class="dim">the contexts in it</p>`}
    ${t.length>0&&l`<h2 class="second">Who had the monitor</h2>
        <table>
          <tbody>
            ${t.map(n=>l`<tr key=${n.thread}>
                  <td class="w"><b>${n.thread}</b></td>
                  <td class="w">${me(n.monitor)}</td>
                  <td class="n">${_(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function km({context:e}){return l`<${O} title="Contexts in it" note=${$(e.children.length)}>
    <${j}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${_m}
      rowKey=${t=>t.id}
      href=${t=>wi(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+_(t.start),isNumber:!0},{name:"duration",cell:t=>_(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Sm({context:e,tick:t}){let n=E(()=>go(e),[e]),r=_i(e,n),o=E(()=>vi(e),[e]),s=(i,{id:c,start:m})=>c===null||c===e.id?null:Le(i.recording,c,Mt(e)+BigInt(Math.round(m))),a=l`<${I} url=${S("timeline",n)} />`;return l`<${O}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${hi}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${s}
        onOpen=${be}
      />
    <//>
    ${e.children.length>0&&l`<${km} context=${e} />`}
    <${Ke} query=${ym(e)} tick=${t} />
    <${O} title="Events" note=${$(o.length)}>
      ${o.length>0?l`<${Ln}
              items=${o}
              since=${Mt(e)}
              label="Events of the request"
            />`:l`<${B} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function xi(){let{path:e,params:t}=g.value,[,n="",r=""]=e,o=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,s=new URLSearchParams(o===null?{}:{from:String(o),to:String(o+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,s),c=R(i,A.value),m=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=c.data,p=u?`${me(u.type)}, ${_(u.duration)}`:r,d=[{name:"services",href:H([])},...m?[{name:ue(m.service),href:H(["s",m.service])}]:[],{name:p}],f=u&&go(u),h=l`<${D} of=${u} /> ${f&&l`<${He} query=${f} />`}
    <${I} url=${i} />`;return l`<${re} crumbs=${d}>
    ${u?l`<div class="three">
              <${O}
                title=${me(u.type)}
                note=${_(u.duration)}
                tools=${h}
                answer=${c}
              >
                <${wm} context=${u} jvm=${m} />
              <//>
              <${O} title=${`Why ${_(u.duration)}`} className="why-panel">
                <${mo} of=${u.why} base=${null} />
              <//>
              <${O} title="Kept because"><${xm} context=${u} /><//>
            </div>
            <${Sm} context=${u} tick=${A.value} />`:l`<${O} title="Request" tools=${h} answer=${c} />`}
  <//>`}var Rm=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function bo(e){return Rm.test(e)}function ki({key:e,distinct:t,search_only:n,values:r},o){let s=r.every(i=>i.count+(i.base_count??0)<=1),a=bo(e)&&2*(t??0)>o;return n||r.length>=4&&(s||a)}var Tm=100,Pm=10,Om=1.96;function Cm(e,t,n){let[r,o]=[t+2,n+2],[s,a]=[(e.count+1)/r,((e.base_count??0)+1)/o],i=s*(1-s)/r+a*(1-a)/o;return s-a-Om*Math.sqrt(i)}function Mm({contexts:e,base_contexts:t,keys:n},r){let o=({key:m,label:u})=>!r.has(m)&&!r.has(u),s=n.filter(m=>o(m)&&ki(m,e)).map(({key:m})=>m),a=m=>t?Cm(m,e,t):m.count,i=n.filter(m=>o(m)&&!s.includes(m.key)).flatMap(({key:m,values:u})=>u.map(p=>({...p,key:m}))).filter(m=>m.count>0).map(m=>[m,a(m)]).sort((m,u)=>u[1]-m[1]),c=i.filter(([,m])=>m>0).length;return{rows:i.map(([m])=>m),explaining:c,ids:s}}function Am({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var $o=(e,t)=>t>0?e/t:0;function Nm({here:e,there:t}){let n=o=>({left:`${100*o}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Lm({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${Ot} name=${i===""?"(empty)":i} /></b>
      </span>`},o={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${$(a.count)} of ${$(e)}`}
        >${U(a.count/e)}</span
      >`,isNumber:!0,className:"share"},s={name:"p99",cell:a=>a.p99_ns===null?"":_(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${Nm}
          here=${$o(a.count,e)}
          there=${$o(a.base_count??0,t)}
        />`,className:"plot"},o,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${$(a.base_count??0)} of ${$(t)}`}
          >${U($o(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},s,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Am(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,o,s]}function Em({key:e,value:t}){let n=`${e}=${t}`,r=g.value.params.getAll("where").filter(o=>o!==n);return ae({where:[...r,n]})}function Um({data:e,against:t}){let[n,r]=T(!1),o=g.value.params.getAll("where"),s=new Set(o.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=Mm(e,s),m=n?a:a.slice(0,Math.min(Pm,i)),u=a.length-m.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${m.length>0&&l`<${j}
      label="Attributes"
      columns=${Lm(e,t)}
      rows=${m}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${Em}
      className="values"
    />`}
  ${u>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${$(u)} more${m.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function Si({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(Tm)}),o=R(r,n),{data:s}=o,a=l`<${D} of=${s} /><${I} url=${r} />`;return l`<${O}
    title="Attributes"
    note=${s?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${o}
    className="attributes"
  >
    ${s&&s.contexts>0&&l`<${Um} data=${s} against=${t} />`}
  <//>`}function Ri({name:e,all:t,options:n}){let r=g.value.params.get(e)??"",s=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>P({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${s.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function Ti({name:e,placeholder:t}){let n=Z(null),r=g.value.params.get(e),o=r&&$t(r)?_(Number(r)):"";return Oe(()=>{n.current.value=o},[o]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=ls(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&P({[e]:i===null?null:String(i),box:null})}}
  />`}function nr({types:e,instances:t,isWhole:n=!1}){let r=g.value.params.get("context"),o=e.filter(({type:i})=>r===null||i===r).flatMap(i=>i.attributes),s=o.flatMap(i=>i.values.map(({value:c})=>c)),a=l`<${Ri}
    name="instance"
    all="all JVMs"
    options=${t.map(i=>[i,i])}
  />`;return n?l`<div class="choosers">${a} <${Vt} isWhole /></div>`:l`<div class="choosers">
    <${Ri}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:i,contexts_in:c})=>[i,`${i} (${$(c)})`])}
    />
    ${a}
    <${Ti} name="min_duration_ns" placeholder="at least" />
    <${Ti} name="max_duration_ns" placeholder="at most" />
    <${Vt}
      keys=${[...new Set(o.map(({key:i})=>i))]}
      values=${[...new Set(s)]}
    />
  </div>`}var Im=4,Bm={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function ze(e){return pe(g.value.params.get(e))}var Oi=e=>e==="requests"?{unit:e}:{};function nn(e,t,n){let r=e&&Wt(e),o=e?{min_duration_ns:null,max_duration_ns:null}:{},s=Oi(n);P(t?{base_box:r,base:null,...s}:{box:r,...o,...s})}function Dm(e){nn(null,ze("base_box")!==null,e)}function vo({from:e,to:t}){P({from:String(e),to:String(t),last:null,live:null})}function Ci(e,t){return e.column===t.column&&e.row===t.row}function Pi(e,t,n){let r=(o,s)=>Math.max(0,Math.min(s-1,o));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Fm(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function At({grid:e,isRate:t},{from:n,to:r}){return t?Rt(e,{...n,row:0},{...r,row:e.rows-1}):Rt(e,n,r)}function Mi({grid:e,unit:t},n){let r=e.exemplars.get(Je(e,n));r&&be(ot(t,r.recording,r.id))}function Ai(e){let{grid:t,plot:n}=e,[r,o]=T(null),[s,a]=T(null),i=Z(null),c=({offsetX:b,offsetY:w})=>da(t,n,b,w),m=b=>{let{offsetX:w,offsetY:x}=b;if(b.button===0&&t.rows>0&&qr(n,w,x)){b.currentTarget.setPointerCapture(b.pointerId);let k=b.shiftKey||e.isComparing;o({from:c(b),to:c(b),x:w,y:x,isLong:!1,isBase:k})}},u=b=>{let{offsetX:w,offsetY:x}=b;if(r){let L=r.isLong||Math.hypot(w-r.x,x-r.y)>=Im;o({...r,to:c(b),isLong:L})}let{clientX:k,clientY:y}=b,M=t.rows>0&&qr(n,w,x);a(M?{place:c(b),clientX:k,clientY:y}:null)},p=b=>{if(o(null),!r)return;if(b.altKey&&!r.isLong){Mi(e,r.from);return}let w=At(e,r),x=!r.isLong&&lt(t,w).all===0;nn(x?null:w,r.isBase,e.unit)},d=b=>{let w=i.current,x=w&&Dn(t,w,c(b))?w:At(e,{from:c(b),to:c(b)});P({box:Wt(x),...Oi(e.unit)},!0),vo(x)},f=({detail:b})=>{i.current=b>1?i.current:ze("box")},h=()=>a(null),v=()=>o(null);return{drag:r?.isLong?r:null,hover:r?null:s,on:{onMouseDown:f,onPointerDown:m,onPointerMove:u,onPointerUp:p,onPointerLeave:h,onPointerCancel:v,onDblClick:d}}}function Ni(e){let{grid:t}=e,[n,r]=T(null),o=i=>{let c=Bm[i.key];if(c&&t.rows>0){let m=n?Pi(t,n.to,c):Fm(t);r({from:i.shiftKey&&n?n.from:m,to:m})}else if(i.key==="Enter"&&n&&i.altKey)Mi(e,n.to);else if(i.key==="Enter"&&n)nn(At(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),Dm(e.unit);else return;i.preventDefault()},s=i=>Pi(t,i,{column:0,row:0});return{cursor:n&&{from:s(n.from),to:s(n.to)},on:{onKeyDown:o,onBlur:()=>r(null)}}}var _o=6e10;function rr({from:e,to:t,min:n,max:r}){let o=e%BigInt(_o)===0n&&t%BigInt(_o)===0n,s=i=>se(i,o?_o:1e9),a=n<=1?`up to ${_(r)}`:`${_(n)} to ${_(r)}`;return`${s(e)} to ${s(t)}, ${a}`}function yo({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var qm=5,jm=6;function Wm({view:{grid:e,unit:t},hover:n,rates:r}){let{place:o}=n,s=Je(e,o),a=e.cells.get(s),i=r?.[o.column];if(!a&&!i)return null;let[c,m]=rr(Rt(e,o,o)).split(", "),u=a&&`${$(a.all)} ${t}, ${$(a.kept)} kept`,p=i?l`<${ka} of=${i} /><br />${c}`:l`<b>${m}</b><br />${c}<br />${u}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${We} at=${n}>${p}<//>`}var Jm={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Vm(e,t,n){let r=e??Jm,o=Math.max(1,t.width/qm),s=Math.max(1,t.height/jm);return E(()=>Ve(r,o,s,n),[r,o,s,n])}function Gm({data:e,unit:t,isRate:n,isComparing:r,onPoint:o}){let s=Z(null),a=En(s),i=Hn(a.width,a.height,n),c=Vm(e,i,t==="requests"&&!n?79:null),m=E(()=>n&&e?ya(e,c):null,[n,e,c]),u={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=Ai(u),{cursor:h,on:v}=Ni(u),b=p??(h&&!Ci(h.from,h.to)?h:null),w=b&&At(u,b),x=p?.isBase??r,k={box:!x&&w||ze("box"),base:x&&w||ze("base_box"),cells:[n?null:d?.place,h?.to].filter(G=>G!=null)},y=G=>{m?xa(G,c,i,m):e&&va(G,c,i,t),_a(G,c,i,k)},{column:M,row:L}=d?.place??{};Un(s,a,y,[c,m,g.value,r,p,h,M,L]);let X=h&&At(u,h);return l`<div class="heatmap">
    <canvas
      ref=${s}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${o}
      onFocus=${o}
      ...${f}
      ...${v}
    ></canvas>
    ${d&&l`<${Wm} view=${u} hover=${d} rates=${m} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${X&&`${rr(X)}: ${yo(lt(c,X))}`}
    </div>
    ${e&&l`<${Xm} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function Km({most:e,unit:t}){let n=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),r=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((o,s)=>o<(n[s+1]??e+1)&&l` ${r(s)}${$(o)}`)}
    ${e>1&&l` to ${$(e)}`}</span
  >`}var zm=e=>`Counted by chunk: a ${Te(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function Ei({data:e,unit:t,box:n,isBase:r}){let o=E(()=>Ve(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${zm(t)}
    onClick=${()=>nn(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${rr(n)}</b>${" "}
    ${yo(lt(o,n))} by chunk <i>×</i>
  </button>`}function Xm({data:e,unit:t,most:n,isRate:r}){let o=[n>0&&l`<${Km} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[s,a]=[ze("box"),ze("base_box")];return l`<div class="legend">
    ${r?l`<${Sa} unit=${t} />`:o}
    ${s&&l`<${Ei} data=${e} unit=${t} box=${s} isBase=${!1} />`}
    ${a&&l`<${Ei} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Ym({data:e,unit:t}){let[n,r]=T(!1),o=(a,i)=>{let c=St([a]),[m,u]=[1,2].map(d=>a.reduce((f,h)=>f+h[d],0)),p=d=>_(it(c,d));return l`<tr>
      <td>${se(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${$(m)}</td>
      <td class="n">${$(u)}</td>
      <td class="n">${p(.5)}</td>
      <td class="n">${p(.99)}</td>
    </tr>`},s=[t,"kept","median","p99"].map(a=>l`<th class="n">${a}</th>`);return l`<details
    class="as-table"
    onToggle=${a=>r(a.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${n&&l`<div class="scroll" tabindex="0" role="region" aria-label=${`All ${t} by time`}>
        <table>
          <thead>
            <tr>
              <th>from</th>
              ${s}
            </tr>
          </thead>
          <tbody>
            ${e.columns.map((a,i)=>a.length>0&&o(a,i))}
          </tbody>
        </table>
      </div>`}
  </details>`}function Zm({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>P({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Ui({answer:e,url:t,unit:n,isEither:r,note:o,onPoint:s}){let[a,i]=T(!1),c=g.value.params.get("view")==="rate",m=ze("box"),{data:u}=e,p=E(()=>u&&l`<${Ym} data=${u} unit=${n} />`,[u,n]),d=(h,v,b)=>l`<button aria-pressed=${b?"true":"false"} onClick=${()=>P({view:h})}>
      ${v}
    </button>`,f=l`<${D} of=${u} />
    ${m&&l`<button class="plain" onClick=${()=>vo(m)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${Zm} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${I} url=${t} />`;return l`<${O}
    title=${`All ${n}`}
    note=${o}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${Gm}
      data=${u}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${s}
    />
    ${p}
  <//>`}var Qm=3;function ep({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&st(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${H(["r",e.id])}>${e.instance}</a>, since it started:
        <${at} of=${n} />
      </p>`:null}function tp(e,t){return Wt({...e,from:e.from-t,to:e.to+t})}function np({grid:e,heatUrl:t,box:n,kept:r,unit:o}){let{data:s}=R(t),a=_(Number(e.step)).replace(/ 0 (s|min)$/,""),i=s?fa(Ve(s,1/0,1/0),n).slice(0,Qm):[],c=({recording:m,id:u},p)=>l`<a class="link" key=${u} href=${ot(o,m,u)}>${p+1}</a>${" "}`;return l`<${B} title=${`No kept ${Te(o)} began in this box`}>
    <p>
      The heat map has ${$(r)} kept ones here: it counts a ${Te(o)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>P({box:tp(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function Ii({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:o}){let s=E(()=>Ve(e,1/0,1/0),[e]),a=pe(g.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(b=>n.has(b)),c=(b,w)=>Number(n.get(b)??w),m=a??{...Wr(s),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:u,kept:p}=lt(s,m),d=Pe(n),f=Te(d),h=r[0];if(r.length===0)return l`<${je} />`;let v=(b,w)=>l`<${B} title=${b}>${w}<//>`;return o?v(`No kept ${f} is like this`,"Take a condition away to see more."):u===0&&a?v(`No ${f} is in this box`,"Choose a coloured cell."):u===0&&i?v(`No ${f} is like this`,"Take a condition away, or look at a longer time."):u===0?v(`No ${d} in this time`,r.some(b=>b.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?l`<${np}
      grid=${s}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${B} title=${`Nothing is kept of these ${$(u)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&l`<${ep} of=${h} />`}
  <//>`}var rp=12,xo={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function ko(e,t){let n=e.get("sort");return xo[t].some(([r])=>r===n)?n:xo[t][0][0]}function op({start:e,values:t}){let n=o=>String(t[o]??""),r=Object.entries(t).filter(([o,s])=>o.startsWith("attr.")&&s!==null).map(([o,s])=>[o.slice(5),s]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function sp({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${_(e)}, ${U(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var wo=(e,t)=>new Set(e.map(t)).size>1,ap={contexts:[{name:"blocked",cell:e=>l`<${sp} of=${e} />`},{name:"events",cell:e=>$(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>$(e.parts),isNumber:!0}]},ip={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},lp=e=>e[0]?le(e[0].start):"";function cp(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],o=wo(e,c=>_e(c.start)),s=c=>l`<span title=${Ee(c.start)}>
      ${o?`${_e(c.start).slice(5)} `:""}${se(c.start)}
    </span>`,a=(c,m)=>[e.some(u=>u[c]>0),{name:c,title:m,cell:u=>u[c]>0?_(u[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[wo(e,c=>c.type),{name:"type",cell:c=>me(c.type)}],[wo(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${lp(e)}`,cell:s},{name:"duration",cell:c=>l`<b>${_(c.duration)}</b>`,isNumber:!0},...ap[n],...i.flatMap(([c,m])=>c?[m]:[]),...r.slice(0,rp).map(c=>({name:c,cell:m=>up(m.attributes[c]),className:"cut"})),ip[n]]}function up(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function mp({unit:e}){let t=xo[e],n=ko(g.value.params,e),r=o=>P({sort:o===t[0][0]?null:o});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([o,s])=>l`<button
          key=${o}
          aria-pressed=${n===o?"true":"false"}
          onClick=${()=>r(o)}
        >
          ${s}
        </button>`)}
  </span>`}function Bi({pages:e,url:t,query:n,instances:r,eventsHref:o}){let{answer:s,items:a,more:i}=e,c=a.map(op),m=Pe(n),u=l`<${D} of=${s.data} />
    <${mp} unit=${m} />
    <a href=${o}>events</a>
    <${He} query=${n} value=${g.value.params.get("value")??void 0} />
    <${I} url=${t} />`,p=pe(g.value.params.get("box")),d=p&&Pr(p),f=s.data&&`${$(c.length)} of ${$(s.data.matched)}`+(d?`, began ${se(d.from,1e9)} to ${se(d.to,1e9)}`:"");return l`<${O}
    title=${`Kept ${m}`}
    note=${f}
    tools=${u}
    answer=${s}
    className="requests"
  >
    ${c.length>0&&l`<${j}
        label=${`Kept ${m}`}
        columns=${cp(c,r,m)}
        rows=${c}
        rowKey=${h=>h.recording+h.id}
        href=${h=>ot(m,h.recording,h.id,h.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var pp=10,So=["http_route","http.route","route","endpoint"];function fp(e){let t=new Map;for(let{key:o,values:s}of e.flatMap(a=>a.attributes))if(s.length>0&&!bo(o)){let a=t.get(o)??new Set;s.forEach(({value:i})=>a.add(i)),t.set(o,a)}let n=o=>So.includes(o)?So.indexOf(o):So.length,r=o=>t.get(o).size;return[...t.keys()].sort((o,s)=>n(o)-n(s)||r(s)-r(o))}function dp(e,t){return e.flatMap(r=>{let{type:o,requests_in:s,requests_out:a,p50_ns:i,p99_ns:c,top:m}=r,u=r.attributes.find(v=>v.key===t)?.values??[];if(u.length===0)return[{type:o,value:null,all:s,kept:a,p50_ns:i,p99_ns:c,top:m}];let p=u.map(({value:v,requests_in:b,requests_out:w,...x})=>{let{p50_ns:k,p99_ns:y,top:M}=x;return{type:o,value:v,all:b,kept:w,p50_ns:k,p99_ns:y,top:M}}),d=p.reduce((v,b)=>v-b.all,s),f=p.reduce((v,b)=>v-b.kept,a),h={type:o,value:null,all:d,kept:f,p50_ns:null,p99_ns:null,top:null};return d>0?[...p,h]:p}).sort((r,o)=>o.all-r.all)}var Ro=(e,t)=>`${e}=${t}`,Fi=e=>g.value.params.getAll("where").includes(e);function hp(e,t){let n=Ro(e,t),r=g.value.params.getAll("where").filter(o=>!o.startsWith(Ro(e,"")));return ae({where:Fi(n)?r:[...r,n]})}function gp({of:e,chosen:t,isOfTypes:n}){let{value:r,type:o}=e,s=n&&l` <span class="dim">${o}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${s}`;let a=Fi(Ro(t,r));return l`<a
      href=${hp(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${s}`}var Di=e=>e===null?"":_(e);function bp(e,t,n){return[{name:e??"type",cell:r=>l`<${gp} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},{name:"per second",cell:r=>l`<span title=${`${$(r.all)} requests`}>
          ${t===null?"":$(Number((r.all/t).toPrecision(3)))}
        </span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Di(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>l`<b>${Di(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"most time of the kept",cell:r=>l`<${On} of=${r.top} />`},{name:"kept",cell:r=>l`<span title=${`${$(r.kept)} of ${$(r.all)}`}>
          ${r.all>0?U(r.kept/r.all):""}
        </span>`,isNumber:!0,sort:r=>r.kept}]}function $p({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>P({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Hi({answer:e,url:t,requests:n,seconds:r}){let o=fp(n),s=g.value.params.get("key"),a=s!==null&&o.includes(s)?s:o[0]??null,i=dp(n,a),c=a===null||n.length>1,m=l`<${D} of=${e.data} />
    ${a!==null&&o.length>1&&l`by <${$p} keys=${o} chosen=${a} />`}
    <${I} url=${t} />`;return l`<${O}
    title="Routes"
    note=${i.length>0?`${$(i.length)} of them`:""}
    tools=${m}
    answer=${e}
    className="routes"
  >
    ${i.length>0&&l`<${j}
        label="Routes"
        columns=${bp(a,r,c)}
        rows=${i}
        rowKey=${u=>`${u.type} ${u.value}`}
        rowsFirst=${pp}
      />`}
  <//>`}var qi={unit:null,box:null,base_box:null,base:null,value:null,frame:null,zoom:null},vp=["context","where","trace","id","min_duration_ns","max_duration_ns","key","view","sort"];function _p(e){let t=pe(e.get("box")),n=t?{from:String(t.from),to:String(t.to),last:null}:{},r=Object.fromEntries(vp.map(o=>[o,null]));return ae({...qi,...r,...n,unit:"threads"})}function or({isWhole:e=!1}){let t=(r,o,s)=>l`<a href=${o} aria-current=${s?"page":void 0}>${r}</a>`,n=ae({...qi,thread:null,jvm:null});return l`<nav class="views" aria-label="Of the service">
    ${t("requests",n,!e)}
    ${t("whole service",_p(g.value.params),e)}
  </nav>`}var yp=12,wp=2;function xp({waits:e}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).slice(0,wp).map(([t,n])=>`${ee(t).name} ${_(n)}`).join(", ")}function kp(e){let t=e.reduce((r,o)=>r+o.cpu_ns,0),n=({cpu_ns:r})=>t>0?U(r/t):"";return[{name:"pool",cell:({pool:r})=>l`<span title=${r||"threads without a name, such as virtual ones"}
          >${ue(r)}</span
        >`,sort:({pool:r})=>r,className:"cut wide"},{name:"threads",cell:r=>$(r.threads),isNumber:!0,sort:r=>r.threads},{name:"CPU",title:"a period for each sample of a running thread",cell:r=>r.samples>0&&l`<span class="dim">${n(r)}</span> ${_(r.cpu_ns)}`,isNumber:!0,sort:r=>r.cpu_ns},{name:"allocated",cell:r=>r.alloc_bytes>0&&Q(r.alloc_bytes),isNumber:!0,sort:r=>r.alloc_bytes},{name:"waited",title:"by the events that say so, of all its threads together",cell:r=>r.blocked_ns>0&&l`<span title=${_(r.blocked_ns)}>${xp(r)}</span>`,isNumber:!0,sort:r=>r.blocked_ns}]}function ji(e,t){return R(e&&S("threads",e),t)}function Wi({answer:e,query:t}){let{data:n}=e,r=g.value.params.get("thread"),o=l`<${D} of=${n} /><${I} url=${S("threads",t)} />`,a=(n?n.pool_count-n.pools.length:0)>0?`the first of ${$(n.pool_count)}`:"a click chooses a pool",i=({pool:c})=>ae({thread:c===r||c===""?null:c,zoom:null});return l`<${O} title="Threads by pool" note=${a} tools=${o} answer=${e}>
    ${n&&n.pools.length>0&&l`<${j}
        label="Threads by pool"
        columns=${kp(n.pools)}
        rows=${n.pools}
        rowKey=${({pool:c})=>c}
        rowsFirst=${yp}
        href=${i}
      />`}
    ${n?.pools.length===0&&l`<${B} title="No event of a thread is kept here" />`}
  <//>`}var Sp=["cpu","alloc","lock","park","wait","sleep","io","pinned","gc","safepoint"];function Rp(e){return Sp.flatMap(t=>{let n=Object.entries(e).filter(([a])=>Re(a)===t),r=a=>n.reduce((i,[,c])=>i+a(c),0),o=r(a=>a.offered),s=st(Object.fromEntries(n));return o===0?[]:[{kind:t,offered:o,kept:r(a=>a.kept),dropped:s}]})}function Ji({query:e,tick:t}){let n=S("accounting",e),r=R(n,t),{data:o}=r,s=o?Rp(o.types):[],a=({kind:c,offered:m,kept:u,dropped:p})=>l`<tr key=${c}>
      <th scope="row"><${ie} category=${c} />${ee(c).name}</th>
      <td class="n"><b>${U(u/m)}</b></td>
      <td class="n dim">${$(m)}</td>
      <td><${at} of=${p} /></td>
    </tr>`,i=l`<${D} of=${o} /><${I} url=${n} />`;return l`<${O}
    title="What is kept of it"
    tools=${i}
    answer=${r}
    className="stored"
  >
    ${s.length>0&&l`<table>
        <thead>
          <tr>
            <th scope="col">events of</th>
            <th scope="col" class="n">kept</th>
            <th scope="col" class="n">recorded</th>
            <th scope="col">dropped by</th>
          </tr>
        </thead>
        <tbody>
          ${s.map(a)}
        </tbody>
      </table>`}
    ${o&&s.length===0&&l`<${B} title="Nothing is compacted yet" />`}
    <p class="dim">
      Graphs and pools are of what is kept. “select” drops what happened in no context. What a JVM
      does not record, such as waits below the policy’s threshold, nobody counts.
    </p>
  <//>`}var Tp=6n*3600000000000n,Vi="cpu",Pp=(e,t)=>Qn(e,t,Vi);function Op({query:e}){let{params:t}=g.value,n=J(e,{thread:t.get("thread")}),r=Ue(J(n,{base:t.get("base")}),"threads"),o=ji(e,A.value);return l`<div class="one-and-two">
      <${Wi} answer=${o} query=${e} />
      <${Ji} query=${e} tick=${A.value} />
    </div>
    <${Ct} query=${Ue(n,"threads")} tick=${A.value} hrefOf=${Pp} />
    <${Ke} query=${r} tick=${A.value} standard=${Vi} />`}function Gi(){let{params:e}=g.value,{from:t,to:n}=V.value,r=xn(g.value,V.value),o=R(S("recordings",J(r,{recording:null})),A.value),s=S("jvm",r),a=R(s,A.value),i=Ne(g.value),c=[{name:"services",href:H([])},{name:i===null?"all":ue(i)}],m=o.data?.recordings??[];return l`<${re} crumbs=${c}>
    <${or} isWhole />
    <${nr} types=${[]} instances=${[...new Set(m.map(u=>u.instance))]} isWhole />
    <${Pt} answer=${a} url=${s} />
    ${n-t<=Tp||e.get("whole")==="1"?l`<${Op} query=${r} />`:l`<section>
            <${B} title="Choose a shorter time to see what its threads did">
              <button onClick=${()=>P({whole:"1"})}>
                or read everything that is kept
              </button>
            <//>
          </section>`}
  <//>`}var Cp=50,Mp=6n*3600000000000n,To=60000000000n,zi=["trace","thread","id"];function Ap({from:e,to:t}){let n=nt.value?(e+To-1n)/To*To:e;return{from:n<t?n:e,to:t}}function Np(e,t){return e.getAll("where").length-t.getAll("where").length>0||zi.some(r=>e.has(r))}function Lp(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?Ue(t,Pe(e)):null}function Ep({t0_ns:e,step_ns:t,columns:n},r){let o=n.map(s=>s.length>0);return _n(BigInt(e),t,o,r)}function Up({data:e,seconds:t,jvms:n,unit:r}){let o=St(e.columns),s=u=>{let p=it(o,u);return p===null?"-":_(p)},a=u=>(n?.recordings??[]).reduce((p,d)=>p+u(d),0),i=a(u=>u.bytes_out),c=a(u=>u.bytes_in),m=(u,p,d="")=>l`<span title=${d}><b>${u}</b>${p}</span>`;return l`<div class="facts">
    ${m(`${$(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${$(e.all)}`)}
    ${n&&m($(n.recordings.length),"JVMs","that ran in this time")}
    ${m(s(.5),"median")} ${m(s(.99),"p99")}
    ${m(e.all>0?U(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${c>0&&m(`${Q(i)} of ${Q(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Ip({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:o}){let{params:s}=g.value,a=Ue(vt(g.value,V.value),n),i=Ue(Ms(g.value,V.value),n),c=s.has("box")&&nt.value?0:A.value,m=["box","where","min_duration_ns","max_duration_ns",...zi].some(y=>s.has(y)),p=i.has("base")||s.has("base_box")||!m?i:J(i,{base:"rest"}),d=S(n,Ue(a,"contexts"),{sort:ko(s,n)}),f=Pn(d,Cp,c),h=R(er(i),c),{data:v}=f.answer;if(v?.matched===0&&!v.is_truncated&&e.data)return l`<section>
      <${Ii}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${o}
      />
    </section>`;let b=new Map(r.map(y=>[y.id,y.instance])),x={service:a.get("service"),sort:null,view:null,unit:null,key:null},k=s.has("box")&&n==="contexts"?ce(fe("e"),J(a,{zone:s.get("zone")})):ce(fe("e"),J(s,{...x,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Ct} query=${a} base=${Lp(i)} tick=${c} hrefOf=${Qn} />
      <${Si}
        query=${p}
        tick=${c}
        against=${s.has("base_box")?"the other box":"the rest"}
      />
      <${ii} url=${er(i)} answer=${h} />
    </div>
    <${Ke} query=${i} tick=${c} whole=${h} />
    <${Bi}
      pages=${f}
      url=${d}
      query=${a}
      instances=${b}
      eventsHref=${k}
    />`}function Bp(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Ki(e,t,n){let r=h=>S("contexts/heatmap",e,{fine:"1",...h}),o=r({}),s=n&&t&&!e.has("where"),a=R(s?o:null,A.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,A.value),m=a.data?a:c,{data:u}=m,p=e.has("where")&&u!==null&&u.all===0&&u.unknown>0,d=r({where:null}),f=R(p?d:null,A.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:m,heatUrl:o,isOfAll:!1}}function Dp(e,t){let n=Ua(g.value.params),r=n!=="contexts",o=Ki(Ue(e,"requests"),t,r),{data:s}=o.heat,a=s!==null&&s.all===0&&s.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=Ki(e,t,i);return i?{...c,unit:"contexts"}:{...o,unit:"requests"}}function Fp(e){let[t,n]=T(!1);return he(()=>{e&&n(!0)},[e]),t}function Hp({heat:e}){let t=g.value.params.get("jvm")==="1",n=BigInt(e.t0_ns),r=n+BigInt(e.step_ns)*BigInt(e.columns.length),o=S("jvm",xn(g.value,{from:n,to:r})),s=R(t?o:null,A.value);return t?l`<${Pt} answer=${s} url=${o} onClose=${()=>P({jvm:null})} />`:l`<section class="jvm-panel">
        <button class="plain" aria-expanded="false" onClick=${()=>P({jvm:"1"})}>
          ▸ <b>JVM</b> <span class="dim">heap, GC, CPU and threads in the same time</span>
        </button>
      </section>`}function Xi(){return g.value.params.get("unit")==="threads"?l`<${Gi} />`:l`<${qp} />`}function qp(){let{params:e}=g.value,{from:t,to:n}=V.value,r=Ap(V.value),o=As(g.value,r),[s,a]=T(!1),{heat:i,heatUrl:c,isOfAll:m,unit:u}=Dp(o,s),p=Fp(i.data!==null||i.problem!==null),d=J(o,{where:null,context:null}),f=S("contexts/types",d),h=R(u==="requests"||p?f:null,A.value),v=h.data?.requests??[],b=i.data&&Ep(i.data,r),w=J(d,{recording:null}),x=R(p?S("recordings",w):null,A.value),k=x.data?.recordings??[],y=m||Np(e,o),M=n-t<=Mp||e.get("whole")==="1"||pe(e.get("box"))!==null||e.has("trace"),L=Ne(g.value),X=[{name:"services",href:H([])},{name:L===null?"all":ue(L)}],G=i.data?.all===0&&x.data!==null&&k.length===0;return l`<${re} crumbs=${X}>
    ${i.data?l`<${Up} data=${i.data} seconds=${b} jvms=${x.data} unit=${u} />`:i.isLoading&&l`<div class="facts"><${Er} lines=${2} /></div>`}
    <${or} />
    <${nr}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(ge=>ge.instance))]}
    />
    ${u==="requests"&&l`<${Hi}
        answer=${h}
        url=${f}
        requests=${v}
        seconds=${b}
      />`}
    ${!G&&l`<${Ui}
        answer=${i}
        url=${c}
        unit=${u}
        isEither=${v.length>0}
        note=${Bp(i.data,y)}
        onPoint=${()=>a(!0)}
      />`}
    ${i.data&&k.length>0&&l`<${Hp} heat=${i.data} />`}
    ${p&&M&&l`<${Ip}
        key=${u}
        heat=${i}
        heatUrl=${c}
        unit=${u}
        recordings=${k}
        isNarrowed=${y}
      />`}
    ${p&&!M&&l`<section>
        <${B} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>P({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Yi=e=>e===null?"":_(e);function jp(e,t){let n=({all:r,spark:o})=>{let s=o.map(i=>i!==null),a=e?_n(BigInt(e.t0_ns),e.step_ns,s,t):1;return r/a};return[{name:"service",cell:r=>l`<b>${ue(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>$(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>$(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>l`${$(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Yi(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>l`<b>${Yi(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?U(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>l`<${On} of=${r.top} />`},{name:"p99 over time",cell:r=>l`<${qs} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function Zi(){let{from:e,to:t}=V.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),o=R(r,A.value),s=(o.data?.services??[]).map(Ia),a=l`<${j}
    label="Services"
    columns=${jp(o.data,V.value)}
    rows=${s}
    rowKey=${m=>m.service}
    href=${m=>H(["s",m.service])}
  />`,i=o.data!==null&&s.length===0,c=l`<${D} of=${o.data} /><${I} url=${r} />`;return l`<${re}>
    <${O}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${o}
    >
      ${s.length>0&&a} ${i&&l`<${je} />`}
    <//>
  <//>`}function Wp({columns:e,rows:t,recordings:n},r){let o=(s,a)=>s[e.indexOf(a)]??null;return t.map(s=>{let a=String(o(s,"recording")),i=e.flatMap((c,m)=>c.startsWith("attr.")&&s[m]!==null&&s[m]!==r?[`${c.slice(5)}=${s[m]}`]:[]);return{recording:a,id:String(o(s,"id")),type:String(o(s,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(o(s,"thread")??""),start:Number(o(s,"start")),duration:Number(o(s,"duration")),blocked:Number(o(s,"blocked")),attributes:i.join(" ")}})}function Jp({rows:e,first:t}){let n=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),r=o=>`${100*o/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
        ${e.map(o=>l`<tr class="opens" key=${o.recording+o.id}>
              <td title=${`${o.instance}, ${o.thread}`}>
                <a href=${Le(o.recording,o.id,t+BigInt(Math.round(o.start)))}
                  ><b>${o.service}</b></a
                >
                <small class="dim"> ${o.thread}</small>
              </td>
              <td title=${o.attributes}>
                ${me(o.type)} <small class="dim">${o.attributes}</small>
              </td>
              <td class="n dim">+${_(o.start)}</td>
              <td class="n">${_(o.duration)}</td>
              <td
                class="axis"
                title=${`${_(o.blocked)} of ${_(o.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{marginLeft:r(o.start),width:r(o.duration)}}
                >
                  <div
                    style=${{width:`${100*o.blocked/Math.max(1,o.duration)}%`}}
                  ></div>
                </div>
              </td>
            </tr>`)}
      </tbody>
    </table>
  </div>`}var Vp=e=>e===null?"":Ee(BigInt(e));function Qi({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Vp(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Gp({of:e}){return e.state==="eliminated"?l`<${B} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Qi} of=${e} />
      <//>`:l`<${B} title="Not seen">
        No context of this trace is known here. <${Qi} of=${e} />
      <//>`}function el(){let e=g.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,A.value),{data:r}=n,o=r?Wp(r,e):[],s=BigInt(r?.t0_ns??"0"),a=Kp(e,s,o),i=new Set(o.map(p=>p.service)).size,c=new Set(o.map(p=>p.recording)).size,m=l`<${D} of=${r} />
    ${o.length>0&&l`<${He} query=${a} />`} <${I} url=${t} />`,u=o.length>0&&`${Me(o.length,"context")} kept, ${Me(i,"service")}, ${Me(c,"JVM")}, from ${Ee(s)}`;return l`<${re} crumbs=${[{name:`trace ${e}`}]}>
    <${O} title="Trace" note=${u} tools=${m} answer=${n}>
      ${o.length>0&&l`<${Jp} rows=${o} first=${s} />`}
      ${r&&o.length===0&&l`<${Gp} of=${r} />`}
    <//>
    ${o.length>0&&l`<${Ct} query=${a} tick=${A.value} />
        <${Ke} query=${a} tick=${A.value} />`}
  <//>`}function Kp(e,t,n){let r=n.reduce((s,a)=>Math.max(s,a.start),0),o=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(o)})}function tl(){let{path:e,params:t}=g.value,[,n="",r=""]=e,o=t.get("at"),s=["requests",n,r].map(encodeURIComponent).join("/"),a=R(S(s,new URLSearchParams,{from:o})),{data:i}=a,c=i?.parts[0];he(()=>{if(i&&c){let u=BigInt(i.t0_ns)+BigInt(Math.round(c.start));be(Le(n,c.id,u),!0)}},[i]);let m=[{name:"services",href:H([])},{name:"request"}];return l`<${re} crumbs=${m}>
    <${O} title="Request" note=${r} answer=${a}>
      ${i&&!c&&l`<${B} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function zp([e]){switch(e){case void 0:return Zi;case"c":return xi;case"e":return aa;case"q":return tl;case"r":return Ea;case"s":return Xi;case"t":return el;default:return la}}var Xp={s:"all services",e:"events",r:"recordings"};function Yp(){let{path:e}=g.value;return de.value===null?null:de.value.is_needed&&de.value.identity===null?l`<${ia} />`:l`<${zp(e)} key=${e.join("/")} /> <${Bs} />`}is();Rs();Ps();ys();bs();Is();xe(()=>{let{path:e}=g.value,[t,...n]=e,r=n.length===0?Xp[t??""]??t:ue(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Do(l`<${Yp} />`,document.body);})();
