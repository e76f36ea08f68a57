"use strict";(()=>{var E,Yr,Un,Me,Ln,Wt,Zr,Ht,Qr,In,Nn,ri,wt=Symbol.for("pv"),Vt={},Kt=[],oi=/^m(i|n|o|s|text|space)$/,Dn=Array.isArray,Bn=Kt.slice,je=Object.assign;function He(e){e&&e.parentNode&&e.remove()}function Gt(e,t,n){var r,s,o,a={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:a[o]=t[o];return i>2&&(a.children=i>3?Bn.call(arguments,2):n),yt(e,a,r,s,null)}function yt(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:wt,__v:s||++Yr,__i:-1,__u:0};return!s&&E.vnode&&E.vnode(o),o}function We(e){return e.children}function Ze(e,t){this.props=e,this.context=t,this.__g=0}function Ae(e,t){if(t==null)return e.__&&Ae(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Ae(e)}function si(e){var t,n=e.__v,r=n.__e,s=[],o=[],a=e.__P;a&&((t=je({constructor:wt},n)).__v=n.__v+1,E.vnode&&E.vnode(t),qn(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,s,r||Ae(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,so(s,t,o),n.__=n.__e=null,t.__e!=r&&eo(t))}function eo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),eo(e)}function zr(e){(8&e.__g||(e.__g|=8,Me.push(e),Wt++))&&Ln==E.debounceRendering||((Ln=E.debounceRendering)||queueMicrotask)(to)}function to(){try{for(var e,t=1;Me.length;)Me.length>t&&Me.sort(Zr),e=Me.shift(),t=Me.length,8&e.__g&&si(e)}finally{(Wt=Me.length)&&(Ln||queueMicrotask)(to)}}function no(e,t,n,r,s,o,a,i,l,u,m){var p,f,d,h,b,g,_=r.__k||Kt,y=t.length;for(l=ai(n,t,_,l,y),p=0;p<y;p++)(d=n.__k[p])!=null&&(f=~d.__i&&_[d.__i]||Vt,d.__i=p,g=qn(e,d,f,s,o,a,i,l,u,m),h=d.__e,(f.ref!=d.ref||8&f.__u)&&(f.ref&&Fn(f.ref,null,d,f),d.ref&&m.push(d.ref,d.__c||h,d)),b=b||h,4&d.__u?(l=ro(d,l,e,!f.__v),f.__e&&(f.__e=null)):typeof d.type=="function"&&g!==void 0?l=g:h&&(l=h.nextSibling),d.__u&=-21);return n.__e=b,l}function ai(e,t,n,r,s){var o,a,i,l,u,m,p,f,d,h=n.length,b=h,g=0,_=0,y=e.__k=Array(s);for(o=0;o<s;o++)(a=t[o])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[o]=yt(null,a):Dn(a)?a=y[o]=yt(We,{children:a}):a.constructor===wt&&a.__b?a=y[o]=yt(a.type,a.props,a.key,a.ref,a.__v):y[o]=a,l=o+g,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=ii(a,n,l,b))&&(b--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==l-1?g--:u==l+1?g++:u!=l&&(u>l?g--:g++,_=1)):(~u||(s>h?g--:s<h&&g++),typeof a.type!="function"&&(a.__u|=4))):y[o]=null;if(_){for(m=[],p=[],o=0;o<s;o++)if((a=y[o])&&16&a.__u){for(g=0,f=m.length;g<f;)m[d=g+f>>1]<a.__i?g=d+1:f=d;m[g]=a.__i,p[o]=g+1}for(g=m.length;o--;)p[o]&&(p[o]==g?g--:y[o].__u|=4)}if(b)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Ae(i)),Hn(i,i));return r}function ro(e,t,n,r){var s,o,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=ro(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Ae(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ii(e,t,n,r){var s,o=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&o==null||l&&o==i.key&&a==i.type)return n;if(r>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&a==i.type)return s}return-1}function Jr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ft(e,t,n,r,s){var o,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Jr(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Jr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Nn[t]||(Nn[t]=li(t)),(e.__a||(e.__a={}))[t]=In,o=t!=(t=t.replace(Qr,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,o):e.removeEventListener(t,a,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function li(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ht]==null)t[Ht]=In++;else if(t[Ht]<this.__a[e])return;return n(E.event?E.event(t):t)}}}function qn(e,t,n,r,s,o,a,i,l,u){var m,p,f,d,h,b,g,_,y,S,x,M,L,X,j,Pe,T,D,J=t.type;if(t.constructor!==wt)return null;128&n.__u&&(l=32&n.__u,m=n.__c.__z)&&(t.__u|=l,p=o=[],m.nodeType==8?i=jt(m,o):o.push(m),i=o[0]||i),(m=E.__b)&&m(t);e:if(typeof J=="function"){f=a.length;try{if(_=t.props,y=(m=J.prototype)&&m.render,S=(m=J.contextType)&&r[m.__c],x=m?S?S.props.value:m.__:r,(d=n.__c)?(t.__c=d,2&d.__g&&(d.__g|=1)):(y?t.__c=d=new J(_,x):(t.__c=d=new Ze(_,x),d.constructor=J,d.render=ui),S&&S.sub(d),d.state||(d.state={}),d.__n=r,d.__g|=8,d.__h=[],d.__k=[]),y&&(d.__s||(d.__s=d.state),J.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=je({},d.__s)),je(d.__s,J.getDerivedStateFromProps(_,d.__s)))),h=d.props,b=d.state,d.__v=t,n.__c){if(_!==h&&y&&!J.getDerivedStateFromProps&&d.componentWillReceiveProps&&d.componentWillReceiveProps(_,x),t.__v==n.__v&&!(8&d.__g)||!(4&d.__g)&&d.shouldComponentUpdate&&d.shouldComponentUpdate(_,d.__s,x)===!1){t.__v!=n.__v&&(d.props=_,d.state=d.__s,d.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(V){V&&(V.__=t)}),Kt.push.apply(d.__h,d.__k),d.__k=[],d.__h.length&&a.push(d),i=Ae(n);break e}d.componentWillUpdate&&d.componentWillUpdate(_,d.__s,x),y&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(h,b,g)})}else y&&!J.getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),y&&d.componentDidMount&&d.__h.push(d.componentDidMount);d.context=x,d.props=_,d.__P=e,d.__g&=-5,M=E.__r,L=y?25:0;do d.__g&=-9,M&&M(t),m=d.render(d.props,d.state=d.__s,d.context);while(8&d.__g&&++L<25);y&&(Kt.push.apply(d.__h,d.__k),d.__k=[]),d.state=d.__s,d.getChildContext&&(r=je({},r,d.getChildContext())),y&&n.__c&&d.getSnapshotBeforeUpdate&&(g=d.getSnapshotBeforeUpdate(h,b)),X=m&&m.type===We&&m.key==null?m.props.children:m,_.__P&&(m=i,s=(e=_.__P).namespaceURI,l=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(V){V&&Hn(V,V)}),n.__k=null),i=n.__k?Ae(n,0):null),i=no(e,Dn(X)?X:[X],t,n,r,s,o,a,i,l,u),_.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(He),d.__h.length&&a.push(d),1&d.__g&&(d.__g&=-4)}catch(V){if(a.length=f,t.__v=null,l||o)if(V&&V.then){if(t.__u|=128|l,o){for(~(T=o.indexOf(i||void 0))||(T=o.length);(D=o[T-1])&&D.nodeType==8;)T--;for(;T<o.length;T++)if(D=o[T])if(o[T]=null,j){if(D==Pe)break}else{if(D.nodeType!=8)break;D.data.startsWith("$s")&&(Pe=jt(j=D))}}if(!j){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;j=i}(m=jt(j=t.__c.__z||(t.__c.__z=j)))?(t.__e=j,i=m):t.__e=i,i=i&&i.nextSibling}else o&&o.some(He);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),V&&V.then||oo(t),E.__e(V,t,n)}}else i=t.__e=ci(n.__e,t,n,r,s,o,a,l,u,e);return(m=E.diffed)&&m(t),i}function jt(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function oo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(oo))}function so(e,t,n){for(var r=0;r<n.length;)Fn(n[r++],n[r++],n[r++]);E.__c&&E.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){E.__e(o,s.__v)}})}function ci(e,t,n,r,s,o,a,i,l,u){var m,p,f,d,h,b,g,_,y=n.props||Vt,S=t.props,x=t.type;if(x=="svg"?s="http://www.w3.org/2000/svg":x=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(m=0;m<o.length;m++)if((h=o[m])&&(x?h.localName==x:h.nodeType==3)){e=h,o[m]=null;break}}if(!e){if(_=u.ownerDocument||document,!x)return _.createTextNode(S);e=_.createElementNS(s,x,S.is?S:u),i&&(E.__m&&E.__m(t,o),i=!1),o=null}if(x){if(u=x=="template"&&e.content||e,o=x=="textarea"&&S.defaultValue!=null?null:o&&Bn.call(u.childNodes),!i&&o)for(y={},m=0;m<e.attributes.length;m++)y[(h=e.attributes[m]).name]=h.value;for(m in y)h=y[m],m=="dangerouslySetInnerHTML"?f=h:m=="children"||m in S||m=="value"&&"defaultValue"in S||m=="checked"&&"defaultChecked"in S||Ft(e,m,null,h,s);for(m in S)h=S[m],m=="children"?d=h:m=="dangerouslySetInnerHTML"?p=h:m=="value"?b=h:m=="checked"?g=h:i&&typeof h!="function"||y[m]===h||Ft(e,m,h,y[m],s);p?(i||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(f&&(e.textContent=""),(x=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&oi.test(x))&&(s="http://www.w3.org/1999/xhtml"),no(u,Dn(d)?d:[d],t,n,r,s,o,a,o?o[0]:n.__k&&Ae(n,0),i,l),o&&o.some(He)),i&&x!="textarea"||(m="value",x=="progress"&&b==null?e.removeAttribute(m):b==null||b===e[m]&&(x!="progress"||b)||Ft(e,m,b,y[m],s),m="checked",g!=null&&g!=e[m]&&Ft(e,m,g,y[m],s))}else y===S||i&&e.data==S||(e.data=S);return e}function Fn(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){E.__e(s,n)}}function Hn(e,t,n){var r,s,o,a;if(E.unmount&&E.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Fn(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){E.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Hn(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=jt(r,o=[]))&&(r==e.__e&&o.some(He),He(s),He(r)),n||He(e.__e),e.__e=e.__c=e.__=null}function ui(e,t,n){return this.constructor(e,n)}function ao(e,t){var n,r,s,o;E.__&&E.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=yt(We,{children:[e]}),s=[],o=[],qn(t,t.__k,r||Vt,Vt,t.namespaceURI,r?null:t.firstChild?Bn.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),so(s,t.__k,o),t.__k.props.children=null}E={__e:function(e,t,n,r){for(var s,o,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Wt=0,e}},Yr=0,Un=function(e){return e!=null&&e.constructor===wt},Ze.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=je({},this.state)),typeof e=="function"&&(e=e(je({},n),this.props)),e&&(je(n,e),this.__v&&(t&&this.__k.push(t),zr(this)))},Ze.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),zr(this))},Ze.prototype.render=We,Me=[],Wt=0,Zr=function(e,t){return e.__v.__b-t.__v.__b},Ht=Symbol(),Qr=/(PointerCapture)$|Capture$/i,In=0,Nn={},ri=0;var Qe,z,jn,io,Wn=Object.is,kt=0,bo=[],Vn=[],G=E,lo=G.__b,co=G.__r,uo=G.diffed,mo=G.__c,po=G.unmount,fo=G.__;function Xt(e,t){G.__h&&G.__h(z,e,kt||t),kt=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function O(e){return kt=1,mi($o,e)}function mi(e,t,n){var r=Xt(Qe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):$o(void 0,t),function(o){var a=(r.__N||r.__)[0],i=r.t(a,o);Wn(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=z,!z.__f)){z.__f=!0;var s=z.shouldComponentUpdate;z.shouldComponentUpdate=function(o,a,i){var l=this.__H;if(!l)return!0;var u=!1,m=this.props!=o;if(l.__.some(function(f){f.__N&&(u=!0,Wn(f.__[0],f.__N[0])||(m=!0))}),s){var p=s.call(this,o,a,i);return u?p||m:p}return!u||m}}return r.__}function ce(e,t){var n=Xt(Qe++,3);!G.__s&&Gn(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function Ve(e,t){var n=Xt(Qe++,4);!G.__s&&Gn(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function ne(e){return kt=5,A(function(){return{current:e}},[])}function A(e,t){var n=Xt(Qe++,7);return Gn(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function zt(e,t){return kt=8,A(function(){return e},t)}function pi(){var e;do{for(;e=Vn.shift();)try{xt(e)}catch(n){G.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=bo.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(xt),t.__h.some(Kn),t.__h=[]}catch(n){t.__h=[],G.__e(n,e.__v)}}}while(Vn.length)}G.__b=function(e){z=null,lo&&lo(e)},G.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),fo&&fo(e,t)},G.__r=function(e){co&&co(e),Qe=0;var t=(z=e.__c).__H;t&&(jn==z?z.__h=[]:(t.__h.some(xt),t.__h.some(Kn),Qe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),jn=z},G.diffed=function(e){uo&&uo(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&go(bo.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),jn=z=null},G.__c=function(e,t){t.some(function(n){try{n.__h.some(xt),n.__h=n.__h.filter(function(r){return!r.__||Kn(r)})}catch(r){n.__h=[function(){throw r}]}}),mo&&mo(e,t)},G.unmount=function(e){po&&po(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,go(Vn.push(s))}else xt(s)}catch(o){t=o}}),r.__H=void 0,t&&G.__e(t,r.__v))};var ho=typeof requestAnimationFrame=="function";function fi(e){var t,n=function(){clearTimeout(r),ho&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ho&&(t=requestAnimationFrame(n))}function go(e){e!=1&&io==G.requestAnimationFrame||((io=G.requestAnimationFrame)||fi)(pi)}function xt(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function Kn(e){var t=z;e.__c=e.__(),z=t}function Gn(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Wn(n,e[r])})}function $o(e,t){return typeof t=="function"?t(e):t}var di=Symbol.for("preact-signals");function Qt(){if(Se>1)Se--;else{var e,t=!1;for((function(){var s=Yt;for(Yt=void 0;s!==void 0;){var o=s.S;if(o.v===s.v)for(var a=o.t;a!==void 0;a=a.x)a.i===s.i&&(a.i=o.i);s=s.o}})();Rt!==void 0;){var n=Rt;for(Rt=void 0,Jt++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&_o(n))try{n.c()}catch(s){t||(e=s,t=!0)}n=r}}if(Jt=0,Se--,t)throw e}}function zn(e){if(Se>0)return e();Xn=++hi,Se++;try{return e()}finally{Qt()}}var St,W=void 0;function Tt(e){var t=W,n=St;W=void 0,St=void 0;try{return e()}finally{W=t,St=n}}var Rt=void 0,Se=0,Jt=0,hi=0,Xn=0,Yt=void 0,Zt=0;function vo(e){if(W!==void 0){var t=e.n;if(t===void 0||t.t!==W)return t={i:0,S:e,p:W.s,n:void 0,t:W,e:void 0,x:void 0,r:t},W.s!==void 0&&(W.s.n=t),W.s=t,e.n=t,32&W.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=W.s,t.n=void 0,W.s.n=t,W.s=t),t}}function Y(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Y.prototype.brand=di;Y.prototype.h=function(){return!0};Y.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Tt(function(){var r;(r=t.W)==null||r.call(t)}))};Y.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Tt(function(){var s;(s=t.Z)==null||s.call(t)}))}};Y.prototype.subscribe=function(e){var t=this;return be(function(){var n=t.value;Tt(function(){return e(n)})},{name:"sub"})};Y.prototype.valueOf=function(){return this.value};Y.prototype.toString=function(){return this.value+""};Y.prototype.toJSON=function(){return this.value};Y.prototype.peek=function(){var e=this;return Tt(function(){return e.value})};Object.defineProperty(Y.prototype,"value",{get:function(){var e=vo(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Jt>100)throw new Error("Cycle detected");(function(n){Se!==0&&Jt===0&&n.l!==Xn&&(n.l=Xn,Yt={S:n,v:n.v,i:n.i,o:Yt})})(this),this.v=e,this.i++,Zt++,Se++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Qt()}}}});function se(e,t){return new Y(e,t)}function _o(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function yo(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function wo(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function Ke(e,t){Y.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Zt-1,this.f=4}Ke.prototype=new Y;Ke.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Zt))return!0;if(this.g=Zt,this.f|=1,this.i>0&&!_o(this))return this.f&=-2,!0;var e=W;try{yo(this),W=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return W=e,wo(this),this.f&=-2,!0};Ke.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Y.prototype.S.call(this,e)};Ke.prototype.U=function(e){if(this.t!==void 0&&(Y.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Ke.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Ke.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=vo(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Ee(e,t){return new Ke(e,t)}function xo(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Se++;var n=W;W=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Jn(e),r}finally{W=n,Qt()}}}function Jn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,xo(e)}function gi(e){if(W!==this)throw new Error("Out-of-order effect");wo(this),W=e,this.f&=-2;try{8&this.f&&Jn(this)}finally{Qt()}}function et(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,St&&St.push(this)}et.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};et.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,xo(this),yo(this),Se++;var e=W;return W=this,gi.bind(this,e)};et.prototype.N=function(){2&this.f||(this.f|=2,this.u=Rt,Rt=this)};et.prototype.d=function(){this.f|=8,1&this.f||Jn(this)};et.prototype.dispose=function(){this.d()};function be(e,t){var n=new et(e,t);try{n.c()}catch(s){throw n.d(),s}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var ko,tn,en,bi=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var So=[];be(function(){ko=this.N})();function tt(e,t){E[e]=t.bind(null,E[e]||function(){})}function Ot(e){if(en){var t=en;en=void 0,t()}en=e&&e.S()}function Ro(e){var t=this,n=e.data,r=vi(n);r.name="ReactiveDom",r.value=n;var s=A(function(){for(var i=t,l=t.__v;l=l.__;)if(l.__c){l.__c.__$f|=4;break}var u=Ee(function(){var d=r.value.value;return d===0?0:d===!0?"":d||""}),m=Ee(function(){return!Array.isArray(u.value)&&!Un(u.value)}),p=be(function(){if(this.N=To,m.value){var d=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=d)}}),f=t.__$u.d;return t.__$u.d=function(){p(),f.call(this)},[m,u]},[]),o=s[0],a=s[1];return o.value?a.peek():a.value}Ro.displayName="ReactiveTextNode";Object.defineProperties(Y.prototype,{constructor:{configurable:!0,value:Gt(We,null).constructor},type:{configurable:!0,value:Ro},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});tt("__b",function(e,t){if(Ot(),tn=void 0,typeof t.type=="string"){var n,r=t.props;for(var s in r)if(s!=="children"){var o=r[s];o instanceof Y&&(n||(t.__np=n={}),n[s]=o,r[s]=o.peek())}}e(t)});tt("__r",function(e,t){if(e(t),t.type!==We){Ot();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(s,o){var a;return be(function(){a=this},{name:o}),a.c=s,a})((function(s){return function(){var o;bi&&((o=this.y)==null||o.call(this)),s.__$f|=1,s.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),tn=r,Ot(n)}});tt("__e",function(e,t,n,r){Ot(),tn=void 0,e(t,n,r)});tt("diffed",function(e,t){Ot(),tn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,s=t.props,o=n.U;if(o)for(var a in o){var i=o[a];i===void 0||r&&a in r||(i.d(),o[a]=void 0)}if(r){o||(o={},n.U=o);for(var l in r){var u=o[l],m=r[l];u===void 0?(u=$i(n,l,m,s),o[l]=u):u.o(m,s)}}}e(t)});function $i(e,t,n,r){var s=t in e&&e.ownerSVGElement===void 0,o=se(n);return{o:function(a,i){o.value=a,r=i},d:be(function(){this.N=To;var a=o.value.value;r[t]!==a&&(r[t]=a,s?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}tt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var s in r){var o=r[s];o&&o.d()}}}var a=t.__np;if(a){var i=t.props;for(var l in a)i[l]=a[l]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});tt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});Ze.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var s in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function vi(e,t){return A(function(){return se(e,t)},[])}var _i=function(e){queueMicrotask(function(){queueMicrotask(e)})};function yi(){zn(function(){for(var e;e=So.shift();)ko.call(e)})}function To(){So.push(this)===1&&(E.requestAnimationFrame||_i)(yi)}function wi(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var Oo=globalThis.document?.currentScript,$e=Oo?wi(Oo.src):"";function Yn(e,t=$e){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var xi=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function ki(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function Si(e){return Yn(e).split("/").filter(t=>t!=="").map(ki)}function Zn(){return{path:Si(location.pathname),params:new URLSearchParams(location.search)}}var $=se({path:[],params:new URLSearchParams});function ve(...e){return $e+"/"+e.map(xi).join("/")}function Z(e,t){let n=new URLSearchParams(e);for(let[r,s]of Object.entries(t)){n.delete(r);for(let o of s===null?[]:typeof s=="string"?[s]:s)n.append(r,o)}return n}function ie(e,t){let n=t.toString();return n===""?e:e+"?"+n}function pe(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Zn()}function C(e,t=!1){pe(ie(location.pathname,Z($.value.params,e)),t)}function ye(e){return ie(ve(...$.value.path),Z($.value.params,e))}function Ri(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function B(e,t={}){return ie(ve(...e),Z(Ri($.value.params),t))}function Ti(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let s=(t.pathname+"/").startsWith($e+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(Yn(t.pathname));t.origin===location.origin&&s&&(e.preventDefault(),pe(t.pathname+t.search),scrollTo(0,0))}function Co(){addEventListener("popstate",()=>$.value=Zn()),addEventListener("click",Ti),$.value=Zn()}function Pt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function w(e){if(e<0)return"-"+w(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[s,o]of t){let a=e/o;if(a<(s==="s"?99.5:999.5))return(s==="ns"?String(Math.round(a)):Pt(a))+" "+s}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var Oi={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Po(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*Oi[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function ue(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Pt(t))+" "+n;t/=1e3}return Pt(t)+" TB"}function v(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Pt(e/1e6)+" M":Pt(e/1e9)+" G"}function Re(e,t){return`${v(e)} ${t}${e===1?"":"s"}`}function q(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function fe(e,t){return t==="ns"?w(e):t==="bytes"?ue(e):v(e)}var Ct=e=>String(e).padStart(2,"0");function Q(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${Ct(n.getHours())}:${Ct(n.getMinutes())}`;if(t>=6e10)return r;let s=`${r}:${Ct(n.getSeconds())}`;return t>=1e9?s:`${s}.${String(n.getMilliseconds()).padStart(3,"0")}`}function Te(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${Ct(t.getMonth()+1)}-${Ct(t.getDate())}`}function de(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function _e(e){return e||"(no name)"}function re(e){return e.slice(e.lastIndexOf(".")+1)}function Le(e){return e.split(".").slice(-2).join(".")}var Ao=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var a=t[o++],i=t[o]?(t[0]|=a?1:2,n[t[o++]]):t[++o];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++o]]=i:a===6?r[1][t[++o]]+=i+"":a?(s=e.apply(i,Ao(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},Mo=new Map;function Eo(e){var t=Mo.get(this);return t||(t=new Map,Mo.set(this,t)),(t=Ao(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,a="",i="",l=[0],u=function(f){o===1&&(f||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,f,a):o===3&&(f||a)?(l.push(3,f,a),o=2):o===2&&a==="..."&&f?l.push(4,f,0):o===2&&a&&!f?l.push(5,0,!0,a):o>=5&&((a||!f&&o===5)&&(l.push(o,0,a,s),o=6),f&&(l.push(o,f,0,s),o=6)),a=""},m=0;m<n.length;m++){m&&(o===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],o===1?r==="<"?(u(),l=[l],o=3):a+=r:o===4?a==="--"&&r===">"?(o=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),o=1):o&&(r==="="?(o=5,s=a,a=""):r==="/"&&(o<5||n[m][p+1]===">")?(u(),o===3&&(l=l[0]),o=l,(l=l[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),o=2):a+=r),o===3&&a==="!--"&&(o=4,l=l[0])}return u(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=Eo.bind(Gt);function Ci(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function nt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let s=Number(r.headers.get("retry-after"))||1;await Ci(s*1e3,t.signal)}}async function Ge(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var le=se(null),Mt=se(!1),Lo=$e+"/api/v1/login",No={"loupe-page":"1"},Uo=e=>`the collector cannot be reached: ${String(e)}`;async function Io(e){if(!e.ok)return Ge(e);let t=await e.json();return le.value={is_needed:t.is_needed,identity:t.identity},null}async function Do(e,t={}){try{return await Io(await fetch(Lo,{method:e,headers:{...No,...t}}))}catch(n){return Uo(n)}}async function Bo(){await nt(Lo,{headers:No}).then(Io).catch(Uo)!==null&&(le.value={is_needed:!1,identity:null})}async function qo(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Do("POST",{authorization:`Bearer ${e}`});return Mt.value&&=t!==null,t}async function Fo(){let e=await Do("DELETE");return Mt.value&&=e!==null,e}function Ho(){Mt.value||=le.value?.identity!=null,le.value={is_needed:!0,identity:null}}var Qn=0;function jo(){return Qn>0}async function Pi(e,t){let n=await nt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:s}=n;s===401&&Ho();let o=r?await n.json():null,a=r?null:await Ge(n);return{data:o,problem:a,status:s,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,s]=O(n);return Ve(()=>{if(e===null){s(n);return}let o=new AbortController;s(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>s(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),l=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>o.signal.aborted||m(p);return Qn++,Pi(e,o.signal).then(u(i),u(l)).finally(()=>Qn--),()=>o.abort()},[e,t]),r}var Mi={s:1,m:60,h:3600,d:86400};function At(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Mi[t[2]])*1000000000n:null}function we(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],s=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(s)?null:BigInt(s)*1000000n+BigInt(n.padEnd(9,"0"))}var nn=["5m","15m","1h","6h","1d","7d","30d"],Wo="1h",Ai=5e3,Vo=()=>BigInt(Date.now())*1000000n,N=se(Vo());function er(){N.value=Vo()}var Et=Ee(()=>{let e=$.value.params.get("last")??Wo;return At(e)===null?Wo:e}),Xe=Ee(()=>$.value.params.get("live")==="1"),ee=Ee(()=>{let{params:e}=$.value,t=we(e.get("to")??"")??N.value,n=we(e.get("from")??"");return{from:n!==null&&n<t?n:t-At(Et.value),to:t}}),Ei=18e10;function rn(e,t,n,{from:r,to:s}){let o=n.lastIndexOf(!0),a=Number(s-e)-(o+1)*t,i=o>=0&&a>0&&a<=Ei;return Math.max(1,(Number(s-r)-(i?a:0))/1e9)}function Ko(){let e=0;be(()=>{if(clearInterval(e),Xe.value){let t=()=>document.hidden||jo()||er();e=window.setInterval(t,Ai)}})}var Oe=se(0),tr=new Map;function U(e){let t=tr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),tr.set(e,t)),t}function rt(e){return`${U("t1")} ${U(e)}`}function nr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Go(e,t,n){let r=nr(t);return"#"+nr(e).map((o,a)=>Math.round(o+(r[a]-o)*n)).map(o=>o.toString(16).padStart(2,"0")).join("")}var Li=.2;function ot(e){let[t,n,r]=nr(e).map(s=>(s/255)**2.2);return .2126*t+.7152*n+.0722*r>Li?"#101113":"#ffffff"}function Xo(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{tr=new Map,Oe.value++})}var Ni=["recording","instance","context","where","trace","thread","id"],Ui=["recording","instance","context"],Ii=["min_duration_ns","max_duration_ns"];function st(e){return/^\d{1,19}$/.test(e)}function me(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Lt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function rr(e,t,n){for(let r of n)t.getAll(r).forEach(s=>e.append(r,s))}function or(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var zo=30000000000n;function sr({from:e,to:t}){return{from:e-zo,to:t+zo}}function Jo(e,t,n=""){or(e,sr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function at({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function it(e,t){let n=new URLSearchParams,r=at(e);r!==null&&n.set("service",r),rr(n,e.params,Ni);let s=me(e.params.get("box"));if(s)Jo(n,s);else{or(n,t);for(let o of Ii)e.params.getAll(o).filter(st).forEach(a=>n.append(o,a))}return n}function Yo(e,t){let n=it(e,t),r=me(e.params.get("base_box"));if(!r)return rr(n,e.params,["base"]),n;Jo(n,r,"base_");let s=n.get("service");s!==null&&n.set("base_service",s);for(let o of["recording","instance","context","where"])e.params.getAll(o).forEach(a=>n.append("base_"+o,a));return n}function Zo(e,t){let n=new URLSearchParams,r=at(e);r!==null&&n.set("service",r),rr(n,e.params,Ui),or(n,t);let s=e.params.getAll("where");return s.length===1&&/^[^=<>!^]+=/.test(s[0])&&n.set("where",s[0]),n}function k(e,t,n={}){return ie($e+"/api/v1/"+e,Z(t,n))}function ar({text:e,label:t,title:n,className:r="",children:s}){let o=ne(null),[a,i]=O(!1),l=()=>i(!1);ce(()=>{if(!a)return;let m=({target:f})=>o.current.contains(f)||l(),p=f=>{f.key==="Escape"&&(f.stopPropagation(),l(),o.current.querySelector("summary").focus())};return addEventListener("pointerdown",m,!0),addEventListener("focusin",m),addEventListener("keydown",p,!0),()=>{removeEventListener("pointerdown",m,!0),removeEventListener("focusin",m),removeEventListener("keydown",p,!0)}},[a]);let u=({target:m})=>m.closest("a")&&l();return c`<details
    class=${`menu ${r}`}
    ref=${o}
    open=${a}
    onToggle=${()=>i(o.current.open)}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&c`<div onClick=${u}>${s(l)}</div>`}
  </details>`}function on(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Di(e,t,n=!1){let[r,s=""]=e.split("?"),o=[...new URLSearchParams(s)].map(([i,l])=>` \\
  --data-urlencode ${on(`${i}=${l}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${o.length>0?"G":""}${a} ${on(t+r)}${o.join("")}`}async function Bi(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function I({url:e}){return e===null?null:c`<${ar} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>c`<${qi} url=${e} />`}
      <//>`}function qi({url:e}){let[t,n]=O(!1),r=Di(e,location.origin,le.value?.is_needed);return c`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:o})=>{await Bi(r,o),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var Fi=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ne({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([u])=>!u.startsWith("base"))),s={value:t==="time"?null:t,frame:n},o=(u,m)=>k(m,r,{...u===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(m)?s:{}}),a=k("slice.speedscope.json",r,s),i=new URLSearchParams({profileURL:a});return c`<${ar} text="download">${()=>c`${Fi.map(([u,m,p])=>c`<a href=${o(u,m)} download title=${p}
            >${u}<small>${p}</small></a
          >`)}
      <a href=${$e+"/speedscope/#"+i.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function Qo(e){return`${$e}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var lt=se(null),es={accept:"application/json"};async function Hi(e){let t=await nt(k("collector",new URLSearchParams),{headers:es});if(!t.ok)return Ge(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${on(e.name)}\` shows a file on your machine`;let n=await fetch(k("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...es,"loupe-page":"1"},body:e});return n.ok?await n.json():Ge(n)}async function ji(e){lt.value={name:e.name,problem:null};let t=await Hi(e).catch(r=>`it cannot be sent: ${String(r)}`);if(typeof t=="string"){lt.value={name:e.name,problem:t};return}lt.value=null;let n=new URLSearchParams({from:t.from_ns,to:t.to_ns});pe(ie(ve("s",t.service),n))}function Wi(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Vi(e){let[t]=e.dataTransfer?.files??[];t&&(e.preventDefault(),ji(t))}function ts(){addEventListener("dragover",Wi),addEventListener("drop",Vi)}function ns(){if(lt.value===null)return null;let{name:e,problem:t}=lt.value;return t===null?c`<div class="upload" role="status">Reading ${e} …</div>`:c`<div class="upload" role="alert">
        <span><b>${e}</b>: ${t}</span>
        <button onClick=${()=>lt.value=null}>close</button>
      </div>`}var Ki={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Gi={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function oe(e){let t=e.startsWith("other: ")?e.slice(7):e;return Ki[e]??{name:t,token:"other"}}function ct(e){return Gi[e]??"other: other"}function sn(e){return e==="."?null:oe(ct(e))}var Xi={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Ue(e){return(e.startsWith("jdk.")?Xi[e.slice(4)]:void 0)??"other: "+e}var zi=/^(java|javax|jdk|sun|com\.sun)\./;function ut(e){return zi.test(e)}function Ce(e,t,n){return ze("contexts",e,t,n)}function ze(e,t,n,r){return B([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function an(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function ln({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(s=>({start:BigInt(e)+BigInt(Math.round(Number(s[r]??0))),values:Object.fromEntries(t.map((o,a)=>[o,s[a]??null]))}))}var Ji=1e3,rs=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Yi(e,t,n,r,s){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&rs(e.url)===rs(t)?Math.min(Ji,Math.max(s,r)):s;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function cn(e,t,n){let[r,s]=O([]),[,o]=O(""),a=ne({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Yi(a.current,e,n,r.length,t);let{rows:i,cursor:l,before:u}=a.current,m=l?`&cursor=${encodeURIComponent(l)}`:"",p=R(`${e}&limit=${i}${m}`,n);ce(()=>{p.data&&!p.isLoading&&s([...u,...ln(p.data)])},[p.data]);let f=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:f===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:f,before:r},o(f)}}}function ae({category:e}){return c`<span
    class="dot"
    style=${{background:`var(--${oe(e).token})`}}
  ></span>`}function un({of:e}){return e&&c`<${ae} category=${e.category} />${oe(e.category).name}
      <span class="dim"> ${q(e.share)}</span>`}var Zi=.07,Qi=.16;function ss({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),s=u=>u.total_ns/Math.max(1,t),o=u=>oe(u.category).name,a=u=>s(u)<Zi?"":s(u)<Qi?o(u):`${o(u)} ${n(u)}`,i=u=>Oe.value>=0&&ot(U(oe(u.category).token)),l=r.map(u=>`${o(u)} ${q(s(u))}`).join(", ");return c`<div class="stacked" role="img" aria-label=${l}>
    ${r.map(u=>c`<span
          key=${u.category}
          title=${`${o(u)} ${n(u)}, ${q(s(u))}`}
          style=${{flexGrow:s(u),background:`var(--${oe(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var os=120,ir=22;function as({values:e,label:t}){let n=e.reduce((o,a)=>Math.max(o,a??0),1),r="",s=!1;return e.forEach((o,a)=>{if(o===null){s=!1;return}let i=(a+.5)/e.length*os,l=ir-1-o/n*(ir-3);r+=`${s?"L":"M"}${i.toFixed(1)} ${l.toFixed(1)}`+(s?"":"h1"),s=!0}),c`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${os} ${ir}"
  >
    <path d=${r} />
  </svg>`}var is="a time with its date, such as 2026-01-02T15:04:05Z, or nanoseconds since 1970",ls="FROM,TO,MIN,MAX, all in nanoseconds",cs=e=>t=>e.includes(t),us={from:[e=>we(e)!==null,is],to:[e=>we(e)!==null,is],last:[e=>At(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[st,"a number of nanoseconds"],max_duration_ns:[st,"a number of nanoseconds"],box:[e=>me(e)!==null,ls],base_box:[e=>me(e)!==null,ls],unit:[cs(["requests","contexts"]),"requests or contexts"],live:[cs(["1"]),"1"]};function lr(e,t){return us[e]?.[0](t)??!0}function ms(e){let t=[...e].filter(([a,i])=>!lr(a,i)).map(([a,i])=>({name:a,value:i,wanted:us[a][1]})),[n,r]=[e.get("from")??"",e.get("to")??""],[s,o]=[we(n),we(r)];return s!==null&&o!==null&&s>=o?[...t,{name:"from",value:n,wanted:"before to"}]:t}var el=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${w(Number(e))}`],["max_duration_ns",e=>`\u2264 ${w(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function tl(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}var nl=e=>$.value.params.getAll(e).filter(t=>lr(e,t));function rl(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}function mn({keys:e=[],values:t=[]}){let n=el.flatMap(([r,s])=>nl(r).map(o=>c`<span class="chip" key=${r+o} title=${o}>
          ${s(o)}
          <button
            class="plain"
            aria-label=${`take away ${s(o)}`}
            onClick=${()=>tl(r,o)}
          >
            ×
          </button>
        </span>`));return c`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${rl} aria-label="Add a condition on an attribute">
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
  </div>`}function pn(e){return typeof e=="string"?e:JSON.stringify(e)}function ps(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function cr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function ol(e){return e.find(t=>!ut(t))??e[0]??""}function sl({item:e,columns:t}){return c`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${de(e.start)}</dd>
        ${ps(e).map(([n,r])=>[c`<dt>${n}</dt>`,c`<dd>${pn(r)}</dd>`])}
      </dl>
      <ol>
        ${cr(e).map(n=>c`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function fn({items:e,since:t,contextHref:n,label:r}){let[s,o]=O(null),a=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],i=(l,u)=>{let{type:m,duration:p,thread:f,recording:d,context:h}=l.values,b=t===void 0?Q(l.start):"+"+w(Number(l.start-t)),g=ps(l).map(([M,L])=>`${M}=${pn(L)}`),_=`${l.start} ${m} ${f} ${d}`,y=s===_,S=()=>o(y?null:_),x=n&&d!==null&&h?n(String(d),String(h)):null;return c`<tr key=${u} class=${y?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(y)} onClick=${S}>${b}</button>
        </td>
        <td title=${m}>
          <${ae} category=${Ue(String(m))} />${re(String(m))}
        </td>
        <td class="n">${typeof p=="number"?w(p):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${cr(l)[0]}>
          ${Le(ol(cr(l)))}
        </td>
        <td class="cut wide" title=${g.join(`
`)}>${g.join(" ")}</td>
        ${n&&c`<td data-name="context">${x&&c`<a href=${x}>open</a>`}</td>`}
      </tr>
      ${y&&c`<${sl} item=${l} columns=${a.length} />`}`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
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
  </div>`}function al({answer:e}){return e.problem===null?null:c`<div class="notice problem" role="alert">${e.problem}</div>`}function il({name:e,value:t,wanted:n}){let r=$.value.params.getAll(e).filter(s=>s!==t);return c`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function fs(){return ms($.value.params).map(e=>c`<${il} key=${`${e.name} ${e.value}`} ...${e} />`)}function ll({lines:e}){return c`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>c`<div></div>`)}
  </div>`}function H({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},s=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return s.length===0?null:c`<span class="missing">${s.join("; ")}</span>`}var cl=5;function P(e){let{title:t,note:n,tools:r,answer:s,className:o,lines:a=cl,children:i}=e,l=s&&s.data!==null&&(s.isLoading||s.problem!==null);return c`<section class=${o} aria-busy=${s?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${s&&c`<${al} answer=${s} />`}
    ${s?.data===null&&s.isLoading&&a>0&&c`<${ll} lines=${a} />`}
    <div class=${l?"stale":""}>${i}</div>
  </section>`}function ul(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),s=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${s},service=NAME${n?",token=@FILE":""}`}function ml({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=$.value,r=Z(n,{from:e.data_start_ns,to:null,last:null});return c`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:${" "}
    <a class="link" href=${ie(ve(...t),r)}>look at all of that time</a>.
  </p>`}function Ie(){let e=k("collector",new URLSearchParams),{data:t}=R(e,N.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<ee.value.from,r=at($.value),s=a=>ul(a,location.hostname,le.value?.is_needed);if(t?.takes_files&&!n)return c`<${F} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let o=r===null?"":` of ${r}`;return c`<${F} title="No JVM${o} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&c`Start one with this option, and it is here within seconds:
        <pre>${s(t.agents)}</pre>`}
    ${t&&n&&c`<${ml} of=${t} />`}
  <//>`}var pl=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,fl=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,ds=e=>e.replace(/\$(?=.)/g,"\\$");function hs(e,{path:t,params:n}){if(pl.test(e))return B(["t",e.toLowerCase()]);let r=t[0]==="s",s=fl.test(e);if(!r)return B(["s"],s?{where:e}:{frame:ds(e)});let o=n.getAll("where").filter(i=>i!==e),a=s?{where:[...o,e]}:{frame:ds(e)};return ie(ve(...t),Z(n,a))}function dl(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),s=r.value.trim();s!==""&&(pe(hs(s,$.value)),r.value="")},t="trace id, attribute=value, or a method";return c`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function hl(){let{params:e}=$.value,t=we(e.get("from")??"")!==null,{from:n,to:r}=ee.value,s=i=>{let l=i.currentTarget.value;l!=="fixed"&&C({last:l,from:null,to:null,box:null,base_box:null})},o=nn.includes(Et.value)?nn:[Et.value,...nn],a=`${de(n)} to ${de(r)}`;return c`<select aria-label="Time range" title=${a} onChange=${s}>
      ${t&&c`<option value="fixed" selected>
          ${Te(n)} ${Q(n,1e9)} to ${Q(r,1e9)}
        </option>`}
      ${o.map(i=>c`<option value=${i} selected=${!t&&i===Et.value}>
            last ${i}
          </option>`)}
    </select>
    <button onClick=${er} title="ask again">refresh</button>
    <button
      aria-pressed=${Xe.value?"true":"false"}
      onClick=${()=>C({live:Xe.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function gl(){let[e,t]=O(null),n=le.value?.identity,r=async()=>t(await Fo());return n==null?null:c`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var bl=[["services",""],["events","e"],["recordings","r"]];function te({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([o,a])=>c`<a href=${B(a?[a]:[])} aria-current=${a===n?"page":void 0}>
      ${o}
    </a>`,s=({name:o,href:a},i)=>[i>0?" / ":"",a?c`<a href=${a}>${o}</a>`:c`<b>${o}</b>`];return c`<header>
      <a class="logo" href=${B([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${bl.map(r)}</nav>
      <span class="crumb">${e.map(s)}</span>
      <${dl} />
      <${hl} />
      <${gl} />
    </header>
    <main><${fs} />${t}</main>`}var $l=4;function vl(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function K({columns:e,rows:t,rowKey:n,href:r,rowsMax:s,label:o,className:a}){let[i,l]=O(null),u=i===null?void 0:e[i]?.sort,p=(u?[...t].sort((h,b)=>vl(u(h),u(b))):t).slice(0,s),f=(h,b)=>{let g=i!==b?"none":h.isNumber?"descending":"ascending",_=h.sort?c`<button class="plain" onClick=${()=>l(b)}>${h.name}</button>`:h.name;return c`<th
      class=${(h.isNumber?"n ":"")+(h.sort?"sort ":"")+(h.className??"")}
      title=${h.title}
      scope="col"
      aria-sort=${h.sort?g:void 0}
    >
      ${_}
    </th>`},d=(h,b,g)=>{let _=b.cell(h);return c`<td
      class=${(b.isNumber?"n ":"")+(b.className??"")}
      data-name=${g>0?b.name:void 0}
    >
      ${r&&g===0?c`<a href=${r(h)}>${_}</a>`:_}
    </td>`};return c`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
    <table class=${a??(e.length>$l?"stacks":"")}>
      <thead class=${e.some(h=>h.sort)?"sorts":""}>
        <tr>
          ${e.map(f)}
        </tr>
      </thead>
      <tbody>
        ${p.map(h=>c`<tr key=${n(h)} class=${r?"opens":""}>
              ${e.map((b,g)=>d(h,b,g))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var _l=100,ur=e=>e===null?"":w(e),mt=(e,t)=>$.value.params.getAll(e).includes(t);function mr({href:e,on:t,name:n}){return c`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function yl({types:e}){let t=n=>ye({context:mt("context",n)?null:n,key:null,where:null,event:null});return c`<${K}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>c`<${mr} href=${t(n)} on=${mt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>v(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>v(n.contexts_out),isNumber:!0},{name:"median",cell:n=>ur(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>ur(n.p99_ns),isNumber:!0}]}
  />`}function gs({name:e,rows:t}){let n=r=>{let s=`${e}=${r}`,o=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return ye({where:mt("where",s)?o:[...o,s],event:null})};return c`<${K}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>c`<${mr}
            href=${n(r)}
            on=${mt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":v(r.all),isNumber:!0},{name:"kept",cell:r=>v(r.kept),isNumber:!0},{name:"p99",cell:r=>ur(r.p99_ns),isNumber:!0}]}
  />`}function wl({name:e}){let t=it($.value,ee.value);t.delete("where");let r=R(k("attributes",t,{limit:"100"}),N.value).data?.keys.find(o=>o.key===e),s=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return c`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${s.length>0&&c`<${gs} name=${e} rows=${s} />`}`}function xl({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return c`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,a)=>a.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),s=({key:o})=>c`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>C({key:o},!0)}
    >
      ${o}
    </button>`;return c`<div class="tabs">${e.attributes.map(s)}</div>
    ${n.has_too_many?c`<${wl} name=${n.key} />`:c`<${gs} name=${n.key} rows=${r} />`}`}function kl({of:e}){let t=n=>ye({event:mt("event",n)?null:n});return c`<${K}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>c`<${ae} category=${Ue(n)} /><${mr}
              href=${t(n)}
              on=${mt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>v(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?w(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Sl({query:e}){let t=$.value.params.get("event"),n=k("events",e,{event:t}),{answer:r,items:s,more:o}=cn(n,_l,N.value),a=c`<${H} of=${r.data} /><${I} url=${n} />`;return c`<${P} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${s.length>0&&c`<${fn} label="Events" items=${s} contextHref=${Ce} />`}
    ${o&&c`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&s.length===0&&c`<${F} title="No events here" />`}
  <//>`}function bs(){let e=$.value,t=it(e,ee.value),n=k("contexts/types",Tl(t)),r=R(n,N.value),s=k("events/types",t),o=R(s,N.value),a=r.data?.types.find(l=>l.type===e.params.get("context")),i=o.data&&`${v(o.data.events)} events`+Rl(o.data.contexts);return c`<${te}>
    <${mn} />
    <div class="three">
      <${P}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${c`<${I} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&c`<${yl} types=${r.data.types} />`}
        ${r.data?.types.length===0&&c`<${Ie} />`}
      <//>
      <${P} title="Context values" note=${a?.type}><${xl} of=${a} /><//>
      <${P}
        title="Event types"
        note=${i}
        tools=${c`<${H} of=${o.data} /><${I} url=${s} />`}
        answer=${o}
      >
        ${o.data&&o.data.types.length>0&&c`<${kl} of=${o.data} />`}
      <//>
    </div>
    <${Sl} query=${t} />
  <//>`}var Rl=e=>e===null?", in contexts or not":` in ${v(e)} contexts`;function Tl(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function $s(){let[e,t]=O(null),[n,r]=O(!1),s=async o=>{o.preventDefault();let a=o.currentTarget.elements.namedItem("token");r(!0);let i=await qo(a.value.trim());r(!1),t(i),a.select()};return c`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Mt.value&&c`<p role="status">Your session is over.</p>`}
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
    </main>`}function vs(){return c`<${te}>
    <section>
      <${F} title="There is nothing here">
        <a class="link" href=${B([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function Ol(e){return e.replaceAll("_","-")}function Nt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,s]of Object.entries(n))t.set(r,(t.get(r)??0)+s);return[...t].sort((n,r)=>r[1]-n[1])}function Ut({of:e}){return e.length===0?null:c`<span class="chips">
    ${e.map(([t,n])=>c`<span class="chip" key=${t}
          >${Ol(t)} <b>${v(n)}</b></span
        >`)}
  </span>`}var ys=e=>e.slice(0,19).replace("T"," "),Cl=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),dn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,_s=(e,t)=>c`${v(e)} <span class="dim">of ${v(t)}</span>`,Pl=[{name:"service",cell:e=>c`<b>${_e(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>ys(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?c`${w(dn(e))}, running`:w(dn(e)),isNumber:!0,sort:dn},{name:"contexts kept",cell:e=>_s(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>_s(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>c`${ue(e.bytes_out)} <span class="dim">of ${ue(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Cl(e)?c`<b class="missing">yes</b>`:c`<span class="dim">no</span>`}];function Ml(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let s=k("recordings",r),o=R(s,N.value),a=o.data?.recordings??[],i=c`<${H} of=${o.data} /><${I} url=${s} />`;return c`<${te}>
    <${P} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${o}>
      ${a.length>0&&c`<${K}
          label="Recordings"
          columns=${Pl}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>B(["r",u.id])}
        />`}
      ${o.data&&a.length===0&&c`<${Ie} />`}
    <//>
  <//>`}var Al=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>v(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>v(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>ue(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>ue(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>c`<${Ut} of=${Nt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function De(e,t){return c`<span><b>${e}</b>${t}</span>`}function El({of:e}){let t=e.contexts_in?q(e.contexts_out/e.contexts_in):"";return c`<div class="facts">
    ${De(e.is_running?"running":"ended",`${w(dn(e))} since ${ys(e.start)} UTC`)}
    ${De(t,`of ${v(e.contexts_in)} contexts kept`)}
    ${De(v(e.events_out),`of ${v(e.events_in)} events kept`)}
    ${De(ue(e.bytes_out),`of ${ue(e.bytes_in)} kept`)}
    ${De(ue(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&De(w(e.waiting.duration_ns),`not compacted yet, ${ue(e.waiting.journal_bytes)}`)}
    ${De(e.jvm_version,e.jvm_name)} ${De(e.pid,`process, on ${e.instance}`)}
  </div>`}var Ll={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function Nl({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?c`<span class="dim">Nothing.</span>`:c`<ul>
        ${t.map(([n,r])=>c`<li>${v(r)} ${Ll[n]??n}</li>`)}
      </ul>`}function Ul({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=k("policies/"+t,new URLSearchParams),r=R(n,N.value),{data:s}=r,o=a=>Object.entries(a.settings).map(([i,l])=>`${i}=${l}`);return c`<${P}
    title="Policy"
    note=${s&&(s.file??"none: the JVM's own settings")}
    tools=${c`<${I} url=${n} />`}
    answer=${r}
  >
    ${s?.refused&&c`<p class="missing">${s.refused.problem}</p>`}
    ${s&&s.events.length>0&&c`<${K}
        label="Policy"
        rows=${s.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>o(a).join(", "),className:"w"}]}
      />`}
  <//>`}function Il({id:e}){let t=k("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=[{name:r?`${_e(r.service)}, ${r.instance}`:e}],o=c`<a href=${Qo(e)} download>download .jfr</a><${I} url=${t} />`,a=r?Nt(r.types):[];return c`<${te} crumbs=${s}>
    <${P} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&c`<${El} of=${r} />`}
      ${n.status===404&&c`<${F} title="This collector has no such recording">
          <a href=${B(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&c`<${P}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${a.length>0?c`<${Ut} of=${a} />`:c`<span class="dim">Nothing.</span>`}
        <//>
        <${P} title="Lost" note="what is missing, and should not be"
          ><${Nl} of=${r}
        /><//>
        <${P} title="Event types">
          <${K}
            label="Event types"
            columns=${Al}
            rows=${Object.entries(r.types).sort((i,l)=>l[1].bytes_in-i[1].bytes_in)}
            rowKey=${([i])=>i}
          />
        <//>
        <${Ul} service=${r.service} />`}
  <//>`}function ws(){let e=$.value.path[1];return e===void 0?c`<${Ml} />`:c`<${Il} id=${e} />`}function xe(e){return e==="requests"?"request":"context"}var Dl=["context","thread","trace","id","box","base_box"];function xs(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:Dl.some(n=>e.has(n))?"contexts":null}function ke(e){return e.get("unit")==="requests"?"requests":"contexts"}function pt(e,t){return Z(e,{unit:t==="requests"?t:null})}function ks(e){let{service:t,jvms:n,requests:r}=e,s=r.requests_in>0,[o,a]=s?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:l,spark:u,top:m}=s?r:e;return{service:t,jvms:n,unit:s?"requests":"contexts",all:o,kept:a,p50_ns:i,p99_ns:l,spark:u,top:m}}function Ss(e){let[t,n]=O({width:0,height:0,ratio:1});return Ve(()=>{let r=e.current,s=()=>{let{clientWidth:i,clientHeight:l}=r;n({width:i,height:l,ratio:devicePixelRatio})},o=new ResizeObserver(s);o.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",s),s(),()=>{o.disconnect(),a.removeEventListener("change",s)}},[t.ratio]),t}function pr(e,{width:t,height:n,ratio:r}){let[s,o]=[Math.round(t*r),Math.round(n*r)];(e.width!==s||e.height!==o)&&(e.width=s,e.height=o);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Rs(e,{width:t,height:n,ratio:r},s,o){Ve(()=>{let a=t>0&&e.current&&pr(e.current,{width:t,height:n,ratio:r});a&&s(a)},[t,n,r,Oe.value,...o])}function Bl(e,t,n){let{clientWidth:r,clientHeight:s,scrollTop:o}=t,a=pr(e,{width:r,height:s,ratio:devicePixelRatio});a&&n(a,{width:r,height:s,top:o})}function hn(e){let{draw:t,height:n,heightMax:r,reveal:s}=e,o=ne(null),a=ne(null),i=ne(t),l=ne(0);i.current=t;let u=()=>{l.current||=requestAnimationFrame(()=>{l.current=0,a.current&&o.current&&Bl(a.current,o.current,i.current)})};ce(()=>{let f=new ResizeObserver(u);return f.observe(o.current),()=>(f.disconnect(),cancelAnimationFrame(l.current))},[]),ce(u,[t,n,r,Oe.value]),ce(()=>{let{scrollTop:f,clientHeight:d}=o.current;s&&s[0]<f?o.current.scrollTop=s[0]:s&&s[1]>f+d&&(o.current.scrollTop=s[1]-d)},[s?.[0],s?.[1]]);let m=f=>d=>{let h=a.current.getBoundingClientRect(),b=d.clientY-h.top+o.current.scrollTop;f?.({x:d.clientX-h.left,y:b,width:h.width,event:d})},p=Math.min(n,r);return c`<div
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
  </div>`}var gn=14,bn=8;function ft({at:e,children:t}){let n=ne(null);return Ve(()=>{let{offsetWidth:r,offsetHeight:s,style:o}=n.current,a=e.clientY+gn+s>innerHeight-bn,i=Math.min(e.clientX+gn,innerWidth-r-bn);o.left=`${Math.max(bn,i)}px`,o.top=`${a?Math.max(bn,e.clientY-gn-s):e.clientY+gn}px`}),c`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var hr=e=>e.charCodeAt(0);function Ts(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[hr(n.length===1?n:t),hr(r.length===1?r:t)]}var gr=e=>/\w/.test(String.fromCharCode(e)),Os=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),Ms=(e,t)=>t>=0&&t<e.length&&gr(e.charCodeAt(t)),$n=(e,t)=>Ms(e,t-1),vn=Ms,fr={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>$n(e,t)!==vn(e,t),"\\B":(e,t)=>$n(e,t)===vn(e,t),"\\<":(e,t)=>!$n(e,t)&&vn(e,t),"\\>":(e,t)=>$n(e,t)&&!vn(e,t)},Cs=e=>e>=48&&e<=57,dr={"\\d":Cs,"\\D":e=>!Cs(e),"\\w":gr,"\\W":e=>!gr(e),"\\s":Os,"\\S":e=>!Os(e)},Ps={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},he=class extends Error{},br=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new he;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new he;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new he;let r=this.atom,s=this.states.length-r;if(n===0){this.states.length=r;return}for(let o=1;o<t;o++)this.copy(r,s);n===1/0&&this.add({jumps:[1,-s]});for(let o=Math.max(t,1);o<n&&n!==1/0;o++)this.copy(r,s),this.makeOptional(this.states.length-s);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new he;if(r!==1/0&&r>255)throw new he;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,s=Object.hasOwn(Ps,r)?Ps[r]:void 0;if(n===":"?!s:r.length!==1)throw new he;return n===":"?o=>s.test(String.fromCharCode(o)):hr(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new he;let r=n;return s=>s>=t&&s<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new he;t.push(this.range())}this.at++,this.addAtom(r=>Ts(r).some(s=>t.some(o=>o(s)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(fr,n)||Object.hasOwn(dr,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new he;if(Object.hasOwn(fr,n))this.atom=null,this.add({holds:fr[n]});else if(Object.hasOwn(dr,n))this.addAtom(dr[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[s,o]=Ts(n.charCodeAt(n.length-1));this.addAtom(a=>a===s||a===o)}}};function As(e){try{return e.length>256?null:new br(e).parse()}catch(t){if(t instanceof he)return null;throw t}}function Es(e,t,n){let r=new Int32Array(e.length).fill(-1),s=[],o=(u,m)=>{r[u]!==m&&(r[u]=m,s.push(u),n.count++)},a=[],i=!1,l=(u,m,p)=>{o(m,p);for(let f=s.pop();f!==void 0;f=s.pop()){let{takes:d,holds:h,jumps:b,isEnd:g}=e[f];i||=g===!0,d?u.push(f):h?.(t,p)&&o(f+1,p);for(let _ of b??[])o(f+_,p)}};for(let u=0;;u++){if(l(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let f of a)e[f].takes(m)&&l(p,f+1,u+1);a=p}}function wn(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,s=new Int32Array(n.length),o=new Int32Array(n.length),a=new Float64Array(n.length),i=[],l=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)o[i.pop()]=m;let p=n[m]-1;s[m]=p<0?-1:i[p],a[m]=p<0?0:l[p],p>=0&&(l[p]+=r[m]),l[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>o[m]=n.length),{flame:e,weight:r,parent:s,end:o,start:a,depth:u}}function Ns(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,u=[];for(let f=e.parent[t]??-1;f>=0;f=e.parent[f]){let d=l.level[f];d>=r&&d<s&&u.push({node:f,x:0,width:n,row:d})}let m=n/(o[t]||1),p=new Float64Array(Math.max(0,s-r));for(let f=t;f<(i[t]??0);){let d=l.level[f];if(d>=s||o[f]===0&&f!==t){f=i[f];continue}let h=f===t?n:o[f]*m,b=(a[f]-a[t])*m,g=h<1?Math.min(Math.floor(b),n-1):b;d>=r&&(h>=1||g>=p[d-r])&&(u.push({node:f,x:g,width:Math.max(h,1),row:d}),p[d-r]=g+Math.max(h,1)),f++}return u}function Us(e,t,n,r,s){let{weight:o,start:a,end:i,flame:l}=e,u=t;for(;u>0&&l.level[u]>s;)u=e.parent[u];if(u!==t||l.level[u]===s)return l.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(o[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+o[u];if(p&&l.level[u]===s)return u;u=p?u+1:i[u]}return-1}function Is(e,t,n,r){let{weight:s,end:o,parent:a,flame:i}=e,l=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return l<i.level[t]?Ds(e,t)[l+1]:n+1<o[n]&&s[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<o[t];m+=u)if(i.level[m]===l&&s[m]>0)return m;return n}default:return n}}function Ds(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var yn=4;function Bs(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**yn).toString(36).padStart(yn,"0")}function xn(e,t){return Ds(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Bs).join("")}function kn(e,t){let{names:n,name:r}=e.flame,s=0;for(let o=0;o<t.length;o+=yn){let a=t.slice(o,o+yn),i=s+1;for(;i<(e.end[s]??0)&&Bs(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[s]??0)||!(e.weight[i]>0))break;s=i}return s}var ql=1024,Fl=5e7;function qs(e,t=Fl){let n=/^\/(.+)\/$/.exec(e);if(!n){let l=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(l),{isOver:()=>!1})}let r=As(n[1]),s=new Map,o={count:0},a=()=>o.count>t;return r&&Object.assign(l=>(s.has(l)||s.set(l,!a()&&Es(r,l.slice(0,ql),o)),s.get(l)),{isOver:a})}function Fs(e,t){let{flame:n,end:r,weight:s}=e,o=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let l=o[n.name[i]]===1;a+=l?s[i]:0,i=l?r[i]:i+1}return{names:o,weight:a}}var _n=(e,t)=>t>0?e/t:0;function Hs({value:e,base_value:t,requests:n,...r},s){let o=r.base_requests??0,a=Math.max(_n(r.total,n),_n(r.base_total??0,o)),i=_n(e[s],n)-_n(t?.[s]??0,o);return a>0?i/a:0}function js(e){let{flame:t,end:n}=e,r=t.names.map((o,a)=>{let i=t.kinds[a]??".";return{name:o,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),s=new Int32Array(t.names.length);for(let o=1;o<t.level.length;o++){let a=t.name[o],i=r[a];i.self+=t.self[o],i.baseSelf+=t.base_self?.[o]??0,o>=s[a]&&(s[a]=n[o],i.total+=t.value[o],i.baseTotal+=t.base_value?.[o]??0)}return r.filter((o,a)=>s[a]>0)}function Hl({flame:e,parent:t},n){let r=o=>o>0&&e.kinds[e.name[o]]===".",s=r(n)||!r(t[n])?n:t[n];for(let o=s;r(o);o=t[o])if(!ut(e.names[e.name[o]]))return o;return s}function Ls({flame:e,parent:t},n){let r=Float64Array.from(e.level,(s,o)=>n?.[o]??0);for(let s=1;s<r.length;s++)r[t[s]]-=n?.[s]??0;return r}function Ws(e,t){let{flame:n}=e,r=Ls(e,n.value),s=Ls(e,n.base_value),o=new Map;for(let i=1;i<n.level.length;i++){let l=n.kinds[n.name[i]]??".";if(l==="-"||r[i]===0&&s[i]===0)continue;let u=l==="."?"c":l,m=n.names[n.name[Hl(e,i)]],p=o.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=s[i],o.set(u+m,p)}return[...o.values()].filter(i=>i.value>0).sort((i,l)=>l.value-i.value||(i.name<l.name?-1:1)).slice(0,t)}var ge=18,jl=22,Vs=4,Wl=5;function Vl(e){return e.split(".").slice(0,-2).join(".")}function Kl(e){if(ut(e))return"frame-jdk";let t=7;for(let n of Vl(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Wl}`}function Gl({names:e,kinds:t}){return e.map((n,r)=>{let s=sn(t[r]??".");return U(r===0?"frame-root":s?s.token:Kl(n))})}var $r=32,vr=e=>({fill:e,ink:ot(e)});function Ks(e){if(e.base_value===void 0){let s=Gl(e).map(vr);return e.name.map(o=>s[o])}let t=s=>Array.from({length:$r+1},(o,a)=>vr(Go(U("frame-same"),U(s),a/$r))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((s,o)=>{let a=o===0?0:Hs(e,o),i=Math.round($r*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Xl(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(o=>o.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Gs(e,t,n,r){let{flame:s,shades:o,found:a,marks:i,zoom:l}=t,u=U("ink"),m=vr(U("accent"));e.font=rt("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:f,x:d,width:h,row:b}of n){let g=b*ge-r,_=s.name[f],y=f!==l&&s.level[f]<s.level[l],S=a!==null&&a.names[_]===1,x=y||a!==null&&!S,{fill:M,ink:L}=S?m:o[f];if(e.globalAlpha=x?.6:1,e.fillStyle=M,e.fillRect(d,g,Math.max(h-.5,.5),ge-1),h>=jl){let X=Math.floor((h-2*Vs)/p);e.globalAlpha=1,e.fillStyle=x?u:L,e.fillText(Xl(s.names[_],X),d+Vs,g+ge/2)}i.includes(f)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(d+1,g+1,Math.max(h-2,1),ge-3))}}var zl=24,Jl=3,_r=(e,t)=>q(t>0?e/t:0);function Yl({names:e,name:t,value:n,self:r,total:s,unit:o,requests:a},i){let l=fe(n[i]/Math.max(1,a),o),u=fe(r[i]/Math.max(1,a),o);return`${e[t[i]]}, ${_r(n[i],s)}, ${l} each, own ${u}`}function Zl(e,t){let{value:n,self:r,requests:s,total:o,base_value:a,base_self:i,base_requests:l,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:s,whole:o};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:l??0,whole:u??0};return[{...m,name:"selection"},p]}function Ql({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:s,names:o,name:a,value:i}=r,l=Zl(r,t),u=(m,p)=>c`<tr>
      <th scope="row">${m}</th>
      ${l.map(f=>c`<td class="n"><b>${fe(p(f)/Math.max(1,f.requests),s)}</b></td>
            <td class="n">${_r(p(f),f.whole)}</td>
            <td class="n dim">${fe(p(f),s)}</td>`)}
    </tr>`;return c`<b>${o[a[t]]}</b>
    <table>
      ${l.length>1&&c`<tr>
          <th></th>
          ${l.map(m=>c`<th colspan="3" class="n">${m.name}</th>`)}
        </tr>`}
      <tr>
        <th></th>
        ${l.map(()=>c`<th class="n">each</th>
              <th class="n">share</th>
              <th class="n">in all</th>`)}
      </tr>
      ${u("total",m=>m.total)} ${u("own",m=>m.self)}
    </table>
    ${n>0&&c`<div class="dim">${_r(i[t],i[n])} of ${o[a[n]]}</div>`}`}function Xs({tree:e,zoom:t,found:n,onZoom:r}){let{flame:s}=e,[o,a]=O(null),[i,l]=O(null),u=A(()=>i===null?-1:kn(e,i),[e,i]),m=o?.node??-1,p=A(()=>Ks(s),[s,Oe.value]),f=zt((x,{width:M,top:L,height:X})=>{let j=Math.floor(L/ge),Pe=Ns(e,t,M,j,Math.ceil((L+X)/ge));Gs(x,{flame:s,shades:p,zoom:t,found:n,marks:[u,m]},Pe,L)},[e,t,n,u,m,p]),d=({x,y:M,width:L})=>Us(e,t,L,x,Math.floor(M/ge)),h=x=>{let M=d(x),{clientX:L,clientY:X}=x.event;a(M<0?null:{node:M,at:{clientX:L,clientY:X}})},b=x=>{let M=d(x);M>=0&&x.event.button===0&&r(M)},g=x=>{let M=u<0?t:u;if(x.key.startsWith("Arrow")){let L=u<0?t:Is(e,t,M,x.key);l(xn(e,L)),a(null)}else if(x.key==="Enter")r(M);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},_=u>=0?u:t,y=s.level[_],S=[Math.max(0,y-Jl)*ge,(y+1)*ge];return c`<${hn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*ge}
      heightMax=${zl*ge}
      draw=${f}
      reveal=${S}
      onPoint=${h}
      onUp=${b}
      onLeave=${()=>a(null)}
      onKey=${g}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&Yl(s,u)}</div>
    ${o&&c`<${ft} at=${o.at}><${Ql} tree=${e} node=${o.node} zoom=${t} /><//>`}`}var ec=20,tc=16;function nc(e){let t=e.slice(-tc),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function dt({name:e,title:t=e}){if(e.length<=ec)return c`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-nc(e);return c`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var rc=500;function oc(e){let{unit:t,total:n,requests:r,base_requests:s}=e,o=p=>fe(p/Math.max(1,r),t),a=p=>c`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${sc} kind=${p.kind} />${p.name}
    </button>`,i=(p,f,d=h=>o(f(h)))=>({name:p,cell:d,isNumber:!0,sort:f}),l=p=>q(n>0?p.total/n:0),u=p=>fe(p/Math.max(1,s??0),t),m=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,l)];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function sc({kind:e}){let t=sn(e)?.token??"frame-root";return c`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function zs({tree:e,matches:t}){let n=js(e).filter(r=>!t||t(r.name));return n.sort((r,s)=>s.self-r.self||s.total-r.total),c`<div class="frames">
    <${K}
      label="Frames"
      columns=${oc(e.flame)}
      rows=${n}
      rowsMax=${rc}
      rowKey=${r=>r.name}
    />
  </div>`}var ac=8;function Sn(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Js({url:e,answer:t}){let{data:n}=t,r=A(()=>n&&n.requests>0?Ws(wn(n),ac):[],[n]),s=$.value.params.get("frame"),o=(l,u=0)=>fe(l/Math.max(1,u),"ns"),a=l=>{let u=Sn(l.name);return c`<tr key=${l.name+l.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${s===u?"true":"false"}
          onClick=${()=>C({frame:s===u?null:u,zoom:null})}
        >
          <${ae} category=${ct(l.kind)} /><${dt}
            name=${Le(l.name)}
            title=${l.name}
          />
        </button>
      </td>
      <td class="n">${o(l.value,n?.requests)}</td>
      ${n?.base_value&&c`<td class="n dim">${o(l.base,n.base_requests)}</td>`}
      <td class="n dim">${q(l.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=c`<${H} of=${n} /><${I} url=${e} />`;return c`<${P} title="Top frames" tools=${i} answer=${t} className="top-frames">
    ${r.length>0&&c`<table class="frames">
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
      </table>`}
  <//>`}var yr=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function Rn({isOn:e,onChange:t,title:n,children:r}){return c`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function ic(e){let t=e.get("value")??"";return yr.some(([n])=>n===t)?t:"time"}function lc({value:e}){return c`<span class="tabs" role="group" aria-label="Of what">
    ${yr.map(([t,n])=>c`<${Rn}
          key=${t}
          isOn=${t===e}
          onChange=${()=>C({value:t==="time"?null:t,zoom:null})}
          >${n}<//
        >`)}
  </span>`}function cc({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",s={base:null,base_box:null,width:null};return c`<${Rn}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?s:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&c`<${Rn}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function uc({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",s=r!==""&&n===null,o=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&o?q(e.weight/o):q(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return c`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;C({find:m===""?null:m},!0)}}
    /><span role="status">${s?"no regular expression":i}</span>`}function mc(){let e=$.value.params.get("frame");return e===null?null:c`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function pc({flame:e}){let t=(o,a)=>c`<span><i class="dot" style=${{background:`var(--${o})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((o,a)=>a[1]-o[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",s=o=>q(e.total>0?o/e.total:0);return c`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([o,a])=>o==="."?t("frame-root",`${r} ${s(a)}`):c`<span>
              <${ae} category=${ct(o)} />${oe(ct(o)).name}
              ${" "+s(a)}
            </span>`)}
    ${e.cut.nodes>0&&c`<span>${v(e.cut.nodes)} small frames cut, ${s(e.cut.value)}</span>`}
  </div>`}function fc({requests:e,total:t,unit:n,...r},s){let o=fe(t/Math.max(1,e),n),a=r.base_requests??0,i=fe((r.base_total??0)/Math.max(1,a),n),l=r.base_value?`; base: ${v(a)}, ${i} each`:"";return`${Re(e,s)}, ${o} each${l}`}function Tn(e){return k("flamegraph",e,{value:"time",frame:null})}function ht({query:e,tick:t,whole:n}){let{params:r}=$.value,s=ic(r),o=r.get("frame"),a=Z(e,{value:s,frame:o}),i=k("flamegraph",a),l=n!==void 0&&i===Tn(e),u=R(l?null:i,t),m=u.problem===null?n?.data??null:null,p=l?n:{...u,data:u.data??m},f=p.data,d=r.get("width")==="base"&&f?.base_value!==void 0,h=A(()=>f&&wn(f,d),[f,d]),b=r.get("find")??"",g=A(()=>b===""?null:qs(b),[b]),_=A(()=>h&&g&&Fs(h,g),[h,g]),y=r.get("flame")==="table",S=!h||h.weight.length===0||!(h.weight[0]>0),x=h?kn(h,r.get("zoom")??""):0,M=h&&c`<${Xs}
      tree=${h}
      zoom=${x}
      found=${_}
      onZoom=${j=>C({zoom:xn(h,j)||null})}
    />`,L=c`<${H} of=${f} /><${Ne}
      query=${e}
      value=${s}
      frame=${o}
    /><${I} url=${i} />`,X=f?fc(f,xe(ke(e))):"";return c`<${P} title="Flame graph" note=${X} tools=${L} answer=${p}>
    <div class="flame-tools">
      <${lc} value=${s} />
      <${mc} />
      <${cc} flame=${f} />
      <${uc} found=${_} flame=${f} matches=${g} />
      ${x>0&&c`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${Rn}
        isOn=${y}
        onChange=${()=>C({flame:y?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${f&&S&&c`<${F} title="No ${yr.find(([j])=>j===s)[1]} in this selection" />`}
    ${!S&&(y?c`<${zs} tree=${h} matches=${g} />`:M)}
    ${f&&!S&&c`<${pc} flame=${f} />`}
  <//>`}function wr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((s,o)=>Math.max(s,o.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function xr({boxes:e},{from:t,to:n},r){let s=r/Math.max(1,n-t),o=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*s),l=Math.min(r,(a.start+a.duration-t)*s),u=Math.max(2,l-i),m=Math.min(i,r-2);o.push({box:a,x:m,width:u,y:20+a.level*20})}return o}function Ys(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Zs(e,t,n,r,s){let o=xr(e,t,n).filter(i=>s>=i.y&&s<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return o.sort((i,l)=>a(i)-a(l)),o[0]?.box??null}function Qs(e){let t=[...e].sort((r,s)=>r.start-s.start||s.duration-r.duration),n=[];return t.map(r=>(n=n.filter(s=>s>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function ea({from:e,to:t},n){let r=(t-e)/Math.max(1,n),s=10**Math.floor(Math.log10(Math.max(1,r))),o=[1,2,5,10].map(i=>i*s).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/o)*o;i<=t;i+=o)a.push(i===0?0:i);return a}function ta(e,t,n){let r=({boxes:o})=>[...o].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let o=r(e[t.lane]),a=o[o.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let s=n==="ArrowDown"?1:-1;for(let o=t.lane+s;o>=0&&o<e.length;o+=s){let a=l=>Math.abs(l.start-t.box.start),[i]=r(e[o]).sort((l,u)=>a(l)-a(u));if(i)return{lane:o,box:i}}return t}var dc=560,hc=110,gc=4,bc=28,ra=5,$c=500;function vc(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,s]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<s?{from:r,to:s}:t}function On(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function _c(e,t,n){let r=e.measureText(t).width,s=Math.floor(t.length*n/r)-1;return r<=n?t:s>1?t.slice(0,s)+"\u2026":""}function kr({count:e,name:t,duration:n}){return`${e>1?`${v(e)} \xD7 `:""}${re(t)} \xB7 ${w(n)}`}function yc(e,t,n,r){let{box:s,x:o,width:a}=t,i=s.kind==="context",l=U(i?"hover":oe(s.kind).token);e.fillStyle=l,e.fillRect(o,n,a,18),(i||r)&&(e.strokeStyle=U(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(o+.5,n+.5,Math.max(1,a-1),17)),a>=bc&&(e.fillStyle=i?U("ink"):ot(l),e.fillText(_c(e,kr(s),a-2*ra),o+ra,n+20/2-1))}function wc(e,t,n,r){let s=n/(t.to-t.from);e.fillStyle=U("panel"),e.fillRect(0,0,n,18);for(let o of ea(t,n/hc)){let a=Math.round((o-t.from)*s),i=o===0?"0":w(o),l=e.measureText(i).width;e.fillStyle=U("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=U("faint"),e.fillText(i,Math.max(0,Math.min(a-l/2,n-l)),20/2-1)}}function xc(e,t,n,r){return zt((s,{width:o,top:a,height:i})=>{let l=wr(e);s.font=rt("sans"),s.textBaseline="middle",wc(s,t,o,i),s.save(),s.beginPath(),s.rect(0,18,o,i),s.clip(),e.forEach((u,m)=>{let p=l[m]-a;p>i||l[m+1]-a<0||xr(u,t,o).forEach(f=>yc(s,f,p+f.y,n.includes(f.box)))}),s.restore(),r&&(s.fillStyle=U("sel"),s.fillRect(r[0],0,r[1]-r[0],i))},[e,t.from,t.to,...n,r?.[0],r?.[1]])}function kc({title:e},t){return`${e}: ${oe(t.kind).name}, ${kr(t)}, at ${w(t.start)}`}function Sc({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return c`<${K}
    label="What is on the axis"
    rows=${t}
    rowsMax=${$c}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>w(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>c`<${ae} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>v(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>w(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function oa({lanes:e,all:t,hrefOf:n,onOpen:r,label:s}){let o=vc($.value.params.get("part"),t),[a,i]=O(null),[l,u]=O(null),[m,p]=O(null),[f,d]=O(!1),h=A(()=>wr(e),[e]),b=l&&e[l.lane]?.boxes.includes(l.box)?l:null,g=xc(e,o,[b?.box??null,a?.box??null],m),_=({x:T,y:D,width:J})=>{let V=Ys(h,D),Fe=V<0?null:Zs(e[V],o,J,T,D-h[V]);return Fe&&{lane:V,box:Fe}},y=T=>{if(m){p([m[0],Math.max(0,Math.min(T.x,T.width))]),i(null);return}let D=_(T),{clientX:J,clientY:V}=T.event;i(D&&{...D,at:{clientX:J,clientY:V}})},S=({lane:T,box:D})=>{let J=n?.(e[T],D)??null;J!==null&&r?r(J):On({from:D.start,to:D.start+Math.max(1,D.duration)})},x=({x:T,event:D})=>{D.button===0&&D.pointerType!=="touch"&&(D.target.setPointerCapture(D.pointerId),p([T,T]))},M=T=>{p(null);let[D=0,J=0]=m?[...m].sort((Fe,ni)=>Fe-ni):[],V=_(T);if(J-D>=gc){let Fe=(o.to-o.from)/T.width;On({from:o.from+D*Fe,to:o.from+J*Fe})}else V&&S(V)},L=e.findIndex(({boxes:T})=>T.length>0),X=T=>{if(T.key.startsWith("Arrow")&&L>=0)u(b?ta(e,b,T.key):{lane:L,box:e[L].boxes[0]});else if(T.key==="Enter"&&b)S(b);else if(T.key==="Escape"||T.key==="Backspace")On(null);else return;T.preventDefault()},j=b?h[b.lane]+20+b.box.level*20:0,Pe=$.value.params.get("part")!==null;return c`<${hn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${h[h.length-1]}
      heightMax=${dc}
      draw=${g}
      reveal=${b?[j-20-20,j+20]:void 0}
      onPoint=${y}
      onDown=${x}
      onUp=${M}
      onLeave=${()=>i(null)}
      onKey=${X}
    >
      ${e.map((T,D)=>c`<div class="lane-title" key=${T.key} style=${{top:`${h[D]}px`}}>
            ${T.href?c`<a href=${T.href}>${T.title}</a>`:T.title}
            <small title=${T.note}>${T.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${b&&kc(e[b.lane],b.box)}</div>
    ${a&&c`<${ft} at=${a.at}>
        <b>${kr(a.box)}</b>
        <div>${a.box.name}, ${oe(a.box.kind).name}</div>
        <div class="dim">at ${w(a.box.start)}</div>
      <//>`}
    ${Pe&&c`<button onClick=${()=>On(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${T=>d(T.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${f&&c`<${Sc} lanes=${e} />`}
    </details>`}var Rc=3,Tc=.001;function Oc({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var Sr=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):v(Math.round(n))} \xD7`};function Cc(e,{category:t,is_count:n}){let r=e.slices.find(s=>s.category===t);return n?Sr(r?.events??0,e.requests):w((r?.total_ns??0)/Math.max(1,e.requests))}function Pc({of:e}){return c`<ul class="repeated">
    ${e.repeated.map(t=>c`<li
          title=${`${t.frame}: ${v(t.events)} in ${Re(t.requests,"context")}, ${w(t.total_ns)} in all`}
        >
          ${v(t.per_request)} × ${Le(t.frame)}
          <span class="dim"> ${oe(t.category).name}, ${w(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Mc({slice:e,of:t,base:n,hrefOf:r}){let s=r&&!e.is_count,o=(p,f)=>s?c`<a href=${r(e.category,f)}>${p}</a>`:p,a=p=>({each:e.is_count?Sr(p.events,t.requests):w(p.total_ns/t.requests),share:e.is_count?"":q(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":Sr(p.events,t.requests)}),i=Math.max(1,t.total_ns*Tc),l=e.top.slice(0,Rc).filter(p=>e.is_count||p.total_ns>=i),u=s?"opens":"",m=(p,f)=>{let{each:d,share:h,often:b}=a(p);return c`<td class="n">${d}</td>
      ${n&&c`<td class="n dim">${f}</td>`}
      <td class="n dim">${h}</td>
      <td class="n dim often">${b}</td>`};return c`<tr
      class=${u}
      title=${`${w(e.total_ns)} in all, ${v(e.events)} events`}
    >
      <th scope="row">
        <${ae} category=${e.category} />${o(oe(e.category).name,null)}
      </th>
      ${m(e,n?Cc(n,e):"")}
    </tr>
    ${l.map(p=>c`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${o(c`<${dt} name=${Le(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&c`<span class="via dim" title=${p.via}>via ${Le(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function Rr({of:e,base:t,hrefOf:n}){let r=e.slices.filter(Oc),s=({total_ns:o})=>w(o/e.requests);return c`<${ss} parts=${r} total=${e.total_ns} each=${s} />
    <table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&c`<th scope="col" class="n" title="each of those to compare with">base</th>`}
          <th scope="col" class="n">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${r.map(o=>c`<${Mc}
              key=${o.category}
              slice=${o}
              of=${e}
              base=${t}
              hrefOf=${n}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&c`<${Pc} of=${e} />`}`}function Cn({query:e,base:t=null,tick:n,hrefOf:r}){let s=k("why",e),o=R(s,n),a=R(t&&k("why",t),n),{data:i}=o,l=xe(ke(e)),u=c`<${H} of=${i} /><${I} url=${s} />`,m=i&&i.requests>0?`mean of ${Re(i.requests,l)}, ${w(i.total_ns/i.requests)} each`:"";return c`<${P}
    title="Why"
    note=${m}
    tools=${u}
    answer=${o}
    className="why-panel"
  >
    ${i&&i.requests>0&&c`<${Rr} of=${i} base=${t&&a.data} hrefOf=${r} />`}
    ${i?.requests===0&&c`<${F} title=${`No kept ${l} is in this selection`} />`}
  <//>`}var Tr=8192,sa=60000000000n,aa=5,Ac=2000000000n;function ia(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function la({t0_ns:e,events:t,is_truncated:n}){return ln({...t,t0_ns:e,next:null,is_truncated:n})}function Or(e){let t=new Map,n=(r,s)=>r[e.events.columns.indexOf(s)]??null;for(let r of e.events.rows){let s=n(r,"fields"),o=ia(s,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||o===null)continue;let l=ia(s,"monitorClass")??"",u={thread:o,monitor:l,waited:0,waits:0,from:a,to:a},{waited:m,waits:p,from:f,to:d}=t.get(o)??u;t.set(o,{...u,waited:m+i,waits:p+1,from:Math.min(f,a),to:Math.max(d,a+i)})}return[...t.values()].sort((r,s)=>s.waited-r.waited)}function Cr(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:s,thread:o})=>({key:`${s} ${o??""}`,title:o??"JVM",recording:s,thread:o,boxes:[]}));for(let[s,o,a,i,l,u,m,p]of e.rows){let f={level:o,start:a+n,duration:i,kind:l,name:u,count:m,id:p};r[s]?.boxes.push(f)}return r}function Ec(e,t,n){return ln(e).flatMap(({start:r,values:s})=>{let o=String(s.type),a=s.context===null&&!n.has(o),i=Number(s.duration??0),l=Ue(o),u={level:0,start:Number(r-t),duration:i,kind:l,name:o};return a?[{...u,count:1,id:null}]:[]})}function Lc(e,t,n,r){let s=BigInt(e.t0_ns),a=Cr(n,s).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),l=Ec(r,s,new Set([e.type,...i])),u=Qs([...a,...l]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),m=`had the monitor of ${re(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:u.length>0?m:`${m}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:u}}function Nc(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Ac)),r.set("to",String(n+BigInt(t?.to??0)+1n));let s=(u,m)=>t?k(u,r,m):null,o=R(s("timeline",{width:String(Tr)})),a=R(s("events",{limit:"1000",columns:"name"})),i=A(()=>t&&o.data&&a.data?Lc(e,t,o.data,a.data):null,[e,t?.thread,o.data,a.data]),l=[o,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:l}}function Uc(e){let t=A(()=>Or(e),[e]),n=[];for(let i=0;i<aa;i++){let l=n.every(u=>u.isAnswered);n.push(Nc(e,l?t[i]:void 0))}let r=t.slice(aa),s=w(r.reduce((i,l)=>i+l.waited,0)),o={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${s} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return A(()=>[...a.filter(i=>i!==null),...r.length>0?[o]:[]],[e,...a])}function Ic(e){let t=an(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-sa)});r.set("to",String(n+BigInt(e.duration)+sa));let s=String(Tr),o=R(t&&k("timeline",r,{width:s,trace:t})).data,i=R(t&&k(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return A(()=>(o?Cr(o,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:B(["t",t])}}),[e,o,i])}function ca(e,t){let n=R(k("timeline",t,{width:String(Tr)})).data,r=Uc(e),s=Ic(e);return A(()=>{let o=n?Cr(n,BigInt(e.t0_ns)):[],a=m=>m.recording!==e.recording||![null,e.thread,...r.map(({thread:p})=>p)].includes(m.thread),i=o.filter(({thread:m})=>m===null),l=o.filter(({thread:m})=>m!==null),u=`this one, ${w(e.duration)}`;return[...i.map(m=>({...m,note:"pauses: GC, safepoints"})),...l.map(m=>({...m,note:u})),...r,...s.filter(a)]},[e,n,r,s])}var ua=300000000000n,Dc=100,gt=({t0_ns:e})=>BigInt(e);function Pr(e){let t=gt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function Bc(e){let t=Pr(e);if($.value.params.get("base")==="rest"){let n=gt(e);t.set("from",String(n-ua)),t.set("to",String(n+ua)),t.set("context",e.type),t.set("base","rest")}return t}function qc({context:e,jvm:t}){let n=gt(e),r=an(e.attributes),s=([o,a])=>[c`<dt>${o}</dt>`,c`<dd>
      ${a===r&&r!==null?c`<a class="link" href=${B(["t",r])}>${r}</a>`:pn(a)}
    </dd>`];return c`<dl class="kv">
    ${Object.entries(e.attributes).map(s)}
    <dt>start</dt>
    <dd title=${de(n)}>${Te(n)} ${Q(n)}</dd>
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
          <a class="link" href=${ma(e,e.parent)}
            >${re(e.parent.type)}, ${w(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function ma(e,{id:t,start:n}){return Ce(e.recording,t,gt(e)+BigInt(Math.round(n)))}function Fc({context:e}){let t=Or(e);return c`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:s})=>c`<tr key=${n}>
              <td title=${n}>
                <${ae} category=${Ue(n)} />${v(r)} × ${re(n)}
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
                  <td class="n">${w(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function Hc({context:e}){return c`<${P} title="Contexts in it" note=${v(e.children.length)}>
    <${K}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Dc}
      rowKey=${t=>t.id}
      href=${t=>ma(e,t)}
      columns=${[{name:"context",cell:t=>c`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+w(t.start),isNumber:!0},{name:"duration",cell:t=>w(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function jc({context:e,tick:t}){let n=A(()=>Pr(e),[e]),r=ca(e,n),s=A(()=>la(e),[e]),o=(i,{id:l,start:u})=>l===null||l===e.id?null:Ce(i.recording,l,gt(e)+BigInt(Math.round(u))),a=c`<${I} url=${k("timeline",n)} />`;return c`<${P}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${a}
    >
      <${oa}
        label="Threads on one axis"
        lanes=${r}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${o}
        onOpen=${pe}
      />
    <//>
    ${e.children.length>0&&c`<${Hc} context=${e} />`}
    <${ht} query=${Bc(e)} tick=${t} />
    <${P} title="Events" note=${v(s.length)}>
      ${s.length>0?c`<${fn}
              items=${s}
              since=${gt(e)}
              label="Events of the request"
            />`:c`<${F} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function pa(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,o=new URLSearchParams(s===null?{}:{from:String(s),to:String(s+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=k(a,o),l=R(i,N.value),u=R(k(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=l.data,p=m?`${re(m.type)}, ${w(m.duration)}`:r,f=[{name:"services",href:B([])},...u?[{name:_e(u.service),href:B(["s",u.service])}]:[],{name:p}],d=m&&Pr(m),h=c`<${H} of=${m} /> ${d&&c`<${Ne} query=${d} />`}
    <${I} url=${i} />`;return c`<${te} crumbs=${f}>
    ${m?c`<div class="three">
              <${P}
                title=${re(m.type)}
                note=${w(m.duration)}
                tools=${h}
                answer=${l}
              >
                <${qc} context=${m} jvm=${u} />
              <//>
              <${P} title=${`Why ${w(m.duration)}`} className="why-panel">
                <${Rr} of=${m.why} base=${null} />
              <//>
              <${P} title="Kept because"><${Fc} context=${m} /><//>
            </div>
            <${jc} context=${m} tick=${N.value} />`:c`<${P} title="Request" tools=${h} answer=${l} />`}
  <//>`}var Wc=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Mr(e){return Wc.test(e)}function fa({key:e,distinct:t,search_only:n,values:r},s){let o=r.every(i=>i.count+i.base_count<=1),a=Mr(e)&&2*(t??0)>s;return n||r.length>=4&&(o||a)}var Vc=100,Kc=10,Gc=1.96;function Xc(e,t,n){let[r,s]=[t+2,n+2],[o,a]=[(e.count+1)/r,(e.base_count+1)/s],i=o*(1-o)/r+a*(1-a)/s;return o-a-Gc*Math.sqrt(i)}function zc({contexts:e,base_contexts:t,keys:n},r){let s=({key:u,label:m})=>!r.has(u)&&!r.has(m),o=n.filter(u=>s(u)&&fa(u,e)).map(({key:u})=>u),a=u=>t>0?Xc(u,e,t):u.count,i=n.filter(u=>s(u)&&!o.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),l=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:l,ids:o}}function Jc({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Ar=(e,t)=>t>0?e/t:0;function Yc({here:e,there:t}){let n=s=>({left:`${100*s}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return c`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Zc({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>c`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${dt} name=${i===""?"(empty)":i} /></b>
      </span>`},s={name:"here",title:"of the selected ones have it",cell:a=>c`<span title=${`${v(a.count)} of ${v(e)}`}
        >${q(a.count/e)}</span
      >`,isNumber:!0,className:"share"},o={name:"p99",cell:a=>a.p99_ns===null?"":w(a.p99_ns),isNumber:!0,className:"dim p99"};return t===0?[r,s,o]:[r,{name:c`here <span class="here">●</span> there ○`,cell:a=>c`<${Yc}
          here=${Ar(a.count,e)}
          there=${Ar(a.base_count,t)}
        />`,className:"plot"},s,{name:"there",title:`in ${n}`,cell:a=>c`<span title=${`${v(a.base_count)} of ${v(t)}`}
          >${q(Ar(a.base_count,t))}</span
        >`,isNumber:!0,className:"share dim"},o,{name:"lift",title:"its share here, over its share there",cell:a=>c`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Jc(a)}</span>`,isNumber:!0,className:"lift-cell"}]}function Qc({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(s=>s!==n);return ye({where:[...r,n]})}function eu({data:e,against:t}){let[n,r]=O(!1),s=$.value.params.getAll("where"),o=new Set(s.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:l}=zc(e,o),u=n?a:a.slice(0,Math.min(Kc,i)),m=a.length-u.length;return c`${i===0&&c`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&c`<${K}
      label="Attributes"
      columns=${Zc(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${Qc}
      className="values"
    />`}
  ${m>0&&c`<button class="plain more" onClick=${()=>r(!0)}>
      ${v(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${l.length>0&&c`<p class="dim">${l.join(", ")}: one value for each, search for one above</p>`}`}function da({query:e,against:t,tick:n}){let r=k("attributes",e,{limit:String(Vc)}),s=R(r,n),{data:o}=s,a=c`<${H} of=${o} /><${I} url=${r} />`;return c`<${P}
    title="Attributes"
    note=${o&&o.base_contexts>0?`more often than in ${t}`:""}
    tools=${a}
    answer=${s}
    className="attributes"
  >
    ${o&&o.contexts>0&&c`<${eu} data=${o} against=${t} />`}
  <//>`}function ha({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",o=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return c`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${o.map(([i,l])=>c`<option value=${i} selected=${i===r}>${l}</option>`)}
  </select>`}function tu(){let{params:e}=$.value,t=(n,r)=>{let s=e.get(n),o=a=>{let i=a.currentTarget,l=Po(i.value);i.setCustomValidity(l===null&&i.value!==""?"such as 300 ms, or 1.5 s":""),i.reportValidity()&&C({[n]:l===null?null:String(l),box:null})};return c`<input
      class="duration"
      placeholder=${r}
      aria-label=${r}
      title="a duration, such as 300 ms or 1.5 s"
      value=${s&&st(s)?w(Number(s)):""}
      onChange=${o}
    />`};return c`${t("min_duration_ns","at least")}${t("max_duration_ns","at most")}`}function ga({types:e,instances:t}){let n=$.value.params.get("context"),r=e.filter(({type:o})=>n===null||o===n).flatMap(o=>o.attributes),s=r.flatMap(o=>o.values.map(({value:a})=>a));return c`<div class="choosers">
    <${ha}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:o,contexts_in:a})=>[o,`${o} (${v(a)})`])}
    />
    <${ha}
      name="instance"
      all="all JVMs"
      options=${t.map(o=>[o,o])}
    />
    <${tu} />
    <${mn}
      keys=${[...new Set(r.map(({key:o})=>o))]}
      values=${[...new Set(s)]}
    />
  </div>`}var nu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],ru=e=>nu[e&3]*2**(e>>2);function ba(e){return e<0?1:Math.floor(ru(e+1))}function Be(e,{column:t,row:n}){return t*e.rows+n}function bt(e){let t=[];for(let r of e)for(let[s,o]of r)t[s+1]=(t[s+1]??0)+o;let n=[];return t.forEach((r,s)=>n.push([s-1,r])),n}function Je(e,t){let n=e.reduce((s,[,o])=>s+o,0),r=Math.max(1,Math.ceil(t*n));for(let[s,o]of e){if(r<=o)return s<0?1:Math.floor(2**((s+r/o)/4));r-=o}return null}function $t(e,t,n,r=null){let s=Math.max(1,Math.ceil(e.columns.length/t)),o=1/0,a=-1/0;for(let f of e.columns)o=Math.min(o,f[0]?.[0]??o),a=Math.max(a,f.at(-1)?.[0]??a);let i=r!==null&&o<=a;i&&(o=r,a=Math.max(a,r+12-1));let l=1;for(;Math.floor(a/l)-Math.floor(o/l)>=n;)l*=2;let u=o>a?0:Math.floor(o/l),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(s),columns:Math.ceil(e.columns.length/s),first:u,buckets:l,hasShorter:i,rows:o>a?0:Math.floor(a/l)-u+1,cells:new Map,most:0,exemplars:new Map},p=(f,d)=>({column:Math.floor(f/s),row:Math.max(0,Math.floor(d/l)-u)});e.columns.forEach((f,d)=>{for(let[h,b,g]of f){let _=p(d,h),y=m.cells.get(Be(m,_))??{..._,all:0,kept:0};y.all+=b,y.kept+=g,m.cells.set(Be(m,_),y),m.most=Math.max(m.most,y.all)}});for(let[f,d,h,b]of e.exemplars)m.exemplars.set(Be(m,p(f,d)),{recording:h,id:b});return m}function va(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function vt(e,t,n){let[r,s]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[o,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+o)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(s+1),min:i<0||e.hasShorter&&o===0?0:ba(i-1)+1,max:ba((e.first+a+1)*e.buckets-1)}}function Pn(e,t,n){let r=vt(e,n,n),s=r.from<t.to&&r.to>t.from,o=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return s&&r.min<=t.max&&o}function Ye(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Pn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function _a(e,t){return[...e.cells.values()].filter(n=>Pn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Be(e,n))??[])}function Mn(e,t,{column:n,row:r}){let s=t.width/e.columns,o=t.height/e.rows,a=t.y+t.height-(r+1)*o;return{x:t.x+n*s,y:a,width:s,height:o}}function ya(e,t,n,r){let s=(o,a)=>Math.max(0,Math.min(a-1,Math.floor(o*a)));return{column:s((n-t.x)/t.width,e.columns),row:s(1-(r-t.y)/t.height,e.rows)}}function Lr(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function Er(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Bt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function Nr(e,t,n){let[r,s]=[t.x,t.x+t.width],[o,a]=[t.y,t.y+t.height],i=Math.max(r,Er(e,t,n.from)),l=Math.max(o,Bt(e,t,n.max)),u=Math.min(s,Er(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,Bt(e,t,n.min-1));return u<=0||m<=l?null:{x:i,y:l,width:u,height:m-l}}function Ur(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function wa(e,t,n,r){let s=[],o=a=>{let i=Bt(e,t,a);s.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&s.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)o(a*i);return s.sort((a,i)=>i.at-a.at)}var $a=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function xa(e,t,n,r,s){let{from:o,to:a}=Ur(e),i=Number(a-o)/1e9*(n/t.width),l=$a.find(p=>p>=i)??$a.at(-1),u=BigInt(l)*1000000000n,m=[];for(let p=(o+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:Er(e,t,p),text:s(p,l*1e9)});return m}var ou=4,su={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function qe(e){return me($.value.params.get(e))}var Ra=e=>e==="requests"?{unit:e}:{};function qt(e,t,n){let r=e&&Lt(e),s=e?{min_duration_ns:null,max_duration_ns:null}:{},o=Ra(n);C(t?{base_box:r,base:null,...o}:{box:r,...s,...o})}function au(e){qt(null,qe("base_box")!==null,e)}function Ir({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function Ta(e,t){return e.column===t.column&&e.row===t.row}function Sa(e,t,n){let r=(s,o)=>Math.max(0,Math.min(o-1,s));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function iu(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function _t({grid:e,isRate:t},{from:n,to:r}){return t?vt(e,{...n,row:0},{...r,row:e.rows-1}):vt(e,n,r)}function Oa({grid:e,unit:t},n){let r=e.exemplars.get(Be(e,n));r&&pe(ze(t,r.recording,r.id))}function Ca(e){let{grid:t,plot:n}=e,[r,s]=O(null),[o,a]=O(null),i=ne(null),l=({offsetX:g,offsetY:_})=>ya(t,n,g,_),u=g=>{let{offsetX:_,offsetY:y}=g;if(g.button===0&&t.rows>0&&Lr(n,_,y)){g.currentTarget.setPointerCapture(g.pointerId);let S=g.shiftKey||e.isComparing;s({from:l(g),to:l(g),x:_,y,isLong:!1,isBase:S})}},m=g=>{let{offsetX:_,offsetY:y}=g;if(r){let L=r.isLong||Math.hypot(_-r.x,y-r.y)>=ou;s({...r,to:l(g),isLong:L})}let{clientX:S,clientY:x}=g,M=t.rows>0&&Lr(n,_,y);a(M?{place:l(g),clientX:S,clientY:x}:null)},p=g=>{if(s(null),!r)return;if(g.altKey&&!r.isLong){Oa(e,r.from);return}let _=_t(e,r),y=!r.isLong&&Ye(t,_).all===0;qt(y?null:_,r.isBase,e.unit)},f=g=>{let _=i.current,y=_&&Pn(t,_,l(g))?_:_t(e,{from:l(g),to:l(g)});C({box:Lt(y),...Ra(e.unit)},!0),Ir(y)},d=({detail:g})=>{i.current=g>1?i.current:qe("box")},h=()=>a(null),b=()=>s(null);return{drag:r?.isLong?r:null,hover:r?null:o,on:{onMouseDown:d,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:h,onPointerCancel:b,onDblClick:f}}}function Pa(e){let{grid:t}=e,[n,r]=O(null),s=i=>{let l=su[i.key];if(l&&t.rows>0){let u=n?Sa(t,n.to,l):iu(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)Oa(e,n.to);else if(i.key==="Enter"&&n)qt(_t(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),au(e.unit);else return;i.preventDefault()},o=i=>Sa(t,i,{column:0,row:0});return{cursor:n&&{from:o(n.from),to:o(n.to)},on:{onKeyDown:s,onBlur:()=>r(null)}}}var An=52,lu=20,Ma=6,cu=52,uu=72,mu=26,pu=5,fu=60000000000n;function Aa(e,t,n){let r=e-An-(n?cu:0);return{x:An,y:Ma,width:Math.max(1,r),height:Math.max(1,t-Ma-lu)}}function du(e){return-BigInt(new Date(Number(e/1000000n)).getTimezoneOffset())*fu}function hu(e,t){let n=Q(e,t);return n==="00:00"?Te(e).slice(5):n}function gu(e,t){let n=r=>w(r).replace(/\.0+ /," ");return{times:xa(e,t,uu,du(e.t0),hu),durations:e.rows===0?[]:wa(e,t,mu,n)}}function bu(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function $u(e,t,n,r,s){e.fillStyle=U("corner"),e.beginPath();let o=-1;for(let a of t.cells.values()){if(!s(a))continue;a.column!==o&&(e.fill(),e.beginPath(),o=a.column);let{x:i,y:l,width:u,height:m}=Mn(t,n,a);bu(e,i+u-r,l,Math.min(pu,u/2,m/2))}e.fill()}function vu({all:e,kept:t},n){return n==="requests"?t<e:t>0}function Ea(e,t,n,r){let s=["h0","h1","h2","h3","h4","h5"].map(U),o=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:l,width:u,height:m}=Mn(t,n,a);e.fillStyle=s[va(a.all,t.most)],e.fillRect(i,l,u-o,m-o)}$u(e,t,n,o,a=>vu(a,r)),Br(e,t,n)}function Br(e,t,n){let{times:r,durations:s}=gu(t,n);e.fillStyle=U("faint"),e.font=rt("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:o,text:a}of s)e.fillText(a,An-8,o),e.fillRect(An-5,Math.round(o),4,1);e.textBaseline="alphabetic";for(let{at:o,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(o),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.min(o-i,n.x+n.width-2*i),n.y+n.height+16)}}function Dr(e,t,n,r){t&&(e.fillStyle=U("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function La(e,t,n,r){Dr(e,r.base&&Nr(t,n,r.base),U("soft"),[4,3]),Dr(e,r.box&&Nr(t,n,r.box),U("accent"),[]);for(let s of r.cells)Dr(e,Mn(t,n,s),U("ink"),[])}function Na({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(s,o)=>{let a=t.slice(o*r,(o+1)*r),i=bt(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:Je(i,.5),p99:Je(i,.99)}})}function Ua(e){return`${v(Number(e.toPrecision(3)))}/s`}function _u(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function yu(e,t,n){let r=!1;e.beginPath();for(let s of t)s&&r?e.lineTo(...s):s&&(e.moveTo(s[0]-n/4,s[1]),e.lineTo(...s)),r=s!==null;e.stroke()}function Ia(e,t,n,r){let s=n.width/t.columns,o=_u(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=U("h1"),r.forEach(({perSecond:a},i)=>{let l=a/o*n.height;e.fillRect(n.x+i*s,n.y+n.height-l,s-1,l)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=U(i);let l=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*s,Bt(t,n,p)]};yu(e,r.map(l),s)}Br(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Ua(o*a),n.x+n.width+6,i+(a===1?5:0))}}function Da({of:{perSecond:e,p50:t,p99:n}}){let r=s=>s===null?"-":w(s);return c`<b>${Ua(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Ba({unit:e}){let t=(n,r)=>c`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return c`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var qr=6e10;function En({from:e,to:t,min:n,max:r}){let s=e%BigInt(qr)===0n&&t%BigInt(qr)===0n,o=i=>Q(i,s?qr:1e9),a=n<=1?`up to ${w(r)}`:`${w(n)} to ${w(r)}`;return`${o(e)} to ${o(t)}, ${a}`}function Fr({all:e,kept:t}){return`${v(t)} kept of ${v(e)}`}var xu=5,ku=6;function Su({view:{grid:e,unit:t},hover:n,rates:r}){let{place:s}=n,o=Be(e,s),a=e.cells.get(o),i=r?.[s.column];if(!a&&!i)return null;let[l,u]=En(vt(e,s,s)).split(", "),m=a&&`${v(a.all)} ${t}, ${v(a.kept)} kept`,p=i?c`<${Da} of=${i} /><br />${l}`:c`<b>${u}</b><br />${l}<br />${m}
        ${e.exemplars.has(o)&&c`<br />Alt+click opens one`}`;return c`<${ft} at=${n}>${p}<//>`}var Ru={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Tu(e,t,n){let r=e??Ru,s=Math.max(1,t.width/xu),o=Math.max(1,t.height/ku);return A(()=>$t(r,s,o,n),[r,s,o,n])}function Ou({data:e,unit:t,isRate:n,isComparing:r,onPoint:s}){let o=ne(null),a=Ss(o),i=Aa(a.width,a.height,n),l=Tu(e,i,t==="requests"&&!n?79:null),u=A(()=>n&&e?Na(e,l):null,[n,e,l]),m={grid:l,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:f,on:d}=Ca(m),{cursor:h,on:b}=Pa(m),g=p??(h&&!Ta(h.from,h.to)?h:null),_=g&&_t(m,g),y=p?.isBase??r,S={box:!y&&_||qe("box"),base:y&&_||qe("base_box"),cells:[n?null:f?.place,h?.to].filter(j=>j!=null)},x=j=>{u?Ia(j,l,i,u):e&&Ea(j,l,i,t),La(j,l,i,S)},{column:M,row:L}=f?.place??{};Rs(o,a,x,[l,u,$.value,r,p,h,M,L]);let X=h&&_t(m,h);return c`<div class="heatmap">
    <canvas
      ref=${o}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${s}
      onFocus=${s}
      ...${d}
      ...${b}
    ></canvas>
    ${f&&c`<${Su} view=${m} hover=${f} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${X&&`${En(X)}: ${Fr(Ye(l,X))}`}
    </div>
    ${e&&c`<${Mu} data=${e} unit=${t} most=${l.most} isRate=${n} />`}
  </div>`}function Cu({most:e,unit:t}){let n=Array.from({length:5},(s,o)=>Math.ceil((e+1)**(o/5))),r=s=>c`<span class="dot" style=${{background:`var(--h${s+1})`}}></span>`;return c`<span
    >${t} in a cell
    ${n.map((s,o)=>s<(n[o+1]??e+1)&&c` ${r(o)}${v(s)}`)}
    ${e>1&&c` to ${v(e)}`}</span
  >`}var Pu=e=>`Counted by chunk: a ${xe(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a minute before or after, so they may have a few more or less. A click takes the selection away (Escape).`;function Fa({data:e,unit:t,box:n,isBase:r}){let s=A(()=>$t(e,1/0,1/0),[e]);return c`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Pu(t)}
    onClick=${()=>qt(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${En(n)}</b>${" "}
    ${Fr(Ye(s,n))} by chunk <i>×</i>
  </button>`}function Mu({data:e,unit:t,most:n,isRate:r}){let s=[n>0&&c`<${Cu} most=${n} unit=${t} />`,c`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[o,a]=[qe("box"),qe("base_box")];return c`<div class="legend">
    ${r?c`<${Ba} unit=${t} />`:s}
    ${o&&c`<${Fa} data=${e} unit=${t} box=${o} isBase=${!1} />`}
    ${a&&c`<${Fa} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Au({data:e,unit:t}){let[n,r]=O(!1),s=(a,i)=>{let l=bt([a]),[u,m]=[1,2].map(f=>a.reduce((d,h)=>d+h[f],0)),p=f=>w(Je(l,f));return c`<tr>
      <td>${Q(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${v(u)}</td>
      <td class="n">${v(m)}</td>
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
  </details>`}function Eu({unit:e}){let t=n=>c`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return c`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Ha({answer:e,url:t,unit:n,isEither:r,note:s,onPoint:o}){let[a,i]=O(!1),l=$.value.params.get("view")==="rate",u=qe("box"),{data:m}=e,p=A(()=>m&&c`<${Au} data=${m} unit=${n} />`,[m,n]),f=(h,b,g)=>c`<button aria-pressed=${g?"true":"false"} onClick=${()=>C({view:h})}>
      ${b}
    </button>`,d=c`<${H} of=${m} />
    ${u&&c`<button class="plain" onClick=${()=>Ir(u)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&c`<${Eu} unit=${n} />`}
    <span class="tabs">${f(null,"duration",!l)} ${f("rate","rate",l)}</span>
    <${I} url=${t} />`;return c`<${P}
    title=${`All ${n}`}
    note=${s}
    tools=${d}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${Ou}
      data=${m}
      unit=${n}
      isRate=${l}
      isComparing=${a}
      onPoint=${o}
    />
    ${p}
  <//>`}var Lu=3;function Nu({of:e}){let t=R(k(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&Nt(t.data.types);return n&&n.length>0?c`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${B(["r",e.id])}>${e.instance}</a>, since it started:
        <${Ut} of=${n} />
      </p>`:null}function Uu(e,t){return Lt({...e,from:e.from-t,to:e.to+t})}function Iu({grid:e,heatUrl:t,box:n,kept:r,unit:s}){let{data:o}=R(t),a=w(Number(e.step)).replace(/ 0 (s|min)$/,""),i=o?_a($t(o,1/0,1/0),n).slice(0,Lu):[],l=({recording:u,id:m},p)=>c`<a class="link" key=${m} href=${ze(s,u,m)}>${p+1}</a>${" "}`;return c`<${F} title=${`No kept ${xe(s)} began in this box`}>
    <p>
      The heat map has ${v(r)} kept ones here: it counts a ${xe(s)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Uu(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&c`${" "}or open one of them: ${i.map(l)}`}
    </p>
  <//>`}function ja({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:s}){let o=A(()=>$t(e,1/0,1/0),[e]),a=me($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(g=>n.has(g)),l=(g,_)=>Number(n.get(g)??_),u=a??{...Ur(o),min:l("min_duration_ns",0),max:l("max_duration_ns",1/0)},{all:m,kept:p}=Ye(o,u),f=ke(n),d=xe(f),h=r[0];if(r.length===0)return c`<${Ie} />`;let b=(g,_)=>c`<${F} title=${g}>${_}<//>`;return s?b(`No kept ${d} is like this`,"Take a condition away to see more."):m===0&&a?b(`No ${d} is in this box`,"Choose a coloured cell."):m===0&&i?b(`No ${d} is like this`,"Take a condition away, or look at a longer time."):m===0?b(`No ${f} in this time`,r.some(g=>g.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?c`<${Iu}
      grid=${o}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${f}
    />`:c`<${F} title=${`Nothing is kept of these ${v(m)} ${f}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${h&&c`<${Nu} of=${h} />`}
  <//>`}var Du=12,jr={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function Wr(e,t){let n=e.get("sort");return jr[t].some(([r])=>r===n)?n:jr[t][0][0]}function Bu({start:e,values:t}){let n=s=>String(t[s]??""),r=Object.entries(t).filter(([s,o])=>s.startsWith("attr.")&&o!==null).map(([s,o])=>[s.slice(5),o]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function qu({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${w(e)}, ${q(n)}`;return c`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Hr=(e,t)=>new Set(e.map(t)).size>1,Fu={contexts:[{name:"blocked",cell:e=>c`<${qu} of=${e} />`},{name:"events",cell:e=>v(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>v(e.parts),isNumber:!0}]},Hu={contexts:{name:"thread",cell:e=>c`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}};function ju(e,t,n){let r=[...new Set(e.flatMap(l=>Object.keys(l.attributes)))],s=Hr(e,l=>Te(l.start)),o=l=>c`<span title=${de(l.start)}>
      ${s?`${Te(l.start).slice(5)} `:""}${Q(l.start)}
    </span>`,a=(l,u)=>[e.some(m=>m[l]>0),{name:l,title:u,cell:m=>m[l]>0?w(m[l]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Hr(e,l=>l.type),{name:"type",cell:l=>re(l.type)}],[Hr(e,l=>l.recording),{name:"JVM",cell:l=>t.get(l.recording)??l.recording.slice(0,8)}]];return[{name:"start",cell:o},{name:"duration",cell:l=>c`<b>${w(l.duration)}</b>`,isNumber:!0},...Fu[n],...i.flatMap(([l,u])=>l?[u]:[]),...r.slice(0,Du).map(l=>({name:l,cell:u=>Wu(u.attributes[l]),className:"cut"})),Hu[n]]}function Wu(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return c`<span title=${t}>${t}</span>`}function Vu({unit:e}){let t=jr[e],n=Wr($.value.params,e),r=s=>C({sort:s===t[0][0]?null:s});return c`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([s,o])=>c`<button
          key=${s}
          aria-pressed=${n===s?"true":"false"}
          onClick=${()=>r(s)}
        >
          ${o}
        </button>`)}
  </span>`}function Wa({pages:e,url:t,query:n,instances:r,eventsHref:s}){let{answer:o,items:a,more:i}=e,l=a.map(Bu),u=ke(n),m=c`<${H} of=${o.data} />
    <${Vu} unit=${u} />
    <a href=${s}>events</a>
    <${Ne} query=${n} value=${$.value.params.get("value")??void 0} />
    <${I} url=${t} />`,p=me($.value.params.get("box")),f=p&&sr(p),d=o.data&&`${v(l.length)} of ${v(o.data.matched)}`+(f?`, began ${Q(f.from,1e9)} to ${Q(f.to,1e9)}`:"");return c`<${P}
    title=${`Kept ${u}`}
    note=${d}
    tools=${m}
    answer=${o}
    className="requests"
  >
    ${l.length>0&&c`<${K}
        label=${`Kept ${u}`}
        columns=${ju(l,r,u)}
        rows=${l}
        rowKey=${h=>h.recording+h.id}
        href=${h=>ze(u,h.recording,h.id,h.start)}
      />`}
    ${i&&c`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Vr=10,Kr=["http_route","http.route","route","endpoint"];function Ku(e){let t=new Map;for(let{key:s,values:o}of e.flatMap(a=>a.attributes))if(o.length>0&&!Mr(s)){let a=t.get(s)??new Set;o.forEach(({value:i})=>a.add(i)),t.set(s,a)}let n=s=>Kr.includes(s)?Kr.indexOf(s):Kr.length,r=s=>t.get(s).size;return[...t.keys()].sort((s,o)=>n(s)-n(o)||r(o)-r(s))}function Gu(e,t){return e.flatMap(r=>{let{type:s,requests_in:o,requests_out:a,p50_ns:i,p99_ns:l,top:u}=r,m=r.attributes.find(b=>b.key===t)?.values??[];if(m.length===0)return[{type:s,value:null,all:o,kept:a,p50_ns:i,p99_ns:l,top:u}];let p=m.map(({value:b,requests_in:g,requests_out:_,...y})=>{let{p50_ns:S,p99_ns:x,top:M}=y;return{type:s,value:b,all:g,kept:_,p50_ns:S,p99_ns:x,top:M}}),f=p.reduce((b,g)=>b-g.all,o),d=p.reduce((b,g)=>b-g.kept,a),h={type:s,value:null,all:f,kept:d,p50_ns:null,p99_ns:null,top:null};return f>0?[...p,h]:p}).sort((r,s)=>s.all-r.all)}var Gr=(e,t)=>`${e}=${t}`,Ka=e=>$.value.params.getAll("where").includes(e);function Xu(e,t){let n=Gr(e,t),r=$.value.params.getAll("where").filter(s=>!s.startsWith(Gr(e,"")));return ye({where:Ka(n)?r:[...r,n]})}function zu({of:e,chosen:t,isOfTypes:n}){let{value:r,type:s}=e,o=n&&c` <span class="dim">${s}</span>`;if(r===null||t===null)return c`<span class="dim">${t===null?"":`without ${t}`}</span>${o}`;let a=Ka(Gr(t,r));return c`<a
      href=${Xu(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${o}`}var Va=e=>e===null?"":w(e);function Ju(e,t,n){return[{name:e??"type",cell:r=>c`<${zu} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},{name:"per second",cell:r=>c`<span title=${`${v(r.all)} requests`}>
          ${t===null?"":v(Number((r.all/t).toPrecision(3)))}
        </span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Va(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Va(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"most time of the kept",cell:r=>c`<${un} of=${r.top} />`},{name:"kept",cell:r=>c`<span title=${`${v(r.kept)} of ${v(r.all)}`}>
          ${r.all>0?q(r.kept/r.all):""}
        </span>`,isNumber:!0,sort:r=>r.kept}]}function Yu({keys:e,chosen:t}){return c`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>c`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Ga({answer:e,url:t,requests:n,seconds:r}){let[s,o]=O(!1),a=Ku(n),i=$.value.params.get("key"),l=i!==null&&a.includes(i)?i:a[0]??null,u=Gu(n,l),m=l===null||n.length>1,p=c`<${H} of=${e.data} />
    ${l!==null&&a.length>1&&c`by <${Yu} keys=${a} chosen=${l} />`}
    <${I} url=${t} />`;return c`<${P}
    title="Routes"
    note=${u.length>0?`${v(u.length)} of them`:""}
    tools=${p}
    answer=${e}
    className="routes"
  >
    ${u.length>0&&c`<${K}
        label="Routes"
        columns=${Ju(l,r,m)}
        rows=${u}
        rowKey=${f=>`${f.type} ${f.value}`}
        rowsMax=${s?void 0:Vr}
      />`}
    ${u.length>Vr&&!s&&c`<button class="plain more" onClick=${()=>o(!0)}>
        ${v(u.length-Vr)} more
      </button>`}
  <//>`}var Zu=50,Qu=6n*3600000000000n,Xr=60000000000n,za=["trace","thread","id"];function em({from:e,to:t}){let n=Xe.value?(e+Xr-1n)/Xr*Xr:e;return{from:n<t?n:e,to:t}}function tm(e,t){return e.getAll("where").length-t.getAll("where").length>0||za.some(r=>e.has(r))}function nm(e){let t=new URLSearchParams;for(let[n,r]of e)n.startsWith("base_")&&t.append(n.slice(5),r);return t.size>0?pt(t,ke(e)):null}function rm({t0_ns:e,step_ns:t,columns:n},r){let s=n.map(o=>o.length>0);return rn(BigInt(e),t,s,r)}function om({data:e,seconds:t,jvms:n,unit:r}){let s=bt(e.columns),o=m=>{let p=Je(s,m);return p===null?"-":w(p)},a=m=>(n?.recordings??[]).reduce((p,f)=>p+m(f),0),i=a(m=>m.bytes_out),l=a(m=>m.bytes_in),u=(m,p,f="")=>c`<span title=${f}><b>${m}</b>${p}</span>`;return c`<div class="facts">
    ${u(`${v(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${v(e.all)}`)}
    ${n&&u(v(n.recordings.length),"JVMs","that ran in this time")}
    ${u(o(.5),"median")} ${u(o(.99),"p99")}
    ${u(e.all>0?q(e.kept/e.all):"-",`kept, ${v(e.kept)}`)}
    ${l>0&&u(`${ue(i)} of ${ue(l)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function sm(e,t){let n=["lock","park","io","cpu"].includes(e),r=`[${e==="unaccounted"?"not accounted":e}]`;return ye({value:n?e:null,frame:t!==null?Sn(t):n?null:Sn(r),zoom:null})}function am({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:s}){let{params:o}=$.value,a=pt(it($.value,ee.value),n),i=pt(Yo($.value,ee.value),n),l=o.has("box")&&Xe.value?0:N.value,u=["box","where","min_duration_ns","max_duration_ns",...za].some(x=>o.has(x)),p=i.has("base")||o.has("base_box")||!u?i:Z(i,{base:"rest"}),f=k(n,pt(a,"contexts"),{sort:Wr(o,n)}),d=cn(f,Zu,l),h=R(Tn(i),l),{data:b}=d.answer;if(b?.matched===0&&!b.is_truncated&&e.data)return c`<section>
      <${ja}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${s}
      />
    </section>`;let g=new Map(r.map(x=>[x.id,x.instance])),y={service:a.get("service"),sort:null,view:null,unit:null,key:null},S=o.has("box")&&n==="contexts"?ie(ve("e"),a):ie(ve("e"),Z(o,{...y,box:null,base_box:null}));return c`<div class="one-and-two">
      <${Cn} query=${a} base=${nm(i)} tick=${l} hrefOf=${sm} />
      <${da}
        query=${p}
        tick=${l}
        against=${o.has("base_box")?"the other box":"the rest"}
      />
      <${Js} url=${Tn(i)} answer=${h} />
    </div>
    <${ht} query=${i} tick=${l} whole=${h} />
    <${Wa}
      pages=${d}
      url=${f}
      query=${a}
      instances=${g}
      eventsHref=${S}
    />`}function im(e,t){return[e&&e.unknown>0&&`${v(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Xa(e,t,n){let r=k("contexts/heatmap",e),s=n&&t&&!e.has("where"),o=R(s?r:null,N.value),a=k("contexts/heatmap",e,{exemplars:"0"}),i=R(n&&!o.data?a:null,N.value),l=o.data?o:i,{data:u}=l,m=e.has("where")&&u!==null&&u.all===0&&u.unknown>0,p=k("contexts/heatmap",Z(e,{where:null})),f=R(m?p:null,N.value);return m&&f.data?{heat:f,heatUrl:p,isOfAll:!0}:{heat:l,heatUrl:r,isOfAll:!1}}function lm(e,t){let n=xs($.value.params),r=n!=="contexts",s=Xa(pt(e,"requests"),t,r),{data:o}=s.heat,a=o!==null&&o.all===0&&o.unknown===0,i=!r||a&&(n===null||!e.has("where")),l=Xa(e,t,i);return i?{...l,unit:"contexts"}:{...s,unit:"requests"}}function cm(e){let[t,n]=O(!1);return ce(()=>{e&&n(!0)},[e]),t}function Ja(){let{params:e}=$.value,{from:t,to:n}=ee.value,r=em(ee.value),s=Zo($.value,r),[o,a]=O(!1),{heat:i,heatUrl:l,isOfAll:u,unit:m}=lm(s,o),p=cm(i.data!==null||i.problem!==null),f=Z(s,{where:null,context:null}),d=k("contexts/types",f),h=R(m==="requests"||p?d:null,N.value),b=h.data?.requests??[],g=i.data&&rm(i.data,r),_=Z(f,{recording:null}),y=R(p?k("recordings",_):null,N.value),S=y.data?.recordings??[],x=u||tm(e,s),M=n-t<=Qu||e.get("whole")==="1"||me(e.get("box"))!==null||e.has("trace"),L=at($.value),X=[{name:"services",href:B([])},{name:L===null?"all":_e(L)}],j=i.data?.all===0&&y.data!==null&&S.length===0;return c`<${te} crumbs=${X}>
    ${i.data&&c`<${om} data=${i.data} seconds=${g} jvms=${y.data} unit=${m} />`}
    <${ga}
      types=${h.data?.types??[]}
      instances=${[...new Set(S.map(Pe=>Pe.instance))]}
    />
    ${m==="requests"&&c`<${Ga}
        answer=${h}
        url=${d}
        requests=${b}
        seconds=${g}
      />`}
    ${!j&&c`<${Ha}
        answer=${i}
        url=${l}
        unit=${m}
        isEither=${b.length>0}
        note=${im(i.data,x)}
        onPoint=${()=>a(!0)}
      />`}
    ${p&&M&&c`<${am}
        key=${m}
        heat=${i}
        heatUrl=${l}
        unit=${m}
        recordings=${S}
        isNarrowed=${x}
      />`}
    ${p&&!M&&c`<section>
        <${F} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}var Ya=e=>e===null?"":w(e);function um(e,t){let n=({all:r,spark:s})=>{let o=s.map(i=>i!==null),a=e?rn(BigInt(e.t0_ns),e.step_ns,o,t):1;return r/a};return[{name:"service",cell:r=>c`<b>${_e(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>v(r.jvms),isNumber:!0,sort:r=>r.jvms},{name:"per second",title:"of all types together",cell:r=>v(Number(n(r).toPrecision(3))),isNumber:!0,sort:n},{name:"counted",title:"requests, where the service has some",cell:r=>c`${v(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},{name:"median",cell:r=>Ya(r.p50_ns),isNumber:!0,sort:r=>r.p50_ns??-1},{name:"p99",cell:r=>c`<b>${Ya(r.p99_ns)}</b>`,isNumber:!0,sort:r=>r.p99_ns??-1},{name:"kept",title:"in which something happened, and which are stored",cell:r=>r.all?q(r.kept/r.all):"",isNumber:!0,sort:r=>r.kept},{name:"most time of the kept",cell:r=>c`<${un} of=${r.top} />`},{name:"p99 over time",cell:r=>c`<${as} values=${r.spark} label=${`p99 of ${r.service} over time`} />`}]}function Za(){let{from:e,to:t}=ee.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=k("services",n),s=R(r,N.value),o=(s.data?.services??[]).map(ks),a=c`<${K}
    label="Services"
    columns=${um(s.data,ee.value)}
    rows=${o}
    rowKey=${u=>u.service}
    href=${u=>B(["s",u.service])}
  />`,i=s.data!==null&&o.length===0,l=c`<${H} of=${s.data} /><${I} url=${r} />`;return c`<${te}>
    <${P}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${l}
      answer=${s}
    >
      ${o.length>0&&a} ${i&&c`<${Ie} />`}
    <//>
  <//>`}function mm({columns:e,rows:t,recordings:n},r){let s=(o,a)=>o[e.indexOf(a)]??null;return t.map(o=>{let a=String(s(o,"recording")),i=e.flatMap((l,u)=>l.startsWith("attr.")&&o[u]!==null&&o[u]!==r?[`${l.slice(5)}=${o[u]}`]:[]);return{recording:a,id:String(s(o,"id")),type:String(s(o,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(s(o,"thread")??""),start:Number(s(o,"start")),duration:Number(s(o,"duration")),blocked:Number(s(o,"blocked")),attributes:i.join(" ")}})}function pm({rows:e,first:t}){let n=e.reduce((s,o)=>Math.max(s,o.start+o.duration),1),r=s=>`${100*s/n}%`;return c`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${w(n)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(s=>c`<tr class="opens" key=${s.recording+s.id}>
              <td title=${`${s.instance}, ${s.thread}`}>
                <a href=${Ce(s.recording,s.id,t+BigInt(Math.round(s.start)))}
                  ><b>${s.service}</b></a
                >
                <small class="dim"> ${s.thread}</small>
              </td>
              <td title=${s.attributes}>
                ${re(s.type)} <small class="dim">${s.attributes}</small>
              </td>
              <td class="n dim">+${w(s.start)}</td>
              <td class="n">${w(s.duration)}</td>
              <td
                class="axis"
                title=${`${w(s.blocked)} of ${w(s.duration)} blocked`}
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
  </div>`}var fm=e=>e===null?"":de(BigInt(e));function Qa({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${fm(n)}`;return c`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function dm({of:e}){return e.state==="eliminated"?c`<${F} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Qa} of=${e} />
      <//>`:c`<${F} title="Not seen">
        No context of this trace is known here. <${Qa} of=${e} />
      <//>`}function ei(){let e=$.value.path[1]??"",t=k("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,N.value),{data:r}=n,s=r?mm(r,e):[],o=BigInt(r?.t0_ns??"0"),a=hm(e,o,s),i=new Set(s.map(p=>p.service)).size,l=new Set(s.map(p=>p.recording)).size,u=c`<${H} of=${r} />
    ${s.length>0&&c`<${Ne} query=${a} />`} <${I} url=${t} />`,m=s.length>0&&`${Re(s.length,"context")} kept, ${Re(i,"service")}, ${Re(l,"JVM")}, from ${de(o)}`;return c`<${te} crumbs=${[{name:`trace ${e}`}]}>
    <${P} title="Trace" note=${m} tools=${u} answer=${n}>
      ${s.length>0&&c`<${pm} rows=${s} first=${o} />`}
      ${r&&s.length===0&&c`<${dm} of=${r} />`}
    <//>
    ${s.length>0&&c`<${Cn} query=${a} tick=${N.value} />
        <${ht} query=${a} tick=${N.value} />`}
  <//>`}function hm(e,t,n){let r=n.reduce((o,a)=>Math.max(o,a.start),0),s=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(s)})}function ti(){let{path:e,params:t}=$.value,[,n="",r=""]=e,s=t.get("at"),o=["requests",n,r].map(encodeURIComponent).join("/"),a=R(k(o,new URLSearchParams,{from:s})),{data:i}=a,l=i?.parts[0];ce(()=>{if(i&&l){let m=BigInt(i.t0_ns)+BigInt(Math.round(l.start));pe(Ce(n,l.id,m),!0)}},[i]);let u=[{name:"services",href:B([])},{name:"request"}];return c`<${te} crumbs=${u}>
    <${P} title="Request" note=${r} answer=${a}>
      ${i&&!l&&c`<${F} title="Nothing that it did is kept" />`}
    <//>
  <//>`}function gm([e]){switch(e){case void 0:return Za;case"c":return pa;case"e":return bs;case"q":return ti;case"r":return ws;case"s":return Ja;case"t":return ei;default:return vs}}var bm={s:"all services",e:"events",r:"recordings"};function $m(){let{path:e}=$.value;return le.value===null?null:le.value.is_needed&&le.value.identity===null?c`<${$s} />`:c`<${gm(e)} key=${e.join("/")} /> <${ns} />`}Co();Ko();Xo();Bo();ts();be(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?bm[t??""]??t:_e(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});ao(c`<${$m} />`,document.body);})();
