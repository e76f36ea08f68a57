"use strict";(()=>{var F,us,Lr,Fe,Ar,xn,ms,_n,ps,Er,Nr,ic,qt=Symbol.for("pv"),kn={},Sn=[],lc=/^m(i|n|o|s|text|space)$/,Ur=Array.isArray,Ir=Sn.slice,ot=Object.assign;function rt(e){e&&e.parentNode&&e.remove()}function Rn(e,t,n){var r,o,s,a={},i=arguments.length;for(s in t)s=="key"?r=t[s]:s=="ref"&&typeof e!="function"?o=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?Ir.call(arguments,2):n),jt(e,a,r,o,null)}function jt(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:qt,__v:o||++us,__i:-1,__u:0};return!o&&F.vnode&&F.vnode(s),s}function st(e){return e.children}function yt(e,t){this.props=e,this.context=t,this.__g=0}function je(e,t){if(t==null)return e.__&&je(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:je(e)}function cc(e){var t,n=e.__v,r=n.__e,o=[],s=[],a=e.__P;a&&((t=ot({constructor:qt},n)).__v=n.__v+1,F.vnode&&F.vnode(t),Br(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||je(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,bs(o,t,s),n.__=n.__e=null,t.__e!=r&&fs(t))}function fs(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),fs(e)}function ls(e){(8&e.__g||(e.__g|=8,Fe.push(e),xn++))&&Ar==F.debounceRendering||((Ar=F.debounceRendering)||queueMicrotask)(ds)}function ds(){try{for(var e,t=1;Fe.length;)Fe.length>t&&Fe.sort(ms),e=Fe.shift(),t=Fe.length,8&e.__g&&cc(e)}finally{(xn=Fe.length)&&(Ar||queueMicrotask)(ds)}}function hs(e,t,n,r,o,s,a,i,c,u,m){var p,d,f,g,_,h,y=r.__k||Sn,k=t.length;for(c=uc(n,t,y,c,k),p=0;p<k;p++)(f=n.__k[p])!=null&&(d=~f.__i&&y[f.__i]||kn,f.__i=p,h=Br(e,f,d,o,s,a,i,c,u,m),g=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Dr(d.ref,null,f,d),f.ref&&m.push(f.ref,f.__c||g,f)),_=_||g,4&f.__u?(c=gs(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&h!==void 0?c=h:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=_,c}function uc(e,t,n,r,o){var s,a,i,c,u,m,p,d,f,g=n.length,_=g,h=0,y=0,k=e.__k=Array(o);for(s=0;s<o;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=k[s]=jt(null,a):Ur(a)?a=k[s]=jt(st,{children:a}):a.constructor===qt&&a.__b?a=k[s]=jt(a.type,a.props,a.key,a.ref,a.__v):k[s]=a,c=s+h,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=mc(a,n,c,_))&&(_--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==c-1?h--:u==c+1?h++:u!=c&&(u>c?h--:h++,y=1)):(~u||(o>g?h--:o<g&&h++),typeof a.type!="function"&&(a.__u|=4))):k[s]=null;if(y){for(m=[],p=[],s=0;s<o;s++)if((a=k[s])&&16&a.__u){for(h=0,d=m.length;h<d;)m[f=h+d>>1]<a.__i?h=f+1:d=f;m[h]=a.__i,p[s]=h+1}for(h=m.length;s--;)p[s]&&(p[s]==h?h--:k[s].__u|=4)}if(_)for(s=0;s<g;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=je(i)),Hr(i,i));return r}function gs(e,t,n,r){var o,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=gs(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=je(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function mc(e,t,n,r){var o,s=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&a==i.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o}return-1}function cs(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function yn(e,t,n,r,o){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||cs(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||cs(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Nr[t]||(Nr[t]=pc(t)),(e.__a||(e.__a={}))[t]=Er,s=t!=(t=t.replace(ps,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function pc(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[_n]==null)t[_n]=Er++;else if(t[_n]<this.__a[e])return;return n(F.event?F.event(t):t)}}}function Br(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,_,h,y,k,w,x,A,N,J,G,$e,le,ue,M=t.type;if(t.constructor!==qt)return null;128&n.__u&&(c=32&n.__u,m=n.__c.__z)&&(t.__u|=c,p=s=[],m.nodeType==8?i=wn(m,s):s.push(m),i=s[0]||i),(m=F.__b)&&m(t);e:if(typeof M=="function"){d=a.length;try{if(y=t.props,k=(m=M.prototype)&&m.render,w=(m=M.contextType)&&r[m.__c],x=m?w?w.props.value:m.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(k?t.__c=f=new M(y,x):(t.__c=f=new yt(y,x),f.constructor=M,f.render=dc),w&&w.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),k&&(f.__s||(f.__s=f.state),M.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=ot({},f.__s)),ot(f.__s,M.getDerivedStateFromProps(y,f.__s)))),g=f.props,_=f.state,f.__v=t,n.__c){if(y!==g&&k&&!M.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(y,x),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(y,f.__s,x)===!1){t.__v!=n.__v&&(f.props=y,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(D){D&&(D.__=t)}),Sn.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=je(n);break e}f.componentWillUpdate&&f.componentWillUpdate(y,f.__s,x),k&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,_,h)})}else k&&!M.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),k&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=y,f.__P=e,f.__g&=-5,A=F.__r,N=k?25:0;do f.__g&=-9,A&&A(t),m=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++N<25);k&&(Sn.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=ot({},r,f.getChildContext())),k&&n.__c&&f.getSnapshotBeforeUpdate&&(h=f.getSnapshotBeforeUpdate(g,_)),J=m&&m.type===st&&m.key==null?m.props.children:m,y.__P&&(m=i,o=(e=y.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(D){D&&Hr(D,D)}),n.__k=null),i=n.__k?je(n,0):null),i=hs(e,Ur(J)?J:[J],t,n,r,o,s,a,i,c,u),y.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(rt),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(D){if(a.length=d,t.__v=null,c||s)if(D&&D.then){if(t.__u|=128|c,s){for(~(le=s.indexOf(i||void 0))||(le=s.length);(ue=s[le-1])&&ue.nodeType==8;)le--;for(;le<s.length;le++)if(ue=s[le])if(s[le]=null,G){if(ue==$e)break}else{if(ue.nodeType!=8)break;ue.data.startsWith("$s")&&($e=wn(G=ue))}}if(!G){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;G=i}(m=wn(G=t.__c.__z||(t.__c.__z=G)))?(t.__e=G,i=m):t.__e=i,i=i&&i.nextSibling}else s&&s.some(rt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),D&&D.then||$s(t),F.__e(D,t,n)}}else i=t.__e=fc(n.__e,t,n,r,o,s,a,c,u,e);return(m=F.diffed)&&m(t),i}function wn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function $s(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some($s))}function bs(e,t,n){for(var r=0;r<n.length;)Dr(n[r++],n[r++],n[r++]);F.__c&&F.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){F.__e(s,o.__v)}})}function fc(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,_,h,y,k=n.props||kn,w=t.props,x=t.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(m=0;m<s.length;m++)if((g=s[m])&&(x?g.localName==x:g.nodeType==3)){e=g,s[m]=null;break}}if(!e){if(y=u.ownerDocument||document,!x)return y.createTextNode(w);e=y.createElementNS(o,x,w.is?w:u),i&&(F.__m&&F.__m(t,s),i=!1),s=null}if(x){if(u=x=="template"&&e.content||e,s=x=="textarea"&&w.defaultValue!=null?null:s&&Ir.call(u.childNodes),!i&&s)for(k={},m=0;m<e.attributes.length;m++)k[(g=e.attributes[m]).name]=g.value;for(m in k)g=k[m],m=="dangerouslySetInnerHTML"?d=g:m=="children"||m in w||m=="value"&&"defaultValue"in w||m=="checked"&&"defaultChecked"in w||yn(e,m,null,g,o);for(m in w)g=w[m],m=="children"?f=g:m=="dangerouslySetInnerHTML"?p=g:m=="value"?_=g:m=="checked"?h=g:i&&typeof g!="function"||k[m]===g||yn(e,m,g,k[m],o);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&lc.test(x))&&(o="http://www.w3.org/1999/xhtml"),hs(u,Ur(f)?f:[f],t,n,r,o,s,a,s?s[0]:n.__k&&je(n,0),i,c),s&&s.some(rt)),i&&x!="textarea"||(m="value",x=="progress"&&_==null?e.removeAttribute(m):_==null||_===e[m]&&(x!="progress"||_)||yn(e,m,_,k[m],o),m="checked",h!=null&&h!=e[m]&&yn(e,m,h,k[m],o))}else k===w||i&&e.data==w||(e.data=w);return e}function Dr(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){F.__e(o,n)}}function Hr(e,t,n){var r,o,s,a;if(F.unmount&&F.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Dr(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){F.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Hr(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=wn(r,s=[]))&&(r==e.__e&&s.some(rt),rt(o),rt(r)),n||rt(e.__e),e.__e=e.__c=e.__=null}function dc(e,t,n){return this.constructor(e,n)}function vs(e,t){var n,r,o,s;F.__&&F.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=jt(st,{children:[e]}),o=[],s=[],Br(t,t.__k,r||kn,kn,t.namespaceURI,r?null:t.firstChild?Ir.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),bs(o,t.__k,s),t.__k.props.children=null}F={__e:function(e,t,n,r){for(var o,s,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw xn=0,e}},us=0,Lr=function(e){return e!=null&&e.constructor===qt},yt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ot({},this.state)),typeof e=="function"&&(e=e(ot({},n),this.props)),e&&(ot(n,e),this.__v&&(t&&this.__k.push(t),ls(this)))},yt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ls(this))},yt.prototype.render=st,Fe=[],xn=0,ms=function(e,t){return e.__v.__b-t.__v.__b},_n=Symbol(),ps=/(PointerCapture)$|Capture$/i,Er=0,Nr={},ic=0;var _t,Q,Fr,ys,jr=Object.is,Vt=0,Ps=[],qr=[],X=F,_s=X.__b,ws=X.__r,xs=X.diffed,ks=X.__c,Ss=X.unmount,Rs=X.__;function On(e,t){X.__h&&X.__h(Q,e,Vt||t),Vt=0;var n=Q.__H||(Q.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function C(e){return Vt=1,hc(Cs,e)}function hc(e,t,n){var r=On(_t++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Cs(void 0,t),function(s){var a=(r.__N||r.__)[0],i=r.t(a,s);jr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=Q,!Q.__f)){Q.__f=!0;var o=Q.shouldComponentUpdate;Q.shouldComponentUpdate=function(s,a,i){var c=this.__H;if(!c)return!0;var u=!1,m=this.props!=s;if(c.__.some(function(d){d.__N&&(u=!0,jr(d.__[0],d.__N[0])||(m=!0))}),o){var p=o.call(this,s,a,i);return u?p||m:p}return!u||m}}return r.__}function Re(e,t){var n=On(_t++,3);!X.__s&&Vr(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Q.__H.__h.push(n))}function Ce(e,t){var n=On(_t++,4);!X.__s&&Vr(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Q.__h.push(n))}function Y(e){return Vt=5,L(function(){return{current:e}},[])}function L(e,t){var n=On(_t++,7);return Vr(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Tn(e,t){return Vt=8,L(function(){return e},t)}function gc(){var e;do{for(;e=qr.shift();)try{Wt(e)}catch(n){X.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ps.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Wt),t.__h.some(Wr),t.__h=[]}catch(n){t.__h=[],X.__e(n,e.__v)}}}while(qr.length)}X.__b=function(e){Q=null,_s&&_s(e)},X.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Rs&&Rs(e,t)},X.__r=function(e){ws&&ws(e),_t=0;var t=(Q=e.__c).__H;t&&(Fr==Q?Q.__h=[]:(t.__h.some(Wt),t.__h.some(Wr),_t=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Fr=Q},X.diffed=function(e){xs&&xs(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ts(Ps.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Fr=Q=null},X.__c=function(e,t){t.some(function(n){try{n.__h.some(Wt),n.__h=n.__h.filter(function(r){return!r.__||Wr(r)})}catch(r){n.__h=[function(){throw r}]}}),ks&&ks(e,t)},X.unmount=function(e){Ss&&Ss(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,Ts(qr.push(o))}else Wt(o)}catch(s){t=s}}),r.__H=void 0,t&&X.__e(t,r.__v))};var Os=typeof requestAnimationFrame=="function";function $c(e){var t,n=function(){clearTimeout(r),Os&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Os&&(t=requestAnimationFrame(n))}function Ts(e){e!=1&&ys==X.requestAnimationFrame||((ys=X.requestAnimationFrame)||$c)(gc)}function Wt(e){var t=Q,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Q=t}function Wr(e){var t=Q;e.__c=e.__(),Q=t}function Vr(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!jr(n,e[r])})}function Cs(e,t){return typeof t=="function"?t(e):t}var bc=Symbol.for("preact-signals");function An(){if(Ue>1)Ue--;else{var e,t=!1;for((function(){var o=Cn;for(Cn=void 0;o!==void 0;){var s=o.S;if(s.v===o.v)for(var a=s.t;a!==void 0;a=a.x)a.i===o.i&&(a.i=s.i);o=o.o}})();Gt!==void 0;){var n=Gt;for(Gt=void 0,Pn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&As(n))try{n.c()}catch(o){t||(e=o,t=!0)}n=r}}if(Pn=0,Ue--,t)throw e}}function Gr(e){if(Ue>0)return e();Jr=++vc,Ue++;try{return e()}finally{An()}}var Jt,K=void 0;function Kt(e){var t=K,n=Jt;K=void 0,Jt=void 0;try{return e()}finally{K=t,Jt=n}}var Gt=void 0,Ue=0,Pn=0,vc=0,Jr=0,Cn=void 0,Mn=0;function Ms(e){if(K!==void 0){var t=e.n;if(t===void 0||t.t!==K)return t={i:0,S:e,p:K.s,n:void 0,t:K,e:void 0,x:void 0,r:t},K.s!==void 0&&(K.s.n=t),K.s=t,e.n=t,32&K.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=K.s,t.n=void 0,K.s.n=t,K.s=t),t}}function te(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}te.prototype.brand=bc;te.prototype.h=function(){return!0};te.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Kt(function(){var r;(r=t.W)==null||r.call(t)}))};te.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Kt(function(){var o;(o=t.Z)==null||o.call(t)}))}};te.prototype.subscribe=function(e){var t=this;return Oe(function(){var n=t.value;Kt(function(){return e(n)})},{name:"sub"})};te.prototype.valueOf=function(){return this.value};te.prototype.toString=function(){return this.value+""};te.prototype.toJSON=function(){return this.value};te.prototype.peek=function(){var e=this;return Kt(function(){return e.value})};Object.defineProperty(te.prototype,"value",{get:function(){var e=Ms(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Pn>100)throw new Error("Cycle detected");(function(n){Ue!==0&&Pn===0&&n.l!==Jr&&(n.l=Jr,Cn={S:n,v:n.v,i:n.i,o:Cn})})(this),this.v=e,this.i++,Mn++,Ue++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{An()}}}});function se(e,t){return new te(e,t)}function As(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Ns(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Ls(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function at(e,t){te.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Mn-1,this.f=4}at.prototype=new te;at.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Mn))return!0;if(this.g=Mn,this.f|=1,this.i>0&&!As(this))return this.f&=-2,!0;var e=K;try{Ns(this),K=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return K=e,Ls(this),this.f&=-2,!0};at.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}te.prototype.S.call(this,e)};at.prototype.U=function(e){if(this.t!==void 0&&(te.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};at.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(at.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Ms(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Me(e,t){return new at(e,t)}function Es(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Ue++;var n=K;K=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Kr(e),r}finally{K=n,An()}}}function Kr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Es(e)}function yc(e){if(K!==this)throw new Error("Out-of-order effect");Ls(this),K=e,this.f&=-2;try{8&this.f&&Kr(this)}finally{An()}}function wt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Jt&&Jt.push(this)}wt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};wt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Es(this),Ns(this),Ue++;var e=K;return K=this,yc.bind(this,e)};wt.prototype.N=function(){2&this.f||(this.f|=2,this.u=Gt,Gt=this)};wt.prototype.d=function(){this.f|=8,1&this.f||Kr(this)};wt.prototype.dispose=function(){this.d()};function Oe(e,t){var n=new wt(e,t);try{n.c()}catch(o){throw n.d(),o}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Us,Ln,Nn,_c=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Is=[];Oe(function(){Us=this.N})();function xt(e,t){F[e]=t.bind(null,F[e]||function(){})}function zt(e){if(Nn){var t=Nn;Nn=void 0,t()}Nn=e&&e.S()}function Bs(e){var t=this,n=e.data,r=xc(n);r.name="ReactiveDom",r.value=n;var o=L(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var u=Me(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),m=Me(function(){return!Array.isArray(u.value)&&!Lr(u.value)}),p=Oe(function(){if(this.N=Ds,m.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[m,u]},[]),s=o[0],a=o[1];return s.value?a.peek():a.value}Bs.displayName="ReactiveTextNode";Object.defineProperties(te.prototype,{constructor:{configurable:!0,value:Rn(st,null).constructor},type:{configurable:!0,value:Bs},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});xt("__b",function(e,t){if(zt(),Ln=void 0,typeof t.type=="string"){var n,r=t.props;for(var o in r)if(o!=="children"){var s=r[o];s instanceof te&&(n||(t.__np=n={}),n[o]=s,r[o]=s.peek())}}e(t)});xt("__r",function(e,t){if(e(t),t.type!==st){zt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(o,s){var a;return Oe(function(){a=this},{name:s}),a.c=o,a})((function(o){return function(){var s;_c&&((s=this.y)==null||s.call(this)),o.__$f|=1,o.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Ln=r,zt(n)}});xt("__e",function(e,t,n,r){zt(),Ln=void 0,e(t,n,r)});xt("diffed",function(e,t){zt(),Ln=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,o=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||r&&a in r||(i.d(),s[a]=void 0)}if(r){s||(s={},n.U=s);for(var c in r){var u=s[c],m=r[c];u===void 0?(u=wc(n,c,m,o),s[c]=u):u.o(m,o)}}}e(t)});function wc(e,t,n,r){var o=t in e&&e.ownerSVGElement===void 0,s=se(n);return{o:function(a,i){s.value=a,r=i},d:Oe(function(){this.N=Ds;var a=s.value.value;r[t]!==a&&(r[t]=a,o?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}xt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var o in r){var s=r[o];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});xt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});yt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var o in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(r||s||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function xc(e,t){return L(function(){return se(e,t)},[])}var kc=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Sc(){Gr(function(){for(var e;e=Is.shift();)Us.call(e)})}function Ds(){Is.push(this)===1&&(F.requestAnimationFrame||kc)(Sc)}function Rc(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var Hs=globalThis.document?.currentScript,Te=Hs?Rc(Hs.src):"";function zr(e,t=Te){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var Oc=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function Tc(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function Pc(e){return zr(e).split("/").filter(t=>t!=="").map(Tc)}function Xr(){return{path:Pc(location.pathname),params:new URLSearchParams(location.search)}}var $=se({path:[],params:new URLSearchParams});function he(...e){return Te+"/"+e.map(Oc).join("/")}function j(e,t){let n=new URLSearchParams(e);for(let[r,o]of Object.entries(t)){n.delete(r);for(let s of o===null?[]:typeof o=="string"?[o]:o)n.append(r,s)}return n}function me(e,t){let n=t.toString();return n===""?e:e+"?"+n}function be(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Xr()}function T(e,t=!1){be(me(location.pathname,j($.value.params,e)),t)}function ce(e){return me(he(...$.value.path),j($.value.params,e))}function Yr(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function W(e,t={}){return me(he(...e),j(Yr($.value.params),t))}function Cc(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=(t.pathname+"/").startsWith(Te+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(zr(t.pathname));t.origin===location.origin&&o&&(e.preventDefault(),be(t.pathname+t.search),scrollTo(0,0))}function Fs(){addEventListener("popstate",()=>$.value=Xr()),addEventListener("click",Cc),$.value=Xr()}function Xt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function v(e){if(e<0)return"-"+v(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[o,s]of t){let a=e/s;if(a<(o==="s"?99.5:999.5))return(o==="ns"?String(Math.round(a)):Xt(a))+" "+o}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var Mc={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function js(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*Mc[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function Z(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Xt(t))+" "+n;t/=1e3}return Xt(t)+" TB"}function b(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Xt(e/1e6)+" M":Xt(e/1e9)+" G"}function pe(e,t){return`${b(e)} ${t}${e===1?"":"s"}`}function H(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function ve(e,t){return t==="ns"?v(e):t==="bytes"?Z(e):b(e)}function ae(e){return e||"(no name)"}function ee(e){return e.slice(e.lastIndexOf(".")+1)}function Ie(e){return e.split(".").slice(-2).join(".")}var Ws=function(e,t,n,r){var o;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++s]]=i:a===6?r[1][t[++s]]+=i+"":a?(o=e.apply(i,Ws(e,i,n,["",null])),r.push(o),i[0]?t[0]|=2:(t[s-2]=0,t[s]=o)):r.push(i)}return r},qs=new Map;function Vs(e){var t=qs.get(this);return t||(t=new Map,qs.set(this,t)),(t=Ws(this,t.get(e)||(t.set(e,t=(function(n){for(var r,o,s=1,a="",i="",c=[0],u=function(d){s===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):s===3&&(d||a)?(c.push(3,d,a),s=2):s===2&&a==="..."&&d?c.push(4,d,0):s===2&&a&&!d?c.push(5,0,!0,a):s>=5&&((a||!d&&s===5)&&(c.push(s,0,a,o),s=6),d&&(c.push(s,d,0,o),s=6)),a=""},m=0;m<n.length;m++){m&&(s===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],s===1?r==="<"?(u(),c=[c],s=3):a+=r:s===4?a==="--"&&r===">"?(s=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),s=1):s&&(r==="="?(s=5,o=a,a=""):r==="/"&&(s<5||n[m][p+1]===">")?(u(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),s=2):a+=r),s===3&&a==="!--"&&(s=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}function Ac(...e){return this[0]=3,Rn(...e)}var l=Vs.bind(Ac);function Nc(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function kt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let o=Number(r.headers.get("retry-after"))||1;await Nc(o*1e3,t.signal)}}async function it(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ge=se(null),Yt=se(!1),Js=Te+"/api/v1/login",Gs={"loupe-page":"1"},Ks=e=>`the collector cannot be reached: ${String(e)}`;async function zs(e){if(!e.ok)return it(e);let t=await e.json();return ge.value={is_needed:t.is_needed,identity:t.identity},null}async function Xs(e,t={}){try{return await zs(await fetch(Js,{method:e,headers:{...Gs,...t}}))}catch(n){return Ks(n)}}async function Ys(){await kt(Js,{headers:Gs}).then(zs).catch(Ks)!==null&&(ge.value={is_needed:!1,identity:null})}async function Qs(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Xs("POST",{authorization:`Bearer ${e}`});return Yt.value&&=t!==null,t}async function Zs(){let e=await Xs("DELETE");return Yt.value&&=e!==null,e}function ea(){Yt.value||=ge.value?.identity!=null,ge.value={is_needed:!0,identity:null}}var fe=se(!1);function ta(){let e=matchMedia("(max-width: 640px)"),t=()=>fe.value=e.matches;e.addEventListener("change",t),t()}var Qr=0;function na(){return Qr>0}async function Lc(e,t){let n=await kt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:o}=n;o===401&&ea();let s=r?await n.json():null,a=r?null:await it(n);return{data:s,problem:a,status:o,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,o]=C(n);return Ce(()=>{if(e===null){o(n);return}let s=new AbortController;o(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>o(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),c=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>s.signal.aborted||m(p);return Qr++,Lc(e,s.signal).then(u(i),u(c)).finally(()=>Qr--),()=>s.abort()},[e,t]),r}var Ec={ns:1n,us:1000n,ms:1000000n,s:1000000000n,m:60000000000n,h:3600000000000n,d:86400000000000n};function qe(e){let[,t,n]=/^(\d{1,19}) *(ns|us|ms|s|m|h|d)$/.exec(e)??[],r=t===void 0?0n:BigInt(t)*Ec[n];return r>0n&&r<1n<<63n?r:null}function Zr(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],o=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(o)?null:BigInt(o)*1000000n+BigInt(n.padEnd(9,"0"))}function lt(e,t){let n=qe(e);return n===null?Zr(e):t-n}var oa=["5m","15m","1h","6h","1d","7d","30d"],ra="1h",Uc=5e3,sa=()=>BigInt(Date.now())*1000000n,P=se(sa());function eo(){P.value=sa()}var En=Me(()=>{let e=$.value.params.get("last")??ra;return qe(e)===null?ra:e}),ct=Me(()=>$.value.params.get("live")==="1"),V=Me(()=>{let{params:e}=$.value,t=lt(e.get("to")??"",P.value)??P.value,n=lt(e.get("from")??"",P.value);return{from:n!==null&&n<t?n:t-qe(En.value),to:t}}),Ic=18e10;function Un(e,t,n,{from:r,to:o}){let s=n.lastIndexOf(!0),a=Number(o-e)-(s+1)*t,i=s>=0&&a>0&&a<=Ic;return Math.max(1,(Number(o-r)-(i?a:0))/1e9)}function aa(){let e=0;Oe(()=>{if(clearInterval(e),ct.value){let t=()=>document.hidden||na()||eo();e=window.setInterval(t,Uc)}})}var Be=se(0),to=new Map;function E(e){let t=to.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),to.set(e,t)),t}function We(e){return`${E("t1")} ${E(e)}`}function no(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function ia(e,t,n){let r=no(t);return"#"+no(e).map((s,a)=>Math.round(s+(r[a]-s)*n)).map(s=>s.toString(16).padStart(2,"0")).join("")}var Bc=.2;function St(e){let[t,n,r]=no(e).map(o=>(o/255)**2.2);return .2126*t+.7152*n+.0722*r>Bc?"#101113":"#ffffff"}function la(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{to=new Map,Be.value++})}var Rt=Me(()=>$.value.params.get("zone")==="utc"),In=1000000n,ro=6e4,ca=e=>String(e).padStart(2,"0");function Bn(e,t=Rt.value){return t?0:-new Date(Number(e/In)).getTimezoneOffset()*ro}function ua(e){return BigInt(Bn(e))*In}var Qt=e=>new Date(Number(e/In)+Bn(e)).toISOString().replace("Z","");function ie(e,t=1e6){return Qt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function ye(e){return Qt(e).slice(0,10)}function _e(e){return Qt(e).slice(0,19).replace("T"," ")}function ma(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${ca(t)}:${ca(n)}`}function ne(e,t=Rt.value){let n=Bn(e,t)/ro,r=ma(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Ve(e){let t=Bn(e)/ro,n=String(e%1000000000n).padStart(9,"0");return`${Qt(e).slice(0,19)}.${n}${t===0?"Z":ma(t)}`}function oo(e){return Qt(e).slice(0,19)}function pa(e){let t=Date.parse(Rt.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*In}var fa=3600000000000n,Dc={day:24n*fa,week:7n*24n*fa};function De(e){let t=/^(?:(day|week)|(version|instance):([^]+)|version@(\d{1,19}):([^]+))$/.exec(e??"");return t?t[4]?{kind:"version",value:t[5],until:BigInt(t[4])}:t[1]?{kind:t[1]}:{kind:t[2],value:t[3]}:null}function da(e){return"until"in e?e.until??null:null}function Zt(e){let t=da(e),n=t===null?"":`@${t}`;return"value"in e?`${e.kind}${n}:${e.value}`:e.kind}function en(e){switch(e.kind){case"day":case"week":return`the ${e.kind} before`;case"version":return e.until===void 0?`version ${e.value}`:`version ${e.value} until ${_e(e.until)}`;case"instance":return`JVM ${e.value}`}}function ha({kind:e}){return e==="day"||e==="week"?`${e} before`:{version:"other version",instance:"other JVM"}[e]}function Hc(e,t){let[n,r]=[e.get("from"),e.get("to")];return t===null||n===null||r===null?{}:{from:String(t-(BigInt(r)-BigInt(n))),to:String(t)}}function ga(e,t){let n={recording:null,trace:null,id:null};if("value"in t){let o=t.kind==="version"?"instance":"version",s={...n,[o]:null,[t.kind]:t.value};return j(e,{...s,...Hc(e,da(t))})}let r=o=>e.has(o)?String(BigInt(e.get(o))-Dc[t.kind]):null;return j(e,{...n,from:r("from"),to:r("to")})}var Fc=["recording","instance","version","context","where","trace","thread","pool","id"],jc=["recording","instance","version","context"],so=["min_duration_ns","max_duration_ns"];function Ot(e){return/^\d{1,19}$/.test(e)}function de(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function tn(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Dn(e,t,n){for(let r of n)t.getAll(r).forEach(o=>e.append(r,o))}function Hn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var $a=30000000000n;function ao({from:e,to:t}){let n=(t-e)/2n<$a?(t-e)/2n:$a;return{from:e-n,to:t+n}}function ba(e,t,n=""){Hn(e,ao(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Pe({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function Tt(e,t){let n=new URLSearchParams,r=Pe(e);r!==null&&n.set("service",r),Dn(n,e.params,Fc);let o=de(e.params.get("box"));if(o)ba(n,o);else{Hn(n,t);for(let s of so)e.params.getAll(s).filter(Ot).forEach(a=>n.append(s,a))}return n}function Fn(e,t){let n=new URLSearchParams,r=Pe(e);return r!==null&&n.set("service",r),Dn(n,e.params,["recording","instance","version"]),Hn(n,t),n}function io(e,t){let n=De(t.get("against")),r=new URLSearchParams(e);for(let[o,s]of n?ga(e,n):[])r.append("base_"+o,s);return r}function va(e,t){let n=Tt(e,t),r=de(e.params.get("base_box"));if(!r)return Dn(n,e.params,["base"]),n.has("base")?n:io(n,e.params);ba(n,r,"base_");let o=n.get("service");o!==null&&n.set("base_service",o);for(let s of["recording","instance","version","context","where","thread","pool"])e.params.getAll(s).forEach(a=>n.append("base_"+s,a));return n}function ya(e,t){let n=new URLSearchParams,r=Pe(e);r!==null&&n.set("service",r),Dn(n,e.params,jc),Hn(n,t);let o=e.params.getAll("where");return o.length===1&&/^[^=<>!^]+=/.test(o[0])&&n.set("where",o[0]),n}function S(e,t,n={}){return me(Te+"/api/v1/"+e,j(t,n))}function ut({text:e,label:t,title:n,className:r="",children:o}){let s=Y(null),[a,i]=C(!1),c=()=>i(!1);Re(()=>{if(!a)return;let p=({target:f})=>s.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),s.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let u=({target:p})=>p.closest("a")&&c(),m=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${s}
    open=${a}
    onToggle=${m}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${u}>${o(c)}</div>`}
  </details>`}function jn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function qc(e,t,n=!1){let[r,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([i,c])=>` \\
  --data-urlencode ${jn(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${s.length>0?"G":""}${a} ${jn(t+r)}${s.join("")}`}async function Wc(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function U({url:e}){return e===null?null:l`<${ut} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${Vc} url=${e} />`}
      <//>`}function Vc({url:e}){let[t,n]=C(!1),r=qc(e,location.origin,ge.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:s})=>{await Wc(r,s),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var Jc=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ae({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),o=e.get("unit")==="threads",s={value:t==="time"?null:t,frame:n},a=(m,p)=>S(p,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(p)?s:{}}),i=S("slice.speedscope.json",r,s),c=new URLSearchParams({profileURL:i});return l`<${ut} text="download">${()=>l`${Jc.filter(([,m])=>!o||/collapsed|pprof|speedscope/.test(m)).map(([m,p,d])=>l`<a href=${a(m,p)} download title=${d}
            >${m}<small>${d}</small></a
          >`)}
      <a href=${Te+"/speedscope/#"+c.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function _a(e){return`${Te}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var nn=se(null),Pt=se([]),wa={accept:"application/json"};async function Gc(e){let t=await kt(S("collector",new URLSearchParams),{headers:wa});if(!t.ok)return it(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${jn(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...wa,"loupe-page":"1"},body:e});return n.ok?await n.json():it(n)}var xa=(e,t)=>Pt.value=[...Pt.value,{name:e,text:t}];function Kc(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&xa(e,`not all of it is shown: ${t.join("; ")}${r}`)}function zc(e){let t=new Set(e.map(s=>s.service)),n=(s,a)=>BigInt(s)<BigInt(a)?s:a,r=(s,a)=>BigInt(s)<BigInt(a)?a:s,o=new URLSearchParams({from:e.map(s=>s.from_ns).reduce(n),to:e.map(s=>s.to_ns).reduce(r)});return me(t.size===1?he("s",...t):he(),o)}async function ka(e){let t=[];for(let n of e){nn.value=n.name;let r=await Gc(n).catch(o=>`it cannot be sent: ${String(o)}`);typeof r=="string"?xa(n.name,r):(t.push(r),Kc(n.name,r))}nn.value=null,t.length>0&&be(zc(t))}var qn=Promise.resolve();function Xc(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Yc(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),qn=qn.then(()=>ka(t)))}function Sa(){return l`<input type="file" multiple aria-label="recordings" onChange=${t=>{let n=[...t.currentTarget.files??[]];qn=qn.then(()=>ka(n))}} />`}function Ra(){addEventListener("dragover",Xc),addEventListener("drop",Yc)}function Oa(){return nn.value===null&&Pt.value.length===0?null:l`<div class="upload">
    <div>
      ${Pt.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${nn.value!==null&&l`<p role="status">Reading ${nn.value} …</p>`}
    </div>
    ${Pt.value.length>0&&l`<button onClick=${()=>Pt.value=[]}>close</button>`}
  </div>`}var Qc={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Zc={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function z(e){let t=e.startsWith("other: ")?e.slice(7):e;return Qc[e]??{name:t,token:"other"}}function Ct(e){return Zc[e]??"other: other"}function Wn(e){return e==="."?null:z(Ct(e))}var eu={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function we(e){return(e.startsWith("jdk.")?eu[e.slice(4)]:void 0)??"other: "+e}var tu=/^(java|javax|jdk|sun|com\.sun)\./;function Je(e){return tu.test(e)}function He(e,t,n){return mt("contexts",e,t,n)}function mt(e,t,n,r){return W([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function Ta(e,t){return e.replaceAll("{trace_id}",encodeURIComponent(t))}function Pa(e,t,n){let[,r,o]=/^(.+)\.[^.]+:(\d+)$/.exec(t)??[],{service:s="",version:a=""}=n??{},i=(m,p)=>!p&&e.includes(`{${m}}`);if(!r||Je(t)||i("service",s)||i("version",a))return null;let u={path:r.replace(/\$.*/,"").split(".").map(encodeURIComponent).join("/"),line:o,service:encodeURIComponent(s),version:encodeURIComponent(a)};return e.replace(/\{(path|line|service|version)\}/g,(m,p)=>u[p])}function Vn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function rn({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(o=>({start:BigInt(e)+BigInt(Math.round(Number(o[r]??0))),values:Object.fromEntries(t.map((s,a)=>[s,o[a]??null]))}))}var nu=1e3,Ca=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function ru(e,t,n,r,o){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&Ca(e.url)===Ca(t)?Math.min(nu,Math.max(o,r)):o;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Jn(e,t,n){let[r,o]=C([]),[,s]=C(""),a=Y({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=ru(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:u}=a.current,m=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${m}`,n);Re(()=>{p.data&&!p.isLoading&&o([...u,...rn(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},s(d)}}}function re({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${z(e).token})`}}
  ></span>`}function Aa({of:e}){return e&&l`<${re} category=${e.category} />${z(e.category).name}
      <span class="dim"> ${H(e.share)}</span>`}var ou=.07,su=.16;function Na({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),o=u=>u.total_ns/Math.max(1,t),s=u=>z(u.category).name,a=u=>o(u)<ou?"":o(u)<su?s(u):`${s(u)} ${n(u)}`,i=u=>Be.value>=0&&St(E(z(u.category).token)),c=r.map(u=>`${s(u)} ${H(o(u))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(u=>l`<span
          key=${u.category}
          title=${`${s(u)} ${n(u)}, ${H(o(u))}`}
          style=${{flexGrow:o(u),background:`var(--${z(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var Ma=120,lo=22;function La({values:e,label:t}){let n=e.reduce((a,i)=>Math.max(a,i??0),1),r=a=>(e[a]??null)!==null,o="",s="";return e.forEach((a,i)=>{if(a===null)return;let c=(i+.5)/e.length*Ma,u=lo-2-a/n*(lo-4),m=`${c.toFixed(1)} ${u.toFixed(1)}`,p=!r(i-1)&&!r(i+1);o+=p?"":`${r(i-1)?"L":"M"}${m}`,s+=p?`M${m}h0`:""}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${Ma} ${lo}"
  >
    <path d=${o} />
    <path class="dots" d=${s} />
  </svg>`}var au=["context","where","trace","id","min_duration_ns","max_duration_ns"],iu=e=>e.get("unit")==="threads",Ea="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",Ua=e=>lt(e,0n)!==null,Ia="FROM,TO,MIN,MAX, all in nanoseconds",Gn=e=>t=>e.includes(t),Ba={from:[Ua,Ea],to:[Ua,Ea],last:[e=>qe(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[Ot,"a number of nanoseconds"],max_duration_ns:[Ot,"a number of nanoseconds"],box:[e=>de(e)!==null,Ia],base_box:[e=>de(e)!==null,Ia],against:[e=>De(e)!==null,"day, week, version:VERSION, version@NS:VERSION or instance:INSTANCE"],unit:[Gn(["requests","contexts","threads"]),"requests, contexts or threads"],jvm:[Gn(["1"]),"1"],live:[Gn(["1"]),"1"],zone:[Gn(["utc"]),"utc"]};function Mt(e,t){return Ba[e]?.[0](t)??!0}function Da(e,t){let n=[...e].filter(([c,u])=>!Mt(c,u)).map(([c,u])=>({name:c,value:u,why:`it has to be ${Ba[c][1]}`})),r=[...e].filter(([c,u])=>iu(e)&&au.includes(c)&&Mt(c,u)).map(([c,u])=>({name:c,value:u,why:"it does not choose among threads"})),[o,s]=[e.get("from")??"",e.get("to")??""],[a,i]=[lt(o,t),lt(s,t)];return a!==null&&i!==null&&a>=i?[...n,...r,{name:"from",value:o,why:"it has to be before to"}]:[...n,...r]}var lu=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${v(Number(e))}`],["max_duration_ns",e=>`\u2264 ${v(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["pool",e=>`pool ${ae(e)}`],["event",e=>`event ${e}`]];function cu(e,t){T({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}var uu=e=>$.value.params.getAll(e).filter(t=>Mt(e,t));function mu(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");T({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}var pu=["service","instance","recording","thread","pool"];function on({keys:e=[],values:t=[],isWhole:n=!1}){let o=lu.filter(([s])=>!n||pu.includes(s)).flatMap(([s,a])=>uu(s).map(i=>l`<span class="chip" key=${s+i} title=${i}>
          ${a(i)}
          <button
            class="plain"
            aria-label=${`take away ${a(i)}`}
            onClick=${()=>cu(s,i)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${o} ${!n&&l`<${fu} keys=${e} values=${t} />`}
  </div>`}function fu({keys:e,values:t}){return l`<form class="where" onSubmit=${mu} aria-label="Add a condition on an attribute">
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
  </form>`}var Ha=()=>R(S("collector",new URLSearchParams)).data;function Fa({href:e,children:t}){return l`<a class="link" href=${e} target="_blank" rel="noopener noreferrer"
    >${t}</a
  >`}function Kn({trace:e}){let t=Ha()?.trace_link,[n=""]=/[^/]+(?=\/|$)/.exec(t?.replace(/^https?:\/\//,"")??"")??[];return t?l`<${Fa} href=${Ta(t,e)}>${n} ↗<//>`:null}function ja({frames:e,origin:t}){let n=Ha()?.source_link??null,r=o=>{let s=n&&Pa(n,o,t);return s?l`<${Fa} href=${s}>${o}<//>`:o};return l`<ol>
    ${e.map(o=>l`<li>${r(o)}</li>`)}
  </ol>`}function zn(e){return typeof e=="string"?e:JSON.stringify(e)}function qa(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function co(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function du(e){return e.find(t=>!Je(t))??e[0]??""}function hu({item:e,columns:t,origin:n}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Ve(e.start)}</dd>
        ${qa(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${zn(o)}</dd>`])}
      </dl>
      <${ja} frames=${co(e)} origin=${n} />
    </td>
  </tr>`}function At({items:e,since:t,origin:n=null,contextHref:r,label:o}){let[s,a]=C(null),i=[t===void 0?`time, ${e[0]?ne(e[0].start):""}`:"after","event","duration","thread","method","fields",...r?["context"]:[]],c=(u,m)=>{let{type:p,duration:d,thread:f,recording:g,context:_}=u.values,h=t===void 0?ie(u.start):"+"+v(Number(u.start-t)),y=qa(u).map(([N,J])=>`${N}=${zn(J)}`),k=`${u.start} ${p} ${f} ${g}`,w=s===k,x=()=>a(w?null:k),A=r&&g!==null&&_?r(String(g),String(_)):null;return l`<tr key=${m} class=${w?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(w)} onClick=${x}>${h}</button>
        </td>
        <td title=${p}>
          <${re} category=${we(String(p))} />${ee(String(p))}
        </td>
        <td class="n">${typeof d=="number"?v(d):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${co(u)[0]}>
          ${Ie(du(co(u)))}
        </td>
        <td class="cut wide" title=${y.join(`
`)}>${y.join(" ")}</td>
        ${r&&l`<td data-name="context">${A&&l`<a href=${A}>open</a>`}</td>`}
      </tr>
      ${w&&l`<${hu} item=${u} columns=${i.length} origin=${n} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
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
  </div>`}function I({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function pt({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function gu({name:e,value:t,why:n}){let r=$.value.params.getAll(e).filter(o=>o!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: ${n}.</span>
    <button onClick=${()=>T({[e]:r},!0)}>take it away</button>
  </div>`}function Wa(){return Da($.value.params,P.value).map(e=>l`<${gu} key=${`${e.name} ${e.value}`} ...${e} />`)}function uo({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function B({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},o=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(s=>s!=="");return o.length===0?null:l`<span class="missing">${o.join("; ")}</span>`}var $u=5;function O(e){let{title:t,note:n,tools:r,answer:o,className:s,lines:a=$u,children:i}=e,c=o&&o.data!==null&&(o.isLoading||o.problem!==null);return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${o&&l`<${pt} answer=${o} />`}
    ${o?.data===null&&o.isLoading&&a>0&&l`<${uo} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function bu(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),o=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${o},service=NAME${n?",token=@FILE":""}`}function vu({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=$.value,o=j(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${_e(t)} ${ne(t)}:${" "}
    <a class="link" href=${me(he(...n),o)}>look at all of that time</a>.
  </p>`}function Ge(){let e=S("collector",new URLSearchParams),{data:t}=R(e,P.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<V.value.from,r=Pe($.value),o=a=>bu(a,location.hostname,ge.value?.is_needed);if(t?.takes_files&&!n)return l`<${I} title="There is no recording yet">
      <p>Drop a recording (.jfr) on this page, and it is shown. Or choose one:</p>
      <${Sa} />
    <//>`;let s=r===null?"":` of ${r}`;return l`<${I} title="No JVM${s} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${o(t.agents)}</pre>`}
    ${t&&n&&l`<${vu} of=${t} />`}
  <//>`}var yu=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,_u=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Va=e=>e.replace(/\$(?=.)/g,"\\$");function Ja(e,{path:t,params:n}){if(yu.test(e))return W(["t",e.toLowerCase()]);let r=t[0]==="s",o=_u.test(e);if(!r)return W(["s"],o?{where:e}:{frame:Va(e)});let s=n.getAll("where").filter(i=>i!==e),a=o?{where:[...s,e]}:{frame:Va(e)};return me(he(...t),j(n,a))}var Ka={box:null,base_box:null},mo=e=>$.value.params.get(e)??"",Xn=e=>mo(e)!==""&&Mt(e,mo(e));function za(){let e=Xn("from")?mo("from"):En.value;return Xn("to")||qe(e)===null?null:e}var Ga=60000000000n;function wu(){let{from:e,to:t}=V.value,n=za();if(n!==null)return`last ${n}`;let r=e%Ga===0n&&(t%Ga===0n||!Xn("to")),o=a=>ie(a,r?6e10:1e9),s=ye(e)===ye(t)?o(t):`${ye(t)} ${o(t)}`;return`${ye(e)} ${o(e)} to ${Xn("to")?s:"now"}`}function xu(){let e=oa,t=za(),n=t??En.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(o=>l`<a
          key=${o}
          href=${ce({last:o,from:null,to:null,...Ka})}
          aria-current=${o===t?"true":void 0}
          >last ${o}</a
        >`)}
  </div>`}function ku({close:e}){let[t,n]=C(""),{from:r,to:o}=V.value,s=i=>{i.preventDefault();let c=i.currentTarget,u=(d,f)=>{let g=c.elements.namedItem(d).value;return g===oo(f)?f:pa(g)},[m,p]=[u("from",r),u("to",o)];if(m===null||p===null)n("Both need a day and a time.");else if(m>=p)n("It has to begin before it ends.");else{e();let d={from:String(m),to:String(p)};T({...d,last:null,live:null,...Ka})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${oo(c)}
    /></label>`;return l`<form class="between" onSubmit=${s}>
    ${a("from",r)} ${a("to",o)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function Su(){let{to:e}=V.value,t=(n,r)=>l`<button
      aria-pressed=${Rt.value===n?"true":"false"}
      onClick=${()=>T({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${ne(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function po(){let{from:e,to:t}=V.value,n=l`${wu()} <span class="dim">${ne(t)}</span>`;return l`<${ut}
    text=${n}
    title=${`${_e(e)} to ${_e(t)} ${ne(t)}`}
    className="time"
  >
    ${r=>l`<${xu} /><${ku} key=${Rt.value} close=${r} /><${Su} />`}
  <//>`}function fo(){return l`<button onClick=${eo} title="ask again">refresh</button>
    <button
      aria-pressed=${ct.value?"true":"false"}
      onClick=${()=>T({live:ct.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function Xa({onDone:e}){let t=r=>{r.preventDefault();let o=r.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(be(Ja(s,$.value)),o.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Ya(){let[e,t]=C(null),n=ge.value?.identity,r=async()=>t(await Zs());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Qa=[["services",""],["events","e"],["recordings","r"]];function oe({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([p,d])=>l`<a href=${W(d?[d]:[])} aria-current=${d===n?"page":void 0}>
      ${p}
    </a>`,o=({name:p,href:d},f)=>[f>0?" / ":"",d?l`<a href=${d}>${p}</a>`:l`<b>${p}</b>`],s=l`<nav class="screens" aria-label="Screens">${Qa.map(r)}</nav>`,a=l`<a class="logo" href=${W([])}>Loupe</a>`,i=fe.value?e.slice(-1):e,c=e.at(-1)?.name??Qa.find(([,p])=>p===n)?.[0]??"Loupe",u=l`<span class="crumb">${i.map(o)}</span>`,m=p=>l`${s}<${Xa} onDone=${p} />
      <div class="row"><${fo} /></div>
      <${Ya} />`;return l`<header>
      ${fe.value?l`${a} ${u} <${po} />
              <${ut} text="☰" label="screens, search, refresh" className="all">${m}<//>`:l`${a} ${s} ${u} <${Xa} /> <${po} /><${fo} /> <${Ya} />`}
    </header>
    <main>
      <h1 class="seen-by-readers">${c}</h1>
      <${Wa} />${t}
    </main>`}var Ru=4;function Ou(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function q({columns:e,rows:t,rowKey:n,href:r,rowsMax:o,rowsFirst:s,label:a,className:i}){let[c,u]=C(null),m=c===null?void 0:e[c]?.sort,p=m?[...t].sort((w,x)=>Ou(m(w),m(x))):t,[d,f]=C(!1),g=p.slice(0,d?o:s??o),_=Math.min(t.length,o??1/0)-g.length,h=(w,x)=>{let A=c!==x?"none":w.isNumber?"descending":"ascending",N=w.sort?l`<button class="plain" onClick=${()=>u(x)}>${w.name}</button>`:w.name;return l`<th
      class=${(w.isNumber?"n ":"")+(w.sort?"sort ":"")+(w.className??"")}
      title=${w.title}
      scope="col"
      aria-sort=${w.sort?A:void 0}
    >
      ${N}
    </th>`},y=(w,x,A)=>{let N=x.cell(w);return l`<td
      class=${(x.isNumber?"n ":"")+(x.className??"")}
      data-name=${A>0?x.name:void 0}
    >
      ${r&&A===0?l`<a href=${r(w)}>${N}</a>`:N}
    </td>`},k=_>0&&s!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${b(_)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>Ru?"stacks":"")}>
        <thead class=${e.some(w=>w.sort)?"sorts":""}>
          <tr>
            ${e.map(h)}
          </tr>
        </thead>
        <tbody>
          ${g.map(w=>l`<tr key=${n(w)} class=${r?"opens":""}>
                ${e.map((x,A)=>y(w,x,A))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${k}`}var Tu=15,Pu=100,Cu=20,ho=e=>e===null?"":v(e),Nt=(e,t)=>$.value.params.getAll(e).includes(t);function go({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function Mu({types:e}){let t=n=>ce({context:Nt("context",n)?null:n,key:null,where:null,event:null});return l`<${q}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${go} href=${t(n)} on=${Nt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>b(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>b(n.contexts_out),isNumber:!0},{name:"median",cell:n=>ho(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>ho(n.p99_ns),isNumber:!0}]}
  />`}function Za({name:e,rows:t}){let n=r=>{let o=`${e}=${r}`,s=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return ce({where:Nt("where",o)?s:[...s,o],event:null})};return l`<${q}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${go}
            href=${n(r)}
            on=${Nt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":b(r.all),isNumber:!0},{name:"kept",cell:r=>b(r.kept),isNumber:!0},{name:"p99",cell:r=>ho(r.p99_ns),isNumber:!0}]}
  />`}function Au({name:e}){let t=Tt($.value,V.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),P.value).data?.keys.find(s=>s.key===e),o=(r?.values??[]).map(s=>({value:s.value,all:null,kept:s.count,p99_ns:s.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${o.length>0&&l`<${Za} name=${e} rows=${o} />`}`}function Nu({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(s=>s.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((s,a)=>a.contexts_in-s.contexts_in).map(s=>({value:s.value,all:s.contexts_in,kept:s.contexts_out,p99_ns:s.p99_ns})),o=({key:s})=>l`<button
      key=${s}
      aria-pressed=${String(s===n.key)}
      onClick=${()=>T({key:s},!0)}
    >
      ${s}
    </button>`;return l`<div class="tabs">${e.attributes.map(o)}</div>
    ${n.has_too_many?l`<${Au} name=${n.key} />`:l`<${Za} name=${n.key} rows=${r} />`}`}function Lu({of:e}){let t=n=>ce({event:Nt("event",n)?null:n});return l`<${q}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${Tu}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${re} category=${we(n)} /><${go}
              href=${t(n)}
              on=${Nt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>b(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?v(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Eu({query:e}){let t=$.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:o,more:s}=Jn(n,fe.value?Cu:Pu,P.value),a=l`<${B} of=${r.data} /><${U} url=${n} />`;return l`<${O} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${o.length>0&&l`<${At}
        label="Events"
        items=${o}
        origin=${{service:e.get("service")??"",version:e.get("version")??""}}
        contextHref=${He}
      />`}
    ${s&&l`<p><button onClick=${s}>more</button></p>`}
    ${r.data&&o.length===0&&l`<${I} title="No events here" />`}
  <//>`}function ei(){let e=$.value,t=Tt(e,V.value),n=S("contexts/types",Iu(t)),r=R(n,P.value),o=S("events/types",t),s=R(o,P.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=s.data&&`${b(s.data.events)} events`+Uu(s.data.contexts);return l`<${oe}>
    <${on} />
    <div class="three">
      <${O}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${Mu} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${Ge} />`}
      <//>
      <${O} title="Context values" note=${a?.type}><${Nu} of=${a} /><//>
      <${O}
        title="Event types"
        note=${i}
        tools=${l`<${B} of=${s.data} /><${U} url=${o} />`}
        answer=${s}
      >
        ${s.data&&s.data.types.length>0&&l`<${Lu} of=${s.data} />`}
      <//>
    </div>
    <${Eu} query=${t} />
  <//>`}var Uu=e=>e===null?", in contexts or not":` in ${b(e)} contexts`;function Iu(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function ti(){let[e,t]=C(null),[n,r]=C(!1),o=async s=>{s.preventDefault();let a=s.currentTarget.elements.namedItem("token");r(!0);let i=await Qs(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Yt.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function ni(){return l`<${oe}>
    <section>
      <${I} title="There is nothing here">
        <a class="link" href=${W([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function Bu(e){return e.replaceAll("_","-")}function ft(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,o]of Object.entries(n))t.set(r,(t.get(r)??0)+o);return[...t].sort((n,r)=>r[1]-n[1])}function dt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${Bu(t)} <b>${b(n)}</b></span
        >`)}
  </span>`}var Du="N/A";function Hu(e){let t=[e.young_collector,e.old_collector].filter(n=>n!==void 0&&n!==Du);return[...new Set(t)].join(", ")}function Fu(e){let t=[e.jvm_arguments,e.java_arguments].filter(n=>n);return t.length===0?null:["java",...t].join(" ")}function ju({os:e}){let t=String(e??"");return/^PRETTY_NAME="(.*)"$/m.exec(t)?.[1]??t.split(`
`)[0]}function ri({of:e}){let t=Fu(e),n=e.hardware_threads===void 0?"":`${e.hardware_threads} \xD7 `,r=[["JVM",e.jvm_version],["command line",t&&l`<code>${t}</code>`],["system",ju(e)],["processor",e.cpu&&`${n}${e.cpu}`],["memory",e.memory_bytes&&Z(Number(e.memory_bytes))],["heap",e.heap_max_bytes&&`${Z(Number(e.heap_max_bytes))} at most`],["GC",Hu(e)]];return l`<div class="details">
    <dl>
      ${r.filter(([,o])=>o).map(([o,s])=>l`<dt>${o}</dt>
              <dd>${s}</dd>`)}
    </dl>
  </div>`}function Yn(e){let[t,n]=C({width:0,height:0,ratio:1});return Ce(()=>{let r=e.current,o=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},s=new ResizeObserver(o);s.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",o),o(),()=>{s.disconnect(),a.removeEventListener("change",o)}},[t.ratio]),t}function $o(e,{width:t,height:n,ratio:r}){let[o,s]=[Math.round(t*r),Math.round(n*r)];(e.width!==o||e.height!==s)&&(e.width=o,e.height=s);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Qn(e,{width:t,height:n,ratio:r},o,s){Ce(()=>{let a=t>0&&e.current&&$o(e.current,{width:t,height:n,ratio:r});a&&o(a)},[t,n,r,Be.value,...s])}var Zn=14,er=8;function Ke({at:e,children:t}){let n=Y(null);return Ce(()=>{let{offsetWidth:r,offsetHeight:o,style:s}=n.current,a=e.clientY+Zn+o>innerHeight-er,i=Math.min(e.clientX+Zn,innerWidth-r-er);s.left=`${Math.max(er,i)}px`,s.top=`${a?Math.max(er,e.clientY-Zn-o):e.clientY+Zn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var qu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Wu=e=>qu[e&3]*2**(e>>2);function oi(e){return e<0?1:Math.floor(Wu(e+1))}function ze(e,{column:t,row:n}){return t*e.rows+n}function Lt(e){let t=[];for(let r of e)for(let[o,s]of r)t[o+1]=(t[o+1]??0)+s;let n=[];return t.forEach((r,o)=>n.push([o-1,r])),n}function ht(e,t){let n=e.reduce((o,[,s])=>o+s,0),r=Math.max(1,Math.ceil(t*n));for(let[o,s]of e){if(r<=s)return o<0?1:Math.floor(2**((o+r/s)/4));r-=s}return null}function Xe(e,t,n,r=null){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,a=-1/0;for(let d of e.columns)s=Math.min(s,d[0]?.[0]??s),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&s<=a;i&&(s=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(s/c)>=n;)c*=2;let u=s>a?0:Math.floor(s/c),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:u,buckets:c,hasShorter:i,rows:s>a?0:Math.floor(a/c)-u+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/o),row:Math.max(0,Math.floor(f/c)-u)});e.columns.forEach((d,f)=>{for(let[g,_,h]of d){let y=p(f,g),k=m.cells.get(ze(m,y))??{...y,all:0,kept:0};k.all+=_,k.kept+=h,m.cells.set(ze(m,y),k),m.most=Math.max(m.most,k.all)}});for(let[d,f,g,_]of e.exemplars)m.exemplars.set(ze(m,p(d,f)),{recording:g,id:_});return m}function ai(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Et(e,t,n){let[r,o]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[s,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+s)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(o+1),min:i<0||e.hasShorter&&s===0?0:oi(i-1)+1,max:oi((e.first+a+1)*e.buckets-1)}}function tr(e,t,n){let r=Et(e,n,n),o=r.from<t.to&&r.to>t.from,s=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return o&&r.min<=t.max&&s}function gt(e,t){let n={all:0,kept:0};for(let r of e.cells.values())tr(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function ii(e,t){return[...e.cells.values()].filter(n=>tr(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(ze(e,n))??[])}function nr(e,t,{column:n,row:r}){let o=t.width/e.columns,s=t.height/e.rows,a=t.y+t.height-(r+1)*s;return{x:t.x+n*o,y:a,width:o,height:s}}function li(e,t,n,r){let o=(s,a)=>Math.max(0,Math.min(a-1,Math.floor(s*a)));return{column:o((n-t.x)/t.width,e.columns),row:o(1-(r-t.y)/t.height,e.rows)}}function vo(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function bo(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function sn(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function yo(e,t,n){let[r,o]=[t.x,t.x+t.width],[s,a]=[t.y,t.y+t.height],i=Math.max(r,bo(e,t,n.from)),c=Math.max(s,sn(e,t,n.max)),u=Math.min(o,bo(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,sn(e,t,n.min-1));return u<=0||m<=c?null:{x:i,y:c,width:u,height:m-c}}function _o(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ci(e,t,n,r){let o=[],s=a=>{let i=sn(e,t,a);o.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&o.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)s(a*i);return o.sort((a,i)=>i.at-a.at)}var si=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ui(e,t,n,r,o){let{from:s,to:a}=_o(e),i=Number(a-s)/1e9*(n/t.width),c=si.find(p=>p>=i)??si.at(-1),u=BigInt(c)*1000000000n,m=[];for(let p=(s+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:bo(e,t,p),text:o(p,c*1e9)});return m}var an=52,Vu=20,pi=6,Ju=52,Gu=72,Ku=26,zu=5;function rr(e,t,n){let r=e-an-(n?Ju:0);return{x:an,y:pi,width:Math.max(1,r),height:Math.max(1,t-pi-Vu)}}function Xu(e,t){let n=ie(e,t);return n==="00:00"?ye(e).slice(5):n}function Yu(e,t){let n=r=>v(r).replace(/\.0+ /," ");return{times:ui(e,t,Gu,ua(e.t0),Xu),durations:e.rows===0?[]:ci(e,t,Ku,n)}}function Qu(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Zu(e,t,n,r,o){e.fillStyle=E("corner"),e.beginPath();let s=-1;for(let a of t.cells.values()){if(!o(a))continue;a.column!==s&&(e.fill(),e.beginPath(),s=a.column);let{x:i,y:c,width:u,height:m}=nr(t,n,a);Qu(e,i+u-r,c,Math.min(zu,u/2,m/2))}e.fill()}function em({all:e,kept:t},n){return n==="requests"?t<e:t>0}function fi(e,t,n,r){let o=["h0","h1","h2","h3","h4","h5"].map(E),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:u,height:m}=nr(t,n,a);e.fillStyle=o[ai(a.all,t.most)],e.fillRect(i,c,u-s,m-s)}Zu(e,t,n,s,a=>em(a,r)),ln(e,t,n)}function ln(e,t,n){let{times:r,durations:o}=Yu(t,n);e.fillStyle=E("faint"),e.font=We("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:s,text:a}of o)e.fillText(a,an-8,s),e.fillRect(an-5,Math.round(s),4,1);e.textBaseline="alphabetic",e.fillText(ne(t.t0),an-8,n.y+n.height+16);for(let{at:s,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(s),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(s-i,n.x+n.width-2*i)),n.y+n.height+16)}}function wo(e,t,n,r){t&&(e.fillStyle=E("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function di(e,t,n,r){wo(e,r.base&&yo(t,n,r.base),E("soft"),[4,3]),wo(e,r.box&&yo(t,n,r.box),E("accent"),[]);for(let o of r.cells)wo(e,nr(t,n,o),E("ink"),[])}function hi({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(o,s)=>{let a=t.slice(s*r,(s+1)*r),i=Lt(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:ht(i,.5),p99:ht(i,.99)}})}function gi(e){return`${b(Number(e.toPrecision(3)))}/s`}function xo(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function tm(e,t,n){let r=!1;e.beginPath();for(let o of t)o&&r?e.lineTo(...o):o&&(e.moveTo(o[0]-n/4,o[1]),e.lineTo(...o)),r=o!==null;e.stroke()}function $i(e,t,n,r){let o=n.width/t.columns,s=xo(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=E("h1"),r.forEach(({perSecond:a},i)=>{let c=a/s*n.height;e.fillRect(n.x+i*o,n.y+n.height-c,o-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=E(i);let c=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*o,sn(t,n,p)]};tm(e,r.map(c),o)}ln(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(gi(s*a),n.x+n.width+6,i+(a===1?5:0))}}function bi({of:{perSecond:e,p50:t,p99:n}}){let r=o=>o===null?"-":v(o);return l`<b>${gi(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function vi({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Ut=[{name:"heap",lines:[["heap_used","io"]],drawn:"least"},{name:"GC pauses",lines:[["gc_pause","gc"]],drawn:"bars"},{name:"CPU",lines:[["cpu_machine","none"],["cpu_jvm","cpu"]],drawn:"mean"},{name:"threads",lines:[["threads","park"]],drawn:"mean"}],nm={heap_used:"heap used",gc_pause:"GC pauses",cpu_jvm:"CPU of the JVM",cpu_machine:"CPU of the machine",resident:"resident memory",threads:"Java threads",classes:"loaded classes"};function ko({line:e}){return nm[e]??e}function $t({unit:e},t){return({bytes:Z,ns:v,ratio:H}[e]??b)(e==="count"?Math.round(t):t)}function cn({lines:e},t){return t.lines.flatMap(([n,r])=>{let o=e.find(s=>s.line===n);return o?[{line:o,token:r}]:[]})}function yi(e,t){let n=cn(e,t).flatMap(({line:o})=>o.points.map(s=>s[4])),r=n.reduce((o,s)=>Math.max(o,s),0);return n.length===0?null:xo(Math.max(r,.001))}var rm=12e10,om=10;function _i(e,t){let n=Math.max(1,e.chunks.all/Math.max(1,e.chunks.read)),r=rm*n*(t.line==="heap_used"?om:1),o=Math.max(1,Math.ceil(r/e.step_ns)),s=[];for(let a of t.points){let i=s.at(-1);i&&a[0]-i.at(-1)[0]<=o?i.push(a):s.push([a])}return s}function So({points:e}){let t=e.reduce((n,[,r])=>n+r,0);return e.length===0?null:{count:t,least:Math.min(...e.map(n=>n[2])),mean:e.reduce((n,[,r,,o])=>n+r*o,0)/t,most:Math.max(...e.map(n=>n[4]))}}function wi({points:e},t){return e.find(([n])=>n===t)??null}var Ro=58,un=20,sm=.25;function Oo(e,t){let{x:n,width:r}=rr(t,0,!1);return{x:n,y:un+e*(Ro+un),width:r,height:Ro}}var xi=Ut.length*(Ro+un)+26;function ki(e,t,n){let r=Oo(0,t),o=Math.floor((n-r.x)/r.width*e.column_count);return o>=0&&o<e.column_count?o:null}function Si(e,t,n){let r=t.width/e.column_count;return{x:o=>t.x+(o+.5)*r,y:o=>t.y+t.height*(1-Math.min(1,o/n)),width:r}}function am(e,t,{x:n,y:r,width:o}){let s=Math.max(1.5,o-1),a=r(0);for(let[i,,,,c]of t.points){let u=Math.min(r(c),a-1);e.fillRect(n(i)-s/2,u,s,a-u)}}function im(e,t,n,{x:r,y:o,width:s},a){let i=c=>o(c[a==="least"?2:3]);for(let c of _i(t,n))e.globalAlpha=sm,e.beginPath(),c.forEach(([u,,,,m])=>e.lineTo(r(u),o(m))),[...c].reverse().forEach(([u,,m])=>e.lineTo(r(u),o(m))),e.fill(),e.globalAlpha=1,e.beginPath(),e.moveTo(r(c[0][0])-s/2,i(c[0])),c.forEach(u=>e.lineTo(r(u[0]),i(u))),e.lineTo(r(c.at(-1)[0])+s/2,i(c.at(-1))),e.stroke()}function lm(e,t,n,r){let o=yi(t,n);if(e.fillStyle=E("line"),e.fillRect(r.x,r.y+r.height,r.width,1),e.font=We("sans"),e.textBaseline="alphabetic",e.textAlign="left",e.fillStyle=E("soft"),e.fillText(n.name,r.x,r.y-4),o===null){e.fillStyle=E("faint"),e.fillText("not recorded",r.x+e.measureText(n.name).width+8,r.y-4);return}let s=cn(t,n);e.fillStyle=E("faint"),e.textAlign="right",e.fillText($t(s[0].line,o),r.x-8,r.y+8),e.fillText("0",r.x-8,r.y+r.height);let a=Si(t,r,o);e.lineWidth=1.5;for(let{line:i,token:c}of s)e.fillStyle=E(c),e.strokeStyle=E(c),n.drawn==="bars"?am(e,i,a):im(e,t,i,a,n.drawn)}function Ri(e,t,n,r){Ut.forEach((m,p)=>lm(e,t,m,Oo(p,n)));let o=Oo(Ut.length-1,n),{t0_ns:s,step_ns:a,column_count:i}=t,c=Array.from({length:i},()=>[]);if(ln(e,Xe({t0_ns:s,step_ns:a,columns:c,...{exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1}},1/0,1),o),r!==null){e.fillStyle=E("ink");let m=Si(t,o,1).x(r);e.fillRect(Math.round(m),un,1,o.y+o.height-un)}}function cm({data:e,hover:t}){let n=BigInt(e.t0_ns)+BigInt(t.column)*BigInt(e.step_ns),r=Ut.flatMap(o=>cn(e,o)).map(({line:o,token:s})=>{let a=wi(o,t.column),[,i,c,u,m]=a??[0,0,0,0,0];return l`<tr key=${o.line}>
      <th scope="row">
        <span class="dot" style=${{background:`var(--${s})`}}></span>${ko(o)}
      </th>
      <td class="n"><b>${a?$t(o,u):"-"}</b></td>
      <td class="n dim">
        ${i>1&&`${$t(o,c)} to ${$t(o,m)}`}
      </td>
    </tr>`});return l`<${Ke} at=${t.at}>
    <b>${ie(n,1e9)}</b>
    <table>
      ${r}
    </table>
  <//>`}function um({data:e}){let t=Y(null),n=Yn(t),[r,o]=C(null);Qn(t,n,i=>Ri(i,e,n.width,r?.column??null),[e,r?.column]);let a=i=>{let{clientX:c,clientY:u}=i,m=t.current.getBoundingClientRect().left,p=ki(e,n.width,c-m);o(p===null?null:{column:p,at:{clientX:c,clientY:u}})};return l`<canvas
      ref=${t}
      style=${{height:`${xi}px`}}
      role="img"
      aria-label="Heap, GC pauses, CPU and threads over the time; the table below has the same"
      onPointerMove=${a}
      onPointerLeave=${()=>o(null)}
    ></canvas>
    ${r&&l`<${cm} data=${e} hover=${r} />`}`}var To=(e,t)=>({name:e,isNumber:!0,cell:n=>{let r=So(n);return r?$t(n,t(r)):l`<span class="dim">-</span>`}}),mm=[{name:"line",cell:e=>ko(e)},To("least",e=>e.least),To("mean",e=>e.mean),To("most",e=>e.most),{name:"events",isNumber:!0,cell:e=>l`<span title=${e.event}>${b(So(e)?.count??0)}</span>`}];function pm({data:e}){let[t,n]=C(!1);return l`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<${q}
        label="Lines of the JVM"
        columns=${mm}
        rows=${e.lines}
        rowKey=${r=>r.line}
      />`}
  </details>`}function fm({chunks:{read:e,all:t},jvms:n}){return e<t?`by ${b(e)} of ${b(t)} chunks, evenly: short pauses may be missing`:n.length>1?"from JFR events of all selected JVMs":"from JFR events of the JVM"}function It({answer:e,url:t,onClose:n}){let{data:r}=e,o=r!==null&&r.lines.every(({points:c})=>c.length===0),s=r&&{...r,is_truncated:r.is_truncated&&r.chunks.read===r.chunks.all},a=l`<${B} of=${s} />${n&&l`<button class="plain" onClick=${n}>close</button>`}<${U} url=${t} />`,i=L(()=>r&&l`<${pm} data=${r} />`,[r]);return l`<${O}
    title="JVM"
    note=${r&&fm(r)}
    tools=${a}
    answer=${e}
    className="jvm-panel"
  >
    ${r?.chunks.all===0&&l`<${I} title="No chunk is stored for this time range" />`}
    ${o&&r.chunks.all>0&&l`<${I} title="No JVM metrics in this time range">
        Events such as jdk.GCHeapSummary and jdk.CPULoad are not recorded, or not kept.
      <//>`}
    ${r&&!o&&l`<${um} data=${r} />${i}`}
  <//>`}var bt=e=>Zr(e)??0n,dm=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),or=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Oi=(e,t)=>l`${b(e)} <span class="dim">of ${b(t)}</span>`,hm=()=>[{name:"service",cell:e=>l`<b>${ae(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${ne(P.value)}`,cell:e=>_e(bt(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${v(or(e))}, running`:v(or(e)),isNumber:!0,sort:or},{name:"contexts kept",cell:e=>Oi(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Oi(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${Z(e.bytes_out)} <span class="dim">of ${Z(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>dm(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function gm(){let{params:e}=$.value,{from:t,to:n}=V.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let o=S("recordings",r),s=R(o,P.value),a=s.data?.recordings??[],i=l`<${B} of=${s.data} /><${U} url=${o} />`;return l`<${oe}>
    <${O} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${s}>
      ${a.length>0&&l`<${q}
          label="Recordings"
          columns=${hm()}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>W(["r",u.id])}
        />`}
      ${s.data&&a.length===0&&l`<${Ge} />`}
    <//>
  <//>`}var Ti=10000000000n,$m=12,bm=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>b(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>b(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>Z(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>Z(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${dt} of=${ft({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Ye(e,t){return l`<span><b>${e}</b>${t}</span>`}function vm({of:e}){let t=e.contexts_in?H(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Ye(e.is_running?"running":"ended",`${v(or(e))} since ${_e(bt(e.start))} ${ne(bt(e.start))}`)}
    ${Ye(t,`of ${b(e.contexts_in)} contexts kept`)}
    ${Ye(b(e.events_out),`of ${b(e.events_in)} events kept`)}
    ${Ye(Z(e.bytes_out),`of ${Z(e.bytes_in)} kept`)}
    ${Ye(Z(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Ye(v(e.waiting.duration_ns),`not compacted yet, ${Z(e.waiting.journal_bytes)}`)}
    ${Ye(e.jvm_version,e.jvm_name)} ${Ye(e.pid,`process, on ${e.instance}`)}
  </div>`}var ym={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function _m({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${b(r)} ${ym[n]??n}</li>`)}
      </ul>`}function wm({service:e}){let[t,n]=C(!1);return l`<section class="policy">
    <details
      open=${t}
      onToggle=${r=>n(r.currentTarget.open)}
    >
      <summary>
        <b>Policy</b> <span class="dim">that is in force for ${ae(e)} now</span>
      </summary>
      ${t&&l`<${xm} service=${e} />`}
    </details>
  </section>`}function xm({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,P.value),{data:o}=r,s=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${pt} answer=${r} />
    <p>
      ${o&&(o.file??"none: the JVM's own settings")}
      <a href=${n} target="_blank">JSON</a>
    </p>
    ${o?.refused&&l`<p class="missing">${o.refused.problem}</p>`}
    ${o&&o.events.length>0&&l`<${q}
        label="Policy"
        rows=${o.events}
        rowKey=${a=>a.event}
        columns=${[{name:"event",cell:a=>a.event},{name:"settings",cell:a=>s(a).join(", "),className:"w"}]}
      />`}`}function km({of:e}){let t={from:String(bt(e.start)-Ti),to:String(bt(e.end)+1n),recording:e.id},n=(r,o,s)=>l`<a class="link" href=${me(he(...r),new URLSearchParams({...t,...o}))}
      >${s}</a
    >`;return l`<p class="links">
    ${n(["s",e.service],{},"its requests")}
    ${n(["s",e.service],{unit:"threads"},"all that its threads did")}
    ${n(["e"],{service:e.service},"its events")}
  </p>`}function Sm({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,P.value),{data:r}=n,o=[{name:r?`${ae(r.service)}, ${r.instance}`:e}],s=new URLSearchParams({recording:e});r&&(s.set("from",String(bt(r.start)-Ti)),s.set("to",String(bt(r.end)+1n)));let a=S("jvm",s),i=R(r&&a,P.value),c=i.data?.jvms[0],u=l`<a href=${_a(e)} download>download .jfr</a><${U} url=${t} />`,m=r?ft(r.types):[];return l`<${oe} crumbs=${o}>
    <${O} title="Recording" note=${e} tools=${u} answer=${n}>
      ${r&&l`<${vm} of=${r} /><${km} of=${r} />`}
      ${c&&l`<${ri} of=${c} />`}
      ${n.status===404&&l`<${I} title="This collector has no such recording">
          <a href=${W(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${It} answer=${i} url=${a} />
        <${O}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${m.length>0?l`<${dt} of=${m} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${O} title="Lost" note="what is missing, and should not be"
          ><${_m} of=${r}
        /><//>
        <${O} title="Event types">
          <${q}
            label="Event types"
            columns=${bm}
            rows=${Object.entries(r.types).sort((p,d)=>d[1].bytes_in-p[1].bytes_in)}
            rowKey=${([p])=>p}
            rowsFirst=${$m}
          />
        <//>
        <${wm} service=${r.service} />`}
  <//>`}function Pi(){let e=$.value.path[1];return e===void 0?l`<${gm} />`:l`<${Sm} id=${e} />`}function Ne(e){return e.slice(0,-1)}var Rm=["context","thread","trace","id","box","base_box"];function Ci(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:Rm.some(n=>e.has(n))?"contexts":null}var mn=e=>e==="requests"?{unit:e}:{};function Qe(e){let t=e.get("unit");return t==="requests"||t==="threads"?t:"contexts"}function Ze(e,t){return j(e,{unit:t==="contexts"?null:t})}function Mi(e){let{service:t,jvms:n,requests:r}=e,o=r.requests_in>0,[s,a]=o?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:u,top:m}=o?r:e;return{service:t,jvms:n,unit:o?"requests":"contexts",all:s,kept:a,p50_ns:i,p99_ns:c,spark:u,top:m}}function Om(e,t,n){let{clientWidth:r,clientHeight:o,scrollTop:s}=t,a=$o(e,{width:r,height:o,ratio:devicePixelRatio});a&&n(a,{width:r,height:o,top:s})}function sr(e){let{draw:t,height:n,heightMax:r,reveal:o}=e,s=Y(null),a=Y(null),i=Y(t),c=Y(0);i.current=t;let u=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&s.current&&Om(a.current,s.current,i.current)})};Re(()=>{let d=new ResizeObserver(u);return d.observe(s.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),Re(u,[t,n,r,Be.value]),Re(()=>{let{scrollTop:d,clientHeight:f}=s.current;o&&o[0]<d?s.current.scrollTop=o[0]:o&&o[1]>d+f&&(s.current.scrollTop=o[1]-f)},[o?.[0],o?.[1]]);let m=d=>f=>{let g=a.current.getBoundingClientRect(),_=f.clientY-g.top+s.current.scrollTop;d?.({x:f.clientX-g.left,y:_,width:g.width,event:f})},p=Math.min(n,r);return l`<div
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
  </div>`}var Mo=e=>e.charCodeAt(0);function Ai(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[Mo(n.length===1?n:t),Mo(r.length===1?r:t)]}var Ao=e=>/\w/.test(String.fromCharCode(e)),Ni=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),Ui=(e,t)=>t>=0&&t<e.length&&Ao(e.charCodeAt(t)),ar=(e,t)=>Ui(e,t-1),ir=Ui,Po={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>ar(e,t)!==ir(e,t),"\\B":(e,t)=>ar(e,t)===ir(e,t),"\\<":(e,t)=>!ar(e,t)&&ir(e,t),"\\>":(e,t)=>ar(e,t)&&!ir(e,t)},Li=e=>e>=48&&e<=57,Co={"\\d":Li,"\\D":e=>!Li(e),"\\w":Ao,"\\W":e=>!Ao(e),"\\s":Ni,"\\S":e=>!Ni(e)},Ei={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},xe=class extends Error{},No=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new xe;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new xe;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new xe;let r=this.atom,o=this.states.length-r;if(n===0){this.states.length=r;return}for(let s=1;s<t;s++)this.copy(r,o);n===1/0&&this.add({jumps:[1,-o]});for(let s=Math.max(t,1);s<n&&n!==1/0;s++)this.copy(r,o),this.makeOptional(this.states.length-o);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new xe;if(r!==1/0&&r>255)throw new xe;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,o=Object.hasOwn(Ei,r)?Ei[r]:void 0;if(n===":"?!o:r.length!==1)throw new xe;return n===":"?s=>o.test(String.fromCharCode(s)):Mo(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new xe;let r=n;return o=>o>=t&&o<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new xe;t.push(this.range())}this.at++,this.addAtom(r=>Ai(r).some(o=>t.some(s=>s(o)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(Po,n)||Object.hasOwn(Co,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new xe;if(Object.hasOwn(Po,n))this.atom=null,this.add({holds:Po[n]});else if(Object.hasOwn(Co,n))this.addAtom(Co[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[o,s]=Ai(n.charCodeAt(n.length-1));this.addAtom(a=>a===o||a===s)}}};function Ii(e){try{return e.length>256?null:new No(e).parse()}catch(t){if(t instanceof xe)return null;throw t}}function Bi(e,t,n){let r=new Int32Array(e.length).fill(-1),o=[],s=(u,m)=>{r[u]!==m&&(r[u]=m,o.push(u),n.count++)},a=[],i=!1,c=(u,m,p)=>{s(m,p);for(let d=o.pop();d!==void 0;d=o.pop()){let{takes:f,holds:g,jumps:_,isEnd:h}=e[d];i||=h===!0,f?u.push(d):g?.(t,p)&&s(d+1,p);for(let y of _??[])s(d+y,p)}};for(let u=0;;u++){if(c(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let d of a)e[d].takes(m)&&c(p,d+1,u+1);a=p}}function ur(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,o=new Int32Array(n.length),s=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)s[i.pop()]=m;let p=n[m]-1;o[m]=p<0?-1:i[p],a[m]=p<0?0:c[p],p>=0&&(c[p]+=r[m]),c[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>s[m]=n.length),{flame:e,weight:r,parent:o,end:s,start:a,depth:u}}function Hi(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<o&&u.push({node:d,x:0,width:n,row:f})}let m=n/(s[t]||1),p=new Float64Array(Math.max(0,o-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=o||s[d]===0&&d!==t){d=i[d];continue}let g=d===t?n:s[d]*m,_=(a[d]-a[t])*m,h=g<1?Math.min(Math.floor(_),n-1):_;f>=r&&(g>=1||h>=p[f-r])&&(u.push({node:d,x:h,width:Math.max(g,1),row:f}),p[f-r]=h+Math.max(g,1)),d++}return u}function Fi(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=t;for(;u>0&&c.level[u]>o;)u=e.parent[u];if(u!==t||c.level[u]===o)return c.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(s[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+s[u];if(p&&c.level[u]===o)return u;u=p?u+1:i[u]}return-1}function ji(e,t,n,r){let{weight:o,end:s,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?qi(e,t)[c+1]:n+1<s[n]&&o[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<s[t];m+=u)if(i.level[m]===c&&o[m]>0)return m;return n}default:return n}}function qi(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var cr=4;function Wi(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**cr).toString(36).padStart(cr,"0")}function mr(e,t){return qi(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Wi).join("")}function pr(e,t){let{names:n,name:r}=e.flame,o=0;for(let s=0;s<t.length;s+=cr){let a=t.slice(s,s+cr),i=o+1;for(;i<(e.end[o]??0)&&Wi(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[o]??0)||!(e.weight[i]>0))break;o=i}return o}var Tm=1024,Pm=5e7;function Vi(e,t=Pm){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(c),{isOver:()=>!1})}let r=Ii(n[1]),o=new Map,s={count:0},a=()=>s.count>t;return r&&Object.assign(c=>(o.has(c)||o.set(c,!a()&&Bi(r,c.slice(0,Tm),s)),o.get(c)),{isOver:a})}function Ji(e,t){let{flame:n,end:r,weight:o}=e,s=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=s[n.name[i]]===1;a+=c?o[i]:0,i=c?r[i]:i+1}return{names:s,weight:a}}var lr=(e,t)=>t>0?e/t:0;function Gi({value:e,base_value:t,requests:n,...r},o){let s=r.base_requests??0,a=Math.max(lr(r.total,n),lr(r.base_total??0,s)),i=lr(e[o],n)-lr(t?.[o]??0,s);return a>0?i/a:0}function Ki(e){let{flame:t,end:n}=e,r=t.names.map((s,a)=>{let i=t.kinds[a]??".";return{name:s,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),o=new Int32Array(t.names.length);for(let s=1;s<t.level.length;s++){let a=t.name[s],i=r[a];i.self+=t.self[s],i.baseSelf+=t.base_self?.[s]??0,s>=o[a]&&(o[a]=n[s],i.total+=t.value[s],i.baseTotal+=t.base_value?.[s]??0)}return r.filter((s,a)=>o[a]>0)}function Cm({flame:e,parent:t},n){let r=s=>s>0&&e.kinds[e.name[s]]===".",o=r(n)||!r(t[n])?n:t[n];for(let s=o;r(s);s=t[s])if(!Je(e.names[e.name[s]]))return s;return o}function Di({flame:e,parent:t},n){let r=Float64Array.from(e.level,(o,s)=>n?.[s]??0);for(let o=1;o<r.length;o++)r[t[o]]-=n?.[o]??0;return r}function zi(e,t){let{flame:n}=e,r=Di(e,n.value),o=Di(e,n.base_value),s=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&o[i]===0)continue;let u=c==="."?"c":c,m=n.names[n.name[Cm(e,i)]],p=s.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=o[i],s.set(u+m,p)}return[...s.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var ke=18,Mm=22,Xi=4,Am=5;function Nm(e){return e.split(".").slice(0,-2).join(".")}function Lm(e){if(Je(e))return"frame-jdk";let t=7;for(let n of Nm(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%Am}`}function Em({names:e,kinds:t}){return e.map((n,r)=>{let o=Wn(t[r]??".");return E(r===0?"frame-root":o?o.token:Lm(n))})}var Lo=32,Eo=e=>({fill:e,ink:St(e)});function Yi(e){if(e.base_value===void 0){let o=Em(e).map(Eo);return e.name.map(s=>o[s])}let t=o=>Array.from({length:Lo+1},(s,a)=>Eo(ia(E("frame-same"),E(o),a/Lo))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((o,s)=>{let a=s===0?0:Gi(e,s),i=Math.round(Lo*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Um(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(s=>s.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Qi(e,t,n,r){let{flame:o,shades:s,found:a,marks:i,zoom:c}=t,u=E("ink"),m=Eo(E("accent"));e.font=We("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:g,row:_}of n){let h=_*ke-r,y=o.name[d],k=d!==c&&o.level[d]<o.level[c],w=a!==null&&a.names[y]===1,x=k||a!==null&&!w,{fill:A,ink:N}=w?m:s[d];if(e.globalAlpha=x?.6:1,e.fillStyle=A,e.fillRect(f,h,Math.max(g-.5,.5),ke-1),g>=Mm){let J=Math.floor((g-2*Xi)/p);e.globalAlpha=1,e.fillStyle=x?u:N,e.fillText(Um(o.names[y],J),f+Xi,h+ke/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(f+1,h+1,Math.max(g-2,1),ke-3))}}var Im=24,Bm=3,Uo=(e,t)=>H(t>0?e/t:0);function Dm({names:e,name:t,value:n,self:r,total:o,unit:s,requests:a},i){let c=ve(n[i]/Math.max(1,a),s),u=ve(r[i]/Math.max(1,a),s);return`${e[t[i]]}, ${Uo(n[i],o)}, ${c} each, own ${u}`}function Hm(e,t){let{value:n,self:r,requests:o,total:s,base_value:a,base_self:i,base_requests:c,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:o,whole:s};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:u??0};return[{...m,name:"selection"},p]}function Fm({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:o,names:s,name:a,value:i}=r,c=Hm(r,t),u=(m,p)=>l`<tr>
      <th scope="row">${m}</th>
      ${c.map(d=>l`<td class="n"><b>${ve(p(d)/Math.max(1,d.requests),o)}</b></td>
            <td class="n">${Uo(p(d),d.whole)}</td>
            <td class="n dim">${ve(p(d),o)}</td>`)}
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
    ${n>0&&l`<div class="dim">${Uo(i[t],i[n])} of ${s[a[n]]}</div>`}`}function Zi({tree:e,zoom:t,found:n,onZoom:r}){let{flame:o}=e,[s,a]=C(null),[i,c]=C(null),u=L(()=>i===null?-1:pr(e,i),[e,i]),m=s?.node??-1,p=L(()=>Yi(o),[o,Be.value]),d=Tn((x,{width:A,top:N,height:J})=>{let G=Math.floor(N/ke),$e=Hi(e,t,A,G,Math.ceil((N+J)/ke));Qi(x,{flame:o,shades:p,zoom:t,found:n,marks:[u,m]},$e,N)},[e,t,n,u,m,p]),f=({x,y:A,width:N})=>Fi(e,t,N,x,Math.floor(A/ke)),g=x=>{let A=f(x),{clientX:N,clientY:J}=x.event;a(A<0?null:{node:A,at:{clientX:N,clientY:J}})},_=x=>{let A=f(x);A>=0&&x.event.button===0&&r(A)},h=x=>{let A=u<0?t:u;if(x.key.startsWith("Arrow")){let N=u<0?t:ji(e,t,A,x.key);c(mr(e,N)),a(null)}else if(x.key==="Enter")r(A);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},y=u>=0?u:t,k=o.level[y],w=[Math.max(0,k-Bm)*ke,(k+1)*ke];return l`<${sr}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*ke}
      heightMax=${Im*ke}
      draw=${d}
      reveal=${w}
      onPoint=${g}
      onUp=${_}
      onLeave=${()=>a(null)}
      onKey=${h}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&Dm(o,u)}</div>
    ${s&&l`<${Ke} at=${s.at}><${Fm} tree=${e} node=${s.node} zoom=${t} /><//>`}`}var jm=20,qm=16;function Wm(e){let t=e.slice(-qm),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function vt({name:e,title:t=e}){if(e.length<=jm)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Wm(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var Vm=500,Jm=15;function Gm(e){let{unit:t,total:n,requests:r,base_requests:o}=e,s=p=>ve(p/Math.max(1,r),t),a=p=>l`<button
      class=${fe.value?"plain dotted":"plain"}
      title="${p.name}: find it in the graph"
      onClick=${()=>T({find:p.name,flame:fe.value?"graph":null,zoom:null})}
    >
      <${Km} kind=${p.kind} />${fe.value?l`<${vt} name=${Ie(p.name)} />`:p.name}
    </button>`,i=(p,d,f=g=>s(d(g)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>H(n>0?p.total/n:0),u=p=>ve(p/Math.max(1,o??0),t),m=[{name:"frame",cell:a,sort:p=>p.name,className:"name"},i("own, each",p=>p.self),i("total, each",p=>p.total),...fe.value?[]:[i("share",p=>p.total,c)]];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function Km({kind:e}){let t=Wn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function el({tree:e,matches:t}){let n=Ki(e).filter(r=>!t||t(r.name));return n.sort((r,o)=>o.self-r.self||o.total-r.total),l`<div class="frames">
    <${q}
      label="Frames"
      columns=${Gm(e.flame)}
      rows=${n}
      rowsMax=${Vm}
      rowsFirst=${fe.value?Jm:void 0}
      rowKey=${r=>r.name}
    />
  </div>`}var zm=8;function fr(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function tl({url:e,answer:t}){let{data:n}=t,r=L(()=>n&&n.requests>0?zi(ur(n),zm):[],[n]),o=$.value.params.get("frame"),s=(c,u=0)=>ve(c/Math.max(1,u),"ns"),a=c=>{let u=fr(c.name);return l`<tr key=${c.name+c.kind}>
      <td class="name">
        <button
          class="plain dotted"
          aria-pressed=${o===u?"true":"false"}
          onClick=${()=>T({frame:o===u?null:u,zoom:null})}
        >
          <${re} category=${Ct(c.kind)} /><${vt}
            name=${Ie(c.name)}
            title=${c.name}
          />
        </button>
      </td>
      <td class="n">${s(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${s(c.base,n.base_requests)}</td>`}
      <td class="n dim">${H(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${B} of=${n} /><${U} url=${e} />`;return l`<${O} title="Top frames" tools=${i} answer=${t} className="top-frames">
    ${r.length>0&&l`<table>
        <thead>
          <tr>
            <th scope="col" class="name">frame</th>
            <th scope="col" class="n">each</th>
            ${n?.base_value&&l`<th scope="col" class="n">base</th>`}
            <th scope="col" class="n">share</th>
          </tr>
        </thead>
        <tbody>
          ${r.map(a)}
        </tbody>
      </table>`}
  <//>`}var Io=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function dr({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Xm(e,t){let n=e.get("value")??"";return Io.some(([r])=>r===n)?n:t}function hr(e,t,n="time"){let r=["lock","park","io","cpu"].includes(e),o=r?e:"time",s=`[${e==="unaccounted"?"not accounted":e}]`;return ce({value:o===n?null:o,frame:t!==null?fr(t):r?null:fr(s),zoom:null})}function Ym({value:e,standard:t}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${Io.map(([n,r])=>l`<${dr}
          key=${n}
          isOn=${n===e}
          onChange=${()=>T({value:n===t?null:n,zoom:null})}
          >${r}<//
        >`)}
  </span>`}function Qm({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",o={base:null,base_box:null,width:null};return l`<${dr}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>T(n||r?o:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${dr}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>T({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Zm({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",o=r!==""&&n===null,s=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&s?H(e.weight/s):H(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;T({find:m===""?null:m},!0)}}
    /><span role="status">${o?"no regular expression":i}</span>`}function ep(){let e=$.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>T({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function tp({flame:e}){let t=(s,a)=>l`<span><i class="dot" style=${{background:`var(--${s})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((s,a)=>a[1]-s[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",o=s=>H(e.total>0?s/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([s,a])=>s==="."?t("frame-root",`${r} ${o(a)}`):l`<span>
              <${re} category=${Ct(s)} />${z(Ct(s)).name}
              ${" "+o(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${b(e.cut.nodes)} small frames cut, ${o(e.cut.value)}</span>`}
  </div>`}function np({requests:e,total:t,unit:n,...r},o){let s=ve(t/Math.max(1,e),n),a=r.base_requests??0,i=ve((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${b(a)}, ${i} each`:"";return`${pe(e,o)}, ${s}${e===1?"":" each"}${c}`}function gr(e){return S("flamegraph",e,{value:"time",frame:null})}function Le({query:e,tick:t,whole:n,standard:r="time"}){let{params:o}=$.value,s=Xm(o,r),a=o.get("frame"),i=j(e,{value:s,frame:a}),c=S("flamegraph",i),u=n!==void 0&&c===gr(e),m=R(u?null:c,t),p=m.problem===null?n?.data??null:null,d=u?n:{...m,data:m.data??p},f=d.data,g=o.get("width")==="base"&&f?.base_value!==void 0,_=L(()=>f&&ur(f,g),[f,g]),h=o.get("find")??"",y=L(()=>h===""?null:Vi(h),[h]),k=L(()=>_&&y&&Ji(_,y),[_,y]),[w,x]=fe.value?["table","graph"]:["graph","table"],A=(o.get("flame")===x?x:w)==="table",N=!_||_.weight.length===0||!(_.weight[0]>0),J=_?pr(_,o.get("zoom")??""):0,G=_&&l`<${Zi}
      tree=${_}
      zoom=${J}
      found=${k}
      onZoom=${ue=>T({zoom:mr(_,ue)||null})}
    />`,$e=l`<${B} of=${f} /><${Ae}
      query=${e}
      value=${s}
      frame=${a}
    /><${U} url=${c} />`,le=f?np(f,Ne(Qe(e))):"";return l`<${O} title="Flame graph" note=${le} tools=${$e} answer=${d}>
    <div class="flame-tools">
      <${Ym} value=${s} standard=${r} />
      <${ep} />
      <${Qm} flame=${f} />
      <${Zm} found=${k} flame=${f} matches=${y} />
      ${J>0&&l`<button onClick=${()=>T({zoom:null})}>whole graph</button>`}
      <${dr}
        isOn=${A}
        onChange=${()=>T({flame:o.get("flame")===x?null:x})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${f&&N&&l`<${I} title="No ${Io.find(([ue])=>ue===s)[1]} in this selection" />`}
    ${!N&&(A?l`<${el} tree=${_} matches=${y} />`:G)}
    ${f&&!N&&l`<${tp} flame=${f} />`}
  <//>`}function $r(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((o,s)=>Math.max(o,s.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Bo({boxes:e},{from:t,to:n},r){let o=r/Math.max(1,n-t),s=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*o),c=Math.min(r,(a.start+a.duration-t)*o),u=Math.max(2,c-i),m=Math.min(i,r-2);s.push({box:a,x:m,width:u,y:20+a.level*20})}return s}function nl(e,t,{from:n,to:r},o){let s=$r(t),a=o/Math.max(1,r-n),i=c=>(c-n)*a;return e.flatMap(c=>{let[u,m]=[c.from,c.to].map(h=>t.findIndex(y=>y.key===h));if(u<0||m<0||c.end<n||c.start>r)return[];let p=h=>s[h]+20,[d,f]=u<m?[18,0]:u>m?[0,18]:[20/2,20/2],[g,_]=[p(u)+d,p(m)+f];return[{x1:i(c.start),y1:g,x2:i(c.end),y2:_}]})}function rl(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function ol(e,t,n,r,o){let s=Bo(e,t,n).filter(i=>o>=i.y&&o<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return s.sort((i,c)=>a(i)-a(c)),s[0]?.box??null}function pn(e){let t=[...e].sort((r,o)=>r.start-o.start||o.duration-r.duration),n=[];return t.map(r=>(n=n.filter(o=>o>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function sl({from:e,to:t},n){let r=(t-e)/Math.max(1,n),o=10**Math.floor(Math.log10(Math.max(1,r))),s=[1,2,5,10].map(i=>i*o).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/s)*s;i<=t;i+=s)a.push(i===0?0:i);return a}function al(e,t,n){let r=({boxes:s})=>[...s].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let s=r(e[t.lane]),a=s[s.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let o=n==="ArrowDown"?1:-1;for(let s=t.lane+o;s>=0&&s<e.length;s+=o){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[s]).sort((c,u)=>a(c)-a(u));if(i)return{lane:s,box:i}}return t}var rp=560,op=110,sp=4,ap=28,ll=5,cl=7,ip=[],lp=500;function cp(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,o]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<o?{from:r,to:o}:t}function br(e){T({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function up(e,t,n){let r=e.measureText(t).width,o=Math.floor(t.length*n/r)-1;return r<=n?t:o>1?t.slice(0,o)+"\u2026":""}function Do({count:e,name:t,duration:n}){return`${e>1?`${b(e)} \xD7 `:""}${ee(t)} \xB7 ${v(n)}`}function mp(e,t,n,r){let{box:o,x:s,width:a}=t,i=o.kind==="context",c=E(i?"hover":z(o.kind).token);e.fillStyle=c,e.fillRect(s,n,a,18),(i||r)&&(e.strokeStyle=E(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(s+.5,n+.5,Math.max(1,a-1),17)),a>=ap&&(e.fillStyle=i?E("ink"):St(c),e.fillText(up(e,Do(o),a-2*ll),s+ll,n+20/2-1))}function pp(e,{x1:t,y1:n,x2:r,y2:o}){let s=Math.atan2(o-n,r-t),a=i=>[r-cl*Math.cos(s+i),o-cl*Math.sin(s+i)];e.beginPath(),e.moveTo(t,n),e.lineTo(r,o),e.moveTo(...a(.45)),e.lineTo(r,o),e.lineTo(...a(-.45));for(let[i,c]of[[4,"panel"],[1.5,"accent"]])e.lineWidth=i,e.strokeStyle=E(c),e.stroke()}function fp(e,t,n,r){let o=n/(t.to-t.from);e.fillStyle=E("panel"),e.fillRect(0,0,n,18);for(let s of sl(t,n/op)){let a=Math.round((s-t.from)*o),i=s===0?"0":v(s),c=e.measureText(i).width;e.fillStyle=E("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=E("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function dp({lanes:e,arrows:t,view:n,marks:r,drag:o}){return Tn((s,{width:a,top:i,height:c})=>{let u=$r(e);s.font=We("sans"),s.textBaseline="middle",fp(s,n,a,c),s.save(),s.beginPath(),s.rect(0,18,a,c),s.clip(),e.forEach((m,p)=>{let d=u[p]-i;d>c||u[p+1]-i<0||Bo(m,n,a).forEach(f=>mp(s,f,d+f.y,r.includes(f.box)))});for(let{x1:m,y1:p,x2:d,y2:f}of nl(t,e,n,a))pp(s,{x1:m,y1:p-i,x2:d,y2:f-i});s.restore(),o&&(s.fillStyle=E("sel"),s.fillRect(o[0],0,o[1]-o[0],c))},[e,t,n.from,n.to,...r,o?.[0],o?.[1]])}function hp({title:e},t){return`${e}: ${z(t.kind).name}, ${Do(t)}, at ${v(t.start)}`}function gp({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${q}
    label="What is on the axis"
    rows=${t}
    rowsMax=${lp}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>v(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${re} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>b(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>v(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function vr({lanes:e,arrows:t=ip,all:n,hrefOf:r,onOpen:o,label:s}){let a=cp($.value.params.get("part"),n),[i,c]=C(null),[u,m]=C(null),[p,d]=C(null),[f,g]=C(!1),_=L(()=>$r(e),[e]),h=u&&e[u.lane]?.boxes.includes(u.box)?u:null,y=[h?.box??null,i?.box??null],k=dp({lanes:e,arrows:t,view:a,marks:y,drag:p}),w=({x:M,y:D,width:Se})=>{let Ee=rl(_,D),nt=Ee<0?null:ol(e[Ee],a,Se,M,D-_[Ee]);return nt&&{lane:Ee,box:nt}},x=M=>{if(p){d([p[0],Math.max(0,Math.min(M.x,M.width))]),c(null);return}let D=w(M),{clientX:Se,clientY:Ee}=M.event;c(D&&{...D,at:{clientX:Se,clientY:Ee}})},A=({lane:M,box:D})=>{let Se=r?.(e[M],D)??null;Se!==null&&o?o(Se):br({from:D.start,to:D.start+Math.max(1,D.duration)})},N=({x:M,event:D})=>{D.button===0&&D.pointerType!=="touch"&&(D.target.setPointerCapture(D.pointerId),d([M,M]))},J=M=>{d(null);let[D=0,Se=0]=p?[...p].sort((nt,ac)=>nt-ac):[],Ee=w(M);if(Se-D>=sp){let nt=(a.to-a.from)/M.width;br({from:a.from+D*nt,to:a.from+Se*nt})}else Ee&&A(Ee)},G=e.findIndex(({boxes:M})=>M.length>0),$e=M=>{if(M.key.startsWith("Arrow")&&G>=0)m(h?al(e,h,M.key):{lane:G,box:e[G].boxes[0]});else if(M.key==="Enter"&&h)A(h);else if(M.key==="Escape"||M.key==="Backspace")br(null);else return;M.preventDefault()},le=h?_[h.lane]+20+h.box.level*20:0,ue=$.value.params.get("part")!==null;return l`<${sr}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${_[_.length-1]}
      heightMax=${rp}
      draw=${k}
      reveal=${h?[le-20-20,le+20]:void 0}
      onPoint=${x}
      onDown=${N}
      onUp=${J}
      onLeave=${()=>c(null)}
      onKey=${$e}
    >
      ${e.map((M,D)=>l`<div class="lane-title" key=${M.key} style=${{top:`${_[D]}px`}}>
            ${M.href?l`<a href=${M.href}>${M.title}</a>`:M.title}
            <small title=${M.note}>${M.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${h&&hp(e[h.lane],h.box)}</div>
    ${i&&l`<${Ke} at=${i.at}>
        <b>${Do(i.box)}</b>
        <div>${i.box.name}, ${z(i.box.kind).name}</div>
        <div class="dim">at ${v(i.box.start)}</div>
      <//>`}
    ${ue&&l`<button onClick=${()=>br(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${M=>g(M.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${f&&l`<${gp} lanes=${e} />`}
    </details>`}var $p=3,bp=.001;function vp({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var Ho=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):b(Math.round(n))} \xD7`};function yp(e,{category:t,is_count:n}){let r=e.slices.find(o=>o.category===t);return n?Ho(r?.events??0,e.requests):v((r?.total_ns??0)/Math.max(1,e.requests))}function _p({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${b(t.events)} in ${pe(t.requests,"context")}, ${v(t.total_ns)} in all`}
        >
          ${b(t.per_request)} × ${Ie(t.frame)}
          <span class="dim"> ${z(t.category).name}, ${v(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function wp({slice:e,of:t,base:n,hrefOf:r}){let o=r&&!e.is_count,s=(p,d)=>o?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?Ho(p.events,t.requests):v(p.total_ns/t.requests),share:e.is_count?"":H(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":Ho(p.events,t.requests)}),i=Math.max(1,t.total_ns*bp),c=e.top.slice(0,$p).filter(p=>e.is_count||p.total_ns>=i),u=o?"opens":"",m=(p,d)=>{let{each:f,share:g,often:_}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim share">${g}</td>
      <td class="n dim often">${_}</td>`};return l`<tr
      class=${u}
      title=${`${v(e.total_ns)} in all, ${b(e.events)} events`}
    >
      <th scope="row">
        <${re} category=${e.category} />${s(z(e.category).name,null)}
      </th>
      ${m(e,n?yp(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${s(l`<${vt} name=${Ie(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${Ie(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function hn({of:e,base:t,against:n="base",hrefOf:r}){let o=e.slices.filter(vp),s=({total_ns:a})=>v(a/e.requests);return l`<${Na} parts=${o} total=${e.total_ns} each=${s} />
    <table class=${t?"why compared":"why"}>
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title=${`each of ${b(t.requests)} to compare with`}>${n}</th>`}
          <th scope="col" class="n share">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${o.map(a=>l`<${wp}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${_p} of=${e} />`}`}function Bt({query:e,against:t,tick:n,hrefOf:r}){let o=S("why",e),s=R(o,n),{data:a}=s,i=Ne(Qe(e)),c=l`<${B} of=${a} /><${U} url=${o} />`,u=a&&a.requests>0?`mean of ${pe(a.requests,i)}, ${v(a.total_ns/a.requests)} each`:"",m=a?.base??null,p=m!==null&&m.requests>0;return l`<${O}
    title="Why"
    note=${u}
    tools=${c}
    answer=${s}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${hn} of=${a} base=${p?m:null} against=${t} hrefOf=${r} />`}
    ${a&&a.requests>0&&m&&!p&&l`<p class="dim">No kept ${i} to compare with: ${t??"base"}</p>`}
    ${a?.requests===0&&l`<${I} title=${`No kept ${i} is in this selection`} />`}
  <//>`}function yr({of:e}){let t=Vn(e),n=r=>r===t&&t!==null?l`<a class="link" href=${W(["t",t])}>${t}</a>${" "}
          <${Kn} trace=${t} />`:zn(r);return l`${Object.entries(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${n(o)}</dd>`])}`}function _r({at:e}){return l`<dt>start</dt>
    <dd title=${Ve(e)}>${ye(e)} ${ie(e)} ${ne(e)}</dd>`}function wr({recording:e,jvm:t}){return l`<dt>JVM</dt>
    <dd>
      <a class="link" href=${W(["r",e])}>${t?t.instance:e}</a>
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>`}function xr(e,t){let n=e&&{name:ae(e.service),href:W(["s",e.service])};return[{name:"services",href:W([])},...n?[n]:[],{name:t}]}var qo="pauses: GC, safepoints";function et(e){return e===null?"JVM":e===""?"a thread without a name":e}function gn({t0_ns:e,events:t,is_truncated:n}){return rn({...t,t0_ns:e,next:null,is_truncated:n})}var kr=e=>`request ${e??"JVM"}`;function Fo(e,{name:t,id:n}){return e.findIndex(r=>r.id===n&&(n!==null||r.name===t))}function xp(e,{name:t,id:n}){return t!==""&&e.filter(o=>o.name===t).length===1||n===null?et(t):`${et(t)}, id ${n}`}var jo=(e,t,n,r,o)=>({level:0,start:n,duration:r,kind:e,name:t,count:1,id:o});function kp(e){let t=new Map;for(let{start:n,values:r}of gn(e)){let[o,s]=[r.thread??null,r.thread_id??null],a={name:String(o),id:s===null?null:Number(s)},i=String(r.type),c=o===null?null:Fo(e.threads,a),u=Number(n-BigInt(e.t0_ns)),m=jo(we(i),i,u,Number(r.duration??0),null);t.set(c,[...t.get(c)??[],m])}return t}var Sp=(e,t)=>e.thread===t.thread&&e.start<t.start+t.duration&&t.start<e.start+e.duration;function ul(e){let{recording:t,threads:n,parts:r,stays:o,type:s}=e,a=kp(e),i=pn(a.get(null)??[]),c={key:kr(null),title:et(null),note:qo,recording:t,boxes:i},u=n.map((m,p)=>{let d=({thread:w})=>w===p,f=o.filter(d),g=f.filter(w=>!r.some(x=>Sp(x,w))),_=[...r.filter(d).map(w=>jo("context",w.type,w.start,w.duration,w.id)),...g.map(w=>jo("context",s,w.start,w.duration,null)),...a.get(p)??[]],h=f.reduce((w,x)=>w+x.duration,0),y=`worked for it ${v(h)}`,k=xp(n,m);return{key:kr(p),title:k,note:y,recording:t,boxes:pn(_)}});return i.length>0?[c,...u]:u}function ml({hand_overs:e,threads:t}){return e.map(({from:n,from_id:r,to:o,to_id:s,start:a,duration:i})=>({from:kr(Fo(t,{name:n,id:r})),to:kr(Fo(t,{name:o,id:s})),start:a,end:a+i}))}var Wo=8192,pl=60000000000n,fl=5,Rp=2000000000n;function Op({owners:e}){let t=new Map;for(let{thread:n,monitor:r,had:o,start:s,end:a}of e){if(n===null)continue;let i=t.get(n),c=ee(r);t.set(n,{thread:n,monitors:i?`${i.monitors}, ${c}`:c,had:o+(i?.had??0),from:Math.min(s,i?.from??s),to:Math.max(a,i?.to??a)})}return[...t.values()].sort((n,r)=>r.had-n.had)}function Vo(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:o,thread:s})=>({key:`${o} ${JSON.stringify(s)}`,title:et(s),recording:o,thread:s,boxes:[]}));for(let[o,s,a,i,c,u,m,p]of e.rows){let d={level:s,start:a+n,duration:i,kind:c,name:u,count:m,id:p};r[o]?.boxes.push(d)}return r}function Tp(e,t){return rn(e).flatMap(({start:n,values:r})=>{let o=String(r.type),s=Number(r.duration??0),a=we(o),i={level:0,start:Number(n-t),duration:s,kind:a,name:o};return r.context===null?[{...i,count:1,id:null}]:[]})}function Pp(e,t,n,r){let o=BigInt(e.t0_ns),a=Vo(n,o).filter(({thread:u})=>u===t.thread).flatMap(({boxes:u})=>u),i=pn([...a,...Tp(r,o)]).filter(u=>u.start<=t.to&&u.start+u.duration>=t.from),c=`had ${t.monitors} for ${v(t.had)}`;return{key:`owner ${t.thread}`,title:t.thread,note:i.length>0?c:`${c}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:i}}function Cp(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Rp)),r.set("to",String(n+BigInt(t?.to??0)+1n));let o=(u,m)=>t?S(u,r,m):null,s=R(o("timeline",{width:String(Wo)})),a=R(o("events",{limit:"1000",columns:"name"})),i=L(()=>t&&s.data&&a.data?Pp(e,t,s.data,a.data):null,[e,t?.thread,s.data,a.data]),c=[s,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:c}}function Mp(e){let t=L(()=>Op(e),[e]),n=[];for(let i=0;i<fl;i++){let c=n.every(u=>u.isAnswered);n.push(Cp(e,c?t[i]:void 0))}let r=t.slice(fl),o=v(r.reduce((i,c)=>i+c.had,0)),s={key:"more owners",title:`${r.length} more`,note:`had monitors for ${o}, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return L(()=>[...a.filter(i=>i!==null),...r.length>0?[s]:[]],[e,...a])}function Ap(e){let t=Vn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-pl)});r.set("to",String(n+BigInt(e.duration)+pl));let o=String(Wo),s=R(t&&S("timeline",r,{width:o,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return L(()=>(s?Vo(s,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:W(["t",t])}}),[e,s,i])}function dl(e,t){let n=Mp(e),r=Ap(e);return L(()=>{let o=[null,...t,...n.map(({thread:a})=>a)],s=a=>a.recording!==e.recording||!o.includes(a.thread);return[...n,...r.filter(s)]},[e,t,n,r])}function hl(e,t){let n=R(S("timeline",t,{width:String(Wo)})).data,r=L(()=>[e.thread],[e]),o=dl(e,r);return L(()=>{let s=n?Vo(n,BigInt(e.t0_ns)):[],a=`this one, ${v(e.duration)}`,i=s.map(c=>({...c,note:c.thread===null?qo:a}));return[...i.filter(({thread:c})=>c===null),...i.filter(({thread:c})=>c!==null),...o]},[e,n,o])}function gl(e){let t=L(()=>e.threads.map(({name:r})=>r),[e]),n=dl(e,t);return L(()=>[...ul(e),...n],[e,n])}function $l({of:e,depth:t}){let n=e.thread??"a thread without a name";return[l`<tr title=${`${pe(e.waits,"wait")} for ${e.monitor}`}>
      <td class="w" style=${{paddingInlineStart:`calc(var(--s2) + ${t} * var(--s4))`}}>
        ${t>0&&l`<span class="dim">waited for </span>`}<b>${n}</b>
      </td>
      <td class="w">${ee(e.monitor)}</td>
      <td class="n">${v(e.had)}</td>
    </tr>`,...e.owners.map(r=>l`<${$l} of=${r} depth=${t+1} />`)]}function Sr({of:e}){return e.length>0&&l`<h2 class="second">Who had the monitor</h2>
      <table aria-label="Who had the monitor">
        <tbody>
          ${e.map(t=>l`<${$l} of=${t} depth=${0} />`)}
        </tbody>
      </table>`}var bl=300000000000n,Np=100,Dt=({t0_ns:e})=>BigInt(e);function Jo(e){let t=Dt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function Lp(e){let t=Jo(e);if($.value.params.get("base")==="rest"){let n=Dt(e);t.set("from",String(n-bl)),t.set("to",String(n+bl)),t.set("context",e.type),t.set("base","rest")}return t}function Ep({context:e,jvm:t}){return l`<dl class="kv">
    <${yr} of=${e.attributes} />
    <${_r} at=${Dt(e)} />
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <${wr} recording=${e.recording} jvm=${t} />
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${vl(e,e.parent)}
            >${ee(e.parent.type)}, ${v(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function vl(e,{id:t,start:n}){return He(e.recording,t,Dt(e)+BigInt(Math.round(n)))}function Up({context:e}){return l`<table>
      <tbody>
        ${e.kept_because.map(({event:t,count:n,setting:r})=>l`<tr key=${t}>
              <td title=${t}>
                <${re} category=${we(t)} />${b(n)} × ${ee(t)}
              </td>
              <td class="dim w">${r}</td>
            </tr>`)}
      </tbody>
    </table>
    ${e.kept_because.length===0&&l`<p class="dim">the contexts in it</p>`}
    <${Sr} of=${e.owners} />`}function Ip({context:e}){return l`<${O} title="Contexts in it" note=${b(e.children.length)}>
    <${q}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${Np}
      rowKey=${t=>t.id}
      href=${t=>vl(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+v(t.start),isNumber:!0},{name:"duration",cell:t=>v(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Bp({context:e,origin:t,tick:n}){let r=L(()=>Jo(e),[e]),o=hl(e,r),s=L(()=>gn(e),[e]),a=(c,{id:u,start:m})=>u===null||u===e.id?null:He(c.recording,u,Dt(e)+BigInt(Math.round(m))),i=l`<${U} url=${S("timeline",r)} />`;return l`<${O}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${i}
    >
      <${vr}
        label="Threads on one axis"
        lanes=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${be}
      />
    <//>
    ${e.children.length>0&&l`<${Ip} context=${e} />`}
    <${Le} query=${Lp(e)} tick=${n} />
    <${O} title="Events" note=${b(s.length)}>
      ${s.length>0?l`<${At}
              items=${s}
              since=${Dt(e)}
              origin=${t}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function yl(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,s=new URLSearchParams(o===null?{}:{from:String(o),to:String(o+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,s),c=R(i,P.value),u=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=c.data,p=m?`${ee(m.type)}, ${v(m.duration)}`:r,d=m&&Jo(m),f=l`<${B} of=${m} /> ${d&&l`<${Ae} query=${d} />`}
    <${U} url=${i} />`;return l`<${oe} crumbs=${xr(u,p)}>
    ${m?l`<div class="three">
              <${O}
                title=${ee(m.type)}
                note=${v(m.duration)}
                tools=${f}
                answer=${c}
              >
                <${Ep} context=${m} jvm=${u} />
              <//>
              <${O} title=${`Why ${v(m.duration)}`} className="why-panel">
                <${hn} of=${m.why} base=${null} />
              <//>
              <${O} title="Kept because"><${Up} context=${m} /><//>
            </div>
            <${Bp} context=${m} origin=${u} tick=${P.value} />`:l`<${O} title="Request" tools=${f} answer=${c} />`}
  <//>`}var Dp=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function $n(e){return Dp.test(e)}function _l({key:e,distinct:t,search_only:n,values:r},o){let s=r.every(i=>i.count+(i.base_count??0)<=1),a=$n(e)&&2*(t??0)>o;return n||r.length>=4&&(s||a)}var Hp=100,Fp=10,jp=1.96;function qp(e,t,n){let[r,o]=[t+2,n+2],[s,a]=[(e.count+1)/r,((e.base_count??0)+1)/o],i=s*(1-s)/r+a*(1-a)/o;return s-a-jp*Math.sqrt(i)}function Wp({contexts:e,base_contexts:t,keys:n},r){let o=({key:u,label:m})=>!r.has(u)&&!r.has(m),s=n.filter(u=>o(u)&&_l(u,e)).map(({key:u})=>u),a=u=>t?qp(u,e,t):u.count,i=n.filter(u=>o(u)&&!s.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),c=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:c,ids:s}}function Vp({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Go=(e,t)=>t>0?e/t:0;function Jp({here:e,there:t}){let n=o=>({left:`${100*o}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Gp({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${vt} name=${i===""?"(empty)":i} /></b>
      </span>`},o={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${b(a.count)} of ${b(e)}`}
        >${H(a.count/e)}</span
      >`,isNumber:!0,className:"share"},s={name:"p99",cell:a=>a.p99_ns===null?"":v(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${Jp}
          here=${Go(a.count,e)}
          there=${Go(a.base_count??0,t)}
        />`,className:"plot"},o,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${b(a.base_count??0)} of ${b(t)}`}
          >${H(Go(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},s,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Vp(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,o,s]}function Kp({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(o=>o!==n);return ce({where:[...r,n]})}function zp({data:e,against:t}){let[n,r]=C(!1),o=$.value.params.getAll("where"),s=new Set(o.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=Wp(e,s),u=n?a:a.slice(0,Math.min(Fp,i)),m=a.length-u.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&l`<${q}
      label="Attributes"
      columns=${Gp(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${Kp}
      className="values"
    />`}
  ${m>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${b(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function wl({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(Hp)}),o=R(r,n),{data:s}=o,a=l`<${B} of=${s} /><${U} url=${r} />`;return l`<${O}
    title="Attributes"
    note=${s?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${o}
    className="attributes"
  >
    ${s&&s.contexts>0&&l`<${zp} data=${s} against=${t} />`}
  <//>`}var Xp=30n*86400000000000n,Yp=300000000000n;function xl(e,t,n=e){return e.filter(r=>r!==t).flatMap(r=>{let o=t??n.find(s=>s!==r);return o===void 0?[]:[[r,o]]})}function Qp(e,t,n,r){let o=e.map(({version:a})=>a),s=t.filter(a=>!o.includes(a));return xl([...o,...s],n,t).map(([a,i])=>{let c=e.find(({version:m})=>m===a)?.to_ns,u=c!==void 0&&BigInt(c)<r-Yp;return{against:{kind:"version",value:a,...u&&{until:BigInt(c)}},here:i}})}function Zp(){let e=Pe($.value),{to:t}=V.value,n=new URLSearchParams({service:e??"",from:String(t-Xp)}),r=S("versions",n,{to:String(t)});return R(e===null?null:r).data?.versions??[]}function kl({versions:e,instances:t}){let{params:n}=$.value,r=De(n.get("against")),o=Zp(),s=[{against:{kind:"day"},here:null},{against:{kind:"week"},here:null},...Qp(o,e,n.get("version"),V.value.to),...xl(t,n.get("instance")).map(([c,u])=>({against:{kind:"instance",value:c},here:u}))],a=r&&Zt(r);return r&&!s.some(({against:c})=>Zt(c)===a)&&s.push({against:r,here:"value"in r?n.get(r.kind):null}),l`<select aria-label="compare with" onChange=${c=>{let{value:u}=c.currentTarget,m=s.find(({against:d})=>Zt(d)===u),p=m&&"value"in m.against?{[m.against.kind]:m.here}:{};T({against:u||null,base:null,base_box:null,...p})}}>
    <option value="" selected=${r===null}>compare with nothing</option>
    ${s.map(({against:c})=>{let u=Zt(c);return l`<option value=${u} selected=${u===a}>
        vs ${en(c)}
      </option>`})}
  </select>`}function Ko({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",s=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>T({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${s.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function Sl({name:e,placeholder:t}){let n=Y(null),r=$.value.params.get(e),o=r&&Ot(r)?v(Number(r)):"";return Ce(()=>{n.current.value=o},[o]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=js(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&T({[e]:i===null?null:String(i),box:null})}}
  />`}function ef({unit:e}){let t=Y(null),n=$.value.params.get("thread")??"";return Ce(()=>{t.current.value=n},[n]),l`<input
    class="thread"
    ref=${t}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>T({thread:t.current.value.trim()||null,...mn(e)})}
  />`}function Rr(e){let t=e.map(n=>n.version).filter(n=>n!=="");return{instances:[...new Set(e.map(n=>n.instance))],versions:[...new Set(t)]}}function Or(e){let{types:t,instances:n,versions:r,unit:o="contexts",isWhole:s=!1}=e,a=$.value.params.get("context"),i=t.filter(({type:p})=>a===null||p===a).flatMap(p=>p.attributes),c=i.flatMap(p=>p.values.map(({value:d})=>d)),u=l`<${Ko}
    name="instance"
    all="all JVMs"
    options=${n.map(p=>[p,p])}
  />`,m=(r.length>0||$.value.params.has("version"))&&l`<${Ko}
      name="version"
      all="all versions"
      options=${r.map(p=>[p,`version ${p}`])}
    />`;return s?l`<div class="choosers">${u} ${m} <${on} isWhole /></div>`:l`<div class="choosers">
    <${Ko}
      name="context"
      all="all types of contexts"
      options=${t.map(({type:p,contexts_in:d})=>[p,`${p} (${b(d)})`])}
    />
    ${u} ${m}
    <${kl} versions=${r} instances=${n} />
    <${Sl} name="min_duration_ns" placeholder="at least" />
    <${Sl} name="max_duration_ns" placeholder="at most" />
    <${ef} unit=${o} />
    <${on}
      keys=${[...new Set(i.map(({key:p})=>p))]}
      values=${[...new Set(c)]}
    />
  </div>`}var Rl=e=>e===null?"":v(e);function Tr(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),o=r===null?"":b(Number(r.toPrecision(3)));return l`<span title=${`${b(n.all)} in all`}>${o}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function Pr(e){return[{name:"median",cell:t=>Rl(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${Rl(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${La} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${Aa} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${b(t.kept)} of ${b(t.all)}`}
          >${t.all>0?H(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var tf=10,bn=["http_route","http.route","route","endpoint"];function Xo(e){let t=new Map;for(let{key:o,values:s}of e.flatMap(a=>a.attributes))if(s.length>0&&!$n(o)){let a=t.get(o)??new Set;s.forEach(({value:i})=>a.add(i)),t.set(o,a)}let n=o=>bn.includes(o)?bn.indexOf(o):bn.length,r=o=>t.get(o).size;return[...t.keys()].sort((o,s)=>n(o)-n(s)||r(s)-r(o))}function Ol(e,t,n){let r=e?.types.find(s=>s.type===t);return(n===null?r:r?.values.find(s=>s.value===n))?.spark??[]}function nf(e,t,n){return e.flatMap(o=>{let{type:s,requests_in:a,requests_out:i,p50_ns:c,p99_ns:u,top:m}=o,p=o.attributes.find(h=>h.key===t)?.values??[];if(p.length===0){let h=Ol(n,s,null);return[{type:s,value:null,all:a,kept:i,p50_ns:c,p99_ns:u,spark:h,top:m}]}let d=p.map(({value:h,requests_in:y,requests_out:k,...w})=>{let{p50_ns:x,p99_ns:A,top:N}=w,J=Ol(n,s,h);return{type:s,value:h,all:y,kept:k,p50_ns:x,p99_ns:A,spark:J,top:N}}),f=d.reduce((h,y)=>h-y.all,a),g=d.reduce((h,y)=>h-y.kept,i),_={p50_ns:null,p99_ns:null,spark:[],top:null};return f>0?[...d,{type:s,value:null,all:f,kept:g,..._}]:d}).sort((o,s)=>s.all-o.all)}var zo=(e,t)=>`${e}=${t}`,Tl=e=>$.value.params.getAll("where").includes(e);function rf(e,t){let n=zo(e,t),r=$.value.params.getAll("where").filter(o=>!o.startsWith(zo(e,"")));return ce({where:Tl(n)?r:[...r,n]})}function Yo({of:e,chosen:t,isOfTypes:n}){let{value:r,type:o}=e,s=n&&l` <span class="dim">${o}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${s}`;let a=Tl(zo(t,r));return l`<a
      href=${rf(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${s}`}function of(e,t,n){return[{name:e??"type",cell:r=>l`<${Yo} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},Tr(r=>t&&r.all/t),...Pr(({value:r,type:o})=>r??o)]}function Qo({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>T({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function Pl({answer:e,url:t,requests:n,query:r,tick:o,seconds:s}){let a=Xo(n),i=$.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=r!==null&&n.length>0,m=R(u?S("requests/series",r,{key:c}):null,o),p=nf(n,c,m.data),d=c===null||n.length>1,f=l`<${B} of=${e.data} /><${B} of=${m.data} />
    ${c!==null&&a.length>1&&l`by <${Qo} keys=${a} chosen=${c} />`}
    <${U} url=${t} />`;return l`<${O}
    title="Routes"
    note=${p.length>0?`${b(p.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    <${pt} answer=${m} />
    ${p.length>0&&l`<${q}
        label="Routes"
        columns=${of(c,s,d)}
        rows=${p}
        rowKey=${g=>`${g.type} ${g.value}`}
        rowsFirst=${tf}
      />`}
  <//>`}var sf=15,af=2;function Cl(e,t,n){let r=n.reduce((s,a)=>s-(a[e]?.count??0),t?.count??0),o={mean_ns:null,p50_ns:null,p99_ns:null,parts:[]};return t&&r>0?{...o,count:r,per_s:t.per_s*r/t.count}:null}var lf={mean:null,p50:null,p99:null};function cf({types:e},t){let n=e.flatMap(({type:o,here:s,base:a,verdicts:i,attributes:c})=>{let u=c.find(d=>d.key===t)?.values??[];if(u.length===0)return[{type:o,value:null,here:s,base:a,verdicts:i}];let m={type:o,value:null,here:Cl("here",s,u),base:Cl("base",a,u),verdicts:lf},p=u.map(d=>({type:o,...d}));return m.here||m.base?[...p,m]:p}),r=({here:o,base:s})=>(o?.count??0)+(s?.count??0);return n.sort((o,s)=>r(s)-r(o))}function uf({types:e}){let t=e.flatMap(n=>n.attributes).filter(({key:n,has_too_many:r})=>r&&!$n(n)).map(({key:n})=>n);return[...new Set(t)]}function mf({here:e,base:t}){let n=(o,s)=>o?.parts.find(a=>a.category===s)?.share??0,r=[...e?.parts??[],...t?.parts??[]].map(o=>o.category);return[...new Set(r)].map(o=>[o,n(e,o),n(t,o)]).sort((o,s)=>Math.max(s[1],s[2])-Math.max(o[1],o[2])).slice(0,af)}function Al({here:e,base:t,verdict:n}){return l`<span class="both"
    ><b>${e}</b>
    <span class="dim">vs ${t}</span>
    ${n&&l` <span class=${`verdict ${n}`}>${n}</span>`}</span
  >`}var Ml=e=>e===null?"-":`${b(Number(e.per_s.toPrecision(3)))}/s`;function Zo(e,t){let n=o=>o?.[`${e}_ns`]??null,r=o=>n(o)===null?"-":v(n(o));return{name:t,cell:o=>l`<${Al} here=${r(o.here)} base=${r(o.base)} verdict=${o.verdicts[e]} />`,isNumber:!0,sort:o=>n(o.here)??-1}}function pf({of:e}){let t=(n,r)=>n?H(r):"-";return mf(e).map(([n,r,o])=>l`<span class="part" key=${n}
        ><${re} category=${n} />${z(n).name} ${t(e.here,r)}
        <span class="dim">vs ${t(e.base,o)}</span></span
      > `)}function ff(e,t){return[{name:e??"type",cell:n=>l`<${Yo} of=${n} chosen=${e} isOfTypes=${t} />`,sort:n=>n.value??"",className:"name"},{name:"rate",cell:n=>l`<${Al} here=${Ml(n.here)} base=${Ml(n.base)} />`,isNumber:!0,sort:n=>n.here?.per_s??0},Zo("mean","mean"),Zo("p50","median"),Zo("p99","p99"),{name:"time of the kept",cell:n=>l`<${pf} of=${n} />`}]}function Nl({query:e,against:t,unit:n}){let r=S("compare",e,{unit:n}),o=R(r,P.value),{data:s}=o,a=Xo(s?.types??[]),i=$.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=s?cf(s,c):[],m=s?uf(s):[],p=c===null||(s?.types.length??0)>1,d=l`<${B} of=${s} />
    ${c!==null&&a.length>1&&l`by <${Qo} keys=${a} chosen=${c} />`}
    <${U} url=${r} />`;return l`<${O}
    title="Routes compared"
    note=${`vs ${t}; of all ${n}; slower or faster from 10 % on, and beyond chance`}
    tools=${d}
    answer=${o}
    className="routes compared"
  >
    ${u.length>0&&l`<${q}
        label="Routes compared"
        columns=${ff(c,p)}
        rows=${u}
        rowKey=${f=>`${f.type} ${f.value}`}
        rowsFirst=${sf}
      />`}
    ${m.length>0&&l`<p class="dim">Too many values here or there to compare: ${m.join(", ")}</p>`}
    ${s&&u.length===0&&l`<${I} title=${`There are no ${n} here or there`} />`}
  <//>`}var df=4,hf={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function tt(e){return de($.value.params.get(e))}function vn(e,t,n){let r=e&&tn(e),o=e?{min_duration_ns:null,max_duration_ns:null}:{},s=mn(n);T(t?{base_box:r,base:null,...s}:{box:r,...o,...s})}function gf(e){vn(null,tt("base_box")!==null,e)}function es({from:e,to:t}){T({from:String(e),to:String(t),last:null,live:null})}function El(e,t){return e.column===t.column&&e.row===t.row}function Ll(e,t,n){let r=(o,s)=>Math.max(0,Math.min(s-1,o));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function $f(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function Ht({grid:e,isRate:t},{from:n,to:r}){return t?Et(e,{...n,row:0},{...r,row:e.rows-1}):Et(e,n,r)}function Ul({grid:e,unit:t},n){let r=e.exemplars.get(ze(e,n));r&&be(mt(t,r.recording,r.id))}function Il(e){let{grid:t,plot:n}=e,[r,o]=C(null),[s,a]=C(null),i=Y(null),c=({offsetX:h,offsetY:y})=>li(t,n,h,y),u=h=>{let{offsetX:y,offsetY:k}=h;if(h.button===0&&t.rows>0&&vo(n,y,k)){h.currentTarget.setPointerCapture(h.pointerId);let w=h.shiftKey||e.isComparing;o({from:c(h),to:c(h),x:y,y:k,isLong:!1,isBase:w})}},m=h=>{let{offsetX:y,offsetY:k}=h;if(r){let N=r.isLong||Math.hypot(y-r.x,k-r.y)>=df;o({...r,to:c(h),isLong:N})}let{clientX:w,clientY:x}=h,A=t.rows>0&&vo(n,y,k);a(A?{place:c(h),clientX:w,clientY:x}:null)},p=h=>{if(o(null),!r)return;if(h.altKey&&!r.isLong){Ul(e,r.from);return}let y=Ht(e,r),k=!r.isLong&&gt(t,y).all===0;vn(k?null:y,r.isBase,e.unit)},d=h=>{let y=i.current,k=y&&tr(t,y,c(h))?y:Ht(e,{from:c(h),to:c(h)});T({box:tn(k),...mn(e.unit)},!0),es(k)},f=({detail:h})=>{i.current=h>1?i.current:tt("box")},g=()=>a(null),_=()=>o(null);return{drag:r?.isLong?r:null,hover:r?null:s,on:{onMouseDown:f,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:g,onPointerCancel:_,onDblClick:d}}}function Bl(e){let{grid:t}=e,[n,r]=C(null),o=i=>{let c=hf[i.key];if(c&&t.rows>0){let u=n?Ll(t,n.to,c):$f(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)Ul(e,n.to);else if(i.key==="Enter"&&n)vn(Ht(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),gf(e.unit);else return;i.preventDefault()},s=i=>Ll(t,i,{column:0,row:0});return{cursor:n&&{from:s(n.from),to:s(n.to)},on:{onKeyDown:o,onBlur:()=>r(null)}}}var ts=6e10;function Cr({from:e,to:t,min:n,max:r}){let o=e%BigInt(ts)===0n&&t%BigInt(ts)===0n,s=i=>ie(i,o?ts:1e9),a=n<=1?`up to ${v(r)}`:`${v(n)} to ${v(r)}`;return`${s(e)} to ${s(t)}, ${a}`}function ns({all:e,kept:t}){return`${b(t)} kept of ${b(e)}`}var vf=5,yf=6;function _f({view:{grid:e,unit:t},hover:n,rates:r}){let{place:o}=n,s=ze(e,o),a=e.cells.get(s),i=r?.[o.column];if(!a&&!i)return null;let[c,u]=Cr(Et(e,o,o)).split(", "),m=a&&`${b(a.all)} ${t}, ${b(a.kept)} kept`,p=i?l`<${bi} of=${i} /><br />${c}`:l`<b>${u}</b><br />${c}<br />${m}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${Ke} at=${n}>${p}<//>`}var wf={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function xf(e,t,n){let r=e??wf,o=Math.max(1,t.width/vf),s=Math.max(1,t.height/yf);return L(()=>Xe(r,o,s,n),[r,o,s,n])}function kf({data:e,unit:t,isRate:n,isComparing:r,onPoint:o}){let s=Y(null),a=Yn(s),i=rr(a.width,a.height,n),c=xf(e,i,t==="requests"&&!n?79:null),u=L(()=>n&&e?hi(e,c):null,[n,e,c]),m={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=Il(m),{cursor:g,on:_}=Bl(m),h=p??(g&&!El(g.from,g.to)?g:null),y=h&&Ht(m,h),k=p?.isBase??r,w={box:!k&&y||tt("box"),base:k&&y||tt("base_box"),cells:[n?null:d?.place,g?.to].filter(G=>G!=null)},x=G=>{u?$i(G,c,i,u):e&&fi(G,c,i,t),di(G,c,i,w)},{column:A,row:N}=d?.place??{};Qn(s,a,x,[c,u,$.value,r,p,g,A,N]);let J=g&&Ht(m,g);return l`<div class="heatmap">
    <canvas
      ref=${s}
      tabindex=${e?"0":void 0}
      role="application"
      aria-roledescription="heat map"
      aria-label=${`All ${t} by time and duration. Arrow keys move, Shift extends, Enter selects, Escape takes it away.`}
      onPointerEnter=${o}
      onFocus=${o}
      ...${f}
      ...${_}
    ></canvas>
    ${d&&l`<${_f} view=${m} hover=${d} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${J&&`${Cr(J)}: ${ns(gt(c,J))}`}
    </div>
    ${e&&l`<${Of} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function Sf({most:e,unit:t}){let n=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),r=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((o,s)=>o<(n[s+1]??e+1)&&l` ${r(s)}${b(o)}`)}
    ${e>1&&l` to ${b(e)}`}</span
  >`}var Rf=e=>`Counted by chunk: a ${Ne(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function Hl({data:e,unit:t,box:n,isBase:r}){let o=L(()=>Xe(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Rf(t)}
    onClick=${()=>vn(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${Cr(n)}</b>${" "}
    ${ns(gt(o,n))} by chunk <i>×</i>
  </button>`}function Of({data:e,unit:t,most:n,isRate:r}){let o=[n>0&&l`<${Sf} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[s,a]=[tt("box"),tt("base_box")];return l`<div class="legend">
    ${r?l`<${vi} unit=${t} />`:o}
    ${s&&l`<${Hl} data=${e} unit=${t} box=${s} isBase=${!1} />`}
    ${a&&l`<${Hl} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Tf({data:e,unit:t}){let[n,r]=C(!1),o=(a,i)=>{let c=Lt([a]),[u,m]=[1,2].map(d=>a.reduce((f,g)=>f+g[d],0)),p=d=>v(ht(c,d));return l`<tr>
      <td>${ie(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${b(u)}</td>
      <td class="n">${b(m)}</td>
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
  </details>`}function Pf({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>T({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Fl({answer:e,url:t,unit:n,isEither:r,note:o,onPoint:s}){let[a,i]=C(!1),c=$.value.params.get("view")==="rate",u=tt("box"),{data:m}=e,p=L(()=>m&&l`<${Tf} data=${m} unit=${n} />`,[m,n]),d=(g,_,h)=>l`<button aria-pressed=${h?"true":"false"} onClick=${()=>T({view:g})}>
      ${_}
    </button>`,f=l`<${B} of=${m} />
    ${u&&l`<button class="plain" onClick=${()=>es(u)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${Pf} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${U} url=${t} />`;return l`<${O}
    title=${`All ${n}`}
    note=${o}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${kf}
      data=${m}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${s}
    />
    ${p}
  <//>`}var jl={unit:null,box:null,base_box:null,base:null,value:null,frame:null,zoom:null,whole:null},Cf=["context","where","trace","id","min_duration_ns","max_duration_ns","key","view","sort"],Mf=e=>String(j(Yr(e),{zone:null}));function Af(e){let t=new URLSearchParams(e.get("before")??""),n=t.get("box")===`${e.get("from")},${e.get("to")}`,r=o=>n?{[o]:t.get(o)}:{};return{...r("from"),...r("to"),...r("last"),...r("live"),before:null}}function rs(e){let t=de(e.get("box")),n=t?{from:String(t.from),to:String(t.to),last:null,live:null,before:`box=${t.from},${t.to}&${Mf(e)}`}:{},r=Object.fromEntries(Cf.map(o=>[o,null]));return ce({...jl,...r,...n,unit:"threads"})}function Mr({isWhole:e=!1}){let t=(s,a,i)=>l`<a href=${a} aria-current=${i?"page":void 0}>${s}</a>`,{params:n}=$.value,r=e?Af(n):{},o=ce({...jl,...r,thread:null,pool:null,jvm:null});return l`<nav class="views" aria-label="Of the service">
    ${t("requests",o,!e)} ${t("whole service",rs(n),e)}
  </nav>`}var Nf=3;function Lf({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&ft(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${W(["r",e.id])}>${e.instance}</a>, since it started:
        <${dt} of=${n} />
      </p>`:null}function Ef(e,t){return tn({...e,from:e.from-t,to:e.to+t})}function Uf({grid:e,heatUrl:t,box:n,kept:r,unit:o}){let{data:s}=R(t),a=v(Number(e.step)).replace(/ 0 (s|min)$/,""),i=s?ii(Xe(s,1/0,1/0),n).slice(0,Nf):[],c=({recording:u,id:m},p)=>l`<a class="link" key=${m} href=${mt(o,u,m)}>${p+1}</a>${" "}`;return l`<${I} title=${`No kept ${Ne(o)} began in this box`}>
    <p>
      The heat map has ${b(r)} kept ones here: it counts a ${Ne(o)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>T({box:Ef(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function ql({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:o}){let s=L(()=>Xe(e,1/0,1/0),[e]),a=de($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),c=(h,y)=>Number(n.get(h)??y),u=a??{..._o(s),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:m,kept:p}=gt(s,u),d=Qe(n),f=Ne(d),g=r[0];if(r.length===0)return l`<${Ge} />`;let _=(h,y)=>l`<${I} title=${h}>${y}<//>`;return o?_(`No kept ${f} is like this`,"Take a condition away to see more."):m===0&&a?_(`No ${f} is in this box`,"Choose a coloured cell."):m===0&&i?_(`No ${f} is like this`,"Take a condition away, or look at a longer time."):m===0?_(`No ${d} in this time`,l`${r.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."}${" "} <a class="link" href=${rs($.value.params)}>What their threads did</a>`):p>0&&a?l`<${Uf}
      grid=${s}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${I} title=${`Nothing is kept of these ${b(m)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${g&&l`<${Lf} of=${g} />`}
  <//>`}var If=12,ss={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function as(e,t){let n=e.get("sort");return ss[t].some(([r])=>r===n)?n:ss[t][0][0]}function Bf({start:e,values:t}){let n=o=>String(t[o]??""),r=Object.entries(t).filter(([o,s])=>o.startsWith("attr.")&&s!==null).map(([o,s])=>[o.slice(5),s]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function Df({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${v(e)}, ${H(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var os=(e,t)=>new Set(e.map(t)).size>1,Hf={contexts:[{name:"blocked",cell:e=>l`<${Df} of=${e} />`},{name:"events",cell:e=>b(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>b(e.parts),isNumber:!0}]},Ff={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},jf=e=>e[0]?ne(e[0].start):"";function qf(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],o=os(e,c=>ye(c.start)),s=c=>l`<span title=${Ve(c.start)}>
      ${o?`${ye(c.start).slice(5)} `:""}${ie(c.start)}
    </span>`,a=(c,u)=>[e.some(m=>m[c]>0),{name:c,title:u,cell:m=>m[c]>0?v(m[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[os(e,c=>c.type),{name:"type",cell:c=>ee(c.type)}],[os(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${jf(e)}`,cell:s},{name:"duration",cell:c=>l`<b>${v(c.duration)}</b>`,isNumber:!0},...Hf[n],...i.flatMap(([c,u])=>c?[u]:[]),...r.slice(0,If).map(c=>({name:c,cell:u=>Wf(u.attributes[c]),className:"cut"})),Ff[n]]}function Wf(e){if(e===void 0)return"";let t=typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function Vf({unit:e}){let t=ss[e],n=as($.value.params,e),r=o=>T({sort:o===t[0][0]?null:o});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([o,s])=>l`<button
          key=${o}
          aria-pressed=${n===o?"true":"false"}
          onClick=${()=>r(o)}
        >
          ${s}
        </button>`)}
  </span>`}function Wl({pages:e,url:t,query:n,instances:r,eventsHref:o}){let{answer:s,items:a,more:i}=e,c=a.map(Bf),u=Qe(n),m=l`<${B} of=${s.data} />
    <${Vf} unit=${u} />
    <a href=${o}>events</a>
    <${Ae} query=${n} value=${$.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=de($.value.params.get("box")),d=p&&ao(p),f=s.data&&`${b(c.length)} of ${b(s.data.matched)}`+(d?`, began ${ie(d.from,1e9)} to ${ie(d.to,1e9)}`:"");return l`<${O}
    title=${`Kept ${u}`}
    note=${f}
    tools=${m}
    answer=${s}
    className="requests"
  >
    ${c.length>0&&l`<${q}
        label=${`Kept ${u}`}
        columns=${qf(c,r,u)}
        rows=${c}
        rowKey=${g=>g.recording+g.id}
        href=${g=>mt(u,g.recording,g.id,g.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Jf=12,Gf=2;function Kf({waits:e}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).slice(0,Gf).map(([t,n])=>`${z(t).name} ${v(n)}`).join(", ")}function zf(e){let t=e.reduce((r,o)=>r+o.cpu_ns,0),n=({cpu_ns:r})=>t>0?H(r/t):"";return[{name:"pool",cell:({pool:r})=>l`<span title=${r||"threads without a name, such as virtual ones"}
          >${ae(r)}</span
        >`,sort:({pool:r})=>r,className:"cut wide"},{name:"threads",cell:r=>b(r.threads),isNumber:!0,sort:r=>r.threads},{name:"CPU",title:"a period for each sample of a running thread",cell:r=>r.cpu_ns>0?l`<span class="dim">${n(r)}</span> ${v(r.cpu_ns)}`:r.samples>0&&pe(r.samples,"sample"),isNumber:!0,sort:r=>r.cpu_ns},{name:"allocated",cell:r=>r.alloc_bytes>0&&Z(r.alloc_bytes),isNumber:!0,sort:r=>r.alloc_bytes},{name:"waited",title:"by the events that say so, of all its threads together",cell:r=>r.blocked_ns>0&&l`<span title=${v(r.blocked_ns)}>${Kf(r)}</span>`,isNumber:!0,sort:r=>r.blocked_ns}]}function Vl(e,t){return R(e&&S("threads",e),t)}function Jl({answer:e,query:t}){let{data:n}=e,r=$.value.params.get("pool"),o=l`<${B} of=${n} /><${U} url=${S("threads",t)} />`,a=(n?n.pool_count-n.pools.length:0)>0?`the first of ${b(n.pool_count)}`:"a click chooses a pool",i=({pool:c})=>ce({pool:c===r?null:c,zoom:null});return l`<${O} title="Threads by pool" note=${a} tools=${o} answer=${e}>
    ${n&&n.pools.length>0&&l`<${q}
        label="Threads by pool"
        columns=${zf(n.pools)}
        rows=${n.pools}
        rowKey=${({pool:c})=>c}
        rowsFirst=${Jf}
        href=${i}
      />`}
    ${n?.pools.length===0&&l`<${I} title="No event of a thread is kept here" />`}
  <//>`}var Xf=["cpu","alloc","lock","park","wait","sleep","io","pinned","gc","safepoint"];function Yf(e){return Xf.flatMap(t=>{let n=Object.entries(e).filter(([a])=>we(a)===t),r=a=>n.reduce((i,[,c])=>i+a(c),0),o=r(a=>a.offered),s=ft(Object.fromEntries(n));return o===0?[]:[{kind:t,offered:o,kept:r(a=>a.kept),dropped:s}]})}function Gl({query:e,tick:t}){let n=S("accounting",e),r=R(n,t),{data:o}=r,s=o?Yf(o.types):[],a=({kind:c,offered:u,kept:m,dropped:p})=>l`<tr key=${c}>
      <th scope="row"><${re} category=${c} />${z(c).name}</th>
      <td class="n"><b>${H(m/u)}</b></td>
      <td class="n dim">${b(u)}</td>
      <td><${dt} of=${p} /></td>
    </tr>`,i=l`<${B} of=${o} /><${U} url=${n} />`;return l`<${O}
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
    ${o&&s.length===0&&l`<${I} title="Nothing is compacted yet" />`}
    <p class="dim">
      Graphs and pools are of what is kept. “select” drops what happened in no context. What a JVM
      does not record, such as waits below the policy’s threshold, nobody counts.
    </p>
  <//>`}var Qf=6n*3600000000000n,Kl="cpu",Zf=(e,t)=>hr(e,t,Kl);function ed({query:e}){let{params:t}=$.value,n=j(e,{thread:t.get("thread"),pool:t.get("pool")}),r=Ze(j(n,{base:t.get("base")}),"threads"),o=Vl(e,P.value);return l`<div class="one-and-two">
      <${Jl} answer=${o} query=${e} />
      <${Gl} query=${e} tick=${P.value} />
    </div>
    <${Bt} query=${Ze(n,"threads")} tick=${P.value} hrefOf=${Zf} />
    <${Le} query=${r} tick=${P.value} standard=${Kl} />`}function zl(){let{params:e}=$.value,{from:t,to:n}=V.value,r=Fn($.value,V.value),o=R(S("recordings",j(r,{recording:null,instance:null,version:null})),P.value),s=S("jvm",r),a=R(s,P.value),i=Pe($.value),c=[{name:"services",href:W([])},{name:i===null?"all":ae(i)}],u=o.data?.recordings??[];return l`<${oe} crumbs=${c}>
    <${Mr} isWhole />
    <${Or} types=${[]} ...${Rr(u)} isWhole />
    <${It} answer=${a} url=${s} />
    ${n-t<=Qf||e.get("whole")==="1"?l`<${ed} query=${r} />`:l`<section>
            <${I} title="Select a shorter range to load thread activity">
              <button onClick=${()=>T({whole:"1"})}>
                or read everything that is kept
              </button>
            <//>
          </section>`}
  <//>`}var td=50,nd=10,rd=6n*3600000000000n,is=60000000000n,Yl=["trace","thread","pool","id"];function od({from:e,to:t}){let n=ct.value?(e+is-1n)/is*is:e;return{from:n<t?n:e,to:t}}function sd(e,t){return e.getAll("where").length-t.getAll("where").length>0||Yl.some(r=>e.has(r))}function ad(e){let t=De(e.get("against"));return e.has("base_box")?["the other box","other box"]:t&&!e.has("base")?[en(t),ha(t)]:["the rest","rest"]}function id({t0_ns:e,step_ns:t,columns:n},r){let o=n.map(s=>s.length>0);return Un(BigInt(e),t,o,r)}function ld({data:e,isOfAll:t,seconds:n,jvms:r,unit:o}){let s=Lt(e.columns),a=p=>{let d=ht(s,p);return d===null?"-":v(d)},i=p=>(r?.recordings??[]).reduce((d,f)=>d+p(f),0),c=i(p=>p.bytes_out),u=i(p=>p.bytes_in),m=(p,d,f="")=>l`<span title=${f}><b>${p}</b>${d}</span>`;return l`<div class="facts">
    ${m(`${b(Number((e.all/n).toPrecision(3)))}/s`,`${o}, ${b(e.all)}`)}
    ${r&&m(b(r.recordings.length),"JVMs","that ran in this time")}
    ${m(a(.5),"median")} ${m(a(.99),"p99")}
    ${m(e.all>0?H(e.kept/e.all):"-",`kept, ${b(e.kept)}`)}
    ${u>0&&m(`${Z(c)} of ${Z(u)}`,"stored of recorded","by these JVMs, since they started")}
    ${t&&l`<span class="dim">all ${o}, without the filters</span>`}
  </div>`}function cd({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:o}){let{params:s}=$.value,a=Ze(Tt($.value,V.value),n),i=Ze(va($.value,V.value),n),c=s.has("box")&&ct.value?0:P.value,u=["box","where","min_duration_ns","max_duration_ns",...Yl].some(N=>s.has(N)),p=[...i.keys()].some(N=>N.startsWith("base"))||!u?i:j(i,{base:"rest"}),[d,f]=ad(s),g=S(n,Ze(a,"contexts"),{sort:as(s,n)}),_=Jn(g,fe.value?nd:td,c),h=R(gr(i),c),{data:y}=_.answer;if(y?.matched===0&&!y.is_truncated&&e.data)return l`<section>
      <${ql}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${o}
      />
    </section>`;let k=new Map(r.map(N=>[N.id,N.instance])),x={service:a.get("service"),sort:null,view:null,unit:null,key:null},A=s.has("box")&&n==="contexts"?me(he("e"),j(a,{zone:s.get("zone")})):me(he("e"),j(s,{...x,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Bt} query=${p} against=${f} tick=${c} hrefOf=${hr} />
      <${wl} query=${p} tick=${c} against=${d} />
      <${tl} url=${gr(i)} answer=${h} />
    </div>
    <${Le} query=${i} tick=${c} whole=${h} />
    <${Wl}
      pages=${_}
      url=${g}
      query=${a}
      instances=${k}
      eventsHref=${A}
    />`}function ud(e,t){return[e&&e.unknown>0&&`${b(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function Xl(e,t,n){let r=g=>S("contexts/heatmap",e,{fine:"1",...g}),o=r({}),s=n&&t&&!e.has("where"),a=R(s?o:null,P.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,P.value),u=a.data?a:c,{data:m}=u,p=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,d=r({where:null}),f=R(p?d:null,P.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:u,heatUrl:o,isOfAll:!1}}function md(e,t){let n=Ci($.value.params),r=n!=="contexts",o=Xl(Ze(e,"requests"),t,r),{data:s}=o.heat,a=s!==null&&s.all===0&&s.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=Xl(e,t,i);return i?{...c,unit:"contexts"}:{...o,unit:"requests"}}function pd(e){let[t,n]=C(!1);return Re(()=>{e&&n(!0)},[e]),t}function fd({heat:e}){let t=$.value.params.get("jvm")==="1",n=BigInt(e.t0_ns),r=n+BigInt(e.step_ns)*BigInt(e.columns.length),o=S("jvm",Fn($.value,{from:n,to:r})),s=R(t?o:null,P.value);return t?l`<${It} answer=${s} url=${o} onClose=${()=>T({jvm:null})} />`:l`<section class="jvm-panel">
        <button class="plain" aria-expanded="false" onClick=${()=>T({jvm:"1"})}>
          ▸ <b>JVM</b> <span class="dim">heap, GC, CPU and threads in the same time</span>
        </button>
      </section>`}function Ql(){return $.value.params.get("unit")==="threads"?l`<${zl} />`:l`<${dd} />`}function dd(){let{params:e}=$.value,{from:t,to:n}=V.value,r=od(V.value),o=ya($.value,r),[s,a]=C(!1),{heat:i,heatUrl:c,isOfAll:u,unit:m}=md(o,s),p=pd(i.data!==null||i.problem!==null),d=j(o,{where:null,context:null}),f=S("contexts/types",d),g=R(m==="requests"||p?f:null,P.value),_=g.data?.requests??[],h=i.data&&id(i.data,r),y=j(d,{recording:null}),k=R(p?S("recordings",y):null,P.value),w=k.data?.recordings??[],x=e.has("instance")||e.has("version"),A=S("recordings",j(y,{instance:null,version:null})),N=R(p&&x?A:null,P.value),J=(x?N.data?.recordings:null)??w,G=De(e.get("against")),$e=u||sd(e,o),le=n-t<=rd||e.get("whole")==="1"||de(e.get("box"))!==null||e.has("trace"),ue=Pe($.value),M=[{name:"services",href:W([])},{name:ue===null?"all":ae(ue)}],D=i.data?.all===0&&k.data!==null&&w.length===0;return l`<${oe} crumbs=${M}>
    ${i.data?l`<${ld}
            data=${i.data}
            isOfAll=${$e||so.some(Se=>e.has(Se))}
            seconds=${h}
            jvms=${k.data}
            unit=${m}
          />`:i.isLoading&&l`<div class="facts"><${uo} lines=${2} /></div>`}
    <${Mr} />
    <${Or} types=${g.data?.types??[]} unit=${m} ...${Rr(J)} />
    ${G&&p&&l`<${Nl}
        query=${io(j(o,{where:null}),e)}
        against=${en(G)}
        unit=${m}
      />`}
    ${m==="requests"&&!G&&l`<${Pl}
        answer=${g}
        url=${f}
        requests=${_}
        query=${p?d:null}
        tick=${P.value}
        seconds=${h}
      />`}
    ${!D&&l`<${Fl}
        answer=${i}
        url=${c}
        unit=${m}
        isEither=${_.length>0}
        note=${ud(i.data,$e)}
        onPoint=${()=>a(!0)}
      />`}
    ${i.data&&w.length>0&&l`<${fd} heat=${i.data} />`}
    ${p&&le&&l`<${cd}
        key=${m}
        heat=${i}
        heatUrl=${c}
        unit=${m}
        recordings=${w}
        isNarrowed=${$e}
      />`}
    ${p&&!le&&l`<section>
        <${I} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>T({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function hd(e,t){return[{name:"service",cell:r=>l`<b>${ae(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>b(r.jvms),isNumber:!0,sort:r=>r.jvms},Tr(({all:r,spark:o})=>{let s=o.map(i=>i!==null),a=e?Un(BigInt(e.t0_ns),e.step_ns,s,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${b(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...Pr(({service:r})=>r)]}function Zl(){let{from:e,to:t}=V.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),o=R(r,P.value),s=(o.data?.services??[]).map(Mi),a=l`<${q}
    label="Services"
    columns=${hd(o.data,V.value)}
    rows=${s}
    rowKey=${u=>u.service}
    href=${u=>W(["s",u.service])}
  />`,i=o.data!==null&&s.length===0,c=l`<${B} of=${o.data} /><${U} url=${r} />`;return l`<${oe}>
    <${O}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${o}
    >
      ${s.length>0&&a} ${i&&l`<${Ge} />`}
    <//>
  <//>`}function gd({columns:e,rows:t,recordings:n},r){let o=(s,a)=>s[e.indexOf(a)]??null;return t.map(s=>{let a=String(o(s,"recording")),i=e.flatMap((c,u)=>c.startsWith("attr.")&&s[u]!==null&&s[u]!==r?[`${c.slice(5)}=${s[u]}`]:[]);return{recording:a,id:String(o(s,"id")),type:String(o(s,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(o(s,"thread")??""),start:Number(o(s,"start")),duration:Number(o(s,"duration")),blocked:Number(o(s,"blocked")),attributes:i.join(" ")}})}function $d({rows:e,first:t}){let n=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),r=o=>`${100*o/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
        ${e.map(o=>l`<tr class="opens" key=${o.recording+o.id}>
              <td title=${`${o.instance}, ${o.thread}`}>
                <a href=${He(o.recording,o.id,t+BigInt(Math.round(o.start)))}
                  ><b>${o.service}</b></a
                >
                <small class="dim"> ${o.thread}</small>
              </td>
              <td title=${o.attributes}>
                ${ee(o.type)} <small class="dim">${o.attributes}</small>
              </td>
              <td class="n dim">+${v(o.start)}</td>
              <td class="n">${v(o.duration)}</td>
              <td
                class="axis"
                title=${`${v(o.blocked)} of ${v(o.duration)} blocked`}
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
  </div>`}var bd=e=>e===null?"":Ve(BigInt(e));function ec({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${bd(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function vd({of:e}){return e.state==="eliminated"?l`<${I} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${ec} of=${e} />
      <//>`:l`<${I} title="Not seen">
        No context of this trace is known here. <${ec} of=${e} />
      <//>`}function tc(){let e=$.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,P.value),{data:r}=n,o=r?gd(r,e):[],s=BigInt(r?.t0_ns??"0"),a=yd(e,s,o),i=new Set(o.map(p=>p.service)).size,c=new Set(o.map(p=>p.recording)).size,u=l`<${B} of=${r} /><${Kn} trace=${e} />
    ${o.length>0&&l`<${Ae} query=${a} />`} <${U} url=${t} />`,m=o.length>0&&`${pe(o.length,"context")} kept, ${pe(i,"service")}, ${pe(c,"JVM")}, from ${_e(s)} ${ne(s)}`;return l`<${oe} crumbs=${[{name:`trace ${e}`}]}>
    <${O} title="Trace" note=${m} tools=${u} answer=${n}>
      ${o.length>0&&l`<${$d} rows=${o} first=${s} />`}
      ${r&&o.length===0&&l`<${vd} of=${r} />`}
    <//>
    ${o.length>0&&l`<${Bt} query=${a} tick=${P.value} />
        <${Le} query=${a} tick=${P.value} />`}
  <//>`}function yd(e,t,n){let r=n.reduce((s,a)=>Math.max(s,a.start),0),o=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(o)})}var nc=300000000000n,_d=100,Ft=({t0_ns:e})=>BigInt(e),wd={parts:"something happened in its contexts",event:"something happened in it",slow:"it was slow",slowest:"it was among the slowest of its route",rare:"its route is rare",condition:"its attributes",open:"it was open when a chunk ended"};function rc(e){let t=new URLSearchParams({unit:"requests",recording:e.recording});return t.set("request",e.id),t.set("from",String(Ft(e))),t.set("to",String(Ft(e)+1n)),t}function oc(e,t){return e.set("from",String(t-nc)),e.set("to",String(t+nc)),e}function xd(e){let{recording:t,type:n}=e,r=new URLSearchParams({unit:"requests",recording:t,context:n}),o=bn.find(s=>typeof e.attributes[s]=="string");return o!==void 0&&r.set("where",`${o}=${e.attributes[o]}`),oc(r,Ft(e))}function kd(e){let t=rc(e);return $.value.params.get("base")==="rest"?(t.set("base","rest"),t.set("context",e.type),oc(t,Ft(e))):t}function Sd({request:e,jvm:t}){let{busy:n,queued:r,elsewhere:o,part_count:s,threads:a,state:i}=e,u=[[n,"threads worked for it"],[r,"queued"],[o,"elsewhere"]].filter(([m])=>m>0).map(([m,p])=>`${p} ${v(m)}`);return l`<dl class="kv">
    <${yr} of=${e.attributes} />
    <${_r} at=${Ft(e)} />
    <dt>time</dt>
    <dd>
      ${u.join(", ")}${i==="over"?"":l` <span class="missing">${i}</span>`}
    </dd>
    <dt>parts</dt>
    <dd>${pe(s,"context")} on ${pe(a.length,"thread")}</dd>
    <dt>kept</dt>
    <dd>${wd[e.kept_by]??e.kept_by}</dd>
    <${wr} recording=${e.recording} jvm=${t} />
  </dl>`}function Rd({request:e}){let t=R(S("why",xd(e))),n=t.data,r=n!==null&&n.requests>1;return l`<${O}
    title=${`Why ${v(e.duration)}`}
    note=${r?`beside ${b(n.requests-1)} like it`:""}
    tools=${l`<${B} of=${n} />`}
    className="why-panel"
  >
    <${pt} answer=${t} />
    <${hn} of=${e.why} base=${r?n:null} against="like it" />
  <//>`}function Od({of:e}){return l`<${O} title="Hand-overs" note=${b(e.length)}>
    <${q}
      label="Hand-overs"
      rows=${e}
      rowsMax=${_d}
      rowKey=${t=>`${t.from_id??t.from} ${t.to_id??t.to} ${t.start} ${t.duration}`}
      columns=${[{name:"after",cell:t=>"+"+v(t.start)},{name:"from",cell:t=>et(t.from),className:"name"},{name:"to",cell:t=>et(t.to),className:"name"},{name:"waited",title:"until a thread took the task",cell:t=>l`<b>${v(t.duration)}</b>`,isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Td({request:e,jvm:t}){let n=Ft(e),r=gl(e),o=L(()=>ml(e),[e]),s=L(()=>gn(e),[e]),a=(i,{id:c,start:u})=>c===null?null:He(i.recording,c,n+BigInt(Math.round(u)));return l`<${O}
      title="On one axis"
      note="its threads, arrows for tasks that were handed over, who held it up, what stopped the JVM, and its trace; drag to zoom"
    >
      <${vr}
        label="Threads on one axis"
        lanes=${r}
        arrows=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${be}
      />
    <//>
    ${e.hand_overs.length>0&&l`<${Od} of=${e.hand_overs} />`}
    <${Le} query=${kd(e)} tick=${P.value} />
    <${O} title="Events" note=${b(s.length)}>
      ${s.length>0?l`<${At}
              items=${s}
              since=${n}
              origin=${t}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it" />`}
    <//>`}function sc(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=t.get("at"),s=["requests",n,r].map(encodeURIComponent).join("/"),a=S(s,new URLSearchParams,{from:o}),i=R(a,P.value),c=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=i.data,m=u?`${ee(u.type)}, ${v(u.duration)}`:r,p=l`<${B} of=${u} />
    ${u&&l`<${Ae} query=${rc(u)} />`} <${U} url=${a} />`;return l`<${oe} crumbs=${xr(c,m)}>
    ${u?l`<div class="two">
              <${O}
                title=${ee(u.type)}
                note=${v(u.duration)}
                tools=${p}
                answer=${i}
              >
                <${Sd} request=${u} jvm=${c} />
                <${Sr} of=${u.owners} />
              <//>
              <${Rd} request=${u} />
            </div>
            <${Td} request=${u} jvm=${c} />`:l`<${O} title="Request" note=${r} tools=${p} answer=${i} />`}
  <//>`}function Pd([e]){switch(e){case void 0:return Zl;case"c":return yl;case"e":return ei;case"q":return sc;case"r":return Pi;case"s":return Ql;case"t":return tc;default:return ni}}var Cd={s:"all services",e:"events",r:"recordings"};function Md(){let{path:e}=$.value;return ge.value===null?null:ge.value.is_needed&&ge.value.identity===null?l`<${ti} />`:l`<${Pd(e)} key=${e.join("/")} /> <${Oa} />`}Fs();aa();la();ta();Ys();Ra();Oe(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?Cd[t??""]??t:ae(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});vs(l`<${Md} />`,document.body);})();
