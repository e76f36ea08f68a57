"use strict";(()=>{var F,ss,Pr,Fe,Tr,vn,as,$n,is,Mr,Cr,Zl,Ht=Symbol.for("pv"),yn={},wn=[],ec=/^m(i|n|o|s|text|space)$/,Ar=Array.isArray,Lr=wn.slice,rt=Object.assign;function nt(e){e&&e.parentNode&&e.remove()}function _n(e,t,n){var r,o,s,a={},i=arguments.length;for(s in t)s=="key"?r=t[s]:s=="ref"&&typeof e!="function"?o=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?Lr.call(arguments,2):n),Bt(e,a,r,o,null)}function Bt(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ht,__v:o||++ss,__i:-1,__u:0};return!o&&F.vnode&&F.vnode(s),s}function ot(e){return e.children}function bt(e,t){this.props=e,this.context=t,this.__g=0}function je(e,t){if(t==null)return e.__&&je(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:je(e)}function tc(e){var t,n=e.__v,r=n.__e,o=[],s=[],a=e.__P;a&&((t=rt({constructor:Ht},n)).__v=n.__v+1,F.vnode&&F.vnode(t),Nr(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||je(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,fs(o,t,s),n.__=n.__e=null,t.__e!=r&&ls(t))}function ls(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ls(e)}function rs(e){(8&e.__g||(e.__g|=8,Fe.push(e),vn++))&&Tr==F.debounceRendering||((Tr=F.debounceRendering)||queueMicrotask)(cs)}function cs(){try{for(var e,t=1;Fe.length;)Fe.length>t&&Fe.sort(as),e=Fe.shift(),t=Fe.length,8&e.__g&&tc(e)}finally{(vn=Fe.length)&&(Tr||queueMicrotask)(cs)}}function us(e,t,n,r,o,s,a,i,c,u,m){var p,d,f,g,w,h,v=r.__k||wn,_=t.length;for(c=nc(n,t,v,c,_),p=0;p<_;p++)(f=n.__k[p])!=null&&(d=~f.__i&&v[f.__i]||yn,f.__i=p,h=Nr(e,f,d,o,s,a,i,c,u,m),g=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Er(d.ref,null,f,d),f.ref&&m.push(f.ref,f.__c||g,f)),w=w||g,4&f.__u?(c=ms(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&h!==void 0?c=h:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=w,c}function nc(e,t,n,r,o){var s,a,i,c,u,m,p,d,f,g=n.length,w=g,h=0,v=0,_=e.__k=Array(o);for(s=0;s<o;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=_[s]=Bt(null,a):Ar(a)?a=_[s]=Bt(ot,{children:a}):a.constructor===Ht&&a.__b?a=_[s]=Bt(a.type,a.props,a.key,a.ref,a.__v):_[s]=a,c=s+h,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=rc(a,n,c,w))&&(w--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==c-1?h--:u==c+1?h++:u!=c&&(u>c?h--:h++,v=1)):(~u||(o>g?h--:o<g&&h++),typeof a.type!="function"&&(a.__u|=4))):_[s]=null;if(v){for(m=[],p=[],s=0;s<o;s++)if((a=_[s])&&16&a.__u){for(h=0,d=m.length;h<d;)m[f=h+d>>1]<a.__i?h=f+1:d=f;m[h]=a.__i,p[s]=h+1}for(h=m.length;s--;)p[s]&&(p[s]==h?h--:_[s].__u|=4)}if(w)for(s=0;s<g;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=je(i)),Ur(i,i));return r}function ms(e,t,n,r){var o,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=ms(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=je(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function rc(e,t,n,r){var o,s=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&a==i.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o}return-1}function os(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function gn(e,t,n,r,o){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||os(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||os(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Cr[t]||(Cr[t]=oc(t)),(e.__a||(e.__a={}))[t]=Mr,s=t!=(t=t.replace(is,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function oc(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[$n]==null)t[$n]=Mr++;else if(t[$n]<this.__a[e])return;return n(F.event?F.event(t):t)}}}function Nr(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,w,h,v,_,k,x,A,L,J,V,xe,ie,ce,M=t.type;if(t.constructor!==Ht)return null;128&n.__u&&(c=32&n.__u,m=n.__c.__z)&&(t.__u|=c,p=s=[],m.nodeType==8?i=bn(m,s):s.push(m),i=s[0]||i),(m=F.__b)&&m(t);e:if(typeof M=="function"){d=a.length;try{if(v=t.props,_=(m=M.prototype)&&m.render,k=(m=M.contextType)&&r[m.__c],x=m?k?k.props.value:m.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(_?t.__c=f=new M(v,x):(t.__c=f=new bt(v,x),f.constructor=M,f.render=ac),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),_&&(f.__s||(f.__s=f.state),M.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=rt({},f.__s)),rt(f.__s,M.getDerivedStateFromProps(v,f.__s)))),g=f.props,w=f.state,f.__v=t,n.__c){if(v!==g&&_&&!M.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(v,x),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(v,f.__s,x)===!1){t.__v!=n.__v&&(f.props=v,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(D){D&&(D.__=t)}),wn.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=je(n);break e}f.componentWillUpdate&&f.componentWillUpdate(v,f.__s,x),_&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,w,h)})}else _&&!M.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),_&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=v,f.__P=e,f.__g&=-5,A=F.__r,L=_?25:0;do f.__g&=-9,A&&A(t),m=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++L<25);_&&(wn.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=rt({},r,f.getChildContext())),_&&n.__c&&f.getSnapshotBeforeUpdate&&(h=f.getSnapshotBeforeUpdate(g,w)),J=m&&m.type===ot&&m.key==null?m.props.children:m,v.__P&&(m=i,o=(e=v.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(D){D&&Ur(D,D)}),n.__k=null),i=n.__k?je(n,0):null),i=us(e,Ar(J)?J:[J],t,n,r,o,s,a,i,c,u),v.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(nt),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(D){if(a.length=d,t.__v=null,c||s)if(D&&D.then){if(t.__u|=128|c,s){for(~(ie=s.indexOf(i||void 0))||(ie=s.length);(ce=s[ie-1])&&ce.nodeType==8;)ie--;for(;ie<s.length;ie++)if(ce=s[ie])if(s[ie]=null,V){if(ce==xe)break}else{if(ce.nodeType!=8)break;ce.data.startsWith("$s")&&(xe=bn(V=ce))}}if(!V){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;V=i}(m=bn(V=t.__c.__z||(t.__c.__z=V)))?(t.__e=V,i=m):t.__e=i,i=i&&i.nextSibling}else s&&s.some(nt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),D&&D.then||ps(t),F.__e(D,t,n)}}else i=t.__e=sc(n.__e,t,n,r,o,s,a,c,u,e);return(m=F.diffed)&&m(t),i}function bn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ps(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ps))}function fs(e,t,n){for(var r=0;r<n.length;)Er(n[r++],n[r++],n[r++]);F.__c&&F.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){F.__e(s,o.__v)}})}function sc(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,w,h,v,_=n.props||yn,k=t.props,x=t.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(m=0;m<s.length;m++)if((g=s[m])&&(x?g.localName==x:g.nodeType==3)){e=g,s[m]=null;break}}if(!e){if(v=u.ownerDocument||document,!x)return v.createTextNode(k);e=v.createElementNS(o,x,k.is?k:u),i&&(F.__m&&F.__m(t,s),i=!1),s=null}if(x){if(u=x=="template"&&e.content||e,s=x=="textarea"&&k.defaultValue!=null?null:s&&Lr.call(u.childNodes),!i&&s)for(_={},m=0;m<e.attributes.length;m++)_[(g=e.attributes[m]).name]=g.value;for(m in _)g=_[m],m=="dangerouslySetInnerHTML"?d=g:m=="children"||m in k||m=="value"&&"defaultValue"in k||m=="checked"&&"defaultChecked"in k||gn(e,m,null,g,o);for(m in k)g=k[m],m=="children"?f=g:m=="dangerouslySetInnerHTML"?p=g:m=="value"?w=g:m=="checked"?h=g:i&&typeof g!="function"||_[m]===g||gn(e,m,g,_[m],o);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&ec.test(x))&&(o="http://www.w3.org/1999/xhtml"),us(u,Ar(f)?f:[f],t,n,r,o,s,a,s?s[0]:n.__k&&je(n,0),i,c),s&&s.some(nt)),i&&x!="textarea"||(m="value",x=="progress"&&w==null?e.removeAttribute(m):w==null||w===e[m]&&(x!="progress"||w)||gn(e,m,w,_[m],o),m="checked",h!=null&&h!=e[m]&&gn(e,m,h,_[m],o))}else _===k||i&&e.data==k||(e.data=k);return e}function Er(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){F.__e(o,n)}}function Ur(e,t,n){var r,o,s,a;if(F.unmount&&F.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Er(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){F.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Ur(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=bn(r,s=[]))&&(r==e.__e&&s.some(nt),nt(o),nt(r)),n||nt(e.__e),e.__e=e.__c=e.__=null}function ac(e,t,n){return this.constructor(e,n)}function ds(e,t){var n,r,o,s;F.__&&F.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Bt(ot,{children:[e]}),o=[],s=[],Nr(t,t.__k,r||yn,yn,t.namespaceURI,r?null:t.firstChild?Lr.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),fs(o,t.__k,s),t.__k.props.children=null}F={__e:function(e,t,n,r){for(var o,s,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw vn=0,e}},ss=0,Pr=function(e){return e!=null&&e.constructor===Ht},bt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=rt({},this.state)),typeof e=="function"&&(e=e(rt({},n),this.props)),e&&(rt(n,e),this.__v&&(t&&this.__k.push(t),rs(this)))},bt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),rs(this))},bt.prototype.render=ot,Fe=[],vn=0,as=function(e,t){return e.__v.__b-t.__v.__b},$n=Symbol(),is=/(PointerCapture)$|Capture$/i,Mr=0,Cr={},Zl=0;var vt,Q,Ir,hs,Dr=Object.is,jt=0,ks=[],Br=[],X=F,gs=X.__b,$s=X.__r,bs=X.diffed,vs=X.__c,ys=X.unmount,ws=X.__;function xn(e,t){X.__h&&X.__h(Q,e,jt||t),jt=0;var n=Q.__H||(Q.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return jt=1,ic(Ss,e)}function ic(e,t,n){var r=xn(vt++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Ss(void 0,t),function(s){var a=(r.__N||r.__)[0],i=r.t(a,s);Dr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=Q,!Q.__f)){Q.__f=!0;var o=Q.shouldComponentUpdate;Q.shouldComponentUpdate=function(s,a,i){var c=this.__H;if(!c)return!0;var u=!1,m=this.props!=s;if(c.__.some(function(d){d.__N&&(u=!0,Dr(d.__[0],d.__N[0])||(m=!0))}),o){var p=o.call(this,s,a,i);return u?p||m:p}return!u||m}}return r.__}function ke(e,t){var n=xn(vt++,3);!X.__s&&Fr(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Q.__H.__h.push(n))}function Oe(e,t){var n=xn(vt++,4);!X.__s&&Fr(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Q.__h.push(n))}function Y(e){return jt=5,N(function(){return{current:e}},[])}function N(e,t){var n=xn(vt++,7);return Fr(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function kn(e,t){return jt=8,N(function(){return e},t)}function lc(){var e;do{for(;e=Br.shift();)try{Ft(e)}catch(n){X.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ks.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ft),t.__h.some(Hr),t.__h=[]}catch(n){t.__h=[],X.__e(n,e.__v)}}}while(Br.length)}X.__b=function(e){Q=null,gs&&gs(e)},X.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ws&&ws(e,t)},X.__r=function(e){$s&&$s(e),vt=0;var t=(Q=e.__c).__H;t&&(Ir==Q?Q.__h=[]:(t.__h.some(Ft),t.__h.some(Hr),vt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ir=Q},X.diffed=function(e){bs&&bs(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&xs(ks.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ir=Q=null},X.__c=function(e,t){t.some(function(n){try{n.__h.some(Ft),n.__h=n.__h.filter(function(r){return!r.__||Hr(r)})}catch(r){n.__h=[function(){throw r}]}}),vs&&vs(e,t)},X.unmount=function(e){ys&&ys(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,xs(Br.push(o))}else Ft(o)}catch(s){t=s}}),r.__H=void 0,t&&X.__e(t,r.__v))};var _s=typeof requestAnimationFrame=="function";function cc(e){var t,n=function(){clearTimeout(r),_s&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);_s&&(t=requestAnimationFrame(n))}function xs(e){e!=1&&hs==X.requestAnimationFrame||((hs=X.requestAnimationFrame)||cc)(lc)}function Ft(e){var t=Q,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Q=t}function Hr(e){var t=Q;e.__c=e.__(),Q=t}function Fr(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Dr(n,e[r])})}function Ss(e,t){return typeof t=="function"?t(e):t}var uc=Symbol.for("preact-signals");function Tn(){if(Ee>1)Ee--;else{var e,t=!1;for((function(){var o=Rn;for(Rn=void 0;o!==void 0;){var s=o.S;if(s.v===o.v)for(var a=s.t;a!==void 0;a=a.x)a.i===o.i&&(a.i=s.i);o=o.o}})();Wt!==void 0;){var n=Wt;for(Wt=void 0,Sn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Os(n))try{n.c()}catch(o){t||(e=o,t=!0)}n=r}}if(Sn=0,Ee--,t)throw e}}function qr(e){if(Ee>0)return e();jr=++mc,Ee++;try{return e()}finally{Tn()}}var qt,G=void 0;function Jt(e){var t=G,n=qt;G=void 0,qt=void 0;try{return e()}finally{G=t,qt=n}}var Wt=void 0,Ee=0,Sn=0,mc=0,jr=0,Rn=void 0,On=0;function Rs(e){if(G!==void 0){var t=e.n;if(t===void 0||t.t!==G)return t={i:0,S:e,p:G.s,n:void 0,t:G,e:void 0,x:void 0,r:t},G.s!==void 0&&(G.s.n=t),G.s=t,e.n=t,32&G.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=G.s,t.n=void 0,G.s.n=t,G.s=t),t}}function te(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}te.prototype.brand=uc;te.prototype.h=function(){return!0};te.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Jt(function(){var r;(r=t.W)==null||r.call(t)}))};te.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Jt(function(){var o;(o=t.Z)==null||o.call(t)}))}};te.prototype.subscribe=function(e){var t=this;return Se(function(){var n=t.value;Jt(function(){return e(n)})},{name:"sub"})};te.prototype.valueOf=function(){return this.value};te.prototype.toString=function(){return this.value+""};te.prototype.toJSON=function(){return this.value};te.prototype.peek=function(){var e=this;return Jt(function(){return e.value})};Object.defineProperty(te.prototype,"value",{get:function(){var e=Rs(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Sn>100)throw new Error("Cycle detected");(function(n){Ee!==0&&Sn===0&&n.l!==jr&&(n.l=jr,Rn={S:n,v:n.v,i:n.i,o:Rn})})(this),this.v=e,this.i++,On++,Ee++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Tn()}}}});function se(e,t){return new te(e,t)}function Os(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Ts(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Cs(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function st(e,t){te.call(this,void 0,t),this.x=e,this.s=void 0,this.g=On-1,this.f=4}st.prototype=new te;st.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===On))return!0;if(this.g=On,this.f|=1,this.i>0&&!Os(this))return this.f&=-2,!0;var e=G;try{Ts(this),G=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return G=e,Cs(this),this.f&=-2,!0};st.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}te.prototype.S.call(this,e)};st.prototype.U=function(e){if(this.t!==void 0&&(te.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};st.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(st.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Rs(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Te(e,t){return new st(e,t)}function Ps(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Ee++;var n=G;G=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Wr(e),r}finally{G=n,Tn()}}}function Wr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Ps(e)}function pc(e){if(G!==this)throw new Error("Out-of-order effect");Cs(this),G=e,this.f&=-2;try{8&this.f&&Wr(this)}finally{Tn()}}function yt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,qt&&qt.push(this)}yt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};yt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Ps(this),Ts(this),Ee++;var e=G;return G=this,pc.bind(this,e)};yt.prototype.N=function(){2&this.f||(this.f|=2,this.u=Wt,Wt=this)};yt.prototype.d=function(){this.f|=8,1&this.f||Wr(this)};yt.prototype.dispose=function(){this.d()};function Se(e,t){var n=new yt(e,t);try{n.c()}catch(o){throw n.d(),o}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Ms,Pn,Cn,fc=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var As=[];Se(function(){Ms=this.N})();function wt(e,t){F[e]=t.bind(null,F[e]||function(){})}function Vt(e){if(Cn){var t=Cn;Cn=void 0,t()}Cn=e&&e.S()}function Ls(e){var t=this,n=e.data,r=hc(n);r.name="ReactiveDom",r.value=n;var o=N(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var u=Te(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),m=Te(function(){return!Array.isArray(u.value)&&!Pr(u.value)}),p=Se(function(){if(this.N=Ns,m.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[m,u]},[]),s=o[0],a=o[1];return s.value?a.peek():a.value}Ls.displayName="ReactiveTextNode";Object.defineProperties(te.prototype,{constructor:{configurable:!0,value:_n(ot,null).constructor},type:{configurable:!0,value:Ls},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});wt("__b",function(e,t){if(Vt(),Pn=void 0,typeof t.type=="string"){var n,r=t.props;for(var o in r)if(o!=="children"){var s=r[o];s instanceof te&&(n||(t.__np=n={}),n[o]=s,r[o]=s.peek())}}e(t)});wt("__r",function(e,t){if(e(t),t.type!==ot){Vt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(o,s){var a;return Se(function(){a=this},{name:s}),a.c=o,a})((function(o){return function(){var s;fc&&((s=this.y)==null||s.call(this)),o.__$f|=1,o.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Pn=r,Vt(n)}});wt("__e",function(e,t,n,r){Vt(),Pn=void 0,e(t,n,r)});wt("diffed",function(e,t){Vt(),Pn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,o=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||r&&a in r||(i.d(),s[a]=void 0)}if(r){s||(s={},n.U=s);for(var c in r){var u=s[c],m=r[c];u===void 0?(u=dc(n,c,m,o),s[c]=u):u.o(m,o)}}}e(t)});function dc(e,t,n,r){var o=t in e&&e.ownerSVGElement===void 0,s=se(n);return{o:function(a,i){s.value=a,r=i},d:Se(function(){this.N=Ns;var a=s.value.value;r[t]!==a&&(r[t]=a,o?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}wt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var o in r){var s=r[o];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});wt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});bt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var o in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(r||s||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function hc(e,t){return N(function(){return se(e,t)},[])}var gc=function(e){queueMicrotask(function(){queueMicrotask(e)})};function $c(){qr(function(){for(var e;e=As.shift();)Ms.call(e)})}function Ns(){As.push(this)===1&&(F.requestAnimationFrame||gc)($c)}function bc(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var Es=globalThis.document?.currentScript,Re=Es?bc(Es.src):"";function Jr(e,t=Re){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var vc=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function yc(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function wc(e){return Jr(e).split("/").filter(t=>t!=="").map(yc)}function Vr(){return{path:wc(location.pathname),params:new URLSearchParams(location.search)}}var $=se({path:[],params:new URLSearchParams});function he(...e){return Re+"/"+e.map(vc).join("/")}function q(e,t){let n=new URLSearchParams(e);for(let[r,o]of Object.entries(t)){n.delete(r);for(let s of o===null?[]:typeof o=="string"?[o]:o)n.append(r,s)}return n}function ue(e,t){let n=t.toString();return n===""?e:e+"?"+n}function $e(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=Vr()}function C(e,t=!1){$e(ue(location.pathname,q($.value.params,e)),t)}function le(e){return ue(he(...$.value.path),q($.value.params,e))}function _c(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function W(e,t={}){return ue(he(...e),q(_c($.value.params),t))}function xc(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=(t.pathname+"/").startsWith(Re+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(Jr(t.pathname));t.origin===location.origin&&o&&(e.preventDefault(),$e(t.pathname+t.search),scrollTo(0,0))}function Us(){addEventListener("popstate",()=>$.value=Vr()),addEventListener("click",xc),$.value=Vr()}function Gt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[o,s]of t){let a=e/s;if(a<(o==="s"?99.5:999.5))return(o==="ns"?String(Math.round(a)):Gt(a))+" "+o}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var kc={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Is(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*kc[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function Z(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Gt(t))+" "+n;t/=1e3}return Gt(t)+" TB"}function b(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Gt(e/1e6)+" M":Gt(e/1e9)+" G"}function me(e,t){return`${b(e)} ${t}${e===1?"":"s"}`}function H(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function be(e,t){return t==="ns"?y(e):t==="bytes"?Z(e):b(e)}function pe(e){return e||"(no name)"}function ee(e){return e.slice(e.lastIndexOf(".")+1)}function Ue(e){return e.split(".").slice(-2).join(".")}var Bs=function(e,t,n,r){var o;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++s]]=i:a===6?r[1][t[++s]]+=i+"":a?(o=e.apply(i,Bs(e,i,n,["",null])),r.push(o),i[0]?t[0]|=2:(t[s-2]=0,t[s]=o)):r.push(i)}return r},Ds=new Map;function Hs(e){var t=Ds.get(this);return t||(t=new Map,Ds.set(this,t)),(t=Bs(this,t.get(e)||(t.set(e,t=(function(n){for(var r,o,s=1,a="",i="",c=[0],u=function(d){s===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):s===3&&(d||a)?(c.push(3,d,a),s=2):s===2&&a==="..."&&d?c.push(4,d,0):s===2&&a&&!d?c.push(5,0,!0,a):s>=5&&((a||!d&&s===5)&&(c.push(s,0,a,o),s=6),d&&(c.push(s,d,0,o),s=6)),a=""},m=0;m<n.length;m++){m&&(s===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],s===1?r==="<"?(u(),c=[c],s=3):a+=r:s===4?a==="--"&&r===">"?(s=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),s=1):s&&(r==="="?(s=5,o=a,a=""):r==="/"&&(s<5||n[m][p+1]===">")?(u(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),s=2):a+=r),s===3&&a==="!--"&&(s=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Hs.bind(_n);function Sc(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function _t(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let o=Number(r.headers.get("retry-after"))||1;await Sc(o*1e3,t.signal)}}async function at(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var ge=se(null),Kt=se(!1),Fs=Re+"/api/v1/login",js={"loupe-page":"1"},qs=e=>`the collector cannot be reached: ${String(e)}`;async function Ws(e){if(!e.ok)return at(e);let t=await e.json();return ge.value={is_needed:t.is_needed,identity:t.identity},null}async function Js(e,t={}){try{return await Ws(await fetch(Fs,{method:e,headers:{...js,...t}}))}catch(n){return qs(n)}}async function Vs(){await _t(Fs,{headers:js}).then(Ws).catch(qs)!==null&&(ge.value={is_needed:!1,identity:null})}async function Gs(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Js("POST",{authorization:`Bearer ${e}`});return Kt.value&&=t!==null,t}async function Ks(){let e=await Js("DELETE");return Kt.value&&=e!==null,e}function zs(){Kt.value||=ge.value?.identity!=null,ge.value={is_needed:!0,identity:null}}var fe=se(!1);function Xs(){let e=matchMedia("(max-width: 640px)"),t=()=>fe.value=e.matches;e.addEventListener("change",t),t()}var Gr=0;function Ys(){return Gr>0}async function Rc(e,t){let n=await _t(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:o}=n;o===401&&zs();let s=r?await n.json():null,a=r?null:await at(n);return{data:s,problem:a,status:o,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,o]=P(n);return Oe(()=>{if(e===null){o(n);return}let s=new AbortController;o(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>o(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),c=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>s.signal.aborted||m(p);return Gr++,Rc(e,s.signal).then(u(i),u(c)).finally(()=>Gr--),()=>s.abort()},[e,t]),r}var Oc={s:1,m:60,h:3600,d:86400};function qe(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Oc[t[2]])*1000000000n:null}function Kr(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],o=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(o)?null:BigInt(o)*1000000n+BigInt(n.padEnd(9,"0"))}function it(e,t){let n=qe(e);return n===null?Kr(e):t-n}var Zs=["5m","15m","1h","6h","1d","7d","30d"],Qs="1h",Tc=5e3,ea=()=>BigInt(Date.now())*1000000n,T=se(ea());function zr(){T.value=ea()}var Mn=Te(()=>{let e=$.value.params.get("last")??Qs;return qe(e)===null?Qs:e}),lt=Te(()=>$.value.params.get("live")==="1"),K=Te(()=>{let{params:e}=$.value,t=it(e.get("to")??"",T.value)??T.value,n=it(e.get("from")??"",T.value);return{from:n!==null&&n<t?n:t-qe(Mn.value),to:t}}),Cc=18e10;function An(e,t,n,{from:r,to:o}){let s=n.lastIndexOf(!0),a=Number(o-e)-(s+1)*t,i=s>=0&&a>0&&a<=Cc;return Math.max(1,(Number(o-r)-(i?a:0))/1e9)}function ta(){let e=0;Se(()=>{if(clearInterval(e),lt.value){let t=()=>document.hidden||Ys()||zr();e=window.setInterval(t,Tc)}})}var Ie=se(0),Xr=new Map;function E(e){let t=Xr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Xr.set(e,t)),t}function We(e){return`${E("t1")} ${E(e)}`}function Yr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function na(e,t,n){let r=Yr(t);return"#"+Yr(e).map((s,a)=>Math.round(s+(r[a]-s)*n)).map(s=>s.toString(16).padStart(2,"0")).join("")}var Pc=.2;function xt(e){let[t,n,r]=Yr(e).map(o=>(o/255)**2.2);return .2126*t+.7152*n+.0722*r>Pc?"#101113":"#ffffff"}function ra(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Xr=new Map,Ie.value++})}var oa=3600000000000n,Mc={day:24n*oa,week:7n*24n*oa};function De(e){let t=/^(?:(day|week)|(version|instance):([^]+))$/.exec(e??"");return t?t[1]?{kind:t[1]}:{kind:t[2],value:t[3]}:null}function zt(e){return"value"in e?`${e.kind}:${e.value}`:e.kind}function Xt(e){switch(e.kind){case"day":case"week":return`the ${e.kind} before`;case"version":return`version ${e.value}`;case"instance":return`JVM ${e.value}`}}function sa({kind:e}){return e==="day"||e==="week"?`${e} before`:{version:"other version",instance:"other JVM"}[e]}function aa(e,t){let n={recording:null,trace:null,id:null};if("value"in t){let o=t.kind==="version"?"instance":"version";return q(e,{...n,[o]:null,[t.kind]:t.value})}let r=o=>e.has(o)?String(BigInt(e.get(o))-Mc[t.kind]):null;return q(e,{...n,from:r("from"),to:r("to")})}var Ac=["recording","instance","version","context","where","trace","thread","id"],Lc=["recording","instance","version","context"],Nc=["min_duration_ns","max_duration_ns"];function kt(e){return/^\d{1,19}$/.test(e)}function de(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Yt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Ln(e,t,n){for(let r of n)t.getAll(r).forEach(o=>e.append(r,o))}function Nn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var ia=30000000000n;function Qr({from:e,to:t}){let n=(t-e)/2n<ia?(t-e)/2n:ia;return{from:e-n,to:t+n}}function la(e,t,n=""){Nn(e,Qr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Be({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function St(e,t){let n=new URLSearchParams,r=Be(e);r!==null&&n.set("service",r),Ln(n,e.params,Ac);let o=de(e.params.get("box"));if(o)la(n,o);else{Nn(n,t);for(let s of Nc)e.params.getAll(s).filter(kt).forEach(a=>n.append(s,a))}return n}function En(e,t){let n=new URLSearchParams,r=Be(e);return r!==null&&n.set("service",r),Ln(n,e.params,["recording","instance","version"]),Nn(n,t),n}function Zr(e,t){let n=De(t.get("against")),r=new URLSearchParams(e);for(let[o,s]of n?aa(e,n):[])r.append("base_"+o,s);return r}function ca(e,t){let n=St(e,t),r=de(e.params.get("base_box"));if(!r)return Ln(n,e.params,["base"]),n.has("base")?n:Zr(n,e.params);la(n,r,"base_");let o=n.get("service");o!==null&&n.set("base_service",o);for(let s of["recording","instance","version","context","where"])e.params.getAll(s).forEach(a=>n.append("base_"+s,a));return n}function ua(e,t){let n=new URLSearchParams,r=Be(e);r!==null&&n.set("service",r),Ln(n,e.params,Lc),Nn(n,t);let o=e.params.getAll("where");return o.length===1&&/^[^=<>!^]+=/.test(o[0])&&n.set("where",o[0]),n}function S(e,t,n={}){return ue(Re+"/api/v1/"+e,q(t,n))}function ct({text:e,label:t,title:n,className:r="",children:o}){let s=Y(null),[a,i]=P(!1),c=()=>i(!1);ke(()=>{if(!a)return;let p=({target:f})=>s.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),s.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let u=({target:p})=>p.closest("a")&&c(),m=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${s}
    open=${a}
    onToggle=${m}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${u}>${o(c)}</div>`}
  </details>`}function Un(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Ec(e,t,n=!1){let[r,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([i,c])=>` \\
  --data-urlencode ${Un(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${s.length>0?"G":""}${a} ${Un(t+r)}${s.join("")}`}async function Uc(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function U({url:e}){return e===null?null:l`<${ct} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${Ic} url=${e} />`}
      <//>`}function Ic({url:e}){let[t,n]=P(!1),r=Ec(e,location.origin,ge.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:s})=>{await Uc(r,s),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var Dc=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Ce({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),o=e.get("unit")==="threads",s={value:t==="time"?null:t,frame:n},a=(m,p)=>S(p,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(p)?s:{}}),i=S("slice.speedscope.json",r,s),c=new URLSearchParams({profileURL:i});return l`<${ct} text="download">${()=>l`${Dc.filter(([,m])=>!o||/collapsed|pprof|speedscope/.test(m)).map(([m,p,d])=>l`<a href=${a(m,p)} download title=${d}
            >${m}<small>${d}</small></a
          >`)}
      <a href=${Re+"/speedscope/#"+c.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function ma(e){return`${Re}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var Qt=se(null),Rt=se([]),pa={accept:"application/json"};async function Bc(e){let t=await _t(S("collector",new URLSearchParams),{headers:pa});if(!t.ok)return at(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${Un(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...pa,"loupe-page":"1"},body:e});return n.ok?await n.json():at(n)}var da=(e,t)=>Rt.value=[...Rt.value,{name:e,text:t}];function Hc(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&da(e,`not all of it is shown: ${t.join("; ")}${r}`)}function Fc(e){let t=new Set(e.map(s=>s.service)),n=(s,a)=>BigInt(s)<BigInt(a)?s:a,r=(s,a)=>BigInt(s)<BigInt(a)?a:s,o=new URLSearchParams({from:e.map(s=>s.from_ns).reduce(n),to:e.map(s=>s.to_ns).reduce(r)});return ue(t.size===1?he("s",...t):he(),o)}async function jc(e){let t=[];for(let n of e){Qt.value=n.name;let r=await Bc(n).catch(o=>`it cannot be sent: ${String(o)}`);typeof r=="string"?da(n.name,r):(t.push(r),Hc(n.name,r))}Qt.value=null,t.length>0&&$e(Fc(t))}var fa=Promise.resolve();function qc(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Wc(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),fa=fa.then(()=>jc(t)))}function ha(){addEventListener("dragover",qc),addEventListener("drop",Wc)}function ga(){return Qt.value===null&&Rt.value.length===0?null:l`<div class="upload">
    <div>
      ${Rt.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${Qt.value!==null&&l`<p role="status">Reading ${Qt.value} …</p>`}
    </div>
    ${Rt.value.length>0&&l`<button onClick=${()=>Rt.value=[]}>close</button>`}
  </div>`}var Jc={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Vc={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function z(e){let t=e.startsWith("other: ")?e.slice(7):e;return Jc[e]??{name:t,token:"other"}}function Ot(e){return Vc[e]??"other: other"}function In(e){return e==="."?null:z(Ot(e))}var Gc={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function ve(e){return(e.startsWith("jdk.")?Gc[e.slice(4)]:void 0)??"other: "+e}var Kc=/^(java|javax|jdk|sun|com\.sun)\./;function Je(e){return Kc.test(e)}function He(e,t,n){return ut("contexts",e,t,n)}function ut(e,t,n,r){return W([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function $a(e,t){return e.replaceAll("{trace_id}",encodeURIComponent(t))}function ba(e,t,n){let[,r,o]=/^(.+)\.[^.]+:(\d+)$/.exec(t)??[];if(!r||Je(t)||n===null&&e.includes("{service}"))return null;let a={path:r.replace(/\$.*/,"").split(".").map(encodeURIComponent).join("/"),line:o,service:encodeURIComponent(n??"")};return e.replace(/\{(path|line|service)\}/g,(i,c)=>a[c])}function Dn(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function Zt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(o=>({start:BigInt(e)+BigInt(Math.round(Number(o[r]??0))),values:Object.fromEntries(t.map((s,a)=>[s,o[a]??null]))}))}var zc=1e3,va=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Xc(e,t,n,r,o){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&va(e.url)===va(t)?Math.min(zc,Math.max(o,r)):o;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Bn(e,t,n){let[r,o]=P([]),[,s]=P(""),a=Y({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Xc(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:u}=a.current,m=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${m}`,n);ke(()=>{p.data&&!p.isLoading&&o([...u,...Zt(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},s(d)}}}function ne({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${z(e).token})`}}
  ></span>`}function wa({of:e}){return e&&l`<${ne} category=${e.category} />${z(e.category).name}
      <span class="dim"> ${H(e.share)}</span>`}var Yc=.07,Qc=.16;function _a({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),o=u=>u.total_ns/Math.max(1,t),s=u=>z(u.category).name,a=u=>o(u)<Yc?"":o(u)<Qc?s(u):`${s(u)} ${n(u)}`,i=u=>Ie.value>=0&&xt(E(z(u.category).token)),c=r.map(u=>`${s(u)} ${H(o(u))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(u=>l`<span
          key=${u.category}
          title=${`${s(u)} ${n(u)}, ${H(o(u))}`}
          style=${{flexGrow:o(u),background:`var(--${z(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var ya=120,eo=22;function xa({values:e,label:t}){let n=e.reduce((a,i)=>Math.max(a,i??0),1),r=a=>(e[a]??null)!==null,o="",s="";return e.forEach((a,i)=>{if(a===null)return;let c=(i+.5)/e.length*ya,u=eo-2-a/n*(eo-4),m=`${c.toFixed(1)} ${u.toFixed(1)}`,p=!r(i-1)&&!r(i+1);o+=p?"":`${r(i-1)?"L":"M"}${m}`,s+=p?`M${m}h0`:""}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${ya} ${eo}"
  >
    <path d=${o} />
    <path class="dots" d=${s} />
  </svg>`}var ka="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",Sa=e=>it(e,0n)!==null,Ra="FROM,TO,MIN,MAX, all in nanoseconds",Hn=e=>t=>e.includes(t),Oa={from:[Sa,ka],to:[Sa,ka],last:[e=>qe(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[kt,"a number of nanoseconds"],max_duration_ns:[kt,"a number of nanoseconds"],box:[e=>de(e)!==null,Ra],base_box:[e=>de(e)!==null,Ra],against:[e=>De(e)!==null,"day, week, version:VERSION or instance:INSTANCE"],unit:[Hn(["requests","contexts","threads"]),"requests, contexts or threads"],jvm:[Hn(["1"]),"1"],live:[Hn(["1"]),"1"],zone:[Hn(["utc"]),"utc"]};function en(e,t){return Oa[e]?.[0](t)??!0}function Ta(e,t){let n=[...e].filter(([i,c])=>!en(i,c)).map(([i,c])=>({name:i,value:c,wanted:Oa[i][1]})),[r,o]=[e.get("from")??"",e.get("to")??""],[s,a]=[it(r,t),it(o,t)];return s!==null&&a!==null&&s>=a?[...n,{name:"from",value:r,wanted:"before to"}]:n}var Zc=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function eu(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}var tu=e=>$.value.params.getAll(e).filter(t=>en(e,t));function nu(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}var ru=["service","instance","recording","thread"];function tn({keys:e=[],values:t=[],isWhole:n=!1}){let o=Zc.filter(([s])=>!n||ru.includes(s)).flatMap(([s,a])=>tu(s).map(i=>l`<span class="chip" key=${s+i} title=${i}>
          ${a(i)}
          <button
            class="plain"
            aria-label=${`take away ${a(i)}`}
            onClick=${()=>eu(s,i)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${o} ${!n&&l`<${ou} keys=${e} values=${t} />`}
  </div>`}function ou({keys:e,values:t}){return l`<form class="where" onSubmit=${nu} aria-label="Add a condition on an attribute">
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
  </form>`}var Tt=Te(()=>$.value.params.get("zone")==="utc"),Fn=1000000n,to=6e4,Ca=e=>String(e).padStart(2,"0");function jn(e,t=Tt.value){return t?0:-new Date(Number(e/Fn)).getTimezoneOffset()*to}function Pa(e){return BigInt(jn(e))*Fn}var nn=e=>new Date(Number(e/Fn)+jn(e)).toISOString().replace("Z","");function ae(e,t=1e6){return nn(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function ye(e){return nn(e).slice(0,10)}function Pe(e){return nn(e).slice(0,19).replace("T"," ")}function Ma(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${Ca(t)}:${Ca(n)}`}function re(e,t=Tt.value){let n=jn(e,t)/to,r=Ma(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Ve(e){let t=jn(e)/to,n=String(e%1000000000n).padStart(9,"0");return`${nn(e).slice(0,19)}.${n}${t===0?"Z":Ma(t)}`}function no(e){return nn(e).slice(0,19)}function Aa(e){let t=Date.parse(Tt.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*Fn}var La=()=>R(S("collector",new URLSearchParams)).data;function Na({href:e,children:t}){return l`<a class="link" href=${e} target="_blank" rel="noopener noreferrer"
    >${t}</a
  >`}function qn({trace:e}){let t=La()?.trace_link,[n=""]=/[^/]+(?=\/|$)/.exec(t?.replace(/^https?:\/\//,"")??"")??[];return t?l`<${Na} href=${$a(t,e)}>${n} ↗<//>`:null}function Ea({frames:e,service:t}){let n=La()?.source_link??null,r=o=>{let s=n&&ba(n,o,t);return s?l`<${Na} href=${s}>${o}<//>`:o};return l`<ol>
    ${e.map(o=>l`<li>${r(o)}</li>`)}
  </ol>`}function Wn(e){return typeof e=="string"?e:JSON.stringify(e)}function Ua(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function ro(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function su(e){return e.find(t=>!Je(t))??e[0]??""}function au({item:e,columns:t,service:n}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Ve(e.start)}</dd>
        ${Ua(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${Wn(o)}</dd>`])}
      </dl>
      <${Ea} frames=${ro(e)} service=${n} />
    </td>
  </tr>`}function Ct({items:e,since:t,service:n=null,contextHref:r,label:o}){let[s,a]=P(null),i=[t===void 0?`time, ${e[0]?re(e[0].start):""}`:"after","event","duration","thread","method","fields",...r?["context"]:[]],c=(u,m)=>{let{type:p,duration:d,thread:f,recording:g,context:w}=u.values,h=t===void 0?ae(u.start):"+"+y(Number(u.start-t)),v=Ua(u).map(([L,J])=>`${L}=${Wn(J)}`),_=`${u.start} ${p} ${f} ${g}`,k=s===_,x=()=>a(k?null:_),A=r&&g!==null&&w?r(String(g),String(w)):null;return l`<tr key=${m} class=${k?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(k)} onClick=${x}>${h}</button>
        </td>
        <td title=${p}>
          <${ne} category=${ve(String(p))} />${ee(String(p))}
        </td>
        <td class="n">${typeof d=="number"?y(d):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${ro(u)[0]}>
          ${Ue(su(ro(u)))}
        </td>
        <td class="cut wide" title=${v.join(`
`)}>${v.join(" ")}</td>
        ${r&&l`<td data-name="context">${A&&l`<a href=${A}>open</a>`}</td>`}
      </tr>
      ${k&&l`<${au} item=${u} columns=${i.length} service=${n} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
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
  </div>`}function oo({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function iu({name:e,value:t,wanted:n}){let r=$.value.params.getAll(e).filter(o=>o!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function Ia(){return Ta($.value.params,T.value).map(e=>l`<${iu} key=${`${e.name} ${e.value}`} ...${e} />`)}function so({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function B({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},o=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(s=>s!=="");return o.length===0?null:l`<span class="missing">${o.join("; ")}</span>`}var lu=5;function O(e){let{title:t,note:n,tools:r,answer:o,className:s,lines:a=lu,children:i}=e,c=o&&o.data!==null&&(o.isLoading||o.problem!==null);return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${o&&l`<${oo} answer=${o} />`}
    ${o?.data===null&&o.isLoading&&a>0&&l`<${so} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function cu(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),o=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${o},service=NAME${n?",token=@FILE":""}`}function uu({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=$.value,o=q(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${Pe(t)} ${re(t)}:${" "}
    <a class="link" href=${ue(he(...n),o)}>look at all of that time</a>.
  </p>`}function Ge(){let e=S("collector",new URLSearchParams),{data:t}=R(e,T.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<K.value.from,r=Be($.value),o=a=>cu(a,location.hostname,ge.value?.is_needed);if(t?.takes_files&&!n)return l`<${I} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let s=r===null?"":` of ${r}`;return l`<${I} title="No JVM${s} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${o(t.agents)}</pre>`}
    ${t&&n&&l`<${uu} of=${t} />`}
  <//>`}var mu=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,pu=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,Da=e=>e.replace(/\$(?=.)/g,"\\$");function Ba(e,{path:t,params:n}){if(mu.test(e))return W(["t",e.toLowerCase()]);let r=t[0]==="s",o=pu.test(e);if(!r)return W(["s"],o?{where:e}:{frame:Da(e)});let s=n.getAll("where").filter(i=>i!==e),a=o?{where:[...s,e]}:{frame:Da(e)};return ue(he(...t),q(n,a))}var Fa={box:null,base_box:null},ao=e=>$.value.params.get(e)??"",Jn=e=>ao(e)!==""&&en(e,ao(e));function ja(){let e=Jn("from")?ao("from"):Mn.value;return Jn("to")||qe(e)===null?null:e}var Ha=60000000000n;function fu(){let{from:e,to:t}=K.value,n=ja();if(n!==null)return`last ${n}`;let r=e%Ha===0n&&(t%Ha===0n||!Jn("to")),o=a=>ae(a,r?6e10:1e9),s=ye(e)===ye(t)?o(t):`${ye(t)} ${o(t)}`;return`${ye(e)} ${o(e)} to ${Jn("to")?s:"now"}`}function du(){let e=Zs,t=ja(),n=t??Mn.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(o=>l`<a
          key=${o}
          href=${le({last:o,from:null,to:null,...Fa})}
          aria-current=${o===t?"true":void 0}
          >last ${o}</a
        >`)}
  </div>`}function hu({close:e}){let[t,n]=P(""),{from:r,to:o}=K.value,s=i=>{i.preventDefault();let c=i.currentTarget,u=(d,f)=>{let g=c.elements.namedItem(d).value;return g===no(f)?f:Aa(g)},[m,p]=[u("from",r),u("to",o)];if(m===null||p===null)n("Both need a day and a time.");else if(m>=p)n("It has to begin before it ends.");else{e();let d={from:String(m),to:String(p)};C({...d,last:null,live:null,...Fa})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${no(c)}
    /></label>`;return l`<form class="between" onSubmit=${s}>
    ${a("from",r)} ${a("to",o)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function gu(){let{to:e}=K.value,t=(n,r)=>l`<button
      aria-pressed=${Tt.value===n?"true":"false"}
      onClick=${()=>C({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${re(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function io(){let{from:e,to:t}=K.value,n=l`${fu()} <span class="dim">${re(t)}</span>`;return l`<${ct}
    text=${n}
    title=${`${Pe(e)} to ${Pe(t)} ${re(t)}`}
    className="time"
  >
    ${r=>l`<${du} /><${hu} key=${Tt.value} close=${r} /><${gu} />`}
  <//>`}function lo(){return l`<button onClick=${zr} title="ask again">refresh</button>
    <button
      aria-pressed=${lt.value?"true":"false"}
      onClick=${()=>C({live:lt.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function qa({onDone:e}){let t=r=>{r.preventDefault();let o=r.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&($e(Ba(s,$.value)),o.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Wa(){let[e,t]=P(null),n=ge.value?.identity,r=async()=>t(await Ks());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Ja=[["services",""],["events","e"],["recordings","r"]];function oe({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([p,d])=>l`<a href=${W(d?[d]:[])} aria-current=${d===n?"page":void 0}>
      ${p}
    </a>`,o=({name:p,href:d},f)=>[f>0?" / ":"",d?l`<a href=${d}>${p}</a>`:l`<b>${p}</b>`],s=l`<nav class="screens" aria-label="Screens">${Ja.map(r)}</nav>`,a=l`<a class="logo" href=${W([])}>Loupe</a>`,i=fe.value?e.slice(-1):e,c=e.at(-1)?.name??Ja.find(([,p])=>p===n)?.[0]??"Loupe",u=l`<span class="crumb">${i.map(o)}</span>`,m=p=>l`${s}<${qa} onDone=${p} />
      <div class="row"><${lo} /></div>
      <${Wa} />`;return l`<header>
      ${fe.value?l`${a} ${u} <${io} />
              <${ct} text="☰" label="screens, search, refresh" className="all">${m}<//>`:l`${a} ${s} ${u} <${qa} /> <${io} /><${lo} /> <${Wa} />`}
    </header>
    <main>
      <h1 class="seen-by-readers">${c}</h1>
      <${Ia} />${t}
    </main>`}var $u=4;function bu(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function j({columns:e,rows:t,rowKey:n,href:r,rowsMax:o,rowsFirst:s,label:a,className:i}){let[c,u]=P(null),m=c===null?void 0:e[c]?.sort,p=m?[...t].sort((k,x)=>bu(m(k),m(x))):t,[d,f]=P(!1),g=p.slice(0,d?o:s??o),w=Math.min(t.length,o??1/0)-g.length,h=(k,x)=>{let A=c!==x?"none":k.isNumber?"descending":"ascending",L=k.sort?l`<button class="plain" onClick=${()=>u(x)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?A:void 0}
    >
      ${L}
    </th>`},v=(k,x,A)=>{let L=x.cell(k);return l`<td
      class=${(x.isNumber?"n ":"")+(x.className??"")}
      data-name=${A>0?x.name:void 0}
    >
      ${r&&A===0?l`<a href=${r(k)}>${L}</a>`:L}
    </td>`},_=w>0&&s!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${b(w)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>$u?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(h)}
          </tr>
        </thead>
        <tbody>
          ${g.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((x,A)=>v(k,x,A))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${_}`}var vu=15,yu=100,wu=20,co=e=>e===null?"":y(e),Pt=(e,t)=>$.value.params.getAll(e).includes(t);function uo({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function _u({types:e}){let t=n=>le({context:Pt("context",n)?null:n,key:null,where:null,event:null});return l`<${j}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${uo} href=${t(n)} on=${Pt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>b(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>b(n.contexts_out),isNumber:!0},{name:"median",cell:n=>co(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>co(n.p99_ns),isNumber:!0}]}
  />`}function Va({name:e,rows:t}){let n=r=>{let o=`${e}=${r}`,s=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return le({where:Pt("where",o)?s:[...s,o],event:null})};return l`<${j}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${uo}
            href=${n(r)}
            on=${Pt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":b(r.all),isNumber:!0},{name:"kept",cell:r=>b(r.kept),isNumber:!0},{name:"p99",cell:r=>co(r.p99_ns),isNumber:!0}]}
  />`}function xu({name:e}){let t=St($.value,K.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),T.value).data?.keys.find(s=>s.key===e),o=(r?.values??[]).map(s=>({value:s.value,all:null,kept:s.count,p99_ns:s.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${o.length>0&&l`<${Va} name=${e} rows=${o} />`}`}function ku({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(s=>s.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((s,a)=>a.contexts_in-s.contexts_in).map(s=>({value:s.value,all:s.contexts_in,kept:s.contexts_out,p99_ns:s.p99_ns})),o=({key:s})=>l`<button
      key=${s}
      aria-pressed=${String(s===n.key)}
      onClick=${()=>C({key:s},!0)}
    >
      ${s}
    </button>`;return l`<div class="tabs">${e.attributes.map(o)}</div>
    ${n.has_too_many?l`<${xu} name=${n.key} />`:l`<${Va} name=${n.key} rows=${r} />`}`}function Su({of:e}){let t=n=>le({event:Pt("event",n)?null:n});return l`<${j}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${vu}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ne} category=${ve(n)} /><${uo}
              href=${t(n)}
              on=${Pt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>b(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Ru({query:e}){let t=$.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:o,more:s}=Bn(n,fe.value?wu:yu,T.value),a=l`<${B} of=${r.data} /><${U} url=${n} />`;return l`<${O} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${o.length>0&&l`<${Ct}
        label="Events"
        items=${o}
        service=${e.get("service")}
        contextHref=${He}
      />`}
    ${s&&l`<p><button onClick=${s}>more</button></p>`}
    ${r.data&&o.length===0&&l`<${I} title="No events here" />`}
  <//>`}function Ga(){let e=$.value,t=St(e,K.value),n=S("contexts/types",Tu(t)),r=R(n,T.value),o=S("events/types",t),s=R(o,T.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=s.data&&`${b(s.data.events)} events`+Ou(s.data.contexts);return l`<${oe}>
    <${tn} />
    <div class="three">
      <${O}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${_u} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${Ge} />`}
      <//>
      <${O} title="Context values" note=${a?.type}><${ku} of=${a} /><//>
      <${O}
        title="Event types"
        note=${i}
        tools=${l`<${B} of=${s.data} /><${U} url=${o} />`}
        answer=${s}
      >
        ${s.data&&s.data.types.length>0&&l`<${Su} of=${s.data} />`}
      <//>
    </div>
    <${Ru} query=${t} />
  <//>`}var Ou=e=>e===null?", in contexts or not":` in ${b(e)} contexts`;function Tu(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function Ka(){let[e,t]=P(null),[n,r]=P(!1),o=async s=>{s.preventDefault();let a=s.currentTarget.elements.namedItem("token");r(!0);let i=await Gs(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Kt.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function za(){return l`<${oe}>
    <section>
      <${I} title="There is nothing here">
        <a class="link" href=${W([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function Cu(e){return e.replaceAll("_","-")}function mt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,o]of Object.entries(n))t.set(r,(t.get(r)??0)+o);return[...t].sort((n,r)=>r[1]-n[1])}function pt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${Cu(t)} <b>${b(n)}</b></span
        >`)}
  </span>`}var Pu="N/A";function Mu(e){let t=[e.young_collector,e.old_collector].filter(n=>n!==void 0&&n!==Pu);return[...new Set(t)].join(", ")}function Au(e){let t=[e.jvm_arguments,e.java_arguments].filter(n=>n);return t.length===0?null:["java",...t].join(" ")}function Lu({os:e}){let t=String(e??"");return/^PRETTY_NAME="(.*)"$/m.exec(t)?.[1]??t.split(`
`)[0]}function Xa({of:e}){let t=Au(e),n=e.hardware_threads===void 0?"":`${e.hardware_threads} \xD7 `,r=[["JVM",e.jvm_version],["command line",t&&l`<code>${t}</code>`],["system",Lu(e)],["processor",e.cpu&&`${n}${e.cpu}`],["memory",e.memory_bytes&&Z(Number(e.memory_bytes))],["heap",e.heap_max_bytes&&`${Z(Number(e.heap_max_bytes))} at most`],["GC",Mu(e)]];return l`<div class="details">
    <dl>
      ${r.filter(([,o])=>o).map(([o,s])=>l`<dt>${o}</dt>
              <dd>${s}</dd>`)}
    </dl>
  </div>`}function Vn(e){let[t,n]=P({width:0,height:0,ratio:1});return Oe(()=>{let r=e.current,o=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},s=new ResizeObserver(o);s.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",o),o(),()=>{s.disconnect(),a.removeEventListener("change",o)}},[t.ratio]),t}function mo(e,{width:t,height:n,ratio:r}){let[o,s]=[Math.round(t*r),Math.round(n*r)];(e.width!==o||e.height!==s)&&(e.width=o,e.height=s);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Gn(e,{width:t,height:n,ratio:r},o,s){Oe(()=>{let a=t>0&&e.current&&mo(e.current,{width:t,height:n,ratio:r});a&&o(a)},[t,n,r,Ie.value,...s])}var Kn=14,zn=8;function Ke({at:e,children:t}){let n=Y(null);return Oe(()=>{let{offsetWidth:r,offsetHeight:o,style:s}=n.current,a=e.clientY+Kn+o>innerHeight-zn,i=Math.min(e.clientX+Kn,innerWidth-r-zn);s.left=`${Math.max(zn,i)}px`,s.top=`${a?Math.max(zn,e.clientY-Kn-o):e.clientY+Kn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var Nu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],Eu=e=>Nu[e&3]*2**(e>>2);function Ya(e){return e<0?1:Math.floor(Eu(e+1))}function ze(e,{column:t,row:n}){return t*e.rows+n}function Mt(e){let t=[];for(let r of e)for(let[o,s]of r)t[o+1]=(t[o+1]??0)+s;let n=[];return t.forEach((r,o)=>n.push([o-1,r])),n}function ft(e,t){let n=e.reduce((o,[,s])=>o+s,0),r=Math.max(1,Math.ceil(t*n));for(let[o,s]of e){if(r<=s)return o<0?1:Math.floor(2**((o+r/s)/4));r-=s}return null}function Xe(e,t,n,r=null){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,a=-1/0;for(let d of e.columns)s=Math.min(s,d[0]?.[0]??s),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&s<=a;i&&(s=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(s/c)>=n;)c*=2;let u=s>a?0:Math.floor(s/c),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:u,buckets:c,hasShorter:i,rows:s>a?0:Math.floor(a/c)-u+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/o),row:Math.max(0,Math.floor(f/c)-u)});e.columns.forEach((d,f)=>{for(let[g,w,h]of d){let v=p(f,g),_=m.cells.get(ze(m,v))??{...v,all:0,kept:0};_.all+=w,_.kept+=h,m.cells.set(ze(m,v),_),m.most=Math.max(m.most,_.all)}});for(let[d,f,g,w]of e.exemplars)m.exemplars.set(ze(m,p(d,f)),{recording:g,id:w});return m}function Za(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function At(e,t,n){let[r,o]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[s,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+s)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(o+1),min:i<0||e.hasShorter&&s===0?0:Ya(i-1)+1,max:Ya((e.first+a+1)*e.buckets-1)}}function Xn(e,t,n){let r=At(e,n,n),o=r.from<t.to&&r.to>t.from,s=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return o&&r.min<=t.max&&s}function dt(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Xn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function ei(e,t){return[...e.cells.values()].filter(n=>Xn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(ze(e,n))??[])}function Yn(e,t,{column:n,row:r}){let o=t.width/e.columns,s=t.height/e.rows,a=t.y+t.height-(r+1)*s;return{x:t.x+n*o,y:a,width:o,height:s}}function ti(e,t,n,r){let o=(s,a)=>Math.max(0,Math.min(a-1,Math.floor(s*a)));return{column:o((n-t.x)/t.width,e.columns),row:o(1-(r-t.y)/t.height,e.rows)}}function fo(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function po(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function rn(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function ho(e,t,n){let[r,o]=[t.x,t.x+t.width],[s,a]=[t.y,t.y+t.height],i=Math.max(r,po(e,t,n.from)),c=Math.max(s,rn(e,t,n.max)),u=Math.min(o,po(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,rn(e,t,n.min-1));return u<=0||m<=c?null:{x:i,y:c,width:u,height:m-c}}function go(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function ni(e,t,n,r){let o=[],s=a=>{let i=rn(e,t,a);o.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&o.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)s(a*i);return o.sort((a,i)=>i.at-a.at)}var Qa=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ri(e,t,n,r,o){let{from:s,to:a}=go(e),i=Number(a-s)/1e9*(n/t.width),c=Qa.find(p=>p>=i)??Qa.at(-1),u=BigInt(c)*1000000000n,m=[];for(let p=(s+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:po(e,t,p),text:o(p,c*1e9)});return m}var on=52,Uu=20,si=6,Iu=52,Du=72,Bu=26,Hu=5;function Qn(e,t,n){let r=e-on-(n?Iu:0);return{x:on,y:si,width:Math.max(1,r),height:Math.max(1,t-si-Uu)}}function Fu(e,t){let n=ae(e,t);return n==="00:00"?ye(e).slice(5):n}function ju(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:ri(e,t,Du,Pa(e.t0),Fu),durations:e.rows===0?[]:ni(e,t,Bu,n)}}function qu(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Wu(e,t,n,r,o){e.fillStyle=E("corner"),e.beginPath();let s=-1;for(let a of t.cells.values()){if(!o(a))continue;a.column!==s&&(e.fill(),e.beginPath(),s=a.column);let{x:i,y:c,width:u,height:m}=Yn(t,n,a);qu(e,i+u-r,c,Math.min(Hu,u/2,m/2))}e.fill()}function Ju({all:e,kept:t},n){return n==="requests"?t<e:t>0}function ai(e,t,n,r){let o=["h0","h1","h2","h3","h4","h5"].map(E),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:u,height:m}=Yn(t,n,a);e.fillStyle=o[Za(a.all,t.most)],e.fillRect(i,c,u-s,m-s)}Wu(e,t,n,s,a=>Ju(a,r)),sn(e,t,n)}function sn(e,t,n){let{times:r,durations:o}=ju(t,n);e.fillStyle=E("faint"),e.font=We("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:s,text:a}of o)e.fillText(a,on-8,s),e.fillRect(on-5,Math.round(s),4,1);e.textBaseline="alphabetic",e.fillText(re(t.t0),on-8,n.y+n.height+16);for(let{at:s,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(s),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(s-i,n.x+n.width-2*i)),n.y+n.height+16)}}function $o(e,t,n,r){t&&(e.fillStyle=E("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function ii(e,t,n,r){$o(e,r.base&&ho(t,n,r.base),E("soft"),[4,3]),$o(e,r.box&&ho(t,n,r.box),E("accent"),[]);for(let o of r.cells)$o(e,Yn(t,n,o),E("ink"),[])}function li({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(o,s)=>{let a=t.slice(s*r,(s+1)*r),i=Mt(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:ft(i,.5),p99:ft(i,.99)}})}function ci(e){return`${b(Number(e.toPrecision(3)))}/s`}function bo(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Vu(e,t,n){let r=!1;e.beginPath();for(let o of t)o&&r?e.lineTo(...o):o&&(e.moveTo(o[0]-n/4,o[1]),e.lineTo(...o)),r=o!==null;e.stroke()}function ui(e,t,n,r){let o=n.width/t.columns,s=bo(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=E("h1"),r.forEach(({perSecond:a},i)=>{let c=a/s*n.height;e.fillRect(n.x+i*o,n.y+n.height-c,o-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=E(i);let c=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*o,rn(t,n,p)]};Vu(e,r.map(c),o)}sn(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(ci(s*a),n.x+n.width+6,i+(a===1?5:0))}}function mi({of:{perSecond:e,p50:t,p99:n}}){let r=o=>o===null?"-":y(o);return l`<b>${ci(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function pi({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Lt=[{name:"heap",lines:[["heap_used","io"]],drawn:"least"},{name:"GC pauses",lines:[["gc_pause","gc"]],drawn:"bars"},{name:"CPU",lines:[["cpu_machine","none"],["cpu_jvm","cpu"]],drawn:"mean"},{name:"threads",lines:[["threads","park"]],drawn:"mean"}],Gu={heap_used:"heap used",gc_pause:"GC pauses",cpu_jvm:"CPU of the JVM",cpu_machine:"CPU of the machine",resident:"resident memory",threads:"Java threads",classes:"loaded classes"};function vo({line:e}){return Gu[e]??e}function ht({unit:e},t){return({bytes:Z,ns:y,ratio:H}[e]??b)(e==="count"?Math.round(t):t)}function an({lines:e},t){return t.lines.flatMap(([n,r])=>{let o=e.find(s=>s.line===n);return o?[{line:o,token:r}]:[]})}function fi(e,t){let n=an(e,t).flatMap(({line:o})=>o.points.map(s=>s[4])),r=n.reduce((o,s)=>Math.max(o,s),0);return n.length===0?null:bo(Math.max(r,.001))}var Ku=12e10,zu=10;function di(e,t){let n=Math.max(1,e.chunks.all/Math.max(1,e.chunks.read)),r=Ku*n*(t.line==="heap_used"?zu:1),o=Math.max(1,Math.ceil(r/e.step_ns)),s=[];for(let a of t.points){let i=s.at(-1);i&&a[0]-i.at(-1)[0]<=o?i.push(a):s.push([a])}return s}function yo({points:e}){let t=e.reduce((n,[,r])=>n+r,0);return e.length===0?null:{count:t,least:Math.min(...e.map(n=>n[2])),mean:e.reduce((n,[,r,,o])=>n+r*o,0)/t,most:Math.max(...e.map(n=>n[4]))}}function hi({points:e},t){return e.find(([n])=>n===t)??null}var wo=58,ln=20,Xu=.25;function _o(e,t){let{x:n,width:r}=Qn(t,0,!1);return{x:n,y:ln+e*(wo+ln),width:r,height:wo}}var gi=Lt.length*(wo+ln)+26;function $i(e,t,n){let r=_o(0,t),o=Math.floor((n-r.x)/r.width*e.column_count);return o>=0&&o<e.column_count?o:null}function bi(e,t,n){let r=t.width/e.column_count;return{x:o=>t.x+(o+.5)*r,y:o=>t.y+t.height*(1-Math.min(1,o/n)),width:r}}function Yu(e,t,{x:n,y:r,width:o}){let s=Math.max(1.5,o-1),a=r(0);for(let[i,,,,c]of t.points){let u=Math.min(r(c),a-1);e.fillRect(n(i)-s/2,u,s,a-u)}}function Qu(e,t,n,{x:r,y:o,width:s},a){let i=c=>o(c[a==="least"?2:3]);for(let c of di(t,n))e.globalAlpha=Xu,e.beginPath(),c.forEach(([u,,,,m])=>e.lineTo(r(u),o(m))),[...c].reverse().forEach(([u,,m])=>e.lineTo(r(u),o(m))),e.fill(),e.globalAlpha=1,e.beginPath(),e.moveTo(r(c[0][0])-s/2,i(c[0])),c.forEach(u=>e.lineTo(r(u[0]),i(u))),e.lineTo(r(c.at(-1)[0])+s/2,i(c.at(-1))),e.stroke()}function Zu(e,t,n,r){let o=fi(t,n);if(e.fillStyle=E("line"),e.fillRect(r.x,r.y+r.height,r.width,1),e.font=We("sans"),e.textBaseline="alphabetic",e.textAlign="left",e.fillStyle=E("soft"),e.fillText(n.name,r.x,r.y-4),o===null){e.fillStyle=E("faint"),e.fillText("not recorded",r.x+e.measureText(n.name).width+8,r.y-4);return}let s=an(t,n);e.fillStyle=E("faint"),e.textAlign="right",e.fillText(ht(s[0].line,o),r.x-8,r.y+8),e.fillText("0",r.x-8,r.y+r.height);let a=bi(t,r,o);e.lineWidth=1.5;for(let{line:i,token:c}of s)e.fillStyle=E(c),e.strokeStyle=E(c),n.drawn==="bars"?Yu(e,i,a):Qu(e,t,i,a,n.drawn)}function vi(e,t,n,r){Lt.forEach((m,p)=>Zu(e,t,m,_o(p,n)));let o=_o(Lt.length-1,n),{t0_ns:s,step_ns:a,column_count:i}=t,c=Array.from({length:i},()=>[]);if(sn(e,Xe({t0_ns:s,step_ns:a,columns:c,...{exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1}},1/0,1),o),r!==null){e.fillStyle=E("ink");let m=bi(t,o,1).x(r);e.fillRect(Math.round(m),ln,1,o.y+o.height-ln)}}function em({data:e,hover:t}){let n=BigInt(e.t0_ns)+BigInt(t.column)*BigInt(e.step_ns),r=Lt.flatMap(o=>an(e,o)).map(({line:o,token:s})=>{let a=hi(o,t.column),[,i,c,u,m]=a??[0,0,0,0,0];return l`<tr key=${o.line}>
      <th scope="row">
        <span class="dot" style=${{background:`var(--${s})`}}></span>${vo(o)}
      </th>
      <td class="n"><b>${a?ht(o,u):"-"}</b></td>
      <td class="n dim">
        ${i>1&&`${ht(o,c)} to ${ht(o,m)}`}
      </td>
    </tr>`});return l`<${Ke} at=${t.at}>
    <b>${ae(n,1e9)}</b>
    <table>
      ${r}
    </table>
  <//>`}function tm({data:e}){let t=Y(null),n=Vn(t),[r,o]=P(null);Gn(t,n,i=>vi(i,e,n.width,r?.column??null),[e,r?.column]);let a=i=>{let{clientX:c,clientY:u}=i,m=t.current.getBoundingClientRect().left,p=$i(e,n.width,c-m);o(p===null?null:{column:p,at:{clientX:c,clientY:u}})};return l`<canvas
      ref=${t}
      style=${{height:`${gi}px`}}
      role="img"
      aria-label="Heap, GC pauses, CPU and threads over the time; the table below has the same"
      onPointerMove=${a}
      onPointerLeave=${()=>o(null)}
    ></canvas>
    ${r&&l`<${em} data=${e} hover=${r} />`}`}var xo=(e,t)=>({name:e,isNumber:!0,cell:n=>{let r=yo(n);return r?ht(n,t(r)):l`<span class="dim">-</span>`}}),nm=[{name:"line",cell:e=>vo(e)},xo("least",e=>e.least),xo("mean",e=>e.mean),xo("most",e=>e.most),{name:"events",isNumber:!0,cell:e=>l`<span title=${e.event}>${b(yo(e)?.count??0)}</span>`}];function rm({data:e}){let[t,n]=P(!1);return l`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<${j}
        label="Lines of the JVM"
        columns=${nm}
        rows=${e.lines}
        rowKey=${r=>r.line}
      />`}
  </details>`}function om({chunks:{read:e,all:t},jvms:n}){return e<t?`by ${b(e)} of ${b(t)} chunks, evenly: short pauses may be missing`:n.length>1?"as they say themselves, all JVMs together":"as it says itself"}function Nt({answer:e,url:t,onClose:n}){let{data:r}=e,o=r!==null&&r.lines.every(({points:c})=>c.length===0),s=r&&{...r,is_truncated:r.is_truncated&&r.chunks.read===r.chunks.all},a=l`<${B} of=${s} />${n&&l`<button class="plain" onClick=${n}>close</button>`}<${U} url=${t} />`,i=N(()=>r&&l`<${rm} data=${r} />`,[r]);return l`<${O}
    title="JVM"
    note=${r&&om(r)}
    tools=${a}
    answer=${e}
    className="jvm-panel"
  >
    ${o&&l`<${I} title="No JVM says anything of itself here">
        Events such as jdk.GCHeapSummary and jdk.CPULoad are not recorded, or not kept.
      <//>`}
    ${r&&!o&&l`<${tm} data=${r} />${i}`}
  <//>`}var gt=e=>Kr(e)??0n,sm=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Zn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,yi=(e,t)=>l`${b(e)} <span class="dim">of ${b(t)}</span>`,am=()=>[{name:"service",cell:e=>l`<b>${pe(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${re(T.value)}`,cell:e=>Pe(gt(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${y(Zn(e))}, running`:y(Zn(e)),isNumber:!0,sort:Zn},{name:"contexts kept",cell:e=>yi(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>yi(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${Z(e.bytes_out)} <span class="dim">of ${Z(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>sm(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function im(){let{params:e}=$.value,{from:t,to:n}=K.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let o=S("recordings",r),s=R(o,T.value),a=s.data?.recordings??[],i=l`<${B} of=${s.data} /><${U} url=${o} />`;return l`<${oe}>
    <${O} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${s}>
      ${a.length>0&&l`<${j}
          label="Recordings"
          columns=${am()}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>W(["r",u.id])}
        />`}
      ${s.data&&a.length===0&&l`<${Ge} />`}
    <//>
  <//>`}var wi=10000000000n,lm=12,cm=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>b(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>b(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>Z(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>Z(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${pt} of=${mt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Ye(e,t){return l`<span><b>${e}</b>${t}</span>`}function um({of:e}){let t=e.contexts_in?H(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Ye(e.is_running?"running":"ended",`${y(Zn(e))} since ${Pe(gt(e.start))} ${re(gt(e.start))}`)}
    ${Ye(t,`of ${b(e.contexts_in)} contexts kept`)}
    ${Ye(b(e.events_out),`of ${b(e.events_in)} events kept`)}
    ${Ye(Z(e.bytes_out),`of ${Z(e.bytes_in)} kept`)}
    ${Ye(Z(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Ye(y(e.waiting.duration_ns),`not compacted yet, ${Z(e.waiting.journal_bytes)}`)}
    ${Ye(e.jvm_version,e.jvm_name)} ${Ye(e.pid,`process, on ${e.instance}`)}
  </div>`}var mm={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function pm({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${b(r)} ${mm[n]??n}</li>`)}
      </ul>`}function fm({service:e}){let[t,n]=P(!1);return l`<section class="policy">
    <details
      open=${t}
      onToggle=${r=>n(r.currentTarget.open)}
    >
      <summary>
        <b>Policy</b> <span class="dim">that is in force for ${pe(e)} now</span>
      </summary>
      ${t&&l`<${dm} service=${e} />`}
    </details>
  </section>`}function dm({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,T.value),{data:o}=r,s=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${oo} answer=${r} />
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
      />`}`}function hm({of:e}){let t={from:String(gt(e.start)-wi),to:String(gt(e.end)+1n),recording:e.id},n=(r,o,s)=>l`<a class="link" href=${ue(he(...r),new URLSearchParams({...t,...o}))}
      >${s}</a
    >`;return l`<p class="links">
    ${n(["s",e.service],{},"its requests")}
    ${n(["s",e.service],{unit:"threads"},"all that its threads did")}
    ${n(["e"],{service:e.service},"its events")}
  </p>`}function gm({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,T.value),{data:r}=n,o=[{name:r?`${pe(r.service)}, ${r.instance}`:e}],s=new URLSearchParams({recording:e});r&&(s.set("from",String(gt(r.start)-wi)),s.set("to",String(gt(r.end)+1n)));let a=S("jvm",s),i=R(r&&a,T.value),c=i.data?.jvms[0],u=l`<a href=${ma(e)} download>download .jfr</a><${U} url=${t} />`,m=r?mt(r.types):[];return l`<${oe} crumbs=${o}>
    <${O} title="Recording" note=${e} tools=${u} answer=${n}>
      ${r&&l`<${um} of=${r} /><${hm} of=${r} />`}
      ${c&&l`<${Xa} of=${c} />`}
      ${n.status===404&&l`<${I} title="This collector has no such recording">
          <a href=${W(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${Nt} answer=${i} url=${a} />
        <${O}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${m.length>0?l`<${pt} of=${m} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${O} title="Lost" note="what is missing, and should not be"
          ><${pm} of=${r}
        /><//>
        <${O} title="Event types">
          <${j}
            label="Event types"
            columns=${cm}
            rows=${Object.entries(r.types).sort((p,d)=>d[1].bytes_in-p[1].bytes_in)}
            rowKey=${([p])=>p}
            rowsFirst=${lm}
          />
        <//>
        <${fm} service=${r.service} />`}
  <//>`}function _i(){let e=$.value.path[1];return e===void 0?l`<${im} />`:l`<${gm} id=${e} />`}function Me(e){return e.slice(0,-1)}var $m=["context","thread","trace","id","box","base_box"];function xi(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:$m.some(n=>e.has(n))?"contexts":null}function Qe(e){let t=e.get("unit");return t==="requests"||t==="threads"?t:"contexts"}function Ze(e,t){return q(e,{unit:t==="contexts"?null:t})}function ki(e){let{service:t,jvms:n,requests:r}=e,o=r.requests_in>0,[s,a]=o?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:u,top:m}=o?r:e;return{service:t,jvms:n,unit:o?"requests":"contexts",all:s,kept:a,p50_ns:i,p99_ns:c,spark:u,top:m}}function bm(e,t,n){let{clientWidth:r,clientHeight:o,scrollTop:s}=t,a=mo(e,{width:r,height:o,ratio:devicePixelRatio});a&&n(a,{width:r,height:o,top:s})}function er(e){let{draw:t,height:n,heightMax:r,reveal:o}=e,s=Y(null),a=Y(null),i=Y(t),c=Y(0);i.current=t;let u=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&s.current&&bm(a.current,s.current,i.current)})};ke(()=>{let d=new ResizeObserver(u);return d.observe(s.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),ke(u,[t,n,r,Ie.value]),ke(()=>{let{scrollTop:d,clientHeight:f}=s.current;o&&o[0]<d?s.current.scrollTop=o[0]:o&&o[1]>d+f&&(s.current.scrollTop=o[1]-f)},[o?.[0],o?.[1]]);let m=d=>f=>{let g=a.current.getBoundingClientRect(),w=f.clientY-g.top+s.current.scrollTop;d?.({x:f.clientX-g.left,y:w,width:g.width,event:f})},p=Math.min(n,r);return l`<div
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
  </div>`}var Ro=e=>e.charCodeAt(0);function Si(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[Ro(n.length===1?n:t),Ro(r.length===1?r:t)]}var Oo=e=>/\w/.test(String.fromCharCode(e)),Ri=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),Ci=(e,t)=>t>=0&&t<e.length&&Oo(e.charCodeAt(t)),tr=(e,t)=>Ci(e,t-1),nr=Ci,ko={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>tr(e,t)!==nr(e,t),"\\B":(e,t)=>tr(e,t)===nr(e,t),"\\<":(e,t)=>!tr(e,t)&&nr(e,t),"\\>":(e,t)=>tr(e,t)&&!nr(e,t)},Oi=e=>e>=48&&e<=57,So={"\\d":Oi,"\\D":e=>!Oi(e),"\\w":Oo,"\\W":e=>!Oo(e),"\\s":Ri,"\\S":e=>!Ri(e)},Ti={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},we=class extends Error{},To=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new we;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new we;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new we;let r=this.atom,o=this.states.length-r;if(n===0){this.states.length=r;return}for(let s=1;s<t;s++)this.copy(r,o);n===1/0&&this.add({jumps:[1,-o]});for(let s=Math.max(t,1);s<n&&n!==1/0;s++)this.copy(r,o),this.makeOptional(this.states.length-o);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new we;if(r!==1/0&&r>255)throw new we;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,o=Object.hasOwn(Ti,r)?Ti[r]:void 0;if(n===":"?!o:r.length!==1)throw new we;return n===":"?s=>o.test(String.fromCharCode(s)):Ro(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new we;let r=n;return o=>o>=t&&o<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new we;t.push(this.range())}this.at++,this.addAtom(r=>Si(r).some(o=>t.some(s=>s(o)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(ko,n)||Object.hasOwn(So,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new we;if(Object.hasOwn(ko,n))this.atom=null,this.add({holds:ko[n]});else if(Object.hasOwn(So,n))this.addAtom(So[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[o,s]=Si(n.charCodeAt(n.length-1));this.addAtom(a=>a===o||a===s)}}};function Pi(e){try{return e.length>256?null:new To(e).parse()}catch(t){if(t instanceof we)return null;throw t}}function Mi(e,t,n){let r=new Int32Array(e.length).fill(-1),o=[],s=(u,m)=>{r[u]!==m&&(r[u]=m,o.push(u),n.count++)},a=[],i=!1,c=(u,m,p)=>{s(m,p);for(let d=o.pop();d!==void 0;d=o.pop()){let{takes:f,holds:g,jumps:w,isEnd:h}=e[d];i||=h===!0,f?u.push(d):g?.(t,p)&&s(d+1,p);for(let v of w??[])s(d+v,p)}};for(let u=0;;u++){if(c(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let d of a)e[d].takes(m)&&c(p,d+1,u+1);a=p}}function sr(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,o=new Int32Array(n.length),s=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)s[i.pop()]=m;let p=n[m]-1;o[m]=p<0?-1:i[p],a[m]=p<0?0:c[p],p>=0&&(c[p]+=r[m]),c[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>s[m]=n.length),{flame:e,weight:r,parent:o,end:s,start:a,depth:u}}function Li(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<o&&u.push({node:d,x:0,width:n,row:f})}let m=n/(s[t]||1),p=new Float64Array(Math.max(0,o-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=o||s[d]===0&&d!==t){d=i[d];continue}let g=d===t?n:s[d]*m,w=(a[d]-a[t])*m,h=g<1?Math.min(Math.floor(w),n-1):w;f>=r&&(g>=1||h>=p[f-r])&&(u.push({node:d,x:h,width:Math.max(g,1),row:f}),p[f-r]=h+Math.max(g,1)),d++}return u}function Ni(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=t;for(;u>0&&c.level[u]>o;)u=e.parent[u];if(u!==t||c.level[u]===o)return c.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(s[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+s[u];if(p&&c.level[u]===o)return u;u=p?u+1:i[u]}return-1}function Ei(e,t,n,r){let{weight:o,end:s,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?Ui(e,t)[c+1]:n+1<s[n]&&o[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<s[t];m+=u)if(i.level[m]===c&&o[m]>0)return m;return n}default:return n}}function Ui(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var or=4;function Ii(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**or).toString(36).padStart(or,"0")}function ar(e,t){return Ui(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(Ii).join("")}function ir(e,t){let{names:n,name:r}=e.flame,o=0;for(let s=0;s<t.length;s+=or){let a=t.slice(s,s+or),i=o+1;for(;i<(e.end[o]??0)&&Ii(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[o]??0)||!(e.weight[i]>0))break;o=i}return o}var vm=1024,ym=5e7;function Di(e,t=ym){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(c),{isOver:()=>!1})}let r=Pi(n[1]),o=new Map,s={count:0},a=()=>s.count>t;return r&&Object.assign(c=>(o.has(c)||o.set(c,!a()&&Mi(r,c.slice(0,vm),s)),o.get(c)),{isOver:a})}function Bi(e,t){let{flame:n,end:r,weight:o}=e,s=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=s[n.name[i]]===1;a+=c?o[i]:0,i=c?r[i]:i+1}return{names:s,weight:a}}var rr=(e,t)=>t>0?e/t:0;function Hi({value:e,base_value:t,requests:n,...r},o){let s=r.base_requests??0,a=Math.max(rr(r.total,n),rr(r.base_total??0,s)),i=rr(e[o],n)-rr(t?.[o]??0,s);return a>0?i/a:0}function Fi(e){let{flame:t,end:n}=e,r=t.names.map((s,a)=>{let i=t.kinds[a]??".";return{name:s,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),o=new Int32Array(t.names.length);for(let s=1;s<t.level.length;s++){let a=t.name[s],i=r[a];i.self+=t.self[s],i.baseSelf+=t.base_self?.[s]??0,s>=o[a]&&(o[a]=n[s],i.total+=t.value[s],i.baseTotal+=t.base_value?.[s]??0)}return r.filter((s,a)=>o[a]>0)}function wm({flame:e,parent:t},n){let r=s=>s>0&&e.kinds[e.name[s]]===".",o=r(n)||!r(t[n])?n:t[n];for(let s=o;r(s);s=t[s])if(!Je(e.names[e.name[s]]))return s;return o}function Ai({flame:e,parent:t},n){let r=Float64Array.from(e.level,(o,s)=>n?.[s]??0);for(let o=1;o<r.length;o++)r[t[o]]-=n?.[o]??0;return r}function ji(e,t){let{flame:n}=e,r=Ai(e,n.value),o=Ai(e,n.base_value),s=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&o[i]===0)continue;let u=c==="."?"c":c,m=n.names[n.name[wm(e,i)]],p=s.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=o[i],s.set(u+m,p)}return[...s.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var _e=18,_m=22,qi=4,xm=5;function km(e){return e.split(".").slice(0,-2).join(".")}function Sm(e){if(Je(e))return"frame-jdk";let t=7;for(let n of km(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%xm}`}function Rm({names:e,kinds:t}){return e.map((n,r)=>{let o=In(t[r]??".");return E(r===0?"frame-root":o?o.token:Sm(n))})}var Co=32,Po=e=>({fill:e,ink:xt(e)});function Wi(e){if(e.base_value===void 0){let o=Rm(e).map(Po);return e.name.map(s=>o[s])}let t=o=>Array.from({length:Co+1},(s,a)=>Po(na(E("frame-same"),E(o),a/Co))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((o,s)=>{let a=s===0?0:Hi(e,s),i=Math.round(Co*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function Om(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(s=>s.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ji(e,t,n,r){let{flame:o,shades:s,found:a,marks:i,zoom:c}=t,u=E("ink"),m=Po(E("accent"));e.font=We("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:g,row:w}of n){let h=w*_e-r,v=o.name[d],_=d!==c&&o.level[d]<o.level[c],k=a!==null&&a.names[v]===1,x=_||a!==null&&!k,{fill:A,ink:L}=k?m:s[d];if(e.globalAlpha=x?.6:1,e.fillStyle=A,e.fillRect(f,h,Math.max(g-.5,.5),_e-1),g>=_m){let J=Math.floor((g-2*qi)/p);e.globalAlpha=1,e.fillStyle=x?u:L,e.fillText(Om(o.names[v],J),f+qi,h+_e/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(f+1,h+1,Math.max(g-2,1),_e-3))}}var Tm=24,Cm=3,Mo=(e,t)=>H(t>0?e/t:0);function Pm({names:e,name:t,value:n,self:r,total:o,unit:s,requests:a},i){let c=be(n[i]/Math.max(1,a),s),u=be(r[i]/Math.max(1,a),s);return`${e[t[i]]}, ${Mo(n[i],o)}, ${c} each, own ${u}`}function Mm(e,t){let{value:n,self:r,requests:o,total:s,base_value:a,base_self:i,base_requests:c,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:o,whole:s};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:u??0};return[{...m,name:"selection"},p]}function Am({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:o,names:s,name:a,value:i}=r,c=Mm(r,t),u=(m,p)=>l`<tr>
      <th scope="row">${m}</th>
      ${c.map(d=>l`<td class="n"><b>${be(p(d)/Math.max(1,d.requests),o)}</b></td>
            <td class="n">${Mo(p(d),d.whole)}</td>
            <td class="n dim">${be(p(d),o)}</td>`)}
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
    ${n>0&&l`<div class="dim">${Mo(i[t],i[n])} of ${s[a[n]]}</div>`}`}function Vi({tree:e,zoom:t,found:n,onZoom:r}){let{flame:o}=e,[s,a]=P(null),[i,c]=P(null),u=N(()=>i===null?-1:ir(e,i),[e,i]),m=s?.node??-1,p=N(()=>Wi(o),[o,Ie.value]),d=kn((x,{width:A,top:L,height:J})=>{let V=Math.floor(L/_e),xe=Li(e,t,A,V,Math.ceil((L+J)/_e));Ji(x,{flame:o,shades:p,zoom:t,found:n,marks:[u,m]},xe,L)},[e,t,n,u,m,p]),f=({x,y:A,width:L})=>Ni(e,t,L,x,Math.floor(A/_e)),g=x=>{let A=f(x),{clientX:L,clientY:J}=x.event;a(A<0?null:{node:A,at:{clientX:L,clientY:J}})},w=x=>{let A=f(x);A>=0&&x.event.button===0&&r(A)},h=x=>{let A=u<0?t:u;if(x.key.startsWith("Arrow")){let L=u<0?t:Ei(e,t,A,x.key);c(ar(e,L)),a(null)}else if(x.key==="Enter")r(A);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},v=u>=0?u:t,_=o.level[v],k=[Math.max(0,_-Cm)*_e,(_+1)*_e];return l`<${er}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*_e}
      heightMax=${Tm*_e}
      draw=${d}
      reveal=${k}
      onPoint=${g}
      onUp=${w}
      onLeave=${()=>a(null)}
      onKey=${h}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&Pm(o,u)}</div>
    ${s&&l`<${Ke} at=${s.at}><${Am} tree=${e} node=${s.node} zoom=${t} /><//>`}`}var Lm=20,Nm=16;function Em(e){let t=e.slice(-Nm),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function $t({name:e,title:t=e}){if(e.length<=Lm)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-Em(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var Um=500,Im=15;function Dm(e){let{unit:t,total:n,requests:r,base_requests:o}=e,s=p=>be(p/Math.max(1,r),t),a=p=>l`<button
      class=${fe.value?"plain dotted":"plain"}
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:fe.value?"graph":null,zoom:null})}
    >
      <${Bm} kind=${p.kind} />${fe.value?l`<${$t} name=${Ue(p.name)} />`:p.name}
    </button>`,i=(p,d,f=g=>s(d(g)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>H(n>0?p.total/n:0),u=p=>be(p/Math.max(1,o??0),t),m=[{name:"frame",cell:a,sort:p=>p.name,className:"name"},i("own, each",p=>p.self),i("total, each",p=>p.total),...fe.value?[]:[i("share",p=>p.total,c)]];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function Bm({kind:e}){let t=In(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Gi({tree:e,matches:t}){let n=Fi(e).filter(r=>!t||t(r.name));return n.sort((r,o)=>o.self-r.self||o.total-r.total),l`<div class="frames">
    <${j}
      label="Frames"
      columns=${Dm(e.flame)}
      rows=${n}
      rowsMax=${Um}
      rowsFirst=${fe.value?Im:void 0}
      rowKey=${r=>r.name}
    />
  </div>`}var Hm=8;function lr(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Ki({url:e,answer:t}){let{data:n}=t,r=N(()=>n&&n.requests>0?ji(sr(n),Hm):[],[n]),o=$.value.params.get("frame"),s=(c,u=0)=>be(c/Math.max(1,u),"ns"),a=c=>{let u=lr(c.name);return l`<tr key=${c.name+c.kind}>
      <td class="name">
        <button
          class="plain dotted"
          aria-pressed=${o===u?"true":"false"}
          onClick=${()=>C({frame:o===u?null:u,zoom:null})}
        >
          <${ne} category=${Ot(c.kind)} /><${$t}
            name=${Ue(c.name)}
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
  <//>`}var Ao=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function cr({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function Fm(e,t){let n=e.get("value")??"";return Ao.some(([r])=>r===n)?n:t}function ur(e,t,n="time"){let r=["lock","park","io","cpu"].includes(e),o=r?e:"time",s=`[${e==="unaccounted"?"not accounted":e}]`;return le({value:o===n?null:o,frame:t!==null?lr(t):r?null:lr(s),zoom:null})}function jm({value:e,standard:t}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${Ao.map(([n,r])=>l`<${cr}
          key=${n}
          isOn=${n===e}
          onChange=${()=>C({value:n===t?null:n,zoom:null})}
          >${r}<//
        >`)}
  </span>`}function qm({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",o={base:null,base_box:null,width:null};return l`<${cr}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?o:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${cr}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Wm({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",o=r!==""&&n===null,s=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&s?H(e.weight/s):H(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;C({find:m===""?null:m},!0)}}
    /><span role="status">${o?"no regular expression":i}</span>`}function Jm(){let e=$.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Vm({flame:e}){let t=(s,a)=>l`<span><i class="dot" style=${{background:`var(--${s})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((s,a)=>a[1]-s[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",o=s=>H(e.total>0?s/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([s,a])=>s==="."?t("frame-root",`${r} ${o(a)}`):l`<span>
              <${ne} category=${Ot(s)} />${z(Ot(s)).name}
              ${" "+o(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${b(e.cut.nodes)} small frames cut, ${o(e.cut.value)}</span>`}
  </div>`}function Gm({requests:e,total:t,unit:n,...r},o){let s=be(t/Math.max(1,e),n),a=r.base_requests??0,i=be((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${b(a)}, ${i} each`:"";return`${me(e,o)}, ${s}${e===1?"":" each"}${c}`}function mr(e){return S("flamegraph",e,{value:"time",frame:null})}function Ae({query:e,tick:t,whole:n,standard:r="time"}){let{params:o}=$.value,s=Fm(o,r),a=o.get("frame"),i=q(e,{value:s,frame:a}),c=S("flamegraph",i),u=n!==void 0&&c===mr(e),m=R(u?null:c,t),p=m.problem===null?n?.data??null:null,d=u?n:{...m,data:m.data??p},f=d.data,g=o.get("width")==="base"&&f?.base_value!==void 0,w=N(()=>f&&sr(f,g),[f,g]),h=o.get("find")??"",v=N(()=>h===""?null:Di(h),[h]),_=N(()=>w&&v&&Bi(w,v),[w,v]),[k,x]=fe.value?["table","graph"]:["graph","table"],A=(o.get("flame")===x?x:k)==="table",L=!w||w.weight.length===0||!(w.weight[0]>0),J=w?ir(w,o.get("zoom")??""):0,V=w&&l`<${Vi}
      tree=${w}
      zoom=${J}
      found=${_}
      onZoom=${ce=>C({zoom:ar(w,ce)||null})}
    />`,xe=l`<${B} of=${f} /><${Ce}
      query=${e}
      value=${s}
      frame=${a}
    /><${U} url=${c} />`,ie=f?Gm(f,Me(Qe(e))):"";return l`<${O} title="Flame graph" note=${ie} tools=${xe} answer=${d}>
    <div class="flame-tools">
      <${jm} value=${s} standard=${r} />
      <${Jm} />
      <${qm} flame=${f} />
      <${Wm} found=${_} flame=${f} matches=${v} />
      ${J>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${cr}
        isOn=${A}
        onChange=${()=>C({flame:o.get("flame")===x?null:x})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${f&&L&&l`<${I} title="No ${Ao.find(([ce])=>ce===s)[1]} in this selection" />`}
    ${!L&&(A?l`<${Gi} tree=${w} matches=${v} />`:V)}
    ${f&&!L&&l`<${Vm} flame=${f} />`}
  <//>`}function pr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((o,s)=>Math.max(o,s.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Lo({boxes:e},{from:t,to:n},r){let o=r/Math.max(1,n-t),s=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*o),c=Math.min(r,(a.start+a.duration-t)*o),u=Math.max(2,c-i),m=Math.min(i,r-2);s.push({box:a,x:m,width:u,y:20+a.level*20})}return s}function zi(e,t,{from:n,to:r},o){let s=pr(t),a=o/Math.max(1,r-n),i=c=>(c-n)*a;return e.flatMap(c=>{let[u,m]=[c.from,c.to].map(h=>t.findIndex(v=>v.key===h));if(u<0||m<0||c.end<n||c.start>r)return[];let p=h=>s[h]+20,[d,f]=u<m?[18,0]:u>m?[0,18]:[20/2,20/2],[g,w]=[p(u)+d,p(m)+f];return[{x1:i(c.start),y1:g,x2:i(c.end),y2:w}]})}function Xi(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Yi(e,t,n,r,o){let s=Lo(e,t,n).filter(i=>o>=i.y&&o<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return s.sort((i,c)=>a(i)-a(c)),s[0]?.box??null}function cn(e){let t=[...e].sort((r,o)=>r.start-o.start||o.duration-r.duration),n=[];return t.map(r=>(n=n.filter(o=>o>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Qi({from:e,to:t},n){let r=(t-e)/Math.max(1,n),o=10**Math.floor(Math.log10(Math.max(1,r))),s=[1,2,5,10].map(i=>i*o).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/s)*s;i<=t;i+=s)a.push(i===0?0:i);return a}function Zi(e,t,n){let r=({boxes:s})=>[...s].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let s=r(e[t.lane]),a=s[s.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let o=n==="ArrowDown"?1:-1;for(let s=t.lane+o;s>=0&&s<e.length;s+=o){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[s]).sort((c,u)=>a(c)-a(u));if(i)return{lane:s,box:i}}return t}var Km=560,zm=110,Xm=4,Ym=28,tl=5,nl=7,Qm=[],Zm=500;function ep(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,o]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<o?{from:r,to:o}:t}function fr(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function tp(e,t,n){let r=e.measureText(t).width,o=Math.floor(t.length*n/r)-1;return r<=n?t:o>1?t.slice(0,o)+"\u2026":""}function No({count:e,name:t,duration:n}){return`${e>1?`${b(e)} \xD7 `:""}${ee(t)} \xB7 ${y(n)}`}function np(e,t,n,r){let{box:o,x:s,width:a}=t,i=o.kind==="context",c=E(i?"hover":z(o.kind).token);e.fillStyle=c,e.fillRect(s,n,a,18),(i||r)&&(e.strokeStyle=E(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(s+.5,n+.5,Math.max(1,a-1),17)),a>=Ym&&(e.fillStyle=i?E("ink"):xt(c),e.fillText(tp(e,No(o),a-2*tl),s+tl,n+20/2-1))}function rp(e,{x1:t,y1:n,x2:r,y2:o}){let s=Math.atan2(o-n,r-t),a=i=>[r-nl*Math.cos(s+i),o-nl*Math.sin(s+i)];e.beginPath(),e.moveTo(t,n),e.lineTo(r,o),e.moveTo(...a(.45)),e.lineTo(r,o),e.lineTo(...a(-.45));for(let[i,c]of[[4,"panel"],[1.5,"accent"]])e.lineWidth=i,e.strokeStyle=E(c),e.stroke()}function op(e,t,n,r){let o=n/(t.to-t.from);e.fillStyle=E("panel"),e.fillRect(0,0,n,18);for(let s of Qi(t,n/zm)){let a=Math.round((s-t.from)*o),i=s===0?"0":y(s),c=e.measureText(i).width;e.fillStyle=E("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=E("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function sp({lanes:e,arrows:t,view:n,marks:r,drag:o}){return kn((s,{width:a,top:i,height:c})=>{let u=pr(e);s.font=We("sans"),s.textBaseline="middle",op(s,n,a,c),s.save(),s.beginPath(),s.rect(0,18,a,c),s.clip(),e.forEach((m,p)=>{let d=u[p]-i;d>c||u[p+1]-i<0||Lo(m,n,a).forEach(f=>np(s,f,d+f.y,r.includes(f.box)))});for(let{x1:m,y1:p,x2:d,y2:f}of zi(t,e,n,a))rp(s,{x1:m,y1:p-i,x2:d,y2:f-i});s.restore(),o&&(s.fillStyle=E("sel"),s.fillRect(o[0],0,o[1]-o[0],c))},[e,t,n.from,n.to,...r,o?.[0],o?.[1]])}function ap({title:e},t){return`${e}: ${z(t.kind).name}, ${No(t)}, at ${y(t.start)}`}function ip({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${j}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Zm}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ne} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>b(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function dr({lanes:e,arrows:t=Qm,all:n,hrefOf:r,onOpen:o,label:s}){let a=ep($.value.params.get("part"),n),[i,c]=P(null),[u,m]=P(null),[p,d]=P(null),[f,g]=P(!1),w=N(()=>pr(e),[e]),h=u&&e[u.lane]?.boxes.includes(u.box)?u:null,v=[h?.box??null,i?.box??null],_=sp({lanes:e,arrows:t,view:a,marks:v,drag:p}),k=({x:M,y:D,width:Le})=>{let Ne=Xi(w,D),tt=Ne<0?null:Yi(e[Ne],a,Le,M,D-w[Ne]);return tt&&{lane:Ne,box:tt}},x=M=>{if(p){d([p[0],Math.max(0,Math.min(M.x,M.width))]),c(null);return}let D=k(M),{clientX:Le,clientY:Ne}=M.event;c(D&&{...D,at:{clientX:Le,clientY:Ne}})},A=({lane:M,box:D})=>{let Le=r?.(e[M],D)??null;Le!==null&&o?o(Le):fr({from:D.start,to:D.start+Math.max(1,D.duration)})},L=({x:M,event:D})=>{D.button===0&&D.pointerType!=="touch"&&(D.target.setPointerCapture(D.pointerId),d([M,M]))},J=M=>{d(null);let[D=0,Le=0]=p?[...p].sort((tt,Ql)=>tt-Ql):[],Ne=k(M);if(Le-D>=Xm){let tt=(a.to-a.from)/M.width;fr({from:a.from+D*tt,to:a.from+Le*tt})}else Ne&&A(Ne)},V=e.findIndex(({boxes:M})=>M.length>0),xe=M=>{if(M.key.startsWith("Arrow")&&V>=0)m(h?Zi(e,h,M.key):{lane:V,box:e[V].boxes[0]});else if(M.key==="Enter"&&h)A(h);else if(M.key==="Escape"||M.key==="Backspace")fr(null);else return;M.preventDefault()},ie=h?w[h.lane]+20+h.box.level*20:0,ce=$.value.params.get("part")!==null;return l`<${er}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${w[w.length-1]}
      heightMax=${Km}
      draw=${_}
      reveal=${h?[ie-20-20,ie+20]:void 0}
      onPoint=${x}
      onDown=${L}
      onUp=${J}
      onLeave=${()=>c(null)}
      onKey=${xe}
    >
      ${e.map((M,D)=>l`<div class="lane-title" key=${M.key} style=${{top:`${w[D]}px`}}>
            ${M.href?l`<a href=${M.href}>${M.title}</a>`:M.title}
            <small title=${M.note}>${M.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${h&&ap(e[h.lane],h.box)}</div>
    ${i&&l`<${Ke} at=${i.at}>
        <b>${No(i.box)}</b>
        <div>${i.box.name}, ${z(i.box.kind).name}</div>
        <div class="dim">at ${y(i.box.start)}</div>
      <//>`}
    ${ce&&l`<button onClick=${()=>fr(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${M=>g(M.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${f&&l`<${ip} lanes=${e} />`}
    </details>`}var lp=3,cp=.001;function up({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var Eo=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):b(Math.round(n))} \xD7`};function mp(e,{category:t,is_count:n}){let r=e.slices.find(o=>o.category===t);return n?Eo(r?.events??0,e.requests):y((r?.total_ns??0)/Math.max(1,e.requests))}function pp({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${b(t.events)} in ${me(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${b(t.per_request)} × ${Ue(t.frame)}
          <span class="dim"> ${z(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function fp({slice:e,of:t,base:n,hrefOf:r}){let o=r&&!e.is_count,s=(p,d)=>o?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?Eo(p.events,t.requests):y(p.total_ns/t.requests),share:e.is_count?"":H(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":Eo(p.events,t.requests)}),i=Math.max(1,t.total_ns*cp),c=e.top.slice(0,lp).filter(p=>e.is_count||p.total_ns>=i),u=o?"opens":"",m=(p,d)=>{let{each:f,share:g,often:w}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim share">${g}</td>
      <td class="n dim often">${w}</td>`};return l`<tr
      class=${u}
      title=${`${y(e.total_ns)} in all, ${b(e.events)} events`}
    >
      <th scope="row">
        <${ne} category=${e.category} />${s(z(e.category).name,null)}
      </th>
      ${m(e,n?mp(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${s(l`<${$t} name=${Ue(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${Ue(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function pn({of:e,base:t,against:n="base",hrefOf:r}){let o=e.slices.filter(up),s=({total_ns:a})=>y(a/e.requests);return l`<${_a} parts=${o} total=${e.total_ns} each=${s} />
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
        ${o.map(a=>l`<${fp}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${pp} of=${e} />`}`}function Et({query:e,against:t,tick:n,hrefOf:r}){let o=S("why",e),s=R(o,n),{data:a}=s,i=Me(Qe(e)),c=l`<${B} of=${a} /><${U} url=${o} />`,u=a&&a.requests>0?`mean of ${me(a.requests,i)}, ${y(a.total_ns/a.requests)} each`:"";return l`<${O}
    title="Why"
    note=${u}
    tools=${c}
    answer=${s}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${pn} of=${a} base=${a.base?.requests?a.base:null} against=${t} hrefOf=${r} />`}
    ${a?.requests===0&&l`<${I} title=${`No kept ${i} is in this selection`} />`}
  <//>`}function hr({of:e}){let t=Dn(e),n=r=>r===t&&t!==null?l`<a class="link" href=${W(["t",t])}>${t}</a>${" "}
          <${qn} trace=${t} />`:Wn(r);return l`${Object.entries(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${n(o)}</dd>`])}`}function gr({at:e}){return l`<dt>start</dt>
    <dd title=${Ve(e)}>${ye(e)} ${ae(e)} ${re(e)}</dd>`}function $r({recording:e,jvm:t}){return l`<dt>JVM</dt>
    <dd>
      <a class="link" href=${W(["r",e])}>${t?t.instance:e}</a>
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>`}function br(e,t){let n=e&&{name:pe(e.service),href:W(["s",e.service])};return[{name:"services",href:W([])},...n?[n]:[],{name:t}]}var Io="pauses: GC, safepoints";function vr(e){return e===null?"JVM":e===""?"a thread without a name":e}function fn({t0_ns:e,events:t,is_truncated:n}){return Zt({...t,t0_ns:e,next:null,is_truncated:n})}var yr=e=>`request ${e??""}`,Uo=(e,t,n,r,o)=>({level:0,start:n,duration:r,kind:e,name:t,count:1,id:o});function dp(e){let t=new Map;for(let{start:n,values:r}of fn(e)){let[o,s]=[r.thread??null,String(r.type)],a=o===null?null:String(o),i=Number(n-BigInt(e.t0_ns)),c=Uo(ve(s),s,i,Number(r.duration??0),null);t.set(a,[...t.get(a)??[],c])}return t}var hp=(e,t)=>e.thread===t.thread&&e.start<t.start+t.duration&&t.start<e.start+e.duration;function rl(e){let{recording:t,threads:n,parts:r,stays:o,type:s}=e,a=dp(e),i=cn(a.get(null)??[]),c={key:yr(null),title:vr(null),note:Io,recording:t,boxes:i},u=[...new Set(n.map(({name:m})=>m))].map(m=>{let p=({thread:v})=>n[v]?.name===m,d=o.filter(p),f=d.filter(v=>!r.some(_=>hp(_,v))),g=[...r.filter(p).map(v=>Uo("context",v.type,v.start,v.duration,v.id)),...f.map(v=>Uo("context",s,v.start,v.duration,null)),...a.get(m)??[]],w=d.reduce((v,_)=>v+_.duration,0),h=`worked for it ${y(w)}`;return{key:yr(m),title:vr(m),note:h,recording:t,boxes:cn(g)}});return i.length>0?[c,...u]:u}function ol({hand_overs:e}){return e.map(({from:t,to:n,start:r,duration:o})=>({from:yr(t),to:yr(n),start:r,end:r+o}))}var Do=8192,sl=60000000000n,al=5,gp=2000000000n;function $p({owners:e}){let t=new Map;for(let{thread:n,monitor:r,had:o,start:s,end:a}of e){if(n===null)continue;let i=t.get(n),c=ee(r);t.set(n,{thread:n,monitors:i?`${i.monitors}, ${c}`:c,had:o+(i?.had??0),from:Math.min(s,i?.from??s),to:Math.max(a,i?.to??a)})}return[...t.values()].sort((n,r)=>r.had-n.had)}function Bo(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:o,thread:s})=>({key:`${o} ${s??""}`,title:vr(s),recording:o,thread:s,boxes:[]}));for(let[o,s,a,i,c,u,m,p]of e.rows){let d={level:s,start:a+n,duration:i,kind:c,name:u,count:m,id:p};r[o]?.boxes.push(d)}return r}function bp(e,t){return Zt(e).flatMap(({start:n,values:r})=>{let o=String(r.type),s=Number(r.duration??0),a=ve(o),i={level:0,start:Number(n-t),duration:s,kind:a,name:o};return r.context===null?[{...i,count:1,id:null}]:[]})}function vp(e,t,n,r){let o=BigInt(e.t0_ns),a=Bo(n,o).filter(({thread:u})=>u===t.thread).flatMap(({boxes:u})=>u),i=cn([...a,...bp(r,o)]).filter(u=>u.start<=t.to&&u.start+u.duration>=t.from),c=`had ${t.monitors} for ${y(t.had)}`;return{key:`owner ${t.thread}`,title:t.thread,note:i.length>0?c:`${c}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:i}}function yp(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-gp)),r.set("to",String(n+BigInt(t?.to??0)+1n));let o=(u,m)=>t?S(u,r,m):null,s=R(o("timeline",{width:String(Do)})),a=R(o("events",{limit:"1000",columns:"name"})),i=N(()=>t&&s.data&&a.data?vp(e,t,s.data,a.data):null,[e,t?.thread,s.data,a.data]),c=[s,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:c}}function wp(e){let t=N(()=>$p(e),[e]),n=[];for(let i=0;i<al;i++){let c=n.every(u=>u.isAnswered);n.push(yp(e,c?t[i]:void 0))}let r=t.slice(al),o=y(r.reduce((i,c)=>i+c.had,0)),s={key:"more owners",title:`${r.length} more`,note:`had monitors for ${o}, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return N(()=>[...a.filter(i=>i!==null),...r.length>0?[s]:[]],[e,...a])}function _p(e){let t=Dn(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-sl)});r.set("to",String(n+BigInt(e.duration)+sl));let o=String(Do),s=R(t&&S("timeline",r,{width:o,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return N(()=>(s?Bo(s,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:W(["t",t])}}),[e,s,i])}function il(e,t){let n=wp(e),r=_p(e);return N(()=>{let o=[null,...t,...n.map(({thread:a})=>a)],s=a=>a.recording!==e.recording||!o.includes(a.thread);return[...n,...r.filter(s)]},[e,t,n,r])}function ll(e,t){let n=R(S("timeline",t,{width:String(Do)})).data,r=N(()=>[e.thread],[e]),o=il(e,r);return N(()=>{let s=n?Bo(n,BigInt(e.t0_ns)):[],a=`this one, ${y(e.duration)}`,i=s.map(c=>({...c,note:c.thread===null?Io:a}));return[...i.filter(({thread:c})=>c===null),...i.filter(({thread:c})=>c!==null),...o]},[e,n,o])}function cl(e){let t=N(()=>e.threads.map(({name:r})=>r),[e]),n=il(e,t);return N(()=>[...rl(e),...n],[e,n])}function ul({of:e,depth:t}){let n=e.thread??"a thread without a name";return[l`<tr title=${`${me(e.waits,"wait")} for ${e.monitor}`}>
      <td class="w" style=${{paddingInlineStart:`calc(var(--s2) + ${t} * var(--s4))`}}>
        ${t>0&&l`<span class="dim">waited for </span>`}<b>${n}</b>
      </td>
      <td class="w">${ee(e.monitor)}</td>
      <td class="n">${y(e.had)}</td>
    </tr>`,...e.owners.map(r=>l`<${ul} of=${r} depth=${t+1} />`)]}function wr({of:e}){return e.length>0&&l`<h2 class="second">Who had the monitor</h2>
      <table aria-label="Who had the monitor">
        <tbody>
          ${e.map(t=>l`<${ul} of=${t} depth=${0} />`)}
        </tbody>
      </table>`}var ml=300000000000n,xp=100,Ut=({t0_ns:e})=>BigInt(e);function Ho(e){let t=Ut(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function kp(e){let t=Ho(e);if($.value.params.get("base")==="rest"){let n=Ut(e);t.set("from",String(n-ml)),t.set("to",String(n+ml)),t.set("context",e.type),t.set("base","rest")}return t}function Sp({context:e,jvm:t}){return l`<dl class="kv">
    <${hr} of=${e.attributes} />
    <${gr} at=${Ut(e)} />
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <${$r} recording=${e.recording} jvm=${t} />
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${pl(e,e.parent)}
            >${ee(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function pl(e,{id:t,start:n}){return He(e.recording,t,Ut(e)+BigInt(Math.round(n)))}function Rp({context:e}){return l`<table>
      <tbody>
        ${e.kept_because.map(({event:t,count:n,setting:r})=>l`<tr key=${t}>
              <td title=${t}>
                <${ne} category=${ve(t)} />${b(n)} × ${ee(t)}
              </td>
              <td class="dim w">${r}</td>
            </tr>`)}
      </tbody>
    </table>
    ${e.kept_because.length===0&&l`<p class="dim">the contexts in it</p>`}
    <${wr} of=${e.owners} />`}function Op({context:e}){return l`<${O} title="Contexts in it" note=${b(e.children.length)}>
    <${j}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${xp}
      rowKey=${t=>t.id}
      href=${t=>pl(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Tp({context:e,service:t,tick:n}){let r=N(()=>Ho(e),[e]),o=ll(e,r),s=N(()=>fn(e),[e]),a=(c,{id:u,start:m})=>u===null||u===e.id?null:He(c.recording,u,Ut(e)+BigInt(Math.round(m))),i=l`<${U} url=${S("timeline",r)} />`;return l`<${O}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${i}
    >
      <${dr}
        label="Threads on one axis"
        lanes=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${$e}
      />
    <//>
    ${e.children.length>0&&l`<${Op} context=${e} />`}
    <${Ae} query=${kp(e)} tick=${n} />
    <${O} title="Events" note=${b(s.length)}>
      ${s.length>0?l`<${Ct}
              items=${s}
              since=${Ut(e)}
              service=${t}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function fl(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,s=new URLSearchParams(o===null?{}:{from:String(o),to:String(o+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,s),c=R(i,T.value),u=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=c.data,p=m?`${ee(m.type)}, ${y(m.duration)}`:r,d=m&&Ho(m),f=l`<${B} of=${m} /> ${d&&l`<${Ce} query=${d} />`}
    <${U} url=${i} />`;return l`<${oe} crumbs=${br(u,p)}>
    ${m?l`<div class="three">
              <${O}
                title=${ee(m.type)}
                note=${y(m.duration)}
                tools=${f}
                answer=${c}
              >
                <${Sp} context=${m} jvm=${u} />
              <//>
              <${O} title=${`Why ${y(m.duration)}`} className="why-panel">
                <${pn} of=${m.why} base=${null} />
              <//>
              <${O} title="Kept because"><${Rp} context=${m} /><//>
            </div>
            <${Tp} context=${m} service=${u?.service??null} tick=${T.value} />`:l`<${O} title="Request" tools=${f} answer=${c} />`}
  <//>`}var Cp=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Fo(e){return Cp.test(e)}function dl({key:e,distinct:t,search_only:n,values:r},o){let s=r.every(i=>i.count+(i.base_count??0)<=1),a=Fo(e)&&2*(t??0)>o;return n||r.length>=4&&(s||a)}var Pp=100,Mp=10,Ap=1.96;function Lp(e,t,n){let[r,o]=[t+2,n+2],[s,a]=[(e.count+1)/r,((e.base_count??0)+1)/o],i=s*(1-s)/r+a*(1-a)/o;return s-a-Ap*Math.sqrt(i)}function Np({contexts:e,base_contexts:t,keys:n},r){let o=({key:u,label:m})=>!r.has(u)&&!r.has(m),s=n.filter(u=>o(u)&&dl(u,e)).map(({key:u})=>u),a=u=>t?Lp(u,e,t):u.count,i=n.filter(u=>o(u)&&!s.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),c=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:c,ids:s}}function Ep({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var jo=(e,t)=>t>0?e/t:0;function Up({here:e,there:t}){let n=o=>({left:`${100*o}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function Ip({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${$t} name=${i===""?"(empty)":i} /></b>
      </span>`},o={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${b(a.count)} of ${b(e)}`}
        >${H(a.count/e)}</span
      >`,isNumber:!0,className:"share"},s={name:"p99",cell:a=>a.p99_ns===null?"":y(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${Up}
          here=${jo(a.count,e)}
          there=${jo(a.base_count??0,t)}
        />`,className:"plot"},o,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${b(a.base_count??0)} of ${b(t)}`}
          >${H(jo(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},s,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${Ep(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,o,s]}function Dp({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(o=>o!==n);return le({where:[...r,n]})}function Bp({data:e,against:t}){let[n,r]=P(!1),o=$.value.params.getAll("where"),s=new Set(o.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=Np(e,s),u=n?a:a.slice(0,Math.min(Mp,i)),m=a.length-u.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&l`<${j}
      label="Attributes"
      columns=${Ip(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${Dp}
      className="values"
    />`}
  ${m>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${b(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function hl({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(Pp)}),o=R(r,n),{data:s}=o,a=l`<${B} of=${s} /><${U} url=${r} />`;return l`<${O}
    title="Attributes"
    note=${s?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${o}
    className="attributes"
  >
    ${s&&s.contexts>0&&l`<${Bp} data=${s} against=${t} />`}
  <//>`}function Hp(e,t){return e.filter(n=>n!==t).flatMap(n=>{let r=t??e.find(o=>o!==n);return r===void 0?[]:[[n,r]]})}function gl({versions:e,instances:t}){let{params:n}=$.value,r=De(n.get("against")),o=[{against:{kind:"day"},here:null},{against:{kind:"week"},here:null}];for(let[i,c]of[["version",e],["instance",t]])for(let[u,m]of Hp(c,n.get(i)))o.push({against:{kind:i,value:u},here:m});let s=r&&zt(r);return r&&!o.some(({against:i})=>zt(i)===s)&&o.push({against:r,here:"value"in r?n.get(r.kind):null}),l`<select aria-label="compare with" onChange=${i=>{let{value:c}=i.currentTarget,u=o.find(({against:p})=>zt(p)===c),m=u&&"value"in u.against?{[u.against.kind]:u.here}:{};C({against:c||null,base:null,base_box:null,...m})}}>
    <option value="" selected=${r===null}>compare with nothing</option>
    ${o.map(({against:i})=>{let c=zt(i);return l`<option value=${c} selected=${c===s}>
        vs ${Xt(i)}
      </option>`})}
  </select>`}function qo({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",s=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${s.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function $l({name:e,placeholder:t}){let n=Y(null),r=$.value.params.get(e),o=r&&kt(r)?y(Number(r)):"";return Oe(()=>{n.current.value=o},[o]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=Is(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&C({[e]:i===null?null:String(i),box:null})}}
  />`}function Fp(){let e=Y(null),t=$.value.params.get("thread")??"";return Oe(()=>{e.current.value=t},[t]),l`<input
    class="thread"
    ref=${e}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>C({thread:e.current.value.trim()||null})}
  />`}function _r(e){let t=e.map(n=>n.version).filter(n=>n!=="");return{instances:[...new Set(e.map(n=>n.instance))],versions:[...new Set(t)]}}function xr({types:e,instances:t,versions:n,isWhole:r=!1}){let o=$.value.params.get("context"),s=e.filter(({type:u})=>o===null||u===o).flatMap(u=>u.attributes),a=s.flatMap(u=>u.values.map(({value:m})=>m)),i=l`<${qo}
    name="instance"
    all="all JVMs"
    options=${t.map(u=>[u,u])}
  />`,c=(n.length>0||$.value.params.has("version"))&&l`<${qo}
      name="version"
      all="all versions"
      options=${n.map(u=>[u,`version ${u}`])}
    />`;return r?l`<div class="choosers">${i} ${c} <${tn} isWhole /></div>`:l`<div class="choosers">
    <${qo}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:u,contexts_in:m})=>[u,`${u} (${b(m)})`])}
    />
    ${i} ${c}
    <${gl} versions=${n} instances=${t} />
    <${$l} name="min_duration_ns" placeholder="at least" />
    <${$l} name="max_duration_ns" placeholder="at most" />
    <${Fp} />
    <${tn}
      keys=${[...new Set(s.map(({key:u})=>u))]}
      values=${[...new Set(a)]}
    />
  </div>`}var bl=e=>e===null?"":y(e);function kr(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),o=r===null?"":b(Number(r.toPrecision(3)));return l`<span title=${`${b(n.all)} in all`}>${o}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function Sr(e){return[{name:"median",cell:t=>bl(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${bl(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${xa} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${wa} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${b(t.kept)} of ${b(t.all)}`}
          >${t.all>0?H(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var jp=10,dn=["http_route","http.route","route","endpoint"];function Jo(e){let t=new Map;for(let{key:o,values:s}of e.flatMap(a=>a.attributes))if(s.length>0&&!Fo(o)){let a=t.get(o)??new Set;s.forEach(({value:i})=>a.add(i)),t.set(o,a)}let n=o=>dn.includes(o)?dn.indexOf(o):dn.length,r=o=>t.get(o).size;return[...t.keys()].sort((o,s)=>n(o)-n(s)||r(s)-r(o))}function vl(e,t,n){let r=e?.types.find(s=>s.type===t);return(n===null?r:r?.values.find(s=>s.value===n))?.spark??[]}function qp(e,t,n){return e.flatMap(o=>{let{type:s,requests_in:a,requests_out:i,p50_ns:c,p99_ns:u,top:m}=o,p=o.attributes.find(h=>h.key===t)?.values??[];if(p.length===0){let h=vl(n,s,null);return[{type:s,value:null,all:a,kept:i,p50_ns:c,p99_ns:u,spark:h,top:m}]}let d=p.map(({value:h,requests_in:v,requests_out:_,...k})=>{let{p50_ns:x,p99_ns:A,top:L}=k,J=vl(n,s,h);return{type:s,value:h,all:v,kept:_,p50_ns:x,p99_ns:A,spark:J,top:L}}),f=d.reduce((h,v)=>h-v.all,a),g=d.reduce((h,v)=>h-v.kept,i),w={p50_ns:null,p99_ns:null,spark:[],top:null};return f>0?[...d,{type:s,value:null,all:f,kept:g,...w}]:d}).sort((o,s)=>s.all-o.all)}var Wo=(e,t)=>`${e}=${t}`,yl=e=>$.value.params.getAll("where").includes(e);function Wp(e,t){let n=Wo(e,t),r=$.value.params.getAll("where").filter(o=>!o.startsWith(Wo(e,"")));return le({where:yl(n)?r:[...r,n]})}function Vo({of:e,chosen:t,isOfTypes:n}){let{value:r,type:o}=e,s=n&&l` <span class="dim">${o}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${s}`;let a=yl(Wo(t,r));return l`<a
      href=${Wp(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${s}`}function Jp(e,t,n){return[{name:e??"type",cell:r=>l`<${Vo} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},kr(r=>t&&r.all/t),...Sr(({value:r,type:o})=>r??o)]}function Go({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function wl({answer:e,url:t,requests:n,query:r,tick:o,seconds:s}){let a=Jo(n),i=$.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=r!==null&&n.length>0,m=R(u?S("requests/series",r,{key:c}):null,o),p=qp(n,c,m.data),d=c===null||n.length>1,f=l`<${B} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${Go} keys=${a} chosen=${c} />`}
    <${U} url=${t} />`;return l`<${O}
    title="Routes"
    note=${p.length>0?`${b(p.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    ${p.length>0&&l`<${j}
        label="Routes"
        columns=${Jp(c,s,d)}
        rows=${p}
        rowKey=${g=>`${g.type} ${g.value}`}
        rowsFirst=${jp}
      />`}
  <//>`}var Vp=15,Gp=2;function Kp({types:e},t){let n=e.flatMap(({type:o,here:s,base:a,verdicts:i,attributes:c})=>{let u=c.find(m=>m.key===t)?.values??[];return u.length>0?u.map(m=>({type:o,...m})):[{type:o,value:null,here:s,base:a,verdicts:i}]}),r=({here:o,base:s})=>(o?.count??0)+(s?.count??0);return n.sort((o,s)=>r(s)-r(o))}function zp({here:e,base:t}){let n=(o,s)=>o?.parts.find(a=>a.category===s)?.share??0,r=[...e?.parts??[],...t?.parts??[]].map(o=>o.category);return[...new Set(r)].map(o=>[o,n(e,o),n(t,o)]).sort((o,s)=>Math.max(s[1],s[2])-Math.max(o[1],o[2])).slice(0,Gp)}function xl({here:e,base:t,verdict:n}){return l`<span class="both"
    ><b>${e}</b>
    <span class="dim">vs ${t}</span>
    ${n&&l` <span class=${`verdict ${n}`}>${n}</span>`}</span
  >`}var _l=e=>e===null?"-":`${b(Number(e.per_s.toPrecision(3)))}/s`;function Ko(e,t){let n=o=>o?.[`${e}_ns`]??null,r=o=>n(o)===null?"-":y(n(o));return{name:t,cell:o=>l`<${xl} here=${r(o.here)} base=${r(o.base)} verdict=${o.verdicts[e]} />`,isNumber:!0,sort:o=>n(o.here)??-1}}function Xp({of:e}){let t=(n,r)=>n?H(r):"-";return zp(e).map(([n,r,o])=>l`<span class="part" key=${n}
        ><${ne} category=${n} />${z(n).name} ${t(e.here,r)}
        <span class="dim">vs ${t(e.base,o)}</span></span
      > `)}function Yp(e,t){return[{name:e??"type",cell:n=>l`<${Vo} of=${n} chosen=${e} isOfTypes=${t} />`,sort:n=>n.value??"",className:"name"},{name:"rate",cell:n=>l`<${xl} here=${_l(n.here)} base=${_l(n.base)} />`,isNumber:!0,sort:n=>n.here?.per_s??0},Ko("mean","mean"),Ko("p50","median"),Ko("p99","p99"),{name:"time of the kept",cell:n=>l`<${Xp} of=${n} />`}]}function kl({query:e,against:t,unit:n}){let r=S("compare",e,{unit:n}),o=R(r,T.value),{data:s}=o,a=Jo(s?.types??[]),i=$.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=s?Kp(s,c):[],m=c===null||(s?.types.length??0)>1,p=l`<${B} of=${s} />
    ${c!==null&&a.length>1&&l`by <${Go} keys=${a} chosen=${c} />`}
    <${U} url=${r} />`;return l`<${O}
    title="Routes compared"
    note=${`vs ${t}; of all ${n}; slower or faster from 10 % on, and beyond chance`}
    tools=${p}
    answer=${o}
    className="routes compared"
  >
    ${u.length>0&&l`<${j}
        label="Routes compared"
        columns=${Yp(c,m)}
        rows=${u}
        rowKey=${d=>`${d.type} ${d.value}`}
        rowsFirst=${Vp}
      />`}
    ${s&&u.length===0&&l`<${I} title=${`There are no ${n} here or there`} />`}
  <//>`}var Qp=4,Zp={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function et(e){return de($.value.params.get(e))}var Rl=e=>e==="requests"?{unit:e}:{};function hn(e,t,n){let r=e&&Yt(e),o=e?{min_duration_ns:null,max_duration_ns:null}:{},s=Rl(n);C(t?{base_box:r,base:null,...s}:{box:r,...o,...s})}function ef(e){hn(null,et("base_box")!==null,e)}function zo({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function Ol(e,t){return e.column===t.column&&e.row===t.row}function Sl(e,t,n){let r=(o,s)=>Math.max(0,Math.min(s-1,o));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function tf(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function It({grid:e,isRate:t},{from:n,to:r}){return t?At(e,{...n,row:0},{...r,row:e.rows-1}):At(e,n,r)}function Tl({grid:e,unit:t},n){let r=e.exemplars.get(ze(e,n));r&&$e(ut(t,r.recording,r.id))}function Cl(e){let{grid:t,plot:n}=e,[r,o]=P(null),[s,a]=P(null),i=Y(null),c=({offsetX:h,offsetY:v})=>ti(t,n,h,v),u=h=>{let{offsetX:v,offsetY:_}=h;if(h.button===0&&t.rows>0&&fo(n,v,_)){h.currentTarget.setPointerCapture(h.pointerId);let k=h.shiftKey||e.isComparing;o({from:c(h),to:c(h),x:v,y:_,isLong:!1,isBase:k})}},m=h=>{let{offsetX:v,offsetY:_}=h;if(r){let L=r.isLong||Math.hypot(v-r.x,_-r.y)>=Qp;o({...r,to:c(h),isLong:L})}let{clientX:k,clientY:x}=h,A=t.rows>0&&fo(n,v,_);a(A?{place:c(h),clientX:k,clientY:x}:null)},p=h=>{if(o(null),!r)return;if(h.altKey&&!r.isLong){Tl(e,r.from);return}let v=It(e,r),_=!r.isLong&&dt(t,v).all===0;hn(_?null:v,r.isBase,e.unit)},d=h=>{let v=i.current,_=v&&Xn(t,v,c(h))?v:It(e,{from:c(h),to:c(h)});C({box:Yt(_),...Rl(e.unit)},!0),zo(_)},f=({detail:h})=>{i.current=h>1?i.current:et("box")},g=()=>a(null),w=()=>o(null);return{drag:r?.isLong?r:null,hover:r?null:s,on:{onMouseDown:f,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:g,onPointerCancel:w,onDblClick:d}}}function Pl(e){let{grid:t}=e,[n,r]=P(null),o=i=>{let c=Zp[i.key];if(c&&t.rows>0){let u=n?Sl(t,n.to,c):tf(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)Tl(e,n.to);else if(i.key==="Enter"&&n)hn(It(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),ef(e.unit);else return;i.preventDefault()},s=i=>Sl(t,i,{column:0,row:0});return{cursor:n&&{from:s(n.from),to:s(n.to)},on:{onKeyDown:o,onBlur:()=>r(null)}}}var Xo=6e10;function Rr({from:e,to:t,min:n,max:r}){let o=e%BigInt(Xo)===0n&&t%BigInt(Xo)===0n,s=i=>ae(i,o?Xo:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${s(e)} to ${s(t)}, ${a}`}function Yo({all:e,kept:t}){return`${b(t)} kept of ${b(e)}`}var rf=5,of=6;function sf({view:{grid:e,unit:t},hover:n,rates:r}){let{place:o}=n,s=ze(e,o),a=e.cells.get(s),i=r?.[o.column];if(!a&&!i)return null;let[c,u]=Rr(At(e,o,o)).split(", "),m=a&&`${b(a.all)} ${t}, ${b(a.kept)} kept`,p=i?l`<${mi} of=${i} /><br />${c}`:l`<b>${u}</b><br />${c}<br />${m}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${Ke} at=${n}>${p}<//>`}var af={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function lf(e,t,n){let r=e??af,o=Math.max(1,t.width/rf),s=Math.max(1,t.height/of);return N(()=>Xe(r,o,s,n),[r,o,s,n])}function cf({data:e,unit:t,isRate:n,isComparing:r,onPoint:o}){let s=Y(null),a=Vn(s),i=Qn(a.width,a.height,n),c=lf(e,i,t==="requests"&&!n?79:null),u=N(()=>n&&e?li(e,c):null,[n,e,c]),m={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=Cl(m),{cursor:g,on:w}=Pl(m),h=p??(g&&!Ol(g.from,g.to)?g:null),v=h&&It(m,h),_=p?.isBase??r,k={box:!_&&v||et("box"),base:_&&v||et("base_box"),cells:[n?null:d?.place,g?.to].filter(V=>V!=null)},x=V=>{u?ui(V,c,i,u):e&&ai(V,c,i,t),ii(V,c,i,k)},{column:A,row:L}=d?.place??{};Gn(s,a,x,[c,u,$.value,r,p,g,A,L]);let J=g&&It(m,g);return l`<div class="heatmap">
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
    ${d&&l`<${sf} view=${m} hover=${d} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${J&&`${Rr(J)}: ${Yo(dt(c,J))}`}
    </div>
    ${e&&l`<${pf} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function uf({most:e,unit:t}){let n=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),r=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((o,s)=>o<(n[s+1]??e+1)&&l` ${r(s)}${b(o)}`)}
    ${e>1&&l` to ${b(e)}`}</span
  >`}var mf=e=>`Counted by chunk: a ${Me(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function Al({data:e,unit:t,box:n,isBase:r}){let o=N(()=>Xe(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${mf(t)}
    onClick=${()=>hn(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${Rr(n)}</b>${" "}
    ${Yo(dt(o,n))} by chunk <i>×</i>
  </button>`}function pf({data:e,unit:t,most:n,isRate:r}){let o=[n>0&&l`<${uf} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[s,a]=[et("box"),et("base_box")];return l`<div class="legend">
    ${r?l`<${pi} unit=${t} />`:o}
    ${s&&l`<${Al} data=${e} unit=${t} box=${s} isBase=${!1} />`}
    ${a&&l`<${Al} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function ff({data:e,unit:t}){let[n,r]=P(!1),o=(a,i)=>{let c=Mt([a]),[u,m]=[1,2].map(d=>a.reduce((f,g)=>f+g[d],0)),p=d=>y(ft(c,d));return l`<tr>
      <td>${ae(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
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
  </details>`}function df({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function Ll({answer:e,url:t,unit:n,isEither:r,note:o,onPoint:s}){let[a,i]=P(!1),c=$.value.params.get("view")==="rate",u=et("box"),{data:m}=e,p=N(()=>m&&l`<${ff} data=${m} unit=${n} />`,[m,n]),d=(g,w,h)=>l`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:g})}>
      ${w}
    </button>`,f=l`<${B} of=${m} />
    ${u&&l`<button class="plain" onClick=${()=>zo(u)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${df} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${U} url=${t} />`;return l`<${O}
    title=${`All ${n}`}
    note=${o}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${cf}
      data=${m}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${s}
    />
    ${p}
  <//>`}var Nl={unit:null,box:null,base_box:null,base:null,value:null,frame:null,zoom:null},hf=["context","where","trace","id","min_duration_ns","max_duration_ns","key","view","sort"];function Qo(e){let t=de(e.get("box")),n=t?{from:String(t.from),to:String(t.to),last:null}:{},r=Object.fromEntries(hf.map(o=>[o,null]));return le({...Nl,...r,...n,unit:"threads"})}function Or({isWhole:e=!1}){let t=(r,o,s)=>l`<a href=${o} aria-current=${s?"page":void 0}>${r}</a>`,n=le({...Nl,thread:null,jvm:null});return l`<nav class="views" aria-label="Of the service">
    ${t("requests",n,!e)}
    ${t("whole service",Qo($.value.params),e)}
  </nav>`}var gf=3;function $f({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&mt(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${W(["r",e.id])}>${e.instance}</a>, since it started:
        <${pt} of=${n} />
      </p>`:null}function bf(e,t){return Yt({...e,from:e.from-t,to:e.to+t})}function vf({grid:e,heatUrl:t,box:n,kept:r,unit:o}){let{data:s}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=s?ei(Xe(s,1/0,1/0),n).slice(0,gf):[],c=({recording:u,id:m},p)=>l`<a class="link" key=${m} href=${ut(o,u,m)}>${p+1}</a>${" "}`;return l`<${I} title=${`No kept ${Me(o)} began in this box`}>
    <p>
      The heat map has ${b(r)} kept ones here: it counts a ${Me(o)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:bf(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function El({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:o}){let s=N(()=>Xe(e,1/0,1/0),[e]),a=de($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),c=(h,v)=>Number(n.get(h)??v),u=a??{...go(s),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:m,kept:p}=dt(s,u),d=Qe(n),f=Me(d),g=r[0];if(r.length===0)return l`<${Ge} />`;let w=(h,v)=>l`<${I} title=${h}>${v}<//>`;return o?w(`No kept ${f} is like this`,"Take a condition away to see more."):m===0&&a?w(`No ${f} is in this box`,"Choose a coloured cell."):m===0&&i?w(`No ${f} is like this`,"Take a condition away, or look at a longer time."):m===0?w(`No ${d} in this time`,l`${r.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."}${" "} <a class="link" href=${Qo($.value.params)}>What their threads did</a>`):p>0&&a?l`<${vf}
      grid=${s}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${I} title=${`Nothing is kept of these ${b(m)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${g&&l`<${$f} of=${g} />`}
  <//>`}var yf=12,es={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function ts(e,t){let n=e.get("sort");return es[t].some(([r])=>r===n)?n:es[t][0][0]}function wf({start:e,values:t}){let n=o=>String(t[o]??""),r=Object.entries(t).filter(([o,s])=>o.startsWith("attr.")&&s!==null).map(([o,s])=>[o.slice(5),s]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function _f({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${H(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Zo=(e,t)=>new Set(e.map(t)).size>1,xf={contexts:[{name:"blocked",cell:e=>l`<${_f} of=${e} />`},{name:"events",cell:e=>b(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>b(e.parts),isNumber:!0}]},kf={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},Sf=e=>e[0]?re(e[0].start):"";function Rf(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],o=Zo(e,c=>ye(c.start)),s=c=>l`<span title=${Ve(c.start)}>
      ${o?`${ye(c.start).slice(5)} `:""}${ae(c.start)}
    </span>`,a=(c,u)=>[e.some(m=>m[c]>0),{name:c,title:u,cell:m=>m[c]>0?y(m[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Zo(e,c=>c.type),{name:"type",cell:c=>ee(c.type)}],[Zo(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${Sf(e)}`,cell:s},{name:"duration",cell:c=>l`<b>${y(c.duration)}</b>`,isNumber:!0},...xf[n],...i.flatMap(([c,u])=>c?[u]:[]),...r.slice(0,yf).map(c=>({name:c,cell:u=>Of(u.attributes[c]),className:"cut"})),kf[n]]}function Of(e){if(e===void 0)return"";let t=typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function Tf({unit:e}){let t=es[e],n=ts($.value.params,e),r=o=>C({sort:o===t[0][0]?null:o});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([o,s])=>l`<button
          key=${o}
          aria-pressed=${n===o?"true":"false"}
          onClick=${()=>r(o)}
        >
          ${s}
        </button>`)}
  </span>`}function Ul({pages:e,url:t,query:n,instances:r,eventsHref:o}){let{answer:s,items:a,more:i}=e,c=a.map(wf),u=Qe(n),m=l`<${B} of=${s.data} />
    <${Tf} unit=${u} />
    <a href=${o}>events</a>
    <${Ce} query=${n} value=${$.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=de($.value.params.get("box")),d=p&&Qr(p),f=s.data&&`${b(c.length)} of ${b(s.data.matched)}`+(d?`, began ${ae(d.from,1e9)} to ${ae(d.to,1e9)}`:"");return l`<${O}
    title=${`Kept ${u}`}
    note=${f}
    tools=${m}
    answer=${s}
    className="requests"
  >
    ${c.length>0&&l`<${j}
        label=${`Kept ${u}`}
        columns=${Rf(c,r,u)}
        rows=${c}
        rowKey=${g=>g.recording+g.id}
        href=${g=>ut(u,g.recording,g.id,g.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var Cf=12,Pf=2;function Mf({waits:e}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).slice(0,Pf).map(([t,n])=>`${z(t).name} ${y(n)}`).join(", ")}function Af(e){let t=e.reduce((r,o)=>r+o.cpu_ns,0),n=({cpu_ns:r})=>t>0?H(r/t):"";return[{name:"pool",cell:({pool:r})=>l`<span title=${r||"threads without a name, such as virtual ones"}
          >${pe(r)}</span
        >`,sort:({pool:r})=>r,className:"cut wide"},{name:"threads",cell:r=>b(r.threads),isNumber:!0,sort:r=>r.threads},{name:"CPU",title:"a period for each sample of a running thread",cell:r=>r.cpu_ns>0?l`<span class="dim">${n(r)}</span> ${y(r.cpu_ns)}`:r.samples>0&&me(r.samples,"sample"),isNumber:!0,sort:r=>r.cpu_ns},{name:"allocated",cell:r=>r.alloc_bytes>0&&Z(r.alloc_bytes),isNumber:!0,sort:r=>r.alloc_bytes},{name:"waited",title:"by the events that say so, of all its threads together",cell:r=>r.blocked_ns>0&&l`<span title=${y(r.blocked_ns)}>${Mf(r)}</span>`,isNumber:!0,sort:r=>r.blocked_ns}]}function Il(e,t){return R(e&&S("threads",e),t)}function Dl({answer:e,query:t}){let{data:n}=e,r=$.value.params.get("thread"),o=l`<${B} of=${n} /><${U} url=${S("threads",t)} />`,a=(n?n.pool_count-n.pools.length:0)>0?`the first of ${b(n.pool_count)}`:"a click chooses a pool",i=({pool:c})=>le({thread:c===r||c===""?null:c,zoom:null});return l`<${O} title="Threads by pool" note=${a} tools=${o} answer=${e}>
    ${n&&n.pools.length>0&&l`<${j}
        label="Threads by pool"
        columns=${Af(n.pools)}
        rows=${n.pools}
        rowKey=${({pool:c})=>c}
        rowsFirst=${Cf}
        href=${i}
      />`}
    ${n?.pools.length===0&&l`<${I} title="No event of a thread is kept here" />`}
  <//>`}var Lf=["cpu","alloc","lock","park","wait","sleep","io","pinned","gc","safepoint"];function Nf(e){return Lf.flatMap(t=>{let n=Object.entries(e).filter(([a])=>ve(a)===t),r=a=>n.reduce((i,[,c])=>i+a(c),0),o=r(a=>a.offered),s=mt(Object.fromEntries(n));return o===0?[]:[{kind:t,offered:o,kept:r(a=>a.kept),dropped:s}]})}function Bl({query:e,tick:t}){let n=S("accounting",e),r=R(n,t),{data:o}=r,s=o?Nf(o.types):[],a=({kind:c,offered:u,kept:m,dropped:p})=>l`<tr key=${c}>
      <th scope="row"><${ne} category=${c} />${z(c).name}</th>
      <td class="n"><b>${H(m/u)}</b></td>
      <td class="n dim">${b(u)}</td>
      <td><${pt} of=${p} /></td>
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
  <//>`}var Ef=6n*3600000000000n,Hl="cpu",Uf=(e,t)=>ur(e,t,Hl);function If({query:e}){let{params:t}=$.value,n=q(e,{thread:t.get("thread")}),r=Ze(q(n,{base:t.get("base")}),"threads"),o=Il(e,T.value);return l`<div class="one-and-two">
      <${Dl} answer=${o} query=${e} />
      <${Bl} query=${e} tick=${T.value} />
    </div>
    <${Et} query=${Ze(n,"threads")} tick=${T.value} hrefOf=${Uf} />
    <${Ae} query=${r} tick=${T.value} standard=${Hl} />`}function Fl(){let{params:e}=$.value,{from:t,to:n}=K.value,r=En($.value,K.value),o=R(S("recordings",q(r,{recording:null,instance:null,version:null})),T.value),s=S("jvm",r),a=R(s,T.value),i=Be($.value),c=[{name:"services",href:W([])},{name:i===null?"all":pe(i)}],u=o.data?.recordings??[];return l`<${oe} crumbs=${c}>
    <${Or} isWhole />
    <${xr} types=${[]} ...${_r(u)} isWhole />
    <${Nt} answer=${a} url=${s} />
    ${n-t<=Ef||e.get("whole")==="1"?l`<${If} query=${r} />`:l`<section>
            <${I} title="Choose a shorter time to see what its threads did">
              <button onClick=${()=>C({whole:"1"})}>
                or read everything that is kept
              </button>
            <//>
          </section>`}
  <//>`}var Df=50,Bf=10,Hf=6n*3600000000000n,ns=60000000000n,ql=["trace","thread","id"];function Ff({from:e,to:t}){let n=lt.value?(e+ns-1n)/ns*ns:e;return{from:n<t?n:e,to:t}}function jf(e,t){return e.getAll("where").length-t.getAll("where").length>0||ql.some(r=>e.has(r))}function qf(e){let t=De(e.get("against"));return e.has("base_box")?["the other box","other box"]:t&&!e.has("base")?[Xt(t),sa(t)]:["the rest","rest"]}function Wf({t0_ns:e,step_ns:t,columns:n},r){let o=n.map(s=>s.length>0);return An(BigInt(e),t,o,r)}function Jf({data:e,seconds:t,jvms:n,unit:r}){let o=Mt(e.columns),s=m=>{let p=ft(o,m);return p===null?"-":y(p)},a=m=>(n?.recordings??[]).reduce((p,d)=>p+m(d),0),i=a(m=>m.bytes_out),c=a(m=>m.bytes_in),u=(m,p,d="")=>l`<span title=${d}><b>${m}</b>${p}</span>`;return l`<div class="facts">
    ${u(`${b(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${b(e.all)}`)}
    ${n&&u(b(n.recordings.length),"JVMs","that ran in this time")}
    ${u(s(.5),"median")} ${u(s(.99),"p99")}
    ${u(e.all>0?H(e.kept/e.all):"-",`kept, ${b(e.kept)}`)}
    ${c>0&&u(`${Z(i)} of ${Z(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function Vf({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:o}){let{params:s}=$.value,a=Ze(St($.value,K.value),n),i=Ze(ca($.value,K.value),n),c=s.has("box")&&lt.value?0:T.value,u=["box","where","min_duration_ns","max_duration_ns",...ql].some(L=>s.has(L)),p=[...i.keys()].some(L=>L.startsWith("base"))||!u?i:q(i,{base:"rest"}),[d,f]=qf(s),g=S(n,Ze(a,"contexts"),{sort:ts(s,n)}),w=Bn(g,fe.value?Bf:Df,c),h=R(mr(i),c),{data:v}=w.answer;if(v?.matched===0&&!v.is_truncated&&e.data)return l`<section>
      <${El}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${o}
      />
    </section>`;let _=new Map(r.map(L=>[L.id,L.instance])),x={service:a.get("service"),sort:null,view:null,unit:null,key:null},A=s.has("box")&&n==="contexts"?ue(he("e"),q(a,{zone:s.get("zone")})):ue(he("e"),q(s,{...x,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Et} query=${p} against=${f} tick=${c} hrefOf=${ur} />
      <${hl} query=${p} tick=${c} against=${d} />
      <${Ki} url=${mr(i)} answer=${h} />
    </div>
    <${Ae} query=${i} tick=${c} whole=${h} />
    <${Ul}
      pages=${w}
      url=${g}
      query=${a}
      instances=${_}
      eventsHref=${A}
    />`}function Gf(e,t){return[e&&e.unknown>0&&`${b(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function jl(e,t,n){let r=g=>S("contexts/heatmap",e,{fine:"1",...g}),o=r({}),s=n&&t&&!e.has("where"),a=R(s?o:null,T.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,T.value),u=a.data?a:c,{data:m}=u,p=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,d=r({where:null}),f=R(p?d:null,T.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:u,heatUrl:o,isOfAll:!1}}function Kf(e,t){let n=xi($.value.params),r=n!=="contexts",o=jl(Ze(e,"requests"),t,r),{data:s}=o.heat,a=s!==null&&s.all===0&&s.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=jl(e,t,i);return i?{...c,unit:"contexts"}:{...o,unit:"requests"}}function zf(e){let[t,n]=P(!1);return ke(()=>{e&&n(!0)},[e]),t}function Xf({heat:e}){let t=$.value.params.get("jvm")==="1",n=BigInt(e.t0_ns),r=n+BigInt(e.step_ns)*BigInt(e.columns.length),o=S("jvm",En($.value,{from:n,to:r})),s=R(t?o:null,T.value);return t?l`<${Nt} answer=${s} url=${o} onClose=${()=>C({jvm:null})} />`:l`<section class="jvm-panel">
        <button class="plain" aria-expanded="false" onClick=${()=>C({jvm:"1"})}>
          ▸ <b>JVM</b> <span class="dim">heap, GC, CPU and threads in the same time</span>
        </button>
      </section>`}function Wl(){return $.value.params.get("unit")==="threads"?l`<${Fl} />`:l`<${Yf} />`}function Yf(){let{params:e}=$.value,{from:t,to:n}=K.value,r=Ff(K.value),o=ua($.value,r),[s,a]=P(!1),{heat:i,heatUrl:c,isOfAll:u,unit:m}=Kf(o,s),p=zf(i.data!==null||i.problem!==null),d=q(o,{where:null,context:null}),f=S("contexts/types",d),g=R(m==="requests"||p?f:null,T.value),w=g.data?.requests??[],h=i.data&&Wf(i.data,r),v=q(d,{recording:null}),_=R(p?S("recordings",v):null,T.value),k=_.data?.recordings??[],x=e.has("instance")||e.has("version"),A=S("recordings",q(v,{instance:null,version:null})),L=R(p&&x?A:null,T.value),J=(x?L.data?.recordings:null)??k,V=De(e.get("against")),xe=u||jf(e,o),ie=n-t<=Hf||e.get("whole")==="1"||de(e.get("box"))!==null||e.has("trace"),ce=Be($.value),M=[{name:"services",href:W([])},{name:ce===null?"all":pe(ce)}],D=i.data?.all===0&&_.data!==null&&k.length===0;return l`<${oe} crumbs=${M}>
    ${i.data?l`<${Jf} data=${i.data} seconds=${h} jvms=${_.data} unit=${m} />`:i.isLoading&&l`<div class="facts"><${so} lines=${2} /></div>`}
    <${Or} />
    <${xr} types=${g.data?.types??[]} ...${_r(J)} />
    ${V&&p&&l`<${kl}
        query=${Zr(q(o,{where:null}),e)}
        against=${Xt(V)}
        unit=${m}
      />`}
    ${m==="requests"&&!V&&l`<${wl}
        answer=${g}
        url=${f}
        requests=${w}
        query=${p?d:null}
        tick=${T.value}
        seconds=${h}
      />`}
    ${!D&&l`<${Ll}
        answer=${i}
        url=${c}
        unit=${m}
        isEither=${w.length>0}
        note=${Gf(i.data,xe)}
        onPoint=${()=>a(!0)}
      />`}
    ${i.data&&k.length>0&&l`<${Xf} heat=${i.data} />`}
    ${p&&ie&&l`<${Vf}
        key=${m}
        heat=${i}
        heatUrl=${c}
        unit=${m}
        recordings=${k}
        isNarrowed=${xe}
      />`}
    ${p&&!ie&&l`<section>
        <${I} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function Qf(e,t){return[{name:"service",cell:r=>l`<b>${pe(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>b(r.jvms),isNumber:!0,sort:r=>r.jvms},kr(({all:r,spark:o})=>{let s=o.map(i=>i!==null),a=e?An(BigInt(e.t0_ns),e.step_ns,s,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${b(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...Sr(({service:r})=>r)]}function Jl(){let{from:e,to:t}=K.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),o=R(r,T.value),s=(o.data?.services??[]).map(ki),a=l`<${j}
    label="Services"
    columns=${Qf(o.data,K.value)}
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
  <//>`}function Zf({columns:e,rows:t,recordings:n},r){let o=(s,a)=>s[e.indexOf(a)]??null;return t.map(s=>{let a=String(o(s,"recording")),i=e.flatMap((c,u)=>c.startsWith("attr.")&&s[u]!==null&&s[u]!==r?[`${c.slice(5)}=${s[u]}`]:[]);return{recording:a,id:String(o(s,"id")),type:String(o(s,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(o(s,"thread")??""),start:Number(o(s,"start")),duration:Number(o(s,"duration")),blocked:Number(o(s,"blocked")),attributes:i.join(" ")}})}function ed({rows:e,first:t}){let n=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),r=o=>`${100*o/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
              <td class="n dim">+${y(o.start)}</td>
              <td class="n">${y(o.duration)}</td>
              <td
                class="axis"
                title=${`${y(o.blocked)} of ${y(o.duration)} blocked`}
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
  </div>`}var td=e=>e===null?"":Ve(BigInt(e));function Vl({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${td(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function nd({of:e}){return e.state==="eliminated"?l`<${I} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Vl} of=${e} />
      <//>`:l`<${I} title="Not seen">
        No context of this trace is known here. <${Vl} of=${e} />
      <//>`}function Gl(){let e=$.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,T.value),{data:r}=n,o=r?Zf(r,e):[],s=BigInt(r?.t0_ns??"0"),a=rd(e,s,o),i=new Set(o.map(p=>p.service)).size,c=new Set(o.map(p=>p.recording)).size,u=l`<${B} of=${r} /><${qn} trace=${e} />
    ${o.length>0&&l`<${Ce} query=${a} />`} <${U} url=${t} />`,m=o.length>0&&`${me(o.length,"context")} kept, ${me(i,"service")}, ${me(c,"JVM")}, from ${Pe(s)} ${re(s)}`;return l`<${oe} crumbs=${[{name:`trace ${e}`}]}>
    <${O} title="Trace" note=${m} tools=${u} answer=${n}>
      ${o.length>0&&l`<${ed} rows=${o} first=${s} />`}
      ${r&&o.length===0&&l`<${nd} of=${r} />`}
    <//>
    ${o.length>0&&l`<${Et} query=${a} tick=${T.value} />
        <${Ae} query=${a} tick=${T.value} />`}
  <//>`}function rd(e,t,n){let r=n.reduce((s,a)=>Math.max(s,a.start),0),o=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(o)})}var Kl=300000000000n,od=100,Dt=({t0_ns:e})=>BigInt(e),sd={parts:"something happened in its contexts",event:"something happened in it",slow:"it was slow",slowest:"it was among the slowest of its route",rare:"its route is rare",condition:"its attributes",open:"it was open when a chunk ended"};function zl(e){let t=new URLSearchParams({unit:"requests",recording:e.recording});return t.set("request",e.id),t.set("from",String(Dt(e))),t.set("to",String(Dt(e)+1n)),t}function Xl(e,t){return e.set("from",String(t-Kl)),e.set("to",String(t+Kl)),e}function ad(e,t){let n=new URLSearchParams({unit:"requests",service:t,context:e.type}),r=dn.find(o=>typeof e.attributes[o]=="string");return r!==void 0&&n.set("where",`${r}=${e.attributes[r]}`),Xl(n,Dt(e))}function id(e){let t=zl(e);return $.value.params.get("base")==="rest"?(t.set("base","rest"),t.set("context",e.type),Xl(t,Dt(e))):t}function ld({request:e,jvm:t}){let{busy:n,queued:r,elsewhere:o,part_count:s,threads:a,state:i}=e,u=[[n,"threads worked for it"],[r,"queued"],[o,"elsewhere"]].filter(([m])=>m>0).map(([m,p])=>`${p} ${y(m)}`);return l`<dl class="kv">
    <${hr} of=${e.attributes} />
    <${gr} at=${Dt(e)} />
    <dt>time</dt>
    <dd>
      ${u.join(", ")}${i==="over"?"":l` <span class="missing">${i}</span>`}
    </dd>
    <dt>parts</dt>
    <dd>${me(s,"context")} on ${me(a.length,"thread")}</dd>
    <dt>kept</dt>
    <dd>${sd[e.kept_by]??e.kept_by}</dd>
    <${$r} recording=${e.recording} jvm=${t} />
  </dl>`}function cd({request:e,jvm:t}){let n=t&&S("why",ad(e,t.service)),r=R(n,T.value).data,o=r!==null&&r.requests>1;return l`<${O}
    title=${`Why ${y(e.duration)}`}
    note=${o?`beside ${b(r.requests)} like it`:""}
    className="why-panel"
  >
    <${pn} of=${e.why} base=${o?r:null} against="like it" />
  <//>`}function ud({of:e}){return l`<${O} title="Hand-overs" note=${b(e.length)}>
    <${j}
      label="Hand-overs"
      rows=${e}
      rowsMax=${od}
      rowKey=${t=>`${t.from} ${t.to} ${t.start} ${t.duration}`}
      columns=${[{name:"after",cell:t=>"+"+y(t.start)},{name:"from",cell:t=>t.from,className:"name"},{name:"to",cell:t=>t.to,className:"name"},{name:"waited",title:"until a thread took the task",cell:t=>l`<b>${y(t.duration)}</b>`,isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function md({request:e,jvm:t}){let n=Dt(e),r=cl(e),o=N(()=>ol(e),[e]),s=N(()=>fn(e),[e]),a=(i,{id:c,start:u})=>c===null?null:He(i.recording,c,n+BigInt(Math.round(u)));return l`<${O}
      title="On one axis"
      note="its threads, arrows for tasks that were handed over, who held it up, what stopped the JVM, and its trace; drag to zoom"
    >
      <${dr}
        label="Threads on one axis"
        lanes=${r}
        arrows=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${$e}
      />
    <//>
    ${e.hand_overs.length>0&&l`<${ud} of=${e.hand_overs} />`}
    <${Ae} query=${id(e)} tick=${T.value} />
    <${O} title="Events" note=${b(s.length)}>
      ${s.length>0?l`<${Ct}
              items=${s}
              since=${n}
              service=${t?.service??null}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it" />`}
    <//>`}function Yl(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=t.get("at"),s=["requests",n,r].map(encodeURIComponent).join("/"),a=S(s,new URLSearchParams,{from:o}),i=R(a,T.value),c=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=i.data,m=u?`${ee(u.type)}, ${y(u.duration)}`:r,p=l`<${B} of=${u} />
    ${u&&l`<${Ce} query=${zl(u)} />`} <${U} url=${a} />`;return l`<${oe} crumbs=${br(c,m)}>
    ${u?l`<div class="two">
              <${O}
                title=${ee(u.type)}
                note=${y(u.duration)}
                tools=${p}
                answer=${i}
              >
                <${ld} request=${u} jvm=${c} />
                <${wr} of=${u.owners} />
              <//>
              <${cd} request=${u} jvm=${c} />
            </div>
            <${md} request=${u} jvm=${c} />`:l`<${O} title="Request" note=${r} tools=${p} answer=${i} />`}
  <//>`}function pd([e]){switch(e){case void 0:return Jl;case"c":return fl;case"e":return Ga;case"q":return Yl;case"r":return _i;case"s":return Wl;case"t":return Gl;default:return za}}var fd={s:"all services",e:"events",r:"recordings"};function dd(){let{path:e}=$.value;return ge.value===null?null:ge.value.is_needed&&ge.value.identity===null?l`<${Ka} />`:l`<${pd(e)} key=${e.join("/")} /> <${ga} />`}Us();ta();ra();Xs();Vs();ha();Se(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?fd[t??""]??t:pe(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});ds(l`<${dd} />`,document.body);})();
