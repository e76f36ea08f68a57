"use strict";(()=>{var I,Co,lr,Ue,ar,sn,Po,rn,Mo,cr,ir,sl,Pt=Symbol.for("pv"),an={},ln=[],al=/^m(i|n|o|s|text|space)$/,ur=Array.isArray,mr=ln.slice,Je=Object.assign;function Xe(e){e&&e.parentNode&&e.remove()}function cn(e,t,n){var r,o,s,a={},i=arguments.length;for(s in t)s=="key"?r=t[s]:s=="ref"&&typeof e!="function"?o=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?mr.call(arguments,2):n),Ct(e,a,r,o,null)}function Ct(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Pt,__v:o||++Co,__i:-1,__u:0};return!o&&I.vnode&&I.vnode(s),s}function Ye(e){return e.children}function at(e,t){this.props=e,this.context=t,this.__g=0}function Ie(e,t){if(t==null)return e.__&&Ie(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ie(e)}function il(e){var t,n=e.__v,r=n.__e,o=[],s=[],a=e.__P;a&&((t=Je({constructor:Pt},n)).__v=n.__v+1,I.vnode&&I.vnode(t),pr(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||Ie(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Io(o,t,s),n.__=n.__e=null,t.__e!=r&&Ao(t))}function Ao(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ao(e)}function To(e){(8&e.__g||(e.__g|=8,Ue.push(e),sn++))&&ar==I.debounceRendering||((ar=I.debounceRendering)||queueMicrotask)(Lo)}function Lo(){try{for(var e,t=1;Ue.length;)Ue.length>t&&Ue.sort(Po),e=Ue.shift(),t=Ue.length,8&e.__g&&il(e)}finally{(sn=Ue.length)&&(ar||queueMicrotask)(Lo)}}function No(e,t,n,r,o,s,a,i,c,u,m){var p,d,f,h,w,g,b=r.__k||ln,y=t.length;for(c=ll(n,t,b,c,y),p=0;p<y;p++)(f=n.__k[p])!=null&&(d=~f.__i&&b[f.__i]||an,f.__i=p,g=pr(e,f,d,o,s,a,i,c,u,m),h=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&fr(d.ref,null,f,d),f.ref&&m.push(f.ref,f.__c||h,f)),w=w||h,4&f.__u?(c=Eo(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&g!==void 0?c=g:h&&(c=h.nextSibling),f.__u&=-21);return n.__e=w,c}function ll(e,t,n,r,o){var s,a,i,c,u,m,p,d,f,h=n.length,w=h,g=0,b=0,y=e.__k=Array(o);for(s=0;s<o;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[s]=Ct(null,a):ur(a)?a=y[s]=Ct(Ye,{children:a}):a.constructor===Pt&&a.__b?a=y[s]=Ct(a.type,a.props,a.key,a.ref,a.__v):y[s]=a,c=s+g,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=cl(a,n,c,w))&&(w--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==c-1?g--:u==c+1?g++:u!=c&&(u>c?g--:g++,b=1)):(~u||(o>h?g--:o<h&&g++),typeof a.type!="function"&&(a.__u|=4))):y[s]=null;if(b){for(m=[],p=[],s=0;s<o;s++)if((a=y[s])&&16&a.__u){for(g=0,d=m.length;g<d;)m[f=g+d>>1]<a.__i?g=f+1:d=f;m[g]=a.__i,p[s]=g+1}for(g=m.length;s--;)p[s]&&(p[s]==g?g--:y[s].__u|=4)}if(w)for(s=0;s<h;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=Ie(i)),dr(i,i));return r}function Eo(e,t,n,r){var o,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=Eo(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ie(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function cl(e,t,n,r){var o,s=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&a==i.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o}return-1}function Oo(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function nn(e,t,n,r,o){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Oo(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Oo(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=ir[t]||(ir[t]=ul(t)),(e.__a||(e.__a={}))[t]=cr,s=t!=(t=t.replace(Mo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ul(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[rn]==null)t[rn]=cr++;else if(t[rn]<this.__a[e])return;return n(I.event?I.event(t):t)}}}function pr(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,h,w,g,b,y,k,x,T,N,W,j,Ee,ue,Oe,P=t.type;if(t.constructor!==Pt)return null;128&n.__u&&(c=32&n.__u,m=n.__c.__z)&&(t.__u|=c,p=s=[],m.nodeType==8?i=on(m,s):s.push(m),i=s[0]||i),(m=I.__b)&&m(t);e:if(typeof P=="function"){d=a.length;try{if(b=t.props,y=(m=P.prototype)&&m.render,k=(m=P.contextType)&&r[m.__c],x=m?k?k.props.value:m.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(y?t.__c=f=new P(b,x):(t.__c=f=new at(b,x),f.constructor=P,f.render=pl),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),y&&(f.__s||(f.__s=f.state),P.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=Je({},f.__s)),Je(f.__s,P.getDerivedStateFromProps(b,f.__s)))),h=f.props,w=f.state,f.__v=t,n.__c){if(b!==h&&y&&!P.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(b,x),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(b,f.__s,x)===!1){t.__v!=n.__v&&(f.props=b,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(E){E&&(E.__=t)}),ln.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Ie(n);break e}f.componentWillUpdate&&f.componentWillUpdate(b,f.__s,x),y&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(h,w,g)})}else y&&!P.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),y&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=b,f.__P=e,f.__g&=-5,T=I.__r,N=y?25:0;do f.__g&=-9,T&&T(t),m=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++N<25);y&&(ln.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=Je({},r,f.getChildContext())),y&&n.__c&&f.getSnapshotBeforeUpdate&&(g=f.getSnapshotBeforeUpdate(h,w)),W=m&&m.type===Ye&&m.key==null?m.props.children:m,b.__P&&(m=i,o=(e=b.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(E){E&&dr(E,E)}),n.__k=null),i=n.__k?Ie(n,0):null),i=No(e,ur(W)?W:[W],t,n,r,o,s,a,i,c,u),b.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(Xe),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(E){if(a.length=d,t.__v=null,c||s)if(E&&E.then){if(t.__u|=128|c,s){for(~(ue=s.indexOf(i||void 0))||(ue=s.length);(Oe=s[ue-1])&&Oe.nodeType==8;)ue--;for(;ue<s.length;ue++)if(Oe=s[ue])if(s[ue]=null,j){if(Oe==Ee)break}else{if(Oe.nodeType!=8)break;Oe.data.startsWith("$s")&&(Ee=on(j=Oe))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(m=on(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=m):t.__e=i,i=i&&i.nextSibling}else s&&s.some(Xe);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),E&&E.then||Uo(t),I.__e(E,t,n)}}else i=t.__e=ml(n.__e,t,n,r,o,s,a,c,u,e);return(m=I.diffed)&&m(t),i}function on(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Uo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Uo))}function Io(e,t,n){for(var r=0;r<n.length;)fr(n[r++],n[r++],n[r++]);I.__c&&I.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){I.__e(s,o.__v)}})}function ml(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,h,w,g,b,y=n.props||an,k=t.props,x=t.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(m=0;m<s.length;m++)if((h=s[m])&&(x?h.localName==x:h.nodeType==3)){e=h,s[m]=null;break}}if(!e){if(b=u.ownerDocument||document,!x)return b.createTextNode(k);e=b.createElementNS(o,x,k.is?k:u),i&&(I.__m&&I.__m(t,s),i=!1),s=null}if(x){if(u=x=="template"&&e.content||e,s=x=="textarea"&&k.defaultValue!=null?null:s&&mr.call(u.childNodes),!i&&s)for(y={},m=0;m<e.attributes.length;m++)y[(h=e.attributes[m]).name]=h.value;for(m in y)h=y[m],m=="dangerouslySetInnerHTML"?d=h:m=="children"||m in k||m=="value"&&"defaultValue"in k||m=="checked"&&"defaultChecked"in k||nn(e,m,null,h,o);for(m in k)h=k[m],m=="children"?f=h:m=="dangerouslySetInnerHTML"?p=h:m=="value"?w=h:m=="checked"?g=h:i&&typeof h!="function"||y[m]===h||nn(e,m,h,y[m],o);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&al.test(x))&&(o="http://www.w3.org/1999/xhtml"),No(u,ur(f)?f:[f],t,n,r,o,s,a,s?s[0]:n.__k&&Ie(n,0),i,c),s&&s.some(Xe)),i&&x!="textarea"||(m="value",x=="progress"&&w==null?e.removeAttribute(m):w==null||w===e[m]&&(x!="progress"||w)||nn(e,m,w,y[m],o),m="checked",g!=null&&g!=e[m]&&nn(e,m,g,y[m],o))}else y===k||i&&e.data==k||(e.data=k);return e}function fr(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){I.__e(o,n)}}function dr(e,t,n){var r,o,s,a;if(I.unmount&&I.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||fr(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){I.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&dr(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=on(r,s=[]))&&(r==e.__e&&s.some(Xe),Xe(o),Xe(r)),n||Xe(e.__e),e.__e=e.__c=e.__=null}function pl(e,t,n){return this.constructor(e,n)}function Bo(e,t){var n,r,o,s;I.__&&I.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Ct(Ye,{children:[e]}),o=[],s=[],pr(t,t.__k,r||an,an,t.namespaceURI,r?null:t.firstChild?mr.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),Io(o,t.__k,s),t.__k.props.children=null}I={__e:function(e,t,n,r){for(var o,s,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw sn=0,e}},Co=0,lr=function(e){return e!=null&&e.constructor===Pt},at.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Je({},this.state)),typeof e=="function"&&(e=e(Je({},n),this.props)),e&&(Je(n,e),this.__v&&(t&&this.__k.push(t),To(this)))},at.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),To(this))},at.prototype.render=Ye,Ue=[],sn=0,Po=function(e,t){return e.__v.__b-t.__v.__b},rn=Symbol(),Mo=/(PointerCapture)$|Capture$/i,cr=0,ir={},sl=0;var it,z,hr,Do,gr=Object.is,At=0,zo=[],br=[],G=I,qo=G.__b,Fo=G.__r,Ho=G.diffed,jo=G.__c,Wo=G.unmount,Vo=G.__;function un(e,t){G.__h&&G.__h(z,e,At||t),At=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function M(e){return At=1,fl(Xo,e)}function fl(e,t,n){var r=un(it++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Xo(void 0,t),function(s){var a=(r.__N||r.__)[0],i=r.t(a,s);gr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=z,!z.__f)){z.__f=!0;var o=z.shouldComponentUpdate;z.shouldComponentUpdate=function(s,a,i){var c=this.__H;if(!c)return!0;var u=!1,m=this.props!=s;if(c.__.some(function(d){d.__N&&(u=!0,gr(d.__[0],d.__N[0])||(m=!0))}),o){var p=o.call(this,s,a,i);return u?p||m:p}return!u||m}}return r.__}function ve(e,t){var n=un(it++,3);!G.__s&&vr(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function xe(e,t){var n=un(it++,4);!G.__s&&vr(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function J(e){return At=5,A(function(){return{current:e}},[])}function A(e,t){var n=un(it++,7);return vr(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function mn(e,t){return At=8,A(function(){return e},t)}function dl(){var e;do{for(;e=br.shift();)try{Mt(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=zo.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Mt),t.__h.some($r),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(br.length)}G.__b=function(e){z=null,qo&&qo(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Vo&&Vo(e,t)},G.__r=function(e){Fo&&Fo(e),it=0;var t=(z=e.__c).__H;t&&(hr==z?z.__h=[]:(t.__h.some(Mt),t.__h.some($r),it=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),hr=z},G.diffed=function(e){Ho&&Ho(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Go(zo.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),hr=z=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some(Mt),n.__h=n.__h.filter(function(r){return!r.__||$r(r)})}catch(r){n.__h=[function(){throw r}]}}),jo&&jo(e,t)},G.unmount=function(e){Wo&&Wo(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,Go(br.push(o))}else Mt(o)}catch(s){t=s}}),r.__H=void 0,t&&G.__e(t,r.__v))};var Ko=typeof requestAnimationFrame=="function";function hl(e){var t,n=function(){clearTimeout(r),Ko&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Ko&&(t=requestAnimationFrame(n))}function Go(e){e!=1&&Do==G.requestAnimationFrame||((Do=G.requestAnimationFrame)||hl)(dl)}function Mt(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function $r(e){var t=z;e.__c=e.__(),z=t}function vr(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!gr(n,e[r])})}function Xo(e,t){return typeof t=="function"?t(e):t}var gl=Symbol.for("preact-signals");function hn(){if(Me>1)Me--;else{var e,t=!1;for((function(){var o=fn;for(fn=void 0;o!==void 0;){var s=o.S;if(s.v===o.v)for(var a=s.t;a!==void 0;a=a.x)a.i===o.i&&(a.i=s.i);o=o.o}})();Nt!==void 0;){var n=Nt;for(Nt=void 0,pn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Yo(n))try{n.c()}catch(o){t||(e=o,t=!0)}n=r}}if(pn=0,Me--,t)throw e}}function yr(e){if(Me>0)return e();_r=++bl,Me++;try{return e()}finally{hn()}}var Lt,V=void 0;function Et(e){var t=V,n=Lt;V=void 0,Lt=void 0;try{return e()}finally{V=t,Lt=n}}var Nt=void 0,Me=0,pn=0,bl=0,_r=0,fn=void 0,dn=0;function Jo(e){if(V!==void 0){var t=e.n;if(t===void 0||t.t!==V)return t={i:0,S:e,p:V.s,n:void 0,t:V,e:void 0,x:void 0,r:t},V.s!==void 0&&(V.s.n=t),V.s=t,e.n=t,32&V.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=V.s,t.n=void 0,V.s.n=t,V.s=t),t}}function Y(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Y.prototype.brand=gl;Y.prototype.h=function(){return!0};Y.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Et(function(){var r;(r=t.W)==null||r.call(t)}))};Y.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Et(function(){var o;(o=t.Z)==null||o.call(t)}))}};Y.prototype.subscribe=function(e){var t=this;return _e(function(){var n=t.value;Et(function(){return e(n)})},{name:"sub"})};Y.prototype.valueOf=function(){return this.value};Y.prototype.toString=function(){return this.value+""};Y.prototype.toJSON=function(){return this.value};Y.prototype.peek=function(){var e=this;return Et(function(){return e.value})};Object.defineProperty(Y.prototype,"value",{get:function(){var e=Jo(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(pn>100)throw new Error("Cycle detected");(function(n){Me!==0&&pn===0&&n.l!==_r&&(n.l=_r,fn={S:n,v:n.v,i:n.i,o:fn})})(this),this.v=e,this.i++,dn++,Me++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{hn()}}}});function ee(e,t){return new Y(e,t)}function Yo(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Zo(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Qo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Ze(e,t){Y.call(this,void 0,t),this.x=e,this.s=void 0,this.g=dn-1,this.f=4}Ze.prototype=new Y;Ze.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===dn))return!0;if(this.g=dn,this.f|=1,this.i>0&&!Yo(this))return this.f&=-2,!0;var e=V;try{Zo(this),V=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return V=e,Qo(this),this.f&=-2,!0};Ze.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Y.prototype.S.call(this,e)};Ze.prototype.U=function(e){if(this.t!==void 0&&(Y.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Ze.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Ze.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Jo(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function ke(e,t){return new Ze(e,t)}function es(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Me++;var n=V;V=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,wr(e),r}finally{V=n,hn()}}}function wr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,es(e)}function $l(e){if(V!==this)throw new Error("Out-of-order effect");Qo(this),V=e,this.f&=-2;try{8&this.f&&wr(this)}finally{hn()}}function lt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Lt&&Lt.push(this)}lt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};lt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,es(this),Zo(this),Me++;var e=V;return V=this,$l.bind(this,e)};lt.prototype.N=function(){2&this.f||(this.f|=2,this.u=Nt,Nt=this)};lt.prototype.d=function(){this.f|=8,1&this.f||wr(this)};lt.prototype.dispose=function(){this.d()};function _e(e,t){var n=new lt(e,t);try{n.c()}catch(o){throw n.d(),o}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var ts,bn,gn,vl=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var ns=[];_e(function(){ts=this.N})();function ct(e,t){I[e]=t.bind(null,I[e]||function(){})}function Ut(e){if(gn){var t=gn;gn=void 0,t()}gn=e&&e.S()}function rs(e){var t=this,n=e.data,r=yl(n);r.name="ReactiveDom",r.value=n;var o=A(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var u=ke(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),m=ke(function(){return!Array.isArray(u.value)&&!lr(u.value)}),p=_e(function(){if(this.N=os,m.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[m,u]},[]),s=o[0],a=o[1];return s.value?a.peek():a.value}rs.displayName="ReactiveTextNode";Object.defineProperties(Y.prototype,{constructor:{configurable:!0,value:cn(Ye,null).constructor},type:{configurable:!0,value:rs},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});ct("__b",function(e,t){if(Ut(),bn=void 0,typeof t.type=="string"){var n,r=t.props;for(var o in r)if(o!=="children"){var s=r[o];s instanceof Y&&(n||(t.__np=n={}),n[o]=s,r[o]=s.peek())}}e(t)});ct("__r",function(e,t){if(e(t),t.type!==Ye){Ut();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(o,s){var a;return _e(function(){a=this},{name:s}),a.c=o,a})((function(o){return function(){var s;vl&&((s=this.y)==null||s.call(this)),o.__$f|=1,o.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),bn=r,Ut(n)}});ct("__e",function(e,t,n,r){Ut(),bn=void 0,e(t,n,r)});ct("diffed",function(e,t){Ut(),bn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,o=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||r&&a in r||(i.d(),s[a]=void 0)}if(r){s||(s={},n.U=s);for(var c in r){var u=s[c],m=r[c];u===void 0?(u=_l(n,c,m,o),s[c]=u):u.o(m,o)}}}e(t)});function _l(e,t,n,r){var o=t in e&&e.ownerSVGElement===void 0,s=ee(n);return{o:function(a,i){s.value=a,r=i},d:_e(function(){this.N=os;var a=s.value.value;r[t]!==a&&(r[t]=a,o?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}ct("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var o in r){var s=r[o];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});ct("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});at.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var o in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(r||s||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function yl(e,t){return A(function(){return ee(e,t)},[])}var wl=function(e){queueMicrotask(function(){queueMicrotask(e)})};function xl(){yr(function(){for(var e;e=ns.shift();)ts.call(e)})}function os(){ns.push(this)===1&&(I.requestAnimationFrame||wl)(xl)}function kl(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var ss=globalThis.document?.currentScript,ye=ss?kl(ss.src):"";function xr(e,t=ye){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var Sl=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function Rl(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function Tl(e){return xr(e).split("/").filter(t=>t!=="").map(Rl)}function kr(){return{path:Tl(location.pathname),params:new URLSearchParams(location.search)}}var $=ee({path:[],params:new URLSearchParams});function me(...e){return ye+"/"+e.map(Sl).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[r,o]of Object.entries(t)){n.delete(r);for(let s of o===null?[]:typeof o=="string"?[o]:o)n.append(r,s)}return n}function ae(e,t){let n=t.toString();return n===""?e:e+"?"+n}function pe(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=kr()}function C(e,t=!1){pe(ae(location.pathname,Z($.value.params,e)),t)}function fe(e){return ae(me(...$.value.path),Z($.value.params,e))}function Ol(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function q(e,t={}){return ae(me(...e),Z(Ol($.value.params),t))}function Cl(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=(t.pathname+"/").startsWith(ye+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(xr(t.pathname));t.origin===location.origin&&o&&(e.preventDefault(),pe(t.pathname+t.search),scrollTo(0,0))}function as(){addEventListener("popstate",()=>$.value=kr()),addEventListener("click",Cl),$.value=kr()}function It(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function _(e){if(e<0)return"-"+_(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[o,s]of t){let a=e/s;if(a<(o==="s"?99.5:999.5))return(o==="ns"?String(Math.round(a)):It(a))+" "+o}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var Pl={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function is(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*Pl[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function le(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):It(t))+" "+n;t/=1e3}return It(t)+" TB"}function v(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?It(e/1e6)+" M":It(e/1e9)+" G"}function de(e,t){return`${v(e)} ${t}${e===1?"":"s"}`}function F(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function he(e,t){return t==="ns"?_(e):t==="bytes"?le(e):v(e)}function we(e){return e||"(no name)"}function Q(e){return e.slice(e.lastIndexOf(".")+1)}function Be(e){return e.split(".").slice(-2).join(".")}var cs=function(e,t,n,r){var o;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++s]]=i:a===6?r[1][t[++s]]+=i+"":a?(o=e.apply(i,cs(e,i,n,["",null])),r.push(o),i[0]?t[0]|=2:(t[s-2]=0,t[s]=o)):r.push(i)}return r},ls=new Map;function us(e){var t=ls.get(this);return t||(t=new Map,ls.set(this,t)),(t=cs(this,t.get(e)||(t.set(e,t=(function(n){for(var r,o,s=1,a="",i="",c=[0],u=function(d){s===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):s===3&&(d||a)?(c.push(3,d,a),s=2):s===2&&a==="..."&&d?c.push(4,d,0):s===2&&a&&!d?c.push(5,0,!0,a):s>=5&&((a||!d&&s===5)&&(c.push(s,0,a,o),s=6),d&&(c.push(s,d,0,o),s=6)),a=""},m=0;m<n.length;m++){m&&(s===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],s===1?r==="<"?(u(),c=[c],s=3):a+=r:s===4?a==="--"&&r===">"?(s=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),s=1):s&&(r==="="?(s=5,o=a,a=""):r==="/"&&(s<5||n[m][p+1]===">")?(u(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),s=2):a+=r),s===3&&a==="!--"&&(s=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=us.bind(cn);function Ml(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function ut(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let o=Number(r.headers.get("retry-after"))||1;await Ml(o*1e3,t.signal)}}async function Qe(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ie=ee(null),Bt=ee(!1),ms=ye+"/api/v1/login",ps={"loupe-page":"1"},fs=e=>`the collector cannot be reached: ${String(e)}`;async function ds(e){if(!e.ok)return Qe(e);let t=await e.json();return ie.value={is_needed:t.is_needed,identity:t.identity},null}async function hs(e,t={}){try{return await ds(await fetch(ms,{method:e,headers:{...ps,...t}}))}catch(n){return fs(n)}}async function gs(){await ut(ms,{headers:ps}).then(ds).catch(fs)!==null&&(ie.value={is_needed:!1,identity:null})}async function bs(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await hs("POST",{authorization:`Bearer ${e}`});return Bt.value&&=t!==null,t}async function $s(){let e=await hs("DELETE");return Bt.value&&=e!==null,e}function vs(){Bt.value||=ie.value?.identity!=null,ie.value={is_needed:!0,identity:null}}var $n=ee(!1);function _s(){let e=matchMedia("(max-width: 640px)"),t=()=>$n.value=e.matches;e.addEventListener("change",t),t()}var Sr=0;function ys(){return Sr>0}async function Al(e,t){let n=await ut(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:o}=n;o===401&&vs();let s=r?await n.json():null,a=r?null:await Qe(n);return{data:s,problem:a,status:o,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,o]=M(n);return xe(()=>{if(e===null){o(n);return}let s=new AbortController;o(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>o(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),c=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>s.signal.aborted||m(p);return Sr++,Al(e,s.signal).then(u(i),u(c)).finally(()=>Sr--),()=>s.abort()},[e,t]),r}var Ll={s:1,m:60,h:3600,d:86400};function De(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Ll[t[2]])*1000000000n:null}function Rr(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],o=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(o)?null:BigInt(o)*1000000n+BigInt(n.padEnd(9,"0"))}function et(e,t){let n=De(e);return n===null?Rr(e):t-n}var xs=["5m","15m","1h","6h","1d","7d","30d"],ws="1h",Nl=5e3,ks=()=>BigInt(Date.now())*1000000n,L=ee(ks());function Tr(){L.value=ks()}var vn=ke(()=>{let e=$.value.params.get("last")??ws;return De(e)===null?ws:e}),tt=ke(()=>$.value.params.get("live")==="1"),X=ke(()=>{let{params:e}=$.value,t=et(e.get("to")??"",L.value)??L.value,n=et(e.get("from")??"",L.value);return{from:n!==null&&n<t?n:t-De(vn.value),to:t}}),El=18e10;function _n(e,t,n,{from:r,to:o}){let s=n.lastIndexOf(!0),a=Number(o-e)-(s+1)*t,i=s>=0&&a>0&&a<=El;return Math.max(1,(Number(o-r)-(i?a:0))/1e9)}function Ss(){let e=0;_e(()=>{if(clearInterval(e),tt.value){let t=()=>document.hidden||ys()||Tr();e=window.setInterval(t,Nl)}})}var Ae=ee(0),Or=new Map;function B(e){let t=Or.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Or.set(e,t)),t}function mt(e){return`${B("t1")} ${B(e)}`}function Cr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Rs(e,t,n){let r=Cr(t);return"#"+Cr(e).map((s,a)=>Math.round(s+(r[a]-s)*n)).map(s=>s.toString(16).padStart(2,"0")).join("")}var Ul=.2;function pt(e){let[t,n,r]=Cr(e).map(o=>(o/255)**2.2);return .2126*t+.7152*n+.0722*r>Ul?"#101113":"#ffffff"}function Ts(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Or=new Map,Ae.value++})}var Il=["recording","instance","context","where","trace","thread","id"],Bl=["recording","instance","context"],Dl=["min_duration_ns","max_duration_ns"];function ft(e){return/^\d{1,19}$/.test(e)}function ce(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Dt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Pr(e,t,n){for(let r of n)t.getAll(r).forEach(o=>e.append(r,o))}function Mr(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Os=30000000000n;function Ar({from:e,to:t}){let n=(t-e)/2n<Os?(t-e)/2n:Os;return{from:e-n,to:t+n}}function Cs(e,t,n=""){Mr(e,Ar(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function dt({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function ht(e,t){let n=new URLSearchParams,r=dt(e);r!==null&&n.set("service",r),Pr(n,e.params,Il);let o=ce(e.params.get("box"));if(o)Cs(n,o);else{Mr(n,t);for(let s of Dl)e.params.getAll(s).filter(ft).forEach(a=>n.append(s,a))}return n}function Ps(e,t){let n=ht(e,t),r=ce(e.params.get("base_box"));if(!r)return Pr(n,e.params,["base"]),n;Cs(n,r,"base_");let o=n.get("service");o!==null&&n.set("base_service",o);for(let s of["recording","instance","context","where"])e.params.getAll(s).forEach(a=>n.append("base_"+s,a));return n}function Ms(e,t){let n=new URLSearchParams,r=dt(e);r!==null&&n.set("service",r),Pr(n,e.params,Bl),Mr(n,t);let o=e.params.getAll("where");return o.length===1&&/^[^=<>!^]+=/.test(o[0])&&n.set("where",o[0]),n}function S(e,t,n={}){return ae(ye+"/api/v1/"+e,Z(t,n))}function nt({text:e,label:t,title:n,className:r="",children:o}){let s=J(null),[a,i]=M(!1),c=()=>i(!1);ve(()=>{if(!a)return;let p=({target:f})=>s.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),s.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let u=({target:p})=>p.closest("a")&&c(),m=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${s}
    open=${a}
    onToggle=${m}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${u}>${o(c)}</div>`}
  </details>`}function yn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function ql(e,t,n=!1){let[r,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([i,c])=>` \\
  --data-urlencode ${yn(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${s.length>0?"G":""}${a} ${yn(t+r)}${s.join("")}`}async function Fl(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function U({url:e}){return e===null?null:l`<${nt} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${Hl} url=${e} />`}
      <//>`}function Hl({url:e}){let[t,n]=M(!1),r=ql(e,location.origin,ie.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:s})=>{await Fl(r,s),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var jl=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Se({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([u])=>!u.startsWith("base"))),o={value:t==="time"?null:t,frame:n},s=(u,m)=>S(m,r,{...u===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?o:{}}),a=S("slice.speedscope.json",r,o),i=new URLSearchParams({profileURL:a});return l`<${nt} text="download">${()=>l`${jl.map(([u,m,p])=>l`<a href=${s(u,m)} download title=${p}
            >${u}<small>${p}</small></a
          >`)}
      <a href=${ye+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function As(e){return`${ye}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var qt=ee(null),gt=ee([]),Ls={accept:"application/json"};async function Wl(e){let t=await ut(S("collector",new URLSearchParams),{headers:Ls});if(!t.ok)return Qe(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${yn(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...Ls,"loupe-page":"1"},body:e});return n.ok?await n.json():Qe(n)}var Es=(e,t)=>gt.value=[...gt.value,{name:e,text:t}];function Vl(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&Es(e,`not all of it is shown: ${t.join("; ")}${r}`)}function Kl(e){let t=new Set(e.map(s=>s.service)),n=(s,a)=>BigInt(s)<BigInt(a)?s:a,r=(s,a)=>BigInt(s)<BigInt(a)?a:s,o=new URLSearchParams({from:e.map(s=>s.from_ns).reduce(n),to:e.map(s=>s.to_ns).reduce(r)});return ae(t.size===1?me("s",...t):me(),o)}async function Gl(e){let t=[];for(let n of e){qt.value=n.name;let r=await Wl(n).catch(o=>`it cannot be sent: ${String(o)}`);typeof r=="string"?Es(n.name,r):(t.push(r),Vl(n.name,r))}qt.value=null,t.length>0&&pe(Kl(t))}var Ns=Promise.resolve();function zl(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Xl(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),Ns=Ns.then(()=>Gl(t)))}function Us(){addEventListener("dragover",zl),addEventListener("drop",Xl)}function Is(){return qt.value===null&&gt.value.length===0?null:l`<div class="upload">
    <div>
      ${gt.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${qt.value!==null&&l`<p role="status">Reading ${qt.value} …</p>`}
    </div>
    ${gt.value.length>0&&l`<button onClick=${()=>gt.value=[]}>close</button>`}
  </div>`}var Jl={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Yl={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function re(e){let t=e.startsWith("other: ")?e.slice(7):e;return Jl[e]??{name:t,token:"other"}}function bt(e){return Yl[e]??"other: other"}function wn(e){return e==="."?null:re(bt(e))}var Zl={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Re(e){return(e.startsWith("jdk.")?Zl[e.slice(4)]:void 0)??"other: "+e}var Ql=/^(java|javax|jdk|sun|com\.sun)\./;function qe(e){return Ql.test(e)}function Le(e,t,n){return rt("contexts",e,t,n)}function rt(e,t,n,r){return q([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function Bs(e,t){return e.replaceAll("{trace_id}",encodeURIComponent(t))}function Ds(e,t,n){let[,r,o]=/^(.+)\.[^.]+:(\d+)$/.exec(t)??[];if(!r||qe(t)||n===null&&e.includes("{service}"))return null;let a={path:r.replace(/\$.*/,"").split(".").map(encodeURIComponent).join("/"),line:o,service:encodeURIComponent(n??"")};return e.replace(/\{(path|line|service)\}/g,(i,c)=>a[c])}function xn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function Ft({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(o=>({start:BigInt(e)+BigInt(Math.round(Number(o[r]??0))),values:Object.fromEntries(t.map((s,a)=>[s,o[a]??null]))}))}var ec=1e3,qs=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function tc(e,t,n,r,o){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&qs(e.url)===qs(t)?Math.min(ec,Math.max(o,r)):o;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function kn(e,t,n){let[r,o]=M([]),[,s]=M(""),a=J({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=tc(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:u}=a.current,m=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${m}`,n);ve(()=>{p.data&&!p.isLoading&&o([...u,...Ft(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},s(d)}}}function se({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${re(e).token})`}}
  ></span>`}function Hs({of:e}){return e&&l`<${se} category=${e.category} />${re(e.category).name}
      <span class="dim"> ${F(e.share)}</span>`}var nc=.07,rc=.16;function js({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),o=u=>u.total_ns/Math.max(1,t),s=u=>re(u.category).name,a=u=>o(u)<nc?"":o(u)<rc?s(u):`${s(u)} ${n(u)}`,i=u=>Ae.value>=0&&pt(B(re(u.category).token)),c=r.map(u=>`${s(u)} ${F(o(u))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(u=>l`<span
          key=${u.category}
          title=${`${s(u)} ${n(u)}, ${F(o(u))}`}
          style=${{flexGrow:o(u),background:`var(--${re(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var Fs=120,Lr=22;function Ws({values:e,label:t}){let n=e.reduce((s,a)=>Math.max(s,a??0),1),r="",o=!1;return e.forEach((s,a)=>{if(s===null){o=!1;return}let i=(a+.5)/e.length*Fs,c=Lr-1-s/n*(Lr-3);r+=`${o?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(o?"":"h1"),o=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Fs} ${Lr}"
  >
    <path d=${r} />
  </svg>`}var Vs="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",Ks=e=>et(e,0n)!==null,Gs="FROM,TO,MIN,MAX, all in nanoseconds",Nr=e=>t=>e.includes(t),zs={from:[Ks,Vs],to:[Ks,Vs],last:[e=>De(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[ft,"a number of nanoseconds"],max_duration_ns:[ft,"a number of nanoseconds"],box:[e=>ce(e)!==null,Gs],base_box:[e=>ce(e)!==null,Gs],unit:[Nr(["requests","contexts"]),"requests or contexts"],live:[Nr(["1"]),"1"],zone:[Nr(["utc"]),"utc"]};function Ht(e,t){return zs[e]?.[0](t)??!0}function Xs(e,t){let n=[...e].filter(([i,c])=>!Ht(i,c)).map(([i,c])=>({name:i,value:c,wanted:zs[i][1]})),[r,o]=[e.get("from")??"",e.get("to")??""],[s,a]=[et(r,t),et(o,t)];return s!==null&&a!==null&&s>=a?[...n,{name:"from",value:r,wanted:"before to"}]:n}var oc=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${_(Number(e))}`],["max_duration_ns",e=>`\u2264 ${_(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function sc(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}var ac=e=>$.value.params.getAll(e).filter(t=>Ht(e,t));function ic(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}function Sn({keys:e=[],values:t=[]}){let n=oc.flatMap(([r,o])=>ac(r).map(s=>l`<span class="chip" key=${r+s} title=${s}>
          ${o(s)}
          <button
            class="plain"
            aria-label=${`take away ${o(s)}`}
            onClick=${()=>sc(r,s)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${ic} aria-label="Add a condition on an attribute">
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
  </div>`}var $t=ke(()=>$.value.params.get("zone")==="utc"),Rn=1000000n,Er=6e4,Js=e=>String(e).padStart(2,"0");function Tn(e,t=$t.value){return t?0:-new Date(Number(e/Rn)).getTimezoneOffset()*Er}function Ys(e){return BigInt(Tn(e))*Rn}var jt=e=>new Date(Number(e/Rn)+Tn(e)).toISOString().replace("Z","");function oe(e,t=1e6){return jt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function ge(e){return jt(e).slice(0,10)}function Fe(e){return jt(e).slice(0,19).replace("T"," ")}function Zs(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${Js(t)}:${Js(n)}`}function te(e,t=$t.value){let n=Tn(e,t)/Er,r=Zs(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Ne(e){let t=Tn(e)/Er,n=String(e%1000000000n).padStart(9,"0");return`${jt(e).slice(0,19)}.${n}${t===0?"Z":Zs(t)}`}function Ur(e){return jt(e).slice(0,19)}function Qs(e){let t=Date.parse($t.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*Rn}var ea=()=>R(S("collector",new URLSearchParams)).data;function ta({href:e,children:t}){return l`<a class="link" href=${e} target="_blank" rel="noopener noreferrer"
    >${t}</a
  >`}function On({trace:e}){let t=ea()?.trace_link,[n=""]=/[^/]+(?=\/|$)/.exec(t?.replace(/^https?:\/\//,"")??"")??[];return t?l`<${ta} href=${Bs(t,e)}>${n} ↗<//>`:null}function na({frames:e,service:t}){let n=ea()?.source_link??null,r=o=>{let s=n&&Ds(n,o,t);return s?l`<${ta} href=${s}>${o}<//>`:o};return l`<ol>
    ${e.map(o=>l`<li>${r(o)}</li>`)}
  </ol>`}function Cn(e){return typeof e=="string"?e:JSON.stringify(e)}function ra(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Ir(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function lc(e){return e.find(t=>!qe(t))??e[0]??""}function cc({item:e,columns:t,service:n}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Ne(e.start)}</dd>
        ${ra(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${Cn(o)}</dd>`])}
      </dl>
      <${na} frames=${Ir(e)} service=${n} />
    </td>
  </tr>`}function vt({items:e,since:t,service:n=null,contextHref:r,label:o}){let[s,a]=M(null),i=[t===void 0?`time, ${e[0]?te(e[0].start):""}`:"after","event","duration","thread","method","fields",...r?["context"]:[]],c=(u,m)=>{let{type:p,duration:d,thread:f,recording:h,context:w}=u.values,g=t===void 0?oe(u.start):"+"+_(Number(u.start-t)),b=ra(u).map(([N,W])=>`${N}=${Cn(W)}`),y=`${u.start} ${p} ${f} ${h}`,k=s===y,x=()=>a(k?null:y),T=r&&h!==null&&w?r(String(h),String(w)):null;return l`<tr key=${m} class=${k?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(k)} onClick=${x}>${g}</button>
        </td>
        <td title=${p}>
          <${se} category=${Re(String(p))} />${Q(String(p))}
        </td>
        <td class="n">${typeof d=="number"?_(d):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${Ir(u)[0]}>
          ${Be(lc(Ir(u)))}
        </td>
        <td class="cut wide" title=${b.join(`
`)}>${b.join(" ")}</td>
        ${r&&l`<td data-name="context">${T&&l`<a href=${T}>open</a>`}</td>`}
      </tr>
      ${k&&l`<${cc} item=${u} columns=${i.length} service=${n} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
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
  </div>`}function H({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function uc({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function mc({name:e,value:t,wanted:n}){let r=$.value.params.getAll(e).filter(o=>o!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function oa(){return Xs($.value.params,L.value).map(e=>l`<${mc} key=${`${e.name} ${e.value}`} ...${e} />`)}function Br({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function D({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},o=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(s=>s!=="");return o.length===0?null:l`<span class="missing">${o.join("; ")}</span>`}var pc=5;function O(e){let{title:t,note:n,tools:r,answer:o,className:s,lines:a=pc,children:i}=e,c=o&&o.data!==null&&(o.isLoading||o.problem!==null);return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${o&&l`<${uc} answer=${o} />`}
    ${o?.data===null&&o.isLoading&&a>0&&l`<${Br} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function fc(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),o=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${o},service=NAME${n?",token=@FILE":""}`}function dc({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=$.value,o=Z(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${Fe(t)} ${te(t)}:${" "}
    <a class="link" href=${ae(me(...n),o)}>look at all of that time</a>.
  </p>`}function He(){let e=S("collector",new URLSearchParams),{data:t}=R(e,L.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<X.value.from,r=dt($.value),o=a=>fc(a,location.hostname,ie.value?.is_needed);if(t?.takes_files&&!n)return l`<${H} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let s=r===null?"":` of ${r}`;return l`<${H} title="No JVM${s} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${o(t.agents)}</pre>`}
    ${t&&n&&l`<${dc} of=${t} />`}
  <//>`}var hc=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,gc=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,sa=e=>e.replace(/\$(?=.)/g,"\\$");function aa(e,{path:t,params:n}){if(hc.test(e))return q(["t",e.toLowerCase()]);let r=t[0]==="s",o=gc.test(e);if(!r)return q(["s"],o?{where:e}:{frame:sa(e)});let s=n.getAll("where").filter(i=>i!==e),a=o?{where:[...s,e]}:{frame:sa(e)};return ae(me(...t),Z(n,a))}var la={box:null,base_box:null},Dr=e=>$.value.params.get(e)??"",Pn=e=>Dr(e)!==""&&Ht(e,Dr(e));function ca(){let e=Pn("from")?Dr("from"):vn.value;return Pn("to")||De(e)===null?null:e}var ia=60000000000n;function bc(){let{from:e,to:t}=X.value,n=ca();if(n!==null)return`last ${n}`;let r=e%ia===0n&&(t%ia===0n||!Pn("to")),o=a=>oe(a,r?6e10:1e9),s=ge(e)===ge(t)?o(t):`${ge(t)} ${o(t)}`;return`${ge(e)} ${o(e)} to ${Pn("to")?s:"now"}`}function $c(){let e=xs,t=ca(),n=t??vn.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(o=>l`<a
          key=${o}
          href=${fe({last:o,from:null,to:null,...la})}
          aria-current=${o===t?"true":void 0}
          >last ${o}</a
        >`)}
  </div>`}function vc({close:e}){let[t,n]=M(""),{from:r,to:o}=X.value,s=i=>{i.preventDefault();let c=i.currentTarget,u=(d,f)=>{let h=c.elements.namedItem(d).value;return h===Ur(f)?f:Qs(h)},[m,p]=[u("from",r),u("to",o)];if(m===null||p===null)n("Both need a day and a time.");else if(m>=p)n("It has to begin before it ends.");else{e();let d={from:String(m),to:String(p)};C({...d,last:null,live:null,...la})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${Ur(c)}
    /></label>`;return l`<form class="between" onSubmit=${s}>
    ${a("from",r)} ${a("to",o)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function _c(){let{to:e}=X.value,t=(n,r)=>l`<button
      aria-pressed=${$t.value===n?"true":"false"}
      onClick=${()=>C({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${te(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function qr(){let{from:e,to:t}=X.value,n=l`${bc()} <span class="dim">${te(t)}</span>`;return l`<${nt}
    text=${n}
    title=${`${Fe(e)} to ${Fe(t)} ${te(t)}`}
    className="time"
  >
    ${r=>l`<${$c} /><${vc} key=${$t.value} close=${r} /><${_c} />`}
  <//>`}function Fr(){return l`<button onClick=${Tr} title="ask again">refresh</button>
    <button
      aria-pressed=${tt.value?"true":"false"}
      onClick=${()=>C({live:tt.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function ua({onDone:e}){let t=r=>{r.preventDefault();let o=r.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(pe(aa(s,$.value)),o.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function ma(){let[e,t]=M(null),n=ie.value?.identity,r=async()=>t(await $s());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var yc=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([m,p])=>l`<a href=${q(p?[p]:[])} aria-current=${p===n?"page":void 0}>
      ${m}
    </a>`,o=({name:m,href:p},d)=>[d>0?" / ":"",p?l`<a href=${p}>${m}</a>`:l`<b>${m}</b>`],s=l`<nav class="screens" aria-label="Screens">${yc.map(r)}</nav>`,a=l`<a class="logo" href=${q([])}>Loupe</a>`,i=$n.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(o)}</span>`,u=m=>l`${s}<${ua} onDone=${m} />
      <div class="row"><${Fr} /></div>
      <${ma} />`;return l`<header>
      ${$n.value?l`${a} ${c} <${qr} />
              <${nt} text="☰" label="screens, search, refresh" className="all">${u}<//>`:l`${a} ${s} ${c} <${ua} /> <${qr} /><${Fr} /> <${ma} />`}
    </header>
    <main><${oa} />${t}</main>`}var wc=4;function xc(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:o,rowsFirst:s,label:a,className:i}){let[c,u]=M(null),m=c===null?void 0:e[c]?.sort,p=m?[...t].sort((k,x)=>xc(m(k),m(x))):t,[d,f]=M(!1),h=p.slice(0,d?o:s??o),w=Math.min(t.length,o??1/0)-h.length,g=(k,x)=>{let T=c!==x?"none":k.isNumber?"descending":"ascending",N=k.sort?l`<button class="plain" onClick=${()=>u(x)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?T:void 0}
    >
      ${N}
    </th>`},b=(k,x,T)=>{let N=x.cell(k);return l`<td
      class=${(x.isNumber?"n ":"")+(x.className??"")}
      data-name=${T>0?x.name:void 0}
    >
      ${r&&T===0?l`<a href=${r(k)}>${N}</a>`:N}
    </td>`},y=w>0&&s!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${v(w)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>wc?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(g)}
          </tr>
        </thead>
        <tbody>
          ${h.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((x,T)=>b(k,x,T))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${y}`}var kc=15,Sc=100,Hr=e=>e===null?"":_(e),_t=(e,t)=>$.value.params.getAll(e).includes(t);function jr({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Rc({types:e}){let t=n=>fe({context:_t("context",n)?null:n,key:null,where:null,event:null});return l`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${jr} href=${t(n)} on=${_t("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>v(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>v(n.contexts_out),isNumber:!0},{name:"median",cell:n=>Hr(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>Hr(n.p99_ns),isNumber:!0}]}
  />`}function pa({name:e,rows:t}){let n=r=>{let o=`${e}=${r}`,s=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return fe({where:_t("where",o)?s:[...s,o],event:null})};return l`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${jr}
            href=${n(r)}
            on=${_t("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":v(r.all),isNumber:!0},{name:"kept",cell:r=>v(r.kept),isNumber:!0},{name:"p99",cell:r=>Hr(r.p99_ns),isNumber:!0}]}
  />`}function Tc({name:e}){let t=ht($.value,X.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),L.value).data?.keys.find(s=>s.key===e),o=(r?.values??[]).map(s=>({value:s.value,all:null,kept:s.count,p99_ns:s.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${o.length>0&&l`<${pa} name=${e} rows=${o} />`}`}function Oc({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(s=>s.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((s,a)=>a.contexts_in-s.contexts_in).map(s=>({value:s.value,all:s.contexts_in,kept:s.contexts_out,p99_ns:s.p99_ns})),o=({key:s})=>l`<button
      key=${s}
      aria-pressed=${String(s===n.key)}
      onClick=${()=>C({key:s},!0)}
    >
      ${s}
    </button>`;return l`<div class="tabs">${e.attributes.map(o)}</div>
    ${n.has_too_many?l`<${Tc} name=${n.key} />`:l`<${pa} name=${n.key} rows=${r} />`}`}function Cc({of:e}){let t=n=>fe({event:_t("event",n)?null:n});return l`<${K}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${kc}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${se} category=${Re(n)} /><${jr}
              href=${t(n)}
              on=${_t("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>v(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?_(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Pc({query:e}){let t=$.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:o,more:s}=kn(n,Sc,L.value),a=l`<${D} of=${r.data} /><${U} url=${n} />`;return l`<${O} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${o.length>0&&l`<${vt}
        label="Events"
        items=${o}
        service=${e.get("service")}
        contextHref=${Le}
      />`}
    ${s&&l`<p><button onClick=${s}>more</button></p>`}
    ${r.data&&o.length===0&&l`<${H} title="No events here" />`}
  <//>`}function fa(){let e=$.value,t=ht(e,X.value),n=S("contexts/types",Ac(t)),r=R(n,L.value),o=S("events/types",t),s=R(o,L.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=s.data&&`${v(s.data.events)} events`+Mc(s.data.contexts);return l`<${ne}>
    <${Sn} />
    <div class="three">
      <${O}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${Rc} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${He} />`}
      <//>
      <${O} title="Context values" note=${a?.type}><${Oc} of=${a} /><//>
      <${O}
        title="Event types"
        note=${i}
        tools=${l`<${D} of=${s.data} /><${U} url=${o} />`}
        answer=${s}
      >
        ${s.data&&s.data.types.length>0&&l`<${Cc} of=${s.data} />`}
      <//>
    </div>
    <${Pc} query=${t} />
  <//>`}var Mc=e=>e===null?", in contexts or not":` in ${v(e)} contexts`;function Ac(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function da(){let[e,t]=M(null),[n,r]=M(!1),o=async s=>{s.preventDefault();let a=s.currentTarget.elements.namedItem("token");r(!0);let i=await bs(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Bt.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function ha(){return l`<${ne}>
    <section>
      <${H} title="There is nothing here">
        <a class="link" href=${q([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function Lc(e){return e.replaceAll("_","-")}function Wt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,o]of Object.entries(n))t.set(r,(t.get(r)??0)+o);return[...t].sort((n,r)=>r[1]-n[1])}function Vt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${Lc(t)} <b>${v(n)}</b></span
        >`)}
  </span>`}var Wr=e=>Rr(e)??0n,Nc=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Mn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,ga=(e,t)=>l`${v(e)} <span class="dim">of ${v(t)}</span>`,Ec=()=>[{name:"service",cell:e=>l`<b>${we(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${te(L.value)}`,cell:e=>Fe(Wr(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${_(Mn(e))}, running`:_(Mn(e)),isNumber:!0,sort:Mn},{name:"contexts kept",cell:e=>ga(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>ga(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${le(e.bytes_out)} <span class="dim">of ${le(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Nc(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function Uc(){let{params:e}=$.value,{from:t,to:n}=X.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let o=S("recordings",r),s=R(o,L.value),a=s.data?.recordings??[],i=l`<${D} of=${s.data} /><${U} url=${o} />`;return l`<${ne}>
    <${O} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${s}>
      ${a.length>0&&l`<${K}
          label="Recordings"
          columns=${Ec()}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>q(["r",u.id])}
        />`}
      ${s.data&&a.length===0&&l`<${He} />`}
    <//>
  <//>`}var Ic=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>v(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>v(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>le(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>le(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${Vt} of=${Wt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function je(e,t){return l`<span><b>${e}</b>${t}</span>`}function Bc({of:e}){let t=e.contexts_in?F(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${je(e.is_running?"running":"ended",`${_(Mn(e))} since ${Fe(Wr(e.start))} ${te(Wr(e.start))}`)}
    ${je(t,`of ${v(e.contexts_in)} contexts kept`)}
    ${je(v(e.events_out),`of ${v(e.events_in)} events kept`)}
    ${je(le(e.bytes_out),`of ${le(e.bytes_in)} kept`)}
    ${je(le(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&je(_(e.waiting.duration_ns),`not compacted yet, ${le(e.waiting.journal_bytes)}`)}
    ${je(e.jvm_version,e.jvm_name)} ${je(e.pid,`process, on ${e.instance}`)}
  </div>`}var Dc={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function qc({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${v(r)} ${Dc[n]??n}</li>`)}
      </ul>`}function Fc({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,L.value),{data:o}=r,s=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${O}
    title="Policy"
    note=${o&&(o.file??"none: the JVM's own settings")}
    tools=${l`<${U} url=${n} />`}
    answer=${r}
  >
    ${o?.refused&&l`<p class="missing">${o.refused.problem}</p>`}
    ${o&&o.events.length>0&&l`<${K}
        label="Policy"
        rows=${o.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>s(a).join(", "),className:"w"}]}
      />`}
  <//>`}function Hc({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,L.value),{data:r}=n,o=[{name:r?`${we(r.service)}, ${r.instance}`:e}],s=l`<a href=${As(e)} download>download .jfr</a><${U} url=${t} />`,a=r?Wt(r.types):[];return l`<${ne} crumbs=${o}>
    <${O} title="Recording" note=${e} tools=${s} answer=${n}>
      ${r&&l`<${Bc} of=${r} />`}
      ${n.status===404&&l`<${H} title="This collector has no such recording">
          <a href=${q(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${O}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?l`<${Vt} of=${a} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${O} title="Lost" note="what is missing, and should not be"
          ><${qc} of=${r}
        /><//>
        <${O} title="Event types">
          <${K}
            label="Event types"
            columns=${Ic}
            rows=${Object.entries(r.types).sort((i,c)=>c[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${Fc} service=${r.service} />`}
  <//>`}function ba(){let e=$.value.path[1];return e===void 0?l`<${Uc} />`:l`<${Hc} id=${e} />`}function Te(e){return e==="requests"?"request":"context"}var jc=["context","thread","trace","id","box","base_box"];function $a(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:jc.some(n=>e.has(n))?"contexts":null}function We(e){return e.get("unit")==="requests"?"requests":"contexts"}function Kt(e,t){return Z(e,{unit:t==="requests"?t:null})}function va(e){let{service:t,jvms:n,requests:r}=e,o=r.requests_in>0,[s,a]=o?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:u,top:m}=o?r:e;return{service:t,jvms:n,unit:o?"requests":"contexts",all:s,kept:a,p50_ns:i,p99_ns:c,spark:u,top:m}}function _a(e){let[t,n]=M({width:0,height:0,ratio:1});return xe(()=>{let r=e.current,o=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},s=new ResizeObserver(o);s.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",o),o(),()=>{s.disconnect(),a.removeEventListener("change",o)}},[t.ratio]),t}function Vr(e,{width:t,height:n,ratio:r}){let[o,s]=[Math.round(t*r),Math.round(n*r)];(e.width!==o||e.height!==s)&&(e.width=o,e.height=s);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function ya(e,{width:t,height:n,ratio:r},o,s){xe(()=>{let a=t>0&&e.current&&Vr(e.current,{width:t,height:n,ratio:r});a&&o(a)},[t,n,r,Ae.value,...s])}function Wc(e,t,n){let{clientWidth:r,clientHeight:o,scrollTop:s}=t,a=Vr(e,{width:r,height:o,ratio:devicePixelRatio});a&&n(a,{width:r,height:o,top:s})}function An(e){let{draw:t,height:n,heightMax:r,reveal:o}=e,s=J(null),a=J(null),i=J(t),c=J(0);i.current=t;let u=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&s.current&&Wc(a.current,s.current,i.current)})};ve(()=>{let d=new ResizeObserver(u);return d.observe(s.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),ve(u,[t,n,r,Ae.value]),ve(()=>{let{scrollTop:d,clientHeight:f}=s.current;o&&o[0]<d?s.current.scrollTop=o[0]:o&&o[1]>d+f&&(s.current.scrollTop=o[1]-f)},[o?.[0],o?.[1]]);let m=d=>f=>{let h=a.current.getBoundingClientRect(),w=f.clientY-h.top+s.current.scrollTop;d?.({x:f.clientX-h.left,y:w,width:h.width,event:f})},p=Math.min(n,r);return l`<div
    class="pane"
    ref=${s}
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
  </div>`}var Ln=14,Nn=8;function yt({at:e,children:t}){let n=J(null);return xe(()=>{let{offsetWidth:r,offsetHeight:o,style:s}=n.current,a=e.clientY+Ln+o>innerHeight-Nn,i=Math.min(e.clientX+Ln,innerWidth-r-Nn);s.left=`${Math.max(Nn,i)}px`,s.top=`${a?Math.max(Nn,e.clientY-Ln-o):e.clientY+Ln}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var zr=e=>e.charCodeAt(0);function wa(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[zr(n.length===1?n:t),zr(r.length===1?r:t)]}var Xr=e=>/\w/.test(String.fromCharCode(e)),xa=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),Ra=(e,t)=>t>=0&&t<e.length&&Xr(e.charCodeAt(t)),En=(e,t)=>Ra(e,t-1),Un=Ra,Kr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>En(e,t)!==Un(e,t),"\\B":(e,t)=>En(e,t)===Un(e,t),"\\<":(e,t)=>!En(e,t)&&Un(e,t),"\\>":(e,t)=>En(e,t)&&!Un(e,t)},ka=e=>e>=48&&e<=57,Gr={"\\d":ka,"\\D":e=>!ka(e),"\\w":Xr,"\\W":e=>!Xr(e),"\\s":xa,"\\S":e=>!xa(e)},Sa={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},be=class extends Error{},Jr=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new be;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new be;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new be;let r=this.atom,o=this.states.length-r;if(n===0){this.states.length=r;return}for(let s=1;s<t;s++)this.copy(r,o);n===1/0&&this.add({jumps:[1,-o]});for(let s=Math.max(t,1);s<n&&n!==1/0;s++)this.copy(r,o),this.makeOptional(this.states.length-o);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new be;if(r!==1/0&&r>255)throw new be;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,o=Object.hasOwn(Sa,r)?Sa[r]:void 0;if(n===":"?!o:r.length!==1)throw new be;return n===":"?s=>o.test(String.fromCharCode(s)):zr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new be;let r=n;return o=>o>=t&&o<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new be;t.push(this.range())}this.at++,this.addAtom(r=>wa(r).some(o=>t.some(s=>s(o)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Kr,n)||Object.hasOwn(Gr,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new be;if(Object.hasOwn(Kr,n))this.atom=null,this.add({holds:Kr[n]});else if(Object.hasOwn(Gr,n))this.addAtom(Gr[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[o,s]=wa(n.charCodeAt(n.length-1));this.addAtom(a=>a===o||a===s)}}};function Ta(e){try{return e.length>256?null:new Jr(e).parse()}catch(t){if(t instanceof be)return null;throw t}}function Oa(e,t,n){let r=new Int32Array(e.length).fill(-1),o=[],s=(u,m)=>{r[u]!==m&&(r[u]=m,o.push(u),n.count++)},a=[],i=!1,c=(u,m,p)=>{s(m,p);for(let d=o.pop();d!==void 0;d=o.pop()){let{takes:f,holds:h,jumps:w,isEnd:g}=e[d];i||=g===!0,f?u.push(d):h?.(t,p)&&s(d+1,p);for(let b of w??[])s(d+b,p)}};for(let u=0;;u++){if(c(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let d of a)e[d].takes(m)&&c(p,d+1,u+1);a=p}}function Dn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,o=new Int32Array(n.length),s=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)s[i.pop()]=m;let p=n[m]-1;o[m]=p<0?-1:i[p],a[m]=p<0?0:c[p],p>=0&&(c[p]+=r[m]),c[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>s[m]=n.length),{flame:e,weight:r,parent:o,end:s,start:a,depth:u}}function Pa(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<o&&u.push({node:d,x:0,width:n,row:f})}let m=n/(s[t]||1),p=new Float64Array(Math.max(0,o-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=o||s[d]===0&&d!==t){d=i[d];continue}let h=d===t?n:s[d]*m,w=(a[d]-a[t])*m,g=h<1?Math.min(Math.floor(w),n-1):w;f>=r&&(h>=1||g>=p[f-r])&&(u.push({node:d,x:g,width:Math.max(h,1),row:f}),p[f-r]=g+Math.max(h,1)),d++}return u}function Ma(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=t;for(;u>0&&c.level[u]>o;)u=e.parent[u];if(u!==t||c.level[u]===o)return c.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(s[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+s[u];if(p&&c.level[u]===o)return u;u=p?u+1:i[u]}return-1}function Aa(e,t,n,r){let{weight:o,end:s,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?La(e,t)[c+1]:n+1<s[n]&&o[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<s[t];m+=u)if(i.level[m]===c&&o[m]>0)return m;return n}default:return n}}function La(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var Bn=4;function Na(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**Bn).toString(36).padStart(Bn,"0")}function qn(e,t){return La(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Na).join("")}function Fn(e,t){let{names:n,name:r}=e.flame,o=0;for(let s=0;s<t.length;s+=Bn){let a=t.slice(s,s+Bn),i=o+1;for(;i<(e.end[o]??0)&&Na(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[o]??0)||!(e.weight[i]>0))break;o=i}return o}var Vc=1024,Kc=5e7;function Ea(e,t=Kc){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(c),{isOver:()=>!1})}let r=Ta(n[1]),o=new Map,s={count:0},a=()=>s.count>t;return r&&Object.assign(c=>(o.has(c)||o.set(c,!a()&&Oa(r,c.slice(0,Vc),s)),o.get(c)),{isOver:a})}function Ua(e,t){let{flame:n,end:r,weight:o}=e,s=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=s[n.name[i]]===1;a+=c?o[i]:0,i=c?r[i]:i+1}return{names:s,weight:a}}var In=(e,t)=>t>0?e/t:0;function Ia({value:e,base_value:t,requests:n,...r},o){let s=r.base_requests??0,a=Math.max(In(r.total,n),In(r.base_total??0,s)),i=In(e[o],n)-In(t?.[o]??0,s);return a>0?i/a:0}function Ba(e){let{flame:t,end:n}=e,r=t.names.map((s,a)=>{let i=t.kinds[a]??".";return{name:s,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),o=new Int32Array(t.names.length);for(let s=1;s<t.level.length;s++){let a=t.name[s],i=r[a];i.self+=t.self[s],i.baseSelf+=t.base_self?.[s]??0,s>=o[a]&&(o[a]=n[s],i.total+=t.value[s],i.baseTotal+=t.base_value?.[s]??0)}return r.filter((s,a)=>o[a]>0)}function Gc({flame:e,parent:t},n){let r=s=>s>0&&e.kinds[e.name[s]]===".",o=r(n)||!r(t[n])?n:t[n];for(let s=o;r(s);s=t[s])if(!qe(e.names[e.name[s]]))return s;return o}function Ca({flame:e,parent:t},n){let r=Float64Array.from(e.level,(o,s)=>n?.[s]??0);for(let o=1;o<r.length;o++)r[t[o]]-=n?.[o]??0;return r}function Da(e,t){let{flame:n}=e,r=Ca(e,n.value),o=Ca(e,n.base_value),s=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&o[i]===0)continue;let u=c==="."?"c":c,m=n.names[n.name[Gc(e,i)]],p=s.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=o[i],s.set(u+m,p)}return[...s.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var $e=18,zc=22,qa=4,Xc=5;function Jc(e){return e.split(".").slice(0,-2).join(".")}function Yc(e){if(qe(e))return"frame-jdk";let t=7;for(let n of Jc(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Xc}`}function Zc({names:e,kinds:t}){return e.map((n,r)=>{let o=wn(t[r]??".");return B(r===0?"frame-root":o?o.token:Yc(n))})}var Yr=32,Zr=e=>({fill:e,ink:pt(e)});function Fa(e){if(e.base_value===void 0){let o=Zc(e).map(Zr);return e.name.map(s=>o[s])}let t=o=>Array.from({length:Yr+1},(s,a)=>Zr(Rs(B("frame-same"),B(o),a/Yr))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((o,s)=>{let a=s===0?0:Ia(e,s),i=Math.round(Yr*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Qc(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(s=>s.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ha(e,t,n,r){let{flame:o,shades:s,found:a,marks:i,zoom:c}=t,u=B("ink"),m=Zr(B("accent"));e.font=mt("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:h,row:w}of n){let g=w*$e-r,b=o.name[d],y=d!==c&&o.level[d]<o.level[c],k=a!==null&&a.names[b]===1,x=y||a!==null&&!k,{fill:T,ink:N}=k?m:s[d];if(e.globalAlpha=x?.6:1,e.fillStyle=T,e.fillRect(f,g,Math.max(h-.5,.5),$e-1),h>=zc){let W=Math.floor((h-2*qa)/p);e.globalAlpha=1,e.fillStyle=x?u:N,e.fillText(Qc(o.names[b],W),f+qa,g+$e/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(f+1,g+1,Math.max(h-2,1),$e-3))}}var eu=24,tu=3,Qr=(e,t)=>F(t>0?e/t:0);function nu({names:e,name:t,value:n,self:r,total:o,unit:s,requests:a},i){let c=he(n[i]/Math.max(1,a),s),u=he(r[i]/Math.max(1,a),s);return`${e[t[i]]}, ${Qr(n[i],o)}, ${c} each, own ${u}`}function ru(e,t){let{value:n,self:r,requests:o,total:s,base_value:a,base_self:i,base_requests:c,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:o,whole:s};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:u??0};return[{...m,name:"selection"},p]}function ou({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:o,names:s,name:a,value:i}=r,c=ru(r,t),u=(m,p)=>l`<tr>
      <th scope="row">${m}</th>
      ${c.map(d=>l`<td class="n"><b>${he(p(d)/Math.max(1,d.requests),o)}</b></td>
            <td class="n">${Qr(p(d),d.whole)}</td>
            <td class="n dim">${he(p(d),o)}</td>`)}
    </tr>`;return l`<b>${s[a[t]]}</b>
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
    ${n>0&&l`<div class="dim">${Qr(i[t],i[n])} of ${s[a[n]]}</div>`}`}function ja({tree:e,zoom:t,found:n,onZoom:r}){let{flame:o}=e,[s,a]=M(null),[i,c]=M(null),u=A(()=>i===null?-1:Fn(e,i),[e,i]),m=s?.node??-1,p=A(()=>Fa(o),[o,Ae.value]),d=mn((x,{width:T,top:N,height:W})=>{let j=Math.floor(N/$e),Ee=Pa(e,t,T,j,Math.ceil((N+W)/$e));Ha(x,{flame:o,shades:p,zoom:t,found:n,marks:[u,m]},Ee,N)},[e,t,n,u,m,p]),f=({x,y:T,width:N})=>Ma(e,t,N,x,Math.floor(T/$e)),h=x=>{let T=f(x),{clientX:N,clientY:W}=x.event;a(T<0?null:{node:T,at:{clientX:N,clientY:W}})},w=x=>{let T=f(x);T>=0&&x.event.button===0&&r(T)},g=x=>{let T=u<0?t:u;if(x.key.startsWith("Arrow")){let N=u<0?t:Aa(e,t,T,x.key);c(qn(e,N)),a(null)}else if(x.key==="Enter")r(T);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},b=u>=0?u:t,y=o.level[b],k=[Math.max(0,y-tu)*$e,(y+1)*$e];return l`<${An}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*$e}
      heightMax=${eu*$e}
      draw=${d}
      reveal=${k}
      onPoint=${h}
      onUp=${w}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&nu(o,u)}</div>
    ${s&&l`<${yt} at=${s.at}><${ou} tree=${e} node=${s.node} zoom=${t} /><//>`}`}var su=20,au=16;function iu(e){let t=e.slice(-au),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function wt({name:e,title:t=e}){if(e.length<=su)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-iu(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var lu=500;function cu(e){let{unit:t,total:n,requests:r,base_requests:o}=e,s=p=>he(p/Math.max(1,r),t),a=p=>l`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${uu} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=h=>s(d(h)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>F(n>0?p.total/n:0),u=p=>he(p/Math.max(1,o??0),t),m=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,c)];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function uu({kind:e}){let t=wn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Wa({tree:e,matches:t}){let n=Ba(e).filter(r=>!t||t(r.name));return n.sort((r,o)=>o.self-r.self||o.total-r.total),l`<div class="frames">
    <${K}
      label="Frames"
      columns=${cu(e.flame)}
      rows=${n}
      rowsMax=${lu}
      rowKey=${r=>r.name}
    />
  </div>`}var mu=8;function Hn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Va({url:e,answer:t}){let{data:n}=t,r=A(()=>n&&n.requests>0?Da(Dn(n),mu):[],[n]),o=$.value.params.get("frame"),s=(c,u=0)=>he(c/Math.max(1,u),"ns"),a=c=>{let u=Hn(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${o===u?"true":"false"}
          onClick=${()=>C({frame:o===u?null:u,zoom:null})}
        >
          <${se} category=${bt(c.kind)} /><${wt}
            name=${Be(c.name)}
            title=${c.name}
          />
        </button>
      </td>
      <td class="n">${s(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${s(c.base,n.base_requests)}</td>`}
      <td class="n dim">${F(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${D} of=${n} /><${U} url=${e} />`;return l`<${O} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
  <//>`}var eo=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function jn({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function pu(e){let t=e.get("value")??"";return eo.some(([n])=>n===t)?t:"time"}function fu({value:e}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${eo.map(([t,n])=>l`<${jn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function du({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",o={base:null,base_box:null,width:null};return l`<${jn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?o:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${jn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function hu({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",o=r!==""&&n===null,s=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&s?F(e.weight/s):F(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;C({find:m===""?null:m},!0)}}
    /><span role="status">${o?"no regular expression":i}</span>`}function gu(){let e=$.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function bu({flame:e}){let t=(s,a)=>l`<span><i class="dot" style=${{background:`var(--${s})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((s,a)=>a[1]-s[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",o=s=>F(e.total>0?s/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([s,a])=>s==="."?t("frame-root",`${r} ${o(a)}`):l`<span>
              <${se} category=${bt(s)} />${re(bt(s)).name}
              ${" "+o(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${v(e.cut.nodes)} small frames cut, ${o(e.cut.value)}</span>`}
  </div>`}function $u({requests:e,total:t,unit:n,...r},o){let s=he(t/Math.max(1,e),n),a=r.base_requests??0,i=he((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${v(a)}, ${i} each`:"";return`${de(e,o)}, ${s} each${c}`}function Wn(e){return S("flamegraph",e,{value:"time",frame:null})}function Ve({query:e,tick:t,whole:n}){let{params:r}=$.value,o=pu(r),s=r.get("frame"),a=Z(e,{value:o,frame:s}),i=S("flamegraph",a),c=n!==void 0&&i===Wn(e),u=R(c?null:i,t),m=u.problem===null?n?.data??null:null,p=c?n:{...u,data:u.data??m},d=p.data,f=r.get("width")==="base"&&d?.base_value!==void 0,h=A(()=>d&&Dn(d,f),[d,f]),w=r.get("find")??"",g=A(()=>w===""?null:Ea(w),[w]),b=A(()=>h&&g&&Ua(h,g),[h,g]),y=r.get("flame")==="table",k=!h||h.weight.length===0||!(h.weight[0]>0),x=h?Fn(h,r.get("zoom")??""):0,T=h&&l`<${ja}
      tree=${h}
      zoom=${x}
      found=${b}
      onZoom=${j=>C({zoom:qn(h,j)||null})}
    />`,N=l`<${D} of=${d} /><${Se}
      query=${e}
      value=${o}
      frame=${s}
    /><${U} url=${i} />`,W=d?$u(d,Te(We(e))):"";return l`<${O} title="Flame graph" note=${W} tools=${N} answer=${p}>
    <div class="flame-tools">
      <${fu} value=${o} />
      <${gu} />
      <${du} flame=${d} />
      <${hu} found=${b} flame=${d} matches=${g} />
      ${x>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${jn}
        isOn=${y}
        onChange=${()=>C({flame:y?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${d&&k&&l`<${H} title="No ${eo.find(([j])=>j===o)[1]} in this selection" />`}
    ${!k&&(y?l`<${Wa} tree=${h} matches=${g} />`:T)}
    ${d&&!k&&l`<${bu} flame=${d} />`}
  <//>`}function Vn(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((o,s)=>Math.max(o,s.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function to({boxes:e},{from:t,to:n},r){let o=r/Math.max(1,n-t),s=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*o),c=Math.min(r,(a.start+a.duration-t)*o),u=Math.max(2,c-i),m=Math.min(i,r-2);s.push({box:a,x:m,width:u,y:20+a.level*20})}return s}function Ka(e,t,{from:n,to:r},o){let s=Vn(t),a=o/Math.max(1,r-n),i=c=>(c-n)*a;return e.flatMap(c=>{let[u,m]=[c.from,c.to].map(g=>t.findIndex(b=>b.key===g));if(u<0||m<0||c.end<n||c.start>r)return[];let p=g=>s[g]+20,[d,f]=u<m?[18,0]:u>m?[0,18]:[20/2,20/2],[h,w]=[p(u)+d,p(m)+f];return[{x1:i(c.start),y1:h,x2:i(c.end),y2:w}]})}function Ga(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function za(e,t,n,r,o){let s=to(e,t,n).filter(i=>o>=i.y&&o<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return s.sort((i,c)=>a(i)-a(c)),s[0]?.box??null}function Gt(e){let t=[...e].sort((r,o)=>r.start-o.start||o.duration-r.duration),n=[];return t.map(r=>(n=n.filter(o=>o>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Xa({from:e,to:t},n){let r=(t-e)/Math.max(1,n),o=10**Math.floor(Math.log10(Math.max(1,r))),s=[1,2,5,10].map(i=>i*o).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/s)*s;i<=t;i+=s)a.push(i===0?0:i);return a}function Ja(e,t,n){let r=({boxes:s})=>[...s].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let s=r(e[t.lane]),a=s[s.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let o=n==="ArrowDown"?1:-1;for(let s=t.lane+o;s>=0&&s<e.length;s+=o){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[s]).sort((c,u)=>a(c)-a(u));if(i)return{lane:s,box:i}}return t}var vu=560,_u=110,yu=4,wu=28,Za=5,Qa=7,xu=[],ku=500;function Su(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,o]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<o?{from:r,to:o}:t}function Kn(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Ru(e,t,n){let r=e.measureText(t).width,o=Math.floor(t.length*n/r)-1;return r<=n?t:o>1?t.slice(0,o)+"\u2026":""}function no({count:e,name:t,duration:n}){return`${e>1?`${v(e)} \xD7 `:""}${Q(t)} \xB7 ${_(n)}`}function Tu(e,t,n,r){let{box:o,x:s,width:a}=t,i=o.kind==="context",c=B(i?"hover":re(o.kind).token);e.fillStyle=c,e.fillRect(s,n,a,18),(i||r)&&(e.strokeStyle=B(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(s+.5,n+.5,Math.max(1,a-1),17)),a>=wu&&(e.fillStyle=i?B("ink"):pt(c),e.fillText(Ru(e,no(o),a-2*Za),s+Za,n+20/2-1))}function Ou(e,{x1:t,y1:n,x2:r,y2:o}){let s=Math.atan2(o-n,r-t),a=i=>[r-Qa*Math.cos(s+i),o-Qa*Math.sin(s+i)];e.beginPath(),e.moveTo(t,n),e.lineTo(r,o),e.moveTo(...a(.45)),e.lineTo(r,o),e.lineTo(...a(-.45));for(let[i,c]of[[4,"panel"],[1.5,"accent"]])e.lineWidth=i,e.strokeStyle=B(c),e.stroke()}function Cu(e,t,n,r){let o=n/(t.to-t.from);e.fillStyle=B("panel"),e.fillRect(0,0,n,18);for(let s of Xa(t,n/_u)){let a=Math.round((s-t.from)*o),i=s===0?"0":_(s),c=e.measureText(i).width;e.fillStyle=B("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=B("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function Pu({lanes:e,arrows:t,view:n,marks:r,drag:o}){return mn((s,{width:a,top:i,height:c})=>{let u=Vn(e);s.font=mt("sans"),s.textBaseline="middle",Cu(s,n,a,c),s.save(),s.beginPath(),s.rect(0,18,a,c),s.clip(),e.forEach((m,p)=>{let d=u[p]-i;d>c||u[p+1]-i<0||to(m,n,a).forEach(f=>Tu(s,f,d+f.y,r.includes(f.box)))});for(let{x1:m,y1:p,x2:d,y2:f}of Ka(t,e,n,a))Ou(s,{x1:m,y1:p-i,x2:d,y2:f-i});s.restore(),o&&(s.fillStyle=B("sel"),s.fillRect(o[0],0,o[1]-o[0],c))},[e,t,n.from,n.to,...r,o?.[0],o?.[1]])}function Mu({title:e},t){return`${e}: ${re(t.kind).name}, ${no(t)}, at ${_(t.start)}`}function Au({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${ku}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>_(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${se} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>v(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>_(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function Gn({lanes:e,arrows:t=xu,all:n,hrefOf:r,onOpen:o,label:s}){let a=Su($.value.params.get("part"),n),[i,c]=M(null),[u,m]=M(null),[p,d]=M(null),[f,h]=M(!1),w=A(()=>Vn(e),[e]),g=u&&e[u.lane]?.boxes.includes(u.box)?u:null,b=[g?.box??null,i?.box??null],y=Pu({lanes:e,arrows:t,view:a,marks:b,drag:p}),k=({x:P,y:E,width:Ce})=>{let Pe=Ga(w,E),ze=Pe<0?null:za(e[Pe],a,Ce,P,E-w[Pe]);return ze&&{lane:Pe,box:ze}},x=P=>{if(p){d([p[0],Math.max(0,Math.min(P.x,P.width))]),c(null);return}let E=k(P),{clientX:Ce,clientY:Pe}=P.event;c(E&&{...E,at:{clientX:Ce,clientY:Pe}})},T=({lane:P,box:E})=>{let Ce=r?.(e[P],E)??null;Ce!==null&&o?o(Ce):Kn({from:E.start,to:E.start+Math.max(1,E.duration)})},N=({x:P,event:E})=>{E.button===0&&E.pointerType!=="touch"&&(E.target.setPointerCapture(E.pointerId),d([P,P]))},W=P=>{d(null);let[E=0,Ce=0]=p?[...p].sort((ze,ol)=>ze-ol):[],Pe=k(P);if(Ce-E>=yu){let ze=(a.to-a.from)/P.width;Kn({from:a.from+E*ze,to:a.from+Ce*ze})}else Pe&&T(Pe)},j=e.findIndex(({boxes:P})=>P.length>0),Ee=P=>{if(P.key.startsWith("Arrow")&&j>=0)m(g?Ja(e,g,P.key):{lane:j,box:e[j].boxes[0]});else if(P.key==="Enter"&&g)T(g);else if(P.key==="Escape"||P.key==="Backspace")Kn(null);else return;P.preventDefault()},ue=g?w[g.lane]+20+g.box.level*20:0,Oe=$.value.params.get("part")!==null;return l`<${An}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${w[w.length-1]}
      heightMax=${vu}
      draw=${y}
      reveal=${g?[ue-20-20,ue+20]:void 0}
      onPoint=${x}
      onDown=${N}
      onUp=${W}
      onLeave=${()=>c(null)}
      onKey=${Ee}
    >
      ${e.map((P,E)=>l`<div class="lane-title" key=${P.key} style=${{top:`${w[E]}px`}}>
            ${P.href?l`<a href=${P.href}>${P.title}</a>`:P.title}
            <small title=${P.note}>${P.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${g&&Mu(e[g.lane],g.box)}</div>
    ${i&&l`<${yt} at=${i.at}>
        <b>${no(i.box)}</b>
        <div>${i.box.name}, ${re(i.box.kind).name}</div>
        <div class="dim">at ${_(i.box.start)}</div>
      <//>`}
    ${Oe&&l`<button onClick=${()=>Kn(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${P=>h(P.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${f&&l`<${Au} lanes=${e} />`}
    </details>`}var Lu=3,Nu=.001;function Eu({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var ro=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):v(Math.round(n))} \xD7`};function Uu(e,{category:t,is_count:n}){let r=e.slices.find(o=>o.category===t);return n?ro(r?.events??0,e.requests):_((r?.total_ns??0)/Math.max(1,e.requests))}function Iu({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${v(t.events)} in ${de(t.requests,"context")}, ${_(t.total_ns)} in all`}
        >
          ${v(t.per_request)} × ${Be(t.frame)}
          <span class="dim"> ${re(t.category).name}, ${_(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Bu({slice:e,of:t,base:n,hrefOf:r}){let o=r&&!e.is_count,s=(p,d)=>o?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?ro(p.events,t.requests):_(p.total_ns/t.requests),share:e.is_count?"":F(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":ro(p.events,t.requests)}),i=Math.max(1,t.total_ns*Nu),c=e.top.slice(0,Lu).filter(p=>e.is_count||p.total_ns>=i),u=o?"opens":"",m=(p,d)=>{let{each:f,share:h,often:w}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${w}</td>`};return l`<tr
      class=${u}
      title=${`${_(e.total_ns)} in all, ${v(e.events)} events`}
    >
      <th scope="row">
        <${se} category=${e.category} />${s(re(e.category).name,null)}
      </th>
      ${m(e,n?Uu(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${s(l`<${wt} name=${Be(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${Be(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function Jt({of:e,base:t,against:n="base",hrefOf:r}){let o=e.slices.filter(Eu),s=({total_ns:a})=>_(a/e.requests);return l`<${js} parts=${o} total=${e.total_ns} each=${s} />
    <table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title=${`each of ${v(t.requests)} to compare with`}>${n}</th>`}
          <th scope="col" class="n">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${o.map(a=>l`<${Bu}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${Iu} of=${e} />`}`}function zn({query:e,against:t,tick:n,hrefOf:r}){let o=S("why",e),s=R(o,n),{data:a}=s,i=Te(We(e)),c=l`<${D} of=${a} /><${U} url=${o} />`,u=a&&a.requests>0?`mean of ${de(a.requests,i)}, ${_(a.total_ns/a.requests)} each`:"";return l`<${O}
    title="Why"
    note=${u}
    tools=${c}
    answer=${s}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${Jt} of=${a} base=${a.base??null} against=${t} hrefOf=${r} />`}
    ${a?.requests===0&&l`<${H} title=${`No kept ${i} is in this selection`} />`}
  <//>`}function Xn({of:e}){let t=xn(e),n=r=>r===t&&t!==null?l`<a class="link" href=${q(["t",t])}>${t}</a>
          <${On} trace=${t} />`:Cn(r);return l`${Object.entries(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${n(o)}</dd>`])}`}function Jn({at:e}){return l`<dt>start</dt>
    <dd title=${Ne(e)}>${ge(e)} ${oe(e)} ${te(e)}</dd>`}function Yn({recording:e,jvm:t}){return l`<dt>JVM</dt>
    <dd>
      <a class="link" href=${q(["r",e])}>${t?t.instance:e}</a>
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>`}function Zn(e,t){let n=e&&{name:we(e.service),href:q(["s",e.service])};return[{name:"services",href:q([])},...n?[n]:[],{name:t}]}var so="pauses: GC, safepoints";function Qn(e){return e===null?"JVM":e===""?"a thread without a name":e}function Yt({t0_ns:e,events:t,is_truncated:n}){return Ft({...t,t0_ns:e,next:null,is_truncated:n})}var er=e=>`request ${e??""}`,oo=(e,t,n,r,o)=>({level:0,start:n,duration:r,kind:e,name:t,count:1,id:o});function Du(e){let t=new Map;for(let{start:n,values:r}of Yt(e)){let[o,s]=[r.thread??null,String(r.type)],a=o===null?null:String(o),i=Number(n-BigInt(e.t0_ns)),c=oo(Re(s),s,i,Number(r.duration??0),null);t.set(a,[...t.get(a)??[],c])}return t}var qu=(e,t)=>e.thread===t.thread&&e.start<t.start+t.duration&&t.start<e.start+e.duration;function ei(e){let{recording:t,threads:n,parts:r,stays:o,type:s}=e,a=Du(e),i=Gt(a.get(null)??[]),c={key:er(null),title:Qn(null),note:so,recording:t,boxes:i},u=[...new Set(n.map(({name:m})=>m))].map(m=>{let p=({thread:b})=>n[b]?.name===m,d=o.filter(p),f=d.filter(b=>!r.some(y=>qu(y,b))),h=[...r.filter(p).map(b=>oo("context",b.type,b.start,b.duration,b.id)),...f.map(b=>oo("context",s,b.start,b.duration,null)),...a.get(m)??[]],w=d.reduce((b,y)=>b+y.duration,0),g=`worked for it ${_(w)}`;return{key:er(m),title:Qn(m),note:g,recording:t,boxes:Gt(h)}});return i.length>0?[c,...u]:u}function ti({hand_overs:e}){return e.map(({from:t,to:n,start:r,duration:o})=>({from:er(t),to:er(n),start:r,end:r+o}))}var ao=8192,ni=60000000000n,ri=5,Fu=2000000000n;function oi(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function io(e){let t=new Map,n=(r,o)=>r[e.events.columns.indexOf(o)]??null;for(let r of e.events.rows){let o=n(r,"fields"),s=oi(o,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||s===null)continue;let c=oi(o,"monitorClass")??"",u={thread:s,monitor:c,waited:0,waits:0,from:a,to:a},{waited:m,waits:p,from:d,to:f}=t.get(s)??u;t.set(s,{...u,waited:m+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,o)=>o.waited-r.waited)}function lo(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:o,thread:s})=>({key:`${o} ${s??""}`,title:Qn(s),recording:o,thread:s,boxes:[]}));for(let[o,s,a,i,c,u,m,p]of e.rows){let d={level:s,start:a+n,duration:i,kind:c,name:u,count:m,id:p};r[o]?.boxes.push(d)}return r}function Hu(e,t,n){return Ft(e).flatMap(({start:r,values:o})=>{let s=String(o.type),a=o.context===null&&!n.has(s),i=Number(o.duration??0),c=Re(s),u={level:0,start:Number(r-t),duration:i,kind:c,name:s};return a?[{...u,count:1,id:null}]:[]})}function ju(e,t,n,r){let o=BigInt(e.t0_ns),a=lo(n,o).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),c=Hu(r,o,new Set([e.type,...i])),u=Gt([...a,...c]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),m=`had the monitor of ${Q(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:u.length>0?m:`${m}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:u}}function Wu(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Fu)),r.set("to",String(n+BigInt(t?.to??0)+1n));let o=(u,m)=>t?S(u,r,m):null,s=R(o("timeline",{width:String(ao)})),a=R(o("events",{limit:"1000",columns:"name"})),i=A(()=>t&&s.data&&a.data?ju(e,t,s.data,a.data):null,[e,t?.thread,s.data,a.data]),c=[s,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:c}}function Vu(e){let t=A(()=>io(e),[e]),n=[];for(let i=0;i<ri;i++){let c=n.every(u=>u.isAnswered);n.push(Wu(e,c?t[i]:void 0))}let r=t.slice(ri),o=_(r.reduce((i,c)=>i+c.waited,0)),s={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${o} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return A(()=>[...a.filter(i=>i!==null),...r.length>0?[s]:[]],[e,...a])}function Ku(e){let t=xn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-ni)});r.set("to",String(n+BigInt(e.duration)+ni));let o=String(ao),s=R(t&&S("timeline",r,{width:o,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return A(()=>(s?lo(s,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:q(["t",t])}}),[e,s,i])}function si(e,t){let n=Vu(e),r=Ku(e);return A(()=>{let o=[null,...t,...n.map(({thread:a})=>a)],s=a=>a.recording!==e.recording||!o.includes(a.thread);return[...n,...r.filter(s)]},[e,t,n,r])}function ai(e,t){let n=R(S("timeline",t,{width:String(ao)})).data,r=A(()=>[e.thread],[e]),o=si(e,r);return A(()=>{let s=n?lo(n,BigInt(e.t0_ns)):[],a=`this one, ${_(e.duration)}`,i=s.map(c=>({...c,note:c.thread===null?so:a}));return[...i.filter(({thread:c})=>c===null),...i.filter(({thread:c})=>c!==null),...o]},[e,n,o])}function ii(e){let t=A(()=>e.threads.map(({name:r})=>r),[e]),n=si(e,t);return A(()=>[...ei(e),...n],[e,n])}var li=300000000000n,Gu=100,xt=({t0_ns:e})=>BigInt(e);function co(e){let t=xt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function zu(e){let t=co(e);if($.value.params.get("base")==="rest"){let n=xt(e);t.set("from",String(n-li)),t.set("to",String(n+li)),t.set("context",e.type),t.set("base","rest")}return t}function Xu({context:e,jvm:t}){return l`<dl class="kv">
    <${Xn} of=${e.attributes} />
    <${Jn} at=${xt(e)} />
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <${Yn} recording=${e.recording} jvm=${t} />
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${ci(e,e.parent)}
            >${Q(e.parent.type)}, ${_(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function ci(e,{id:t,start:n}){return Le(e.recording,t,xt(e)+BigInt(Math.round(n)))}function Ju({context:e}){let t=io(e);return l`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:o})=>l`<tr key=${n}>
              <td title=${n}>
                <${se} category=${Re(n)} />${v(r)} × ${Q(n)}
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
                  <td class="w">${Q(n.monitor)}</td>
                  <td class="n">${_(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Yu({context:e}){return l`<${O} title="Contexts in it" note=${v(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Gu}
      rowKey=${t=>t.id}
      href=${t=>ci(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+_(t.start),isNumber:!0},{name:"duration",cell:t=>_(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Zu({context:e,service:t,tick:n}){let r=A(()=>co(e),[e]),o=ai(e,r),s=A(()=>Yt(e),[e]),a=(c,{id:u,start:m})=>u===null||u===e.id?null:Le(c.recording,u,xt(e)+BigInt(Math.round(m))),i=l`<${U} url=${S("timeline",r)} />`;return l`<${O}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${i}
    >
      <${Gn}
        label="Threads on one axis"
        lanes=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${pe}
      />
    <//>
    ${e.children.length>0&&l`<${Yu} context=${e} />`}
    <${Ve} query=${zu(e)} tick=${n} />
    <${O} title="Events" note=${v(s.length)}>
      ${s.length>0?l`<${vt}
              items=${s}
              since=${xt(e)}
              service=${t}
              label="Events of the request"
            />`:l`<${H} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function ui(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,s=new URLSearchParams(o===null?{}:{from:String(o),to:String(o+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,s),c=R(i,L.value),u=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=c.data,p=m?`${Q(m.type)}, ${_(m.duration)}`:r,d=m&&co(m),f=l`<${D} of=${m} /> ${d&&l`<${Se} query=${d} />`}
    <${U} url=${i} />`;return l`<${ne} crumbs=${Zn(u,p)}>
    ${m?l`<div class="three">
              <${O}
                title=${Q(m.type)}
                note=${_(m.duration)}
                tools=${f}
                answer=${c}
              >
                <${Xu} context=${m} jvm=${u} />
              <//>
              <${O} title=${`Why ${_(m.duration)}`} className="why-panel">
                <${Jt} of=${m.why} base=${null} />
              <//>
              <${O} title="Kept because"><${Ju} context=${m} /><//>
            </div>
            <${Zu} context=${m} service=${u?.service??null} tick=${L.value} />`:l`<${O} title="Request" tools=${f} answer=${c} />`}
  <//>`}var Qu=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function uo(e){return Qu.test(e)}function mi({key:e,distinct:t,search_only:n,values:r},o){let s=r.every(i=>i.count+(i.base_count??0)<=1),a=uo(e)&&2*(t??0)>o;return n||r.length>=4&&(s||a)}var em=100,tm=10,nm=1.96;function rm(e,t,n){let[r,o]=[t+2,n+2],[s,a]=[(e.count+1)/r,((e.base_count??0)+1)/o],i=s*(1-s)/r+a*(1-a)/o;return s-a-nm*Math.sqrt(i)}function om({contexts:e,base_contexts:t,keys:n},r){let o=({key:u,label:m})=>!r.has(u)&&!r.has(m),s=n.filter(u=>o(u)&&mi(u,e)).map(({key:u})=>u),a=u=>t?rm(u,e,t):u.count,i=n.filter(u=>o(u)&&!s.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),c=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:c,ids:s}}function sm({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var mo=(e,t)=>t>0?e/t:0;function am({here:e,there:t}){let n=o=>({left:`${100*o}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function im({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${wt} name=${i===""?"(empty)":i} /></b>
      </span>`},o={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${v(a.count)} of ${v(e)}`}
        >${F(a.count/e)}</span
      >`,isNumber:!0,className:"share"},s={name:"p99",cell:a=>a.p99_ns===null?"":_(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${am}
          here=${mo(a.count,e)}
          there=${mo(a.base_count??0,t)}
        />`,className:"plot"},o,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${v(a.base_count??0)} of ${v(t)}`}
          >${F(mo(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},s,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${sm(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,o,s]}function lm({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(o=>o!==n);return fe({where:[...r,n]})}function cm({data:e,against:t}){let[n,r]=M(!1),o=$.value.params.getAll("where"),s=new Set(o.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=om(e,s),u=n?a:a.slice(0,Math.min(tm,i)),m=a.length-u.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&l`<${K}
      label="Attributes"
      columns=${im(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${lm}
      className="values"
    />`}
  ${m>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${v(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function pi({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(em)}),o=R(r,n),{data:s}=o,a=l`<${D} of=${s} /><${U} url=${r} />`;return l`<${O}
    title="Attributes"
    note=${s?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${o}
    className="attributes"
  >
    ${s&&s.contexts>0&&l`<${cm} data=${s} against=${t} />`}
  <//>`}function fi({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",s=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${s.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function di({name:e,placeholder:t}){let n=J(null),r=$.value.params.get(e),o=r&&ft(r)?_(Number(r)):"";return xe(()=>{n.current.value=o},[o]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=is(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&C({[e]:i===null?null:String(i),box:null})}}
  />`}function um(){let e=J(null),t=$.value.params.get("thread")??"";return xe(()=>{e.current.value=t},[t]),l`<input
    class="thread"
    ref=${e}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>C({thread:e.current.value.trim()||null})}
  />`}function hi({types:e,instances:t}){let n=$.value.params.get("context"),r=e.filter(({type:s})=>n===null||s===n).flatMap(s=>s.attributes),o=r.flatMap(s=>s.values.map(({value:a})=>a));return l`<div class="choosers">
    <${fi}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:s,contexts_in:a})=>[s,`${s} (${v(a)})`])}
    />
    <${fi}
      name="instance"
      all="all JVMs"
      options=${t.map(s=>[s,s])}
    />
    <${di} name="min_duration_ns" placeholder="at least" />
    <${di} name="max_duration_ns" placeholder="at most" />
    <${um} />
    <${Sn}
      keys=${[...new Set(r.map(({key:s})=>s))]}
      values=${[...new Set(o)]}
    />
  </div>`}var mm=[1,1.189207115002721,1.4142135623730951,1.681792830507429],pm=e=>mm[e&3]*2**(e>>2);function gi(e){return e<0?1:Math.floor(pm(e+1))}function Ke(e,{column:t,row:n}){return t*e.rows+n}function kt(e){let t=[];for(let r of e)for(let[o,s]of r)t[o+1]=(t[o+1]??0)+s;let n=[];return t.forEach((r,o)=>n.push([o-1,r])),n}function ot(e,t){let n=e.reduce((o,[,s])=>o+s,0),r=Math.max(1,Math.ceil(t*n));for(let[o,s]of e){if(r<=s)return o<0?1:Math.floor(2**((o+r/s)/4));r-=s}return null}function St(e,t,n,r=null){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,a=-1/0;for(let d of e.columns)s=Math.min(s,d[0]?.[0]??s),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&s<=a;i&&(s=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(s/c)>=n;)c*=2;let u=s>a?0:Math.floor(s/c),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:u,buckets:c,hasShorter:i,rows:s>a?0:Math.floor(a/c)-u+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/o),row:Math.max(0,Math.floor(f/c)-u)});e.columns.forEach((d,f)=>{for(let[h,w,g]of d){let b=p(f,h),y=m.cells.get(Ke(m,b))??{...b,all:0,kept:0};y.all+=w,y.kept+=g,m.cells.set(Ke(m,b),y),m.most=Math.max(m.most,y.all)}});for(let[d,f,h,w]of e.exemplars)m.exemplars.set(Ke(m,p(d,f)),{recording:h,id:w});return m}function $i(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Rt(e,t,n){let[r,o]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[s,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+s)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(o+1),min:i<0||e.hasShorter&&s===0?0:gi(i-1)+1,max:gi((e.first+a+1)*e.buckets-1)}}function tr(e,t,n){let r=Rt(e,n,n),o=r.from<t.to&&r.to>t.from,s=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return o&&r.min<=t.max&&s}function st(e,t){let n={all:0,kept:0};for(let r of e.cells.values())tr(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function vi(e,t){return[...e.cells.values()].filter(n=>tr(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ke(e,n))??[])}function nr(e,t,{column:n,row:r}){let o=t.width/e.columns,s=t.height/e.rows,a=t.y+t.height-(r+1)*s;return{x:t.x+n*o,y:a,width:o,height:s}}function _i(e,t,n,r){let o=(s,a)=>Math.max(0,Math.min(a-1,Math.floor(s*a)));return{column:o((n-t.x)/t.width,e.columns),row:o(1-(r-t.y)/t.height,e.rows)}}function fo(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function po(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Zt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function ho(e,t,n){let[r,o]=[t.x,t.x+t.width],[s,a]=[t.y,t.y+t.height],i=Math.max(r,po(e,t,n.from)),c=Math.max(s,Zt(e,t,n.max)),u=Math.min(o,po(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,Zt(e,t,n.min-1));return u<=0||m<=c?null:{x:i,y:c,width:u,height:m-c}}function go(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function yi(e,t,n,r){let o=[],s=a=>{let i=Zt(e,t,a);o.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&o.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)s(a*i);return o.sort((a,i)=>i.at-a.at)}var bi=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function wi(e,t,n,r,o){let{from:s,to:a}=go(e),i=Number(a-s)/1e9*(n/t.width),c=bi.find(p=>p>=i)??bi.at(-1),u=BigInt(c)*1000000000n,m=[];for(let p=(s+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:po(e,t,p),text:o(p,c*1e9)});return m}var fm=4,dm={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Ge(e){return ce($.value.params.get(e))}var Si=e=>e==="requests"?{unit:e}:{};function Qt(e,t,n){let r=e&&Dt(e),o=e?{min_duration_ns:null,max_duration_ns:null}:{},s=Si(n);C(t?{base_box:r,base:null,...s}:{box:r,...o,...s})}function hm(e){Qt(null,Ge("base_box")!==null,e)}function bo({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function Ri(e,t){return e.column===t.column&&e.row===t.row}function ki(e,t,n){let r=(o,s)=>Math.max(0,Math.min(s-1,o));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function gm(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function Tt({grid:e,isRate:t},{from:n,to:r}){return t?Rt(e,{...n,row:0},{...r,row:e.rows-1}):Rt(e,n,r)}function Ti({grid:e,unit:t},n){let r=e.exemplars.get(Ke(e,n));r&&pe(rt(t,r.recording,r.id))}function Oi(e){let{grid:t,plot:n}=e,[r,o]=M(null),[s,a]=M(null),i=J(null),c=({offsetX:g,offsetY:b})=>_i(t,n,g,b),u=g=>{let{offsetX:b,offsetY:y}=g;if(g.button===0&&t.rows>0&&fo(n,b,y)){g.currentTarget.setPointerCapture(g.pointerId);let k=g.shiftKey||e.isComparing;o({from:c(g),to:c(g),x:b,y,isLong:!1,isBase:k})}},m=g=>{let{offsetX:b,offsetY:y}=g;if(r){let N=r.isLong||Math.hypot(b-r.x,y-r.y)>=fm;o({...r,to:c(g),isLong:N})}let{clientX:k,clientY:x}=g,T=t.rows>0&&fo(n,b,y);a(T?{place:c(g),clientX:k,clientY:x}:null)},p=g=>{if(o(null),!r)return;if(g.altKey&&!r.isLong){Ti(e,r.from);return}let b=Tt(e,r),y=!r.isLong&&st(t,b).all===0;Qt(y?null:b,r.isBase,e.unit)},d=g=>{let b=i.current,y=b&&tr(t,b,c(g))?b:Tt(e,{from:c(g),to:c(g)});C({box:Dt(y),...Si(e.unit)},!0),bo(y)},f=({detail:g})=>{i.current=g>1?i.current:Ge("box")},h=()=>a(null),w=()=>o(null);return{drag:r?.isLong?r:null,hover:r?null:s,on:{onMouseDown:f,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:h,onPointerCancel:w,onDblClick:d}}}function Ci(e){let{grid:t}=e,[n,r]=M(null),o=i=>{let c=dm[i.key];if(c&&t.rows>0){let u=n?ki(t,n.to,c):gm(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)Ti(e,n.to);else if(i.key==="Enter"&&n)Qt(Tt(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),hm(e.unit);else return;i.preventDefault()},s=i=>ki(t,i,{column:0,row:0});return{cursor:n&&{from:s(n.from),to:s(n.to)},on:{onKeyDown:o,onBlur:()=>r(null)}}}var en=52,bm=20,Pi=6,$m=52,vm=72,_m=26,ym=5;function Mi(e,t,n){let r=e-en-(n?$m:0);return{x:en,y:Pi,width:Math.max(1,r),height:Math.max(1,t-Pi-bm)}}function wm(e,t){let n=oe(e,t);return n==="00:00"?ge(e).slice(5):n}function xm(e,t){let n=r=>_(r).replace(/\.0+ /," ");return{times:wi(e,t,vm,Ys(e.t0),wm),durations:e.rows===0?[]:yi(e,t,_m,n)}}function km(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Sm(e,t,n,r,o){e.fillStyle=B("corner"),e.beginPath();let s=-1;for(let a of t.cells.values()){if(!o(a))continue;a.column!==s&&(e.fill(),e.beginPath(),s=a.column);let{x:i,y:c,width:u,height:m}=nr(t,n,a);km(e,i+u-r,c,Math.min(ym,u/2,m/2))}e.fill()}function Rm({all:e,kept:t},n){return n==="requests"?t<e:t>0}function Ai(e,t,n,r){let o=["h0","h1","h2","h3","h4","h5"].map(B),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:u,height:m}=nr(t,n,a);e.fillStyle=o[$i(a.all,t.most)],e.fillRect(i,c,u-s,m-s)}Sm(e,t,n,s,a=>Rm(a,r)),vo(e,t,n)}function vo(e,t,n){let{times:r,durations:o}=xm(t,n);e.fillStyle=B("faint"),e.font=mt("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:s,text:a}of o)e.fillText(a,en-8,s),e.fillRect(en-5,Math.round(s),4,1);e.textBaseline="alphabetic",e.fillText(te(t.t0),en-8,n.y+n.height+16);for(let{at:s,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(s),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(s-i,n.x+n.width-2*i)),n.y+n.height+16)}}function $o(e,t,n,r){t&&(e.fillStyle=B("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function Li(e,t,n,r){$o(e,r.base&&ho(t,n,r.base),B("soft"),[4,3]),$o(e,r.box&&ho(t,n,r.box),B("accent"),[]);for(let o of r.cells)$o(e,nr(t,n,o),B("ink"),[])}function Ni({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(o,s)=>{let a=t.slice(s*r,(s+1)*r),i=kt(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:ot(i,.5),p99:ot(i,.99)}})}function Ei(e){return`${v(Number(e.toPrecision(3)))}/s`}function Tm(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Om(e,t,n){let r=!1;e.beginPath();for(let o of t)o&&r?e.lineTo(...o):o&&(e.moveTo(o[0]-n/4,o[1]),e.lineTo(...o)),r=o!==null;e.stroke()}function Ui(e,t,n,r){let o=n.width/t.columns,s=Tm(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=B("h1"),r.forEach(({perSecond:a},i)=>{let c=a/s*n.height;e.fillRect(n.x+i*o,n.y+n.height-c,o-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=B(i);let c=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*o,Zt(t,n,p)]};Om(e,r.map(c),o)}vo(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Ei(s*a),n.x+n.width+6,i+(a===1?5:0))}}function Ii({of:{perSecond:e,p50:t,p99:n}}){let r=o=>o===null?"-":_(o);return l`<b>${Ei(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Bi({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var _o=6e10;function rr({from:e,to:t,min:n,max:r}){let o=e%BigInt(_o)===0n&&t%BigInt(_o)===0n,s=i=>oe(i,o?_o:1e9),a=n<=1?`up to ${_(r)}`:`${_(n)} to ${_(r)}`;return`${s(e)} to ${s(t)}, ${a}`}function yo({all:e,kept:t}){return`${v(t)} kept of ${v(e)}`}var Pm=5,Mm=6;function Am({view:{grid:e,unit:t},hover:n,rates:r}){let{place:o}=n,s=Ke(e,o),a=e.cells.get(s),i=r?.[o.column];if(!a&&!i)return null;let[c,u]=rr(Rt(e,o,o)).split(", "),m=a&&`${v(a.all)} ${t}, ${v(a.kept)} kept`,p=i?l`<${Ii} of=${i} /><br />${c}`:l`<b>${u}</b><br />${c}<br />${m}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${yt} at=${n}>${p}<//>`}var Lm={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Nm(e,t,n){let r=e??Lm,o=Math.max(1,t.width/Pm),s=Math.max(1,t.height/Mm);return A(()=>St(r,o,s,n),[r,o,s,n])}function Em({data:e,unit:t,isRate:n,isComparing:r,onPoint:o}){let s=J(null),a=_a(s),i=Mi(a.width,a.height,n),c=Nm(e,i,t==="requests"&&!n?79:null),u=A(()=>n&&e?Ni(e,c):null,[n,e,c]),m={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=Oi(m),{cursor:h,on:w}=Ci(m),g=p??(h&&!Ri(h.from,h.to)?h:null),b=g&&Tt(m,g),y=p?.isBase??r,k={box:!y&&b||Ge("box"),base:y&&b||Ge("base_box"),cells:[n?null:d?.place,h?.to].filter(j=>j!=null)},x=j=>{u?Ui(j,c,i,u):e&&Ai(j,c,i,t),Li(j,c,i,k)},{column:T,row:N}=d?.place??{};ya(s,a,x,[c,u,$.value,r,p,h,T,N]);let W=h&&Tt(m,h);return l`<div class="heatmap">
    <canvas
      ref=${s}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${o}
      onFocus=${o}
      ...${f}
      ...${w}
    ></canvas>
    ${d&&l`<${Am} view=${m} hover=${d} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${W&&`${rr(W)}: ${yo(st(c,W))}`}
    </div>
    ${e&&l`<${Bm} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function Um({most:e,unit:t}){let n=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),r=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((o,s)=>o<(n[s+1]??e+1)&&l` ${r(s)}${v(o)}`)}
    ${e>1&&l` to ${v(e)}`}</span
  >`}var Im=e=>`Counted by chunk: a ${Te(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function qi({data:e,unit:t,box:n,isBase:r}){let o=A(()=>St(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Im(t)}
    onClick=${()=>Qt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${rr(n)}</b>${" "}
    ${yo(st(o,n))} by chunk <i>×</i>
  </button>`}function Bm({data:e,unit:t,most:n,isRate:r}){let o=[n>0&&l`<${Um} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[s,a]=[Ge("box"),Ge("base_box")];return l`<div class="legend">
    ${r?l`<${Bi} unit=${t} />`:o}
    ${s&&l`<${qi} data=${e} unit=${t} box=${s} isBase=${!1} />`}
    ${a&&l`<${qi} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Dm({data:e,unit:t}){let[n,r]=M(!1),o=(a,i)=>{let c=kt([a]),[u,m]=[1,2].map(d=>a.reduce((f,h)=>f+h[d],0)),p=d=>_(ot(c,d));return l`<tr>
      <td>${oe(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${v(u)}</td>
      <td class="n">${v(m)}</td>
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
  </details>`}function qm({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Fi({answer:e,url:t,unit:n,isEither:r,note:o,onPoint:s}){let[a,i]=M(!1),c=$.value.params.get("view")==="rate",u=Ge("box"),{data:m}=e,p=A(()=>m&&l`<${Dm} data=${m} unit=${n} />`,[m,n]),d=(h,w,g)=>l`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${w}
    </button>`,f=l`<${D} of=${m} />
    ${u&&l`<button class="plain" onClick=${()=>bo(u)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${qm} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${U} url=${t} />`;return l`<${O}
    title=${`All ${n}`}
    note=${o}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${Em}
      data=${m}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${s}
    />
    ${p}
  <//>`}var Fm=3;function Hm({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Wt(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${q(["r",e.id])}>${e.instance}</a>, since it started:
        <${Vt} of=${n} />
      </p>`:null}function jm(e,t){return Dt({...e,from:e.from-t,to:e.to+t})}function Wm({grid:e,heatUrl:t,box:n,kept:r,unit:o}){let{data:s}=R(t),a=_(Number(e.step)).replace(/ 0 (s|min)$/,""),i=s?vi(St(s,1/0,1/0),n).slice(0,Fm):[],c=({recording:u,id:m},p)=>l`<a class="link" key=${m} href=${rt(o,u,m)}>${p+1}</a>${" "}`;return l`<${H} title=${`No kept ${Te(o)} began in this box`}>
    <p>
      The heat map has ${v(r)} kept ones here: it counts a ${Te(o)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:jm(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function Hi({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:o}){let s=A(()=>St(e,1/0,1/0),[e]),a=ce($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),c=(g,b)=>Number(n.get(g)??b),u=a??{...go(s),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:m,kept:p}=st(s,u),d=We(n),f=Te(d),h=r[0];if(r.length===0)return l`<${He} />`;let w=(g,b)=>l`<${H} title=${g}>${b}<//>`;return o?w(`No kept ${f} is like this`,"Take a condition away to see more."):m===0&&a?w(`No ${f} is in this box`,"Choose a coloured cell."):m===0&&i?w(`No ${f} is like this`,"Take a condition away, or look at a longer time."):m===0?w(`No ${d} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?l`<${Wm}
      grid=${s}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${H} title=${`Nothing is kept of these ${v(m)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&l`<${Hm} of=${h} />`}
  <//>`}var Vm=12,xo={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function ko(e,t){let n=e.get("sort");return xo[t].some(([r])=>r===n)?n:xo[t][0][0]}function Km({start:e,values:t}){let n=o=>String(t[o]??""),r=Object.entries(t).filter(([o,s])=>o.startsWith("attr.")&&s!==null).map(([o,s])=>[o.slice(5),s]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function Gm({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${_(e)}, ${F(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var wo=(e,t)=>new Set(e.map(t)).size>1,zm={contexts:[{name:"blocked",cell:e=>l`<${Gm} of=${e} />`},{name:"events",cell:e=>v(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>v(e.parts),isNumber:!0}]},Xm={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},Jm=e=>e[0]?te(e[0].start):"";function Ym(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],o=wo(e,c=>ge(c.start)),s=c=>l`<span title=${Ne(c.start)}>
      ${o?`${ge(c.start).slice(5)} `:""}${oe(c.start)}
    </span>`,a=(c,u)=>[e.some(m=>m[c]>0),{name:c,title:u,cell:m=>m[c]>0?_(m[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[wo(e,c=>c.type),{name:"type",cell:c=>Q(c.type)}],[wo(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${Jm(e)}`,cell:s},{name:"duration",cell:c=>l`<b>${_(c.duration)}</b>`,isNumber:!0},...zm[n],...i.flatMap(([c,u])=>c?[u]:[]),...r.slice(0,Vm).map(c=>({name:c,cell:u=>Zm(u.attributes[c]),className:"cut"})),Xm[n]]}function Zm(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function Qm({unit:e}){let t=xo[e],n=ko($.value.params,e),r=o=>C({sort:o===t[0][0]?null:o});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([o,s])=>l`<button
          key=${o}
          aria-pressed=${n===o?"true":"false"}
          onClick=${()=>r(o)}
        >
          ${s}
        </button>`)}
  </span>`}function ji({pages:e,url:t,query:n,instances:r,eventsHref:o}){let{answer:s,items:a,more:i}=e,c=a.map(Km),u=We(n),m=l`<${D} of=${s.data} />
    <${Qm} unit=${u} />
    <a href=${o}>events</a>
    <${Se} query=${n} value=${$.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=ce($.value.params.get("box")),d=p&&Ar(p),f=s.data&&`${v(c.length)} of ${v(s.data.matched)}`+(d?`, began ${oe(d.from,1e9)} to ${oe(d.to,1e9)}`:"");return l`<${O}
    title=${`Kept ${u}`}
    note=${f}
    tools=${m}
    answer=${s}
    className="requests"
  >
    ${c.length>0&&l`<${K}
        label=${`Kept ${u}`}
        columns=${Ym(c,r,u)}
        rows=${c}
        rowKey=${h=>h.recording+h.id}
        href=${h=>rt(u,h.recording,h.id,h.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Wi=e=>e===null?"":_(e);function or(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),o=r===null?"":v(Number(r.toPrecision(3)));return l`<span title=${`${v(n.all)} in all`}>${o}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function sr(e){return[{name:"median",cell:t=>Wi(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${Wi(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${Ws} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${Hs} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${v(t.kept)} of ${v(t.all)}`}
          >${t.all>0?F(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var ep=10,tn=["http_route","http.route","route","endpoint"];function tp(e){let t=new Map;for(let{key:o,values:s}of e.flatMap(a=>a.attributes))if(s.length>0&&!uo(o)){let a=t.get(o)??new Set;s.forEach(({value:i})=>a.add(i)),t.set(o,a)}let n=o=>tn.includes(o)?tn.indexOf(o):tn.length,r=o=>t.get(o).size;return[...t.keys()].sort((o,s)=>n(o)-n(s)||r(s)-r(o))}function Vi(e,t,n){let r=e?.types.find(s=>s.type===t);return(n===null?r:r?.values.find(s=>s.value===n))?.spark??[]}function np(e,t,n){return e.flatMap(o=>{let{type:s,requests_in:a,requests_out:i,p50_ns:c,p99_ns:u,top:m}=o,p=o.attributes.find(g=>g.key===t)?.values??[];if(p.length===0){let g=Vi(n,s,null);return[{type:s,value:null,all:a,kept:i,p50_ns:c,p99_ns:u,spark:g,top:m}]}let d=p.map(({value:g,requests_in:b,requests_out:y,...k})=>{let{p50_ns:x,p99_ns:T,top:N}=k,W=Vi(n,s,g);return{type:s,value:g,all:b,kept:y,p50_ns:x,p99_ns:T,spark:W,top:N}}),f=d.reduce((g,b)=>g-b.all,a),h=d.reduce((g,b)=>g-b.kept,i),w={p50_ns:null,p99_ns:null,spark:[],top:null};return f>0?[...d,{type:s,value:null,all:f,kept:h,...w}]:d}).sort((o,s)=>s.all-o.all)}var So=(e,t)=>`${e}=${t}`,Ki=e=>$.value.params.getAll("where").includes(e);function rp(e,t){let n=So(e,t),r=$.value.params.getAll("where").filter(o=>!o.startsWith(So(e,"")));return fe({where:Ki(n)?r:[...r,n]})}function op({of:e,chosen:t,isOfTypes:n}){let{value:r,type:o}=e,s=n&&l` <span class="dim">${o}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${s}`;let a=Ki(So(t,r));return l`<a
      href=${rp(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${s}`}function sp(e,t,n){return[{name:e??"type",cell:r=>l`<${op} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},or(r=>t&&r.all/t),...sr(({value:r,type:o})=>r??o)]}function ap({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Gi({answer:e,url:t,requests:n,query:r,tick:o,seconds:s}){let a=tp(n),i=$.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=r!==null&&n.length>0,m=R(u?S("requests/series",r,{key:c}):null,o),p=np(n,c,m.data),d=c===null||n.length>1,f=l`<${D} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${ap} keys=${a} chosen=${c} />`}
    <${U} url=${t} />`;return l`<${O}
    title="Routes"
    note=${p.length>0?`${v(p.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    ${p.length>0&&l`<${K}
        label="Routes"
        columns=${sp(c,s,d)}
        rows=${p}
        rowKey=${h=>`${h.type} ${h.value}`}
        rowsFirst=${ep}
      />`}
  <//>`}var ip=50,lp=6n*3600000000000n,Ro=60000000000n,Xi=["trace","thread","id"];function cp({from:e,to:t}){let n=tt.value?(e+Ro-1n)/Ro*Ro:e;return{from:n<t?n:e,to:t}}function up(e,t){return e.getAll("where").length-t.getAll("where").length>0||Xi.some(r=>e.has(r))}function mp({t0_ns:e,step_ns:t,columns:n},r){let o=n.map(s=>s.length>0);return _n(BigInt(e),t,o,r)}function pp({data:e,seconds:t,jvms:n,unit:r}){let o=kt(e.columns),s=m=>{let p=ot(o,m);return p===null?"-":_(p)},a=m=>(n?.recordings??[]).reduce((p,d)=>p+m(d),0),i=a(m=>m.bytes_out),c=a(m=>m.bytes_in),u=(m,p,d="")=>l`<span title=${d}><b>${m}</b>${p}</span>`;return l`<div class="facts">
    ${u(`${v(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${v(e.all)}`)}
    ${n&&u(v(n.recordings.length),"JVMs","that ran in this time")}
    ${u(s(.5),"median")} ${u(s(.99),"p99")}
    ${u(e.all>0?F(e.kept/e.all):"-",`kept, ${v(e.kept)}`)}
    ${c>0&&u(`${le(i)} of ${le(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function fp(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return fe({value:n?e:null,frame:t!==null?Hn(t):n?null:Hn(r),zoom:null})}function dp({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:o}){let{params:s}=$.value,a=Kt(ht($.value,X.value),n),i=Kt(Ps($.value,X.value),n),c=s.has("box")&&tt.value?0:L.value,u=["box","where","min_duration_ns","max_duration_ns",...Xi].some(T=>s.has(T)),p=i.has("base")||s.has("base_box")||!u?i:Z(i,{base:"rest"}),d=s.has("base_box")?"other box":"rest",f=S(n,Kt(a,"contexts"),{sort:ko(s,n)}),h=kn(f,ip,c),w=R(Wn(i),c),{data:g}=h.answer;if(g?.matched===0&&!g.is_truncated&&e.data)return l`<section>
      <${Hi}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${o}
      />
    </section>`;let b=new Map(r.map(T=>[T.id,T.instance])),k={service:a.get("service"),sort:null,view:null,unit:null,key:null},x=s.has("box")&&n==="contexts"?ae(me("e"),Z(a,{zone:s.get("zone")})):ae(me("e"),Z(s,{...k,box:null,base_box:null}));return l`<div class="one-and-two">
      <${zn} query=${p} against=${d} tick=${c} hrefOf=${fp} />
      <${pi} query=${p} tick=${c} against=${`the ${d}`} />
      <${Va} url=${Wn(i)} answer=${w} />
    </div>
    <${Ve} query=${i} tick=${c} whole=${w} />
    <${ji}
      pages=${h}
      url=${f}
      query=${a}
      instances=${b}
      eventsHref=${x}
    />`}function hp(e,t){return[e&&e.unknown>0&&`${v(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function zi(e,t,n){let r=h=>S("contexts/heatmap",e,{fine:"1",...h}),o=r({}),s=n&&t&&!e.has("where"),a=R(s?o:null,L.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,L.value),u=a.data?a:c,{data:m}=u,p=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,d=r({where:null}),f=R(p?d:null,L.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:u,heatUrl:o,isOfAll:!1}}function gp(e,t){let n=$a($.value.params),r=n!=="contexts",o=zi(Kt(e,"requests"),t,r),{data:s}=o.heat,a=s!==null&&s.all===0&&s.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=zi(e,t,i);return i?{...c,unit:"contexts"}:{...o,unit:"requests"}}function bp(e){let[t,n]=M(!1);return ve(()=>{e&&n(!0)},[e]),t}function Ji(){let{params:e}=$.value,{from:t,to:n}=X.value,r=cp(X.value),o=Ms($.value,r),[s,a]=M(!1),{heat:i,heatUrl:c,isOfAll:u,unit:m}=gp(o,s),p=bp(i.data!==null||i.problem!==null),d=Z(o,{where:null,context:null}),f=S("contexts/types",d),h=R(m==="requests"||p?f:null,L.value),w=h.data?.requests??[],g=i.data&&mp(i.data,r),b=Z(d,{recording:null}),y=R(p?S("recordings",b):null,L.value),k=y.data?.recordings??[],x=u||up(e,o),T=n-t<=lp||e.get("whole")==="1"||ce(e.get("box"))!==null||e.has("trace"),N=dt($.value),W=[{name:"services",href:q([])},{name:N===null?"all":we(N)}],j=i.data?.all===0&&y.data!==null&&k.length===0;return l`<${ne} crumbs=${W}>
    ${i.data?l`<${pp} data=${i.data} seconds=${g} jvms=${y.data} unit=${m} />`:i.isLoading&&l`<div class="facts"><${Br} lines=${2} /></div>`}
    <${hi}
      types=${h.data?.types??[]}
      instances=${[...new Set(k.map(Ee=>Ee.instance))]}
    />
    ${m==="requests"&&l`<${Gi}
        answer=${h}
        url=${f}
        requests=${w}
        query=${p?d:null}
        tick=${L.value}
        seconds=${g}
      />`}
    ${!j&&l`<${Fi}
        answer=${i}
        url=${c}
        unit=${m}
        isEither=${w.length>0}
        note=${hp(i.data,x)}
        onPoint=${()=>a(!0)}
      />`}
    ${p&&T&&l`<${dp}
        key=${m}
        heat=${i}
        heatUrl=${c}
        unit=${m}
        recordings=${k}
        isNarrowed=${x}
      />`}
    ${p&&!T&&l`<section>
        <${H} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function $p(e,t){return[{name:"service",cell:r=>l`<b>${we(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>v(r.jvms),isNumber:!0,sort:r=>r.jvms},or(({all:r,spark:o})=>{let s=o.map(i=>i!==null),a=e?_n(BigInt(e.t0_ns),e.step_ns,s,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${v(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...sr(({service:r})=>r)]}function Yi(){let{from:e,to:t}=X.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),o=R(r,L.value),s=(o.data?.services??[]).map(va),a=l`<${K}
    label="Services"
    columns=${$p(o.data,X.value)}
    rows=${s}
    rowKey=${u=>u.service}
    href=${u=>q(["s",u.service])}
  />`,i=o.data!==null&&s.length===0,c=l`<${D} of=${o.data} /><${U} url=${r} />`;return l`<${ne}>
    <${O}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${o}
    >
      ${s.length>0&&a} ${i&&l`<${He} />`}
    <//>
  <//>`}function vp({columns:e,rows:t,recordings:n},r){let o=(s,a)=>s[e.indexOf(a)]??null;return t.map(s=>{let a=String(o(s,"recording")),i=e.flatMap((c,u)=>c.startsWith("attr.")&&s[u]!==null&&s[u]!==r?[`${c.slice(5)}=${s[u]}`]:[]);return{recording:a,id:String(o(s,"id")),type:String(o(s,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(o(s,"thread")??""),start:Number(o(s,"start")),duration:Number(o(s,"duration")),blocked:Number(o(s,"blocked")),attributes:i.join(" ")}})}function _p({rows:e,first:t}){let n=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),r=o=>`${100*o/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                ${Q(o.type)} <small class="dim">${o.attributes}</small>
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
  </div>`}var yp=e=>e===null?"":Ne(BigInt(e));function Zi({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${yp(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function wp({of:e}){return e.state==="eliminated"?l`<${H} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Zi} of=${e} />
      <//>`:l`<${H} title="Not seen">
        No context of this trace is known here. <${Zi} of=${e} />
      <//>`}function Qi(){let e=$.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,L.value),{data:r}=n,o=r?vp(r,e):[],s=BigInt(r?.t0_ns??"0"),a=xp(e,s,o),i=new Set(o.map(p=>p.service)).size,c=new Set(o.map(p=>p.recording)).size,u=l`<${D} of=${r} /><${On} trace=${e} />
    ${o.length>0&&l`<${Se} query=${a} />`} <${U} url=${t} />`,m=o.length>0&&`${de(o.length,"context")} kept, ${de(i,"service")}, ${de(c,"JVM")}, from ${Ne(s)}`;return l`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${O} title="Trace" note=${m} tools=${u} answer=${n}>
      ${o.length>0&&l`<${_p} rows=${o} first=${s} />`}
      ${r&&o.length===0&&l`<${wp} of=${r} />`}
    <//>
    ${o.length>0&&l`<${zn} query=${a} tick=${L.value} />
        <${Ve} query=${a} tick=${L.value} />`}
  <//>`}function xp(e,t,n){let r=n.reduce((s,a)=>Math.max(s,a.start),0),o=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(o)})}var el=300000000000n,kp=100,Ot=({t0_ns:e})=>BigInt(e),Sp={parts:"something happened in its contexts",event:"something happened in it",slow:"it was slow",slowest:"it was among the slowest of its route",rare:"its route is rare",condition:"its attributes",open:"it was open when a chunk ended"};function tl(e){let t=new URLSearchParams({unit:"requests",recording:e.recording});return t.set("request",e.id),t.set("from",String(Ot(e))),t.set("to",String(Ot(e)+1n)),t}function nl(e,t){return e.set("from",String(t-el)),e.set("to",String(t+el)),e}function Rp(e,t){let n=new URLSearchParams({unit:"requests",service:t,context:e.type}),r=tn.find(o=>typeof e.attributes[o]=="string");return r!==void 0&&n.set("where",`${r}=${e.attributes[r]}`),nl(n,Ot(e))}function Tp(e){let t=tl(e);return $.value.params.get("base")==="rest"?(t.set("base","rest"),t.set("context",e.type),nl(t,Ot(e))):t}function Op({request:e,jvm:t}){let{busy:n,queued:r,elsewhere:o,part_count:s,threads:a,state:i}=e,u=[[n,"threads worked for it"],[r,"queued"],[o,"elsewhere"]].filter(([m])=>m>0).map(([m,p])=>`${p} ${_(m)}`);return l`<dl class="kv">
    <${Xn} of=${e.attributes} />
    <${Jn} at=${Ot(e)} />
    <dt>time</dt>
    <dd>
      ${u.join(", ")}${i==="over"?"":l` <span class="missing">${i}</span>`}
    </dd>
    <dt>parts</dt>
    <dd>${de(s,"context")} on ${de(a.length,"thread")}</dd>
    <dt>kept</dt>
    <dd>${Sp[e.kept_by]??e.kept_by}</dd>
    <${Yn} recording=${e.recording} jvm=${t} />
  </dl>`}function Cp({request:e,jvm:t}){let n=t&&S("why",Rp(e,t.service)),r=R(n,L.value).data,o=r!==null&&r.requests>1;return l`<${O}
    title=${`Why ${_(e.duration)}`}
    note=${o?`beside ${v(r.requests)} like it`:""}
    className="why-panel"
  >
    <${Jt} of=${e.why} base=${o?r:null} against="like it" />
  <//>`}function Pp({of:e}){return l`<${O} title="Hand-overs" note=${v(e.length)}>
    <${K}
      label="Hand-overs"
      rows=${e}
      rowsMax=${kp}
      rowKey=${t=>`${t.from} ${t.to} ${t.start} ${t.duration}`}
      columns=${[{name:"after",cell:t=>"+"+_(t.start)},{name:"from",cell:t=>t.from,className:"name"},{name:"to",cell:t=>t.to,className:"name"},{name:"waited",title:"until a thread took the task",cell:t=>l`<b>${_(t.duration)}</b>`,isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Mp({request:e,jvm:t}){let n=Ot(e),r=ii(e),o=A(()=>ti(e),[e]),s=A(()=>Yt(e),[e]),a=(i,{id:c,start:u})=>c===null?null:Le(i.recording,c,n+BigInt(Math.round(u)));return l`<${O}
      title="On one axis"
      note="its threads, arrows for tasks that were handed over, who held it up, what stopped the JVM, and its trace; drag to zoom"
    >
      <${Gn}
        label="Threads on one axis"
        lanes=${r}
        arrows=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${pe}
      />
    <//>
    ${e.hand_overs.length>0&&l`<${Pp} of=${e.hand_overs} />`}
    <${Ve} query=${Tp(e)} tick=${L.value} />
    <${O} title="Events" note=${v(s.length)}>
      ${s.length>0?l`<${vt}
              items=${s}
              since=${n}
              service=${t?.service??null}
              label="Events of the request"
            />`:l`<${H} title="No events are kept of it" />`}
    <//>`}function rl(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=t.get("at"),s=["requests",n,r].map(encodeURIComponent).join("/"),a=S(s,new URLSearchParams,{from:o}),i=R(a,L.value),c=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=i.data,m=u?`${Q(u.type)}, ${_(u.duration)}`:r,p=l`<${D} of=${u} />
    ${u&&l`<${Se} query=${tl(u)} />`} <${U} url=${a} />`;return l`<${ne} crumbs=${Zn(c,m)}>
    ${u?l`<div class="two">
              <${O}
                title=${Q(u.type)}
                note=${_(u.duration)}
                tools=${p}
                answer=${i}
              >
                <${Op} request=${u} jvm=${c} />
              <//>
              <${Cp} request=${u} jvm=${c} />
            </div>
            <${Mp} request=${u} jvm=${c} />`:l`<${O} title="Request" note=${r} tools=${p} answer=${i} />`}
  <//>`}function Ap([e]){switch(e){case void 0:return Yi;case"c":return ui;case"e":return fa;case"q":return rl;case"r":return ba;case"s":return Ji;case"t":return Qi;default:return ha}}var Lp={s:"all services",e:"events",r:"recordings"};function Np(){let{path:e}=$.value;return ie.value===null?null:ie.value.is_needed&&ie.value.identity===null?l`<${da} />`:l`<${Ap(e)} key=${e.join("/")} /> <${Is} />`}as();Ss();Ts();_s();gs();Us();_e(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?Lp[t??""]??t:we(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});Bo(l`<${Np} />`,document.body);})();
