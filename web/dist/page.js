"use strict";(()=>{var g,kt,ze,H,Je,Ne,St,Re,Rt,Ge,Ke,Un,_e=Symbol.for("pv"),Te={},Ce=[],Ln=/^m(i|n|o|s|text|space)$/,Ze=Array.isArray,Qe=Ce.slice,te=Object.assign;function ee(e){e&&e.parentNode&&e.remove()}function Ue(e,t,n){var r,i,o,s={},a=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?i=t[o]:s[o]=t[o];return a>2&&(s.children=a>3?Qe.call(arguments,2):n),de(e,s,r,i,null)}function de(e,t,n,r,i){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:_e,__v:i||++kt,__i:-1,__u:0};return!i&&g.vnode&&g.vnode(o),o}function ne(e){return e.children}function ie(e,t){this.props=e,this.context=t,this.__g=0}function V(e,t){if(t==null)return e.__&&V(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:V(e)}function Mn(e){var t,n=e.__v,r=n.__e,i=[],o=[],s=e.__P;s&&((t=te({constructor:_e},n)).__v=n.__v+1,g.vnode&&g.vnode(t),Xe(s,t,n,e.__n,s.namespaceURI,32&n.__u?[r]:null,i,r||V(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Lt(i,t,o),n.__=n.__e=null,t.__e!=r&&Pt(t))}function Pt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Pt(e)}function xt(e){(8&e.__g||(e.__g|=8,H.push(e),Ne++))&&Je==g.debounceRendering||((Je=g.debounceRendering)||queueMicrotask)(Nt)}function Nt(){try{for(var e,t=1;H.length;)H.length>t&&H.sort(St),e=H.shift(),t=H.length,8&e.__g&&Mn(e)}finally{(Ne=H.length)&&(Je||queueMicrotask)(Nt)}}function Tt(e,t,n,r,i,o,s,a,f,p,l){var _,d,c,m,P,v,y=r.__k||Ce,h=t.length;for(f=An(n,t,y,f,h),_=0;_<h;_++)(c=n.__k[_])!=null&&(d=~c.__i&&y[c.__i]||Te,c.__i=_,v=Xe(e,c,d,i,o,s,a,f,p,l),m=c.__e,(d.ref!=c.ref||8&d.__u)&&(d.ref&&Ye(d.ref,null,c,d),c.ref&&l.push(c.ref,c.__c||m,c)),P=P||m,4&c.__u?(f=Ct(c,f,e,!d.__v),d.__e&&(d.__e=null)):typeof c.type=="function"&&v!==void 0?f=v:m&&(f=m.nextSibling),c.__u&=-21);return n.__e=P,f}function An(e,t,n,r,i){var o,s,a,f,p,l,_,d,c,m=n.length,P=m,v=0,y=0,h=e.__k=Array(i);for(o=0;o<i;o++)(s=t[o])!=null&&typeof s!="boolean"&&typeof s!="function"?(typeof s!="object"||s.constructor===String?s=h[o]=de(null,s):Ze(s)?s=h[o]=de(ne,{children:s}):s.constructor===_e&&s.__b?s=h[o]=de(s.type,s.props,s.key,s.ref,s.__v):h[o]=s,f=o+v,s.__=e,s.__b=e.__b+1,a=null,~(p=s.__i=En(s,n,f,P))&&(P--,(a=n[p])&&(a.__u|=2)),a&&a.__v?(s.__u|=16,p==f-1?v--:p==f+1?v++:p!=f&&(p>f?v--:v++,y=1)):(~p||(i>m?v--:i<m&&v++),typeof s.type!="function"&&(s.__u|=4))):h[o]=null;if(y){for(l=[],_=[],o=0;o<i;o++)if((s=h[o])&&16&s.__u){for(v=0,d=l.length;v<d;)l[c=v+d>>1]<s.__i?v=c+1:d=c;l[v]=s.__i,_[o]=v+1}for(v=l.length;o--;)_[o]&&(_[o]==v?v--:h[o].__u|=4)}if(P)for(o=0;o<m;o++)!(a=n[o])||2&a.__u||(a.__e==r&&(r=V(a)),et(a,a));return r}function Ct(e,t,n,r){var i,o,s,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(o=0;o<i.length;o++)i[o]&&(i[o].__=e,t=Ct(i[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=V(e))&&!t.parentNode&&(t=null),s=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(s!=a&&(!r&&n.moveBefore&&s.parentNode?n.moveBefore(s,t):n.insertBefore(s,t||null)),t=s;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function En(e,t,n,r){var i,o=e.key,s=e.type,a=t[n],f=a&&!(2&a.__u);if(a===null&&o==null||f&&o==a.key&&s==a.type)return n;if(r>(f?1:0)){for(i=n-1;i>=0;i--)if((a=t[i])&&!(2&a.__u)&&o==a.key&&s==a.type)return i;for(i=n+1;i<t.length;i++)if((a=t[i])&&!(2&a.__u)&&o==a.key&&s==a.type)return i}return-1}function wt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Se(e,t,n,r,i){var o,s;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||wt(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||wt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(s=Ke[t]||(Ke[t]=On(t)),(e.__a||(e.__a={}))[t]=Ge,o=t!=(t=t.replace(Rt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,s,o):e.removeEventListener(t,s,o));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function On(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Re]==null)t[Re]=Ge++;else if(t[Re]<this.__a[e])return;return n(g.event?g.event(t):t)}}}function Xe(e,t,n,r,i,o,s,a,f,p){var l,_,d,c,m,P,v,y,h,N,$,Ve,yt,ke,X,$t,F,Y,I=t.type;if(t.constructor!==_e)return null;128&n.__u&&(f=32&n.__u,l=n.__c.__z)&&(t.__u|=f,_=o=[],l.nodeType==8?a=Pe(l,o):o.push(l),a=o[0]||a),(l=g.__b)&&l(t);e:if(typeof I=="function"){d=s.length;try{if(y=t.props,h=(l=I.prototype)&&l.render,N=(l=I.contextType)&&r[l.__c],$=l?N?N.props.value:l.__:r,(c=n.__c)?(t.__c=c,2&c.__g&&(c.__g|=1)):(h?t.__c=c=new I(y,$):(t.__c=c=new ie(y,$),c.constructor=I,c.render=Dn),N&&N.sub(c),c.state||(c.state={}),c.__n=r,c.__g|=8,c.__h=[],c.__k=[]),h&&(c.__s||(c.__s=c.state),I.getDerivedStateFromProps&&(c.__s==c.state&&(c.__s=te({},c.__s)),te(c.__s,I.getDerivedStateFromProps(y,c.__s)))),m=c.props,P=c.state,c.__v=t,n.__c){if(y!==m&&h&&!I.getDerivedStateFromProps&&c.componentWillReceiveProps&&c.componentWillReceiveProps(y,$),t.__v==n.__v&&!(8&c.__g)||!(4&c.__g)&&c.shouldComponentUpdate&&c.shouldComponentUpdate(y,c.__s,$)===!1){t.__v!=n.__v&&(c.props=y,c.state=c.__s,c.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(M){M&&(M.__=t)}),Ce.push.apply(c.__h,c.__k),c.__k=[],c.__h.length&&s.push(c),a=V(n);break e}c.componentWillUpdate&&c.componentWillUpdate(y,c.__s,$),h&&c.componentDidUpdate&&c.__h.push(function(){c.componentDidUpdate(m,P,v)})}else h&&!I.getDerivedStateFromProps&&c.componentWillMount&&c.componentWillMount(),h&&c.componentDidMount&&c.__h.push(c.componentDidMount);c.context=$,c.props=y,c.__P=e,c.__g&=-5,Ve=g.__r,yt=h?25:0;do c.__g&=-9,Ve&&Ve(t),l=c.render(c.props,c.state=c.__s,c.context);while(8&c.__g&&++yt<25);h&&(Ce.push.apply(c.__h,c.__k),c.__k=[]),c.state=c.__s,c.getChildContext&&(r=te({},r,c.getChildContext())),h&&n.__c&&c.getSnapshotBeforeUpdate&&(v=c.getSnapshotBeforeUpdate(m,P)),ke=l&&l.type===ne&&l.key==null?l.props.children:l,y.__P&&(l=a,i=(e=y.__P).namespaceURI,f=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(M){M&&et(M,M)}),n.__k=null),a=n.__k?V(n,0):null),a=Tt(e,Ze(ke)?ke:[ke],t,n,r,i,o,s,a,f,p),y.__P&&(t.__e=null,a=l),t.__u&=-161,_&&_.some(ee),c.__h.length&&s.push(c),1&c.__g&&(c.__g&=-4)}catch(M){if(s.length=d,t.__v=null,f||o)if(M&&M.then){if(t.__u|=128|f,o){for(~(F=o.indexOf(a||void 0))||(F=o.length);(Y=o[F-1])&&Y.nodeType==8;)F--;for(;F<o.length;F++)if(Y=o[F])if(o[F]=null,X){if(Y==$t)break}else{if(Y.nodeType!=8)break;Y.data.startsWith("$s")&&($t=Pe(X=Y))}}if(!X){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;X=a}(l=Pe(X=t.__c.__z||(t.__c.__z=X)))?(t.__e=X,a=l):t.__e=a,a=a&&a.nextSibling}else o&&o.some(ee);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),M&&M.then||Ut(t),g.__e(M,t,n)}}else a=t.__e=jn(n.__e,t,n,r,i,o,s,f,p,e);return(l=g.diffed)&&l(t),a}function Pe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ut(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ut))}function Lt(e,t,n){for(var r=0;r<n.length;)Ye(n[r++],n[r++],n[r++]);g.__c&&g.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(o){o.call(i)})}catch(o){g.__e(o,i.__v)}})}function jn(e,t,n,r,i,o,s,a,f,p){var l,_,d,c,m,P,v,y,h=n.props||Te,N=t.props,$=t.type;if($=="svg"?i="http://www.w3.org/2000/svg":$=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),o){for(l=0;l<o.length;l++)if((m=o[l])&&($?m.localName==$:m.nodeType==3)){e=m,o[l]=null;break}}if(!e){if(y=p.ownerDocument||document,!$)return y.createTextNode(N);e=y.createElementNS(i,$,N.is?N:p),a&&(g.__m&&g.__m(t,o),a=!1),o=null}if($){if(p=$=="template"&&e.content||e,o=$=="textarea"&&N.defaultValue!=null?null:o&&Qe.call(p.childNodes),!a&&o)for(h={},l=0;l<e.attributes.length;l++)h[(m=e.attributes[l]).name]=m.value;for(l in h)m=h[l],l=="dangerouslySetInnerHTML"?d=m:l=="children"||l in N||l=="value"&&"defaultValue"in N||l=="checked"&&"defaultChecked"in N||Se(e,l,null,m,i);for(l in N)m=N[l],l=="children"?c=m:l=="dangerouslySetInnerHTML"?_=m:l=="value"?P=m:l=="checked"?v=m:a&&typeof m!="function"||h[l]===m||Se(e,l,m,h[l],i);_?(a||d&&(_.__html==d.__html||_.__html==e.innerHTML)||(e.innerHTML=_.__html),t.__k=[]):(d&&(e.textContent=""),($=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&Ln.test($))&&(i="http://www.w3.org/1999/xhtml"),Tt(p,Ze(c)?c:[c],t,n,r,i,o,s,o?o[0]:n.__k&&V(n,0),a,f),o&&o.some(ee)),a&&$!="textarea"||(l="value",$=="progress"&&P==null?e.removeAttribute(l):P==null||P===e[l]&&($!="progress"||P)||Se(e,l,P,h[l],i),l="checked",v!=null&&v!=e[l]&&Se(e,l,v,h[l],i))}else h===N||a&&e.data==N||(e.data=N);return e}function Ye(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){g.__e(i,n)}}function et(e,t,n){var r,i,o,s;if(g.unmount&&g.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Ye(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){g.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&et(r[s],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(i=Pe(r,o=[]))&&(r==e.__e&&o.some(ee),ee(i),ee(r)),n||ee(e.__e),e.__e=e.__c=e.__=null}function Dn(e,t,n){return this.constructor(e,n)}function Mt(e,t){var n,r,i,o;g.__&&g.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=de(ne,{children:[e]}),i=[],o=[],Xe(t,t.__k,r||Te,Te,t.namespaceURI,r?null:t.firstChild?Qe.call(t.childNodes):null,i,r?r.__e:t.firstChild,n,o),Lt(i,t.__k,o),t.__k.props.children=null}g={__e:function(e,t,n,r){for(var i,o,s;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((s=(o=i.constructor)&&o.getDerivedStateFromError)&&i.setState(o.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),s=1),s&&8&i.__g)return void(i.__g|=2)}catch(a){e=a}}throw Ne=0,e}},kt=0,ze=function(e){return e!=null&&e.constructor===_e},ie.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=te({},this.state)),typeof e=="function"&&(e=e(te({},n),this.props)),e&&(te(n,e),this.__v&&(t&&this.__k.push(t),xt(this)))},ie.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),xt(this))},ie.prototype.render=ne,H=[],Ne=0,St=function(e,t){return e.__v.__b-t.__v.__b},Re=Symbol(),Rt=/(PointerCapture)$|Capture$/i,Ge=0,Ke={},Un=0;var he,S,tt,At,nt=Object.is,rt=0,Ft=[],ot=[],w=g,Et=w.__b,Ot=w.__r,jt=w.diffed,Dt=w.__c,It=w.unmount,Wt=w.__;function st(e,t){w.__h&&w.__h(S,e,rt||t),rt=0;var n=S.__H||(S.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function se(e){return rt=1,In(Vt,e)}function In(e,t,n){var r=st(he++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Vt(void 0,t),function(o){var s=(r.__N||r.__)[0],a=r.t(s,o);nt(s,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=S,!S.__f)){S.__f=!0;var i=S.shouldComponentUpdate;S.shouldComponentUpdate=function(o,s,a){var f=this.__H;if(!f)return!0;var p=!1,l=this.props!=o;if(f.__.some(function(d){d.__N&&(p=!0,nt(d.__[0],d.__N[0])||(l=!0))}),i){var _=i.call(this,o,s,a);return p?_||l:_}return!p||l}}return r.__}function at(e,t){var n=st(he++,3);!w.__s&&Ht(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,S.__H.__h.push(n))}function ct(e,t){var n=st(he++,7);return Ht(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Wn(){var e;do{for(;e=ot.shift();)try{me(e)}catch(n){w.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ft.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(me),t.__h.some(it),t.__h=[]}catch(n){t.__h=[],w.__e(n,e.__v)}}}while(ot.length)}w.__b=function(e){S=null,Et&&Et(e)},w.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Wt&&Wt(e,t)},w.__r=function(e){Ot&&Ot(e),he=0;var t=(S=e.__c).__H;t&&(tt==S?S.__h=[]:(t.__h.some(me),t.__h.some(it),he=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),tt=S},w.diffed=function(e){jt&&jt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Bt(Ft.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),tt=S=null},w.__c=function(e,t){t.some(function(n){try{n.__h.some(me),n.__h=n.__h.filter(function(r){return!r.__||it(r)})}catch(r){n.__h=[function(){throw r}]}}),Dt&&Dt(e,t)},w.unmount=function(e){It&&It(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(i){try{if(i.__P&&i.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}i.__P=n,Bt(ot.push(i))}else me(i)}catch(o){t=o}}),r.__H=void 0,t&&w.__e(t,r.__v))};var qt=typeof requestAnimationFrame=="function";function qn(e){var t,n=function(){clearTimeout(r),qt&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);qt&&(t=requestAnimationFrame(n))}function Bt(e){e!=1&&At==w.requestAnimationFrame||((At=w.requestAnimationFrame)||qn)(Wn)}function me(e){var t=S,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),S=t}function it(e){var t=S;e.__c=e.__(),S=t}function Ht(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!nt(n,e[r])})}function Vt(e,t){return typeof t=="function"?t(e):t}var Bn=Symbol.for("preact-signals");function Ee(){if(W>1)W--;else{var e,t=!1;for((function(){var i=Me;for(Me=void 0;i!==void 0;){var o=i.S;if(o.v===i.v)for(var s=o.t;s!==void 0;s=s.x)s.i===i.i&&(s.i=o.i);i=i.o}})();ve!==void 0;){var n=ve;for(ve=void 0,Le++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Kt(n))try{n.c()}catch(i){t||(e=i,t=!0)}n=r}}if(Le=0,W--,t)throw e}}function ut(e){if(W>0)return e();lt=++Fn,W++;try{return e()}finally{Ee()}}var ge,b=void 0;function be(e){var t=b,n=ge;b=void 0,ge=void 0;try{return e()}finally{b=t,ge=n}}var ve=void 0,W=0,Le=0,Fn=0,lt=0,Me=void 0,Ae=0;function Jt(e){if(b!==void 0){var t=e.n;if(t===void 0||t.t!==b)return t={i:0,S:e,p:b.s,n:void 0,t:b,e:void 0,x:void 0,r:t},b.s!==void 0&&(b.s.n=t),b.s=t,e.n=t,32&b.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=b.s,t.n=void 0,b.s.n=t,b.s=t),t}}function R(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}R.prototype.brand=Bn;R.prototype.h=function(){return!0};R.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:be(function(){var r;(r=t.W)==null||r.call(t)}))};R.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&be(function(){var i;(i=t.Z)==null||i.call(t)}))}};R.prototype.subscribe=function(e){var t=this;return A(function(){var n=t.value;be(function(){return e(n)})},{name:"sub"})};R.prototype.valueOf=function(){return this.value};R.prototype.toString=function(){return this.value+""};R.prototype.toJSON=function(){return this.value};R.prototype.peek=function(){var e=this;return be(function(){return e.value})};Object.defineProperty(R.prototype,"value",{get:function(){var e=Jt(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Le>100)throw new Error("Cycle detected");(function(n){W!==0&&Le===0&&n.l!==lt&&(n.l=lt,Me={S:n,v:n.v,i:n.i,o:Me})})(this),this.v=e,this.i++,Ae++,W++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Ee()}}}});function j(e,t){return new R(e,t)}function Kt(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function zt(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Gt(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function re(e,t){R.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Ae-1,this.f=4}re.prototype=new R;re.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Ae))return!0;if(this.g=Ae,this.f|=1,this.i>0&&!Kt(this))return this.f&=-2,!0;var e=b;try{zt(this),b=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return b=e,Gt(this),this.f&=-2,!0};re.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}R.prototype.S.call(this,e)};re.prototype.U=function(e){if(this.t!==void 0&&(R.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};re.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(re.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Jt(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function J(e,t){return new re(e,t)}function Zt(e){var t=e.j;if(e.j=void 0,typeof t=="function"){W++;var n=b;b=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,ft(e),r}finally{b=n,Ee()}}}function ft(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Zt(e)}function Hn(e){if(b!==this)throw new Error("Out-of-order effect");Gt(this),b=e,this.f&=-2;try{8&this.f&&ft(this)}finally{Ee()}}function ae(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,ge&&ge.push(this)}ae.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};ae.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Zt(this),zt(this),W++;var e=b;return b=this,Hn.bind(this,e)};ae.prototype.N=function(){2&this.f||(this.f|=2,this.u=ve,ve=this)};ae.prototype.d=function(){this.f|=8,1&this.f||ft(this)};ae.prototype.dispose=function(){this.d()};function A(e,t){var n=new ae(e,t);try{n.c()}catch(i){throw n.d(),i}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var Qt,je,Oe,Vn=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Xt=[];A(function(){Qt=this.N})();function ce(e,t){g[e]=t.bind(null,g[e]||function(){})}function ye(e){if(Oe){var t=Oe;Oe=void 0,t()}Oe=e&&e.S()}function Yt(e){var t=this,n=e.data,r=Kn(n);r.name="ReactiveDom",r.value=n;var i=ct(function(){for(var a=t,f=t.__v;f=f.__;)if(f.__c){f.__c.__$f|=4;break}var p=J(function(){var c=r.value.value;return c===0?0:c===!0?"":c||""}),l=J(function(){return!Array.isArray(p.value)&&!ze(p.value)}),_=A(function(){if(this.N=en,l.value){var c=p.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=c)}}),d=t.__$u.d;return t.__$u.d=function(){_(),d.call(this)},[l,p]},[]),o=i[0],s=i[1];return o.value?s.peek():s.value}Yt.displayName="ReactiveTextNode";Object.defineProperties(R.prototype,{constructor:{configurable:!0,value:Ue(ne,null).constructor},type:{configurable:!0,value:Yt},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});ce("__b",function(e,t){if(ye(),je=void 0,typeof t.type=="string"){var n,r=t.props;for(var i in r)if(i!=="children"){var o=r[i];o instanceof R&&(n||(t.__np=n={}),n[i]=o,r[i]=o.peek())}}e(t)});ce("__r",function(e,t){if(e(t),t.type!==ne){ye();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(i,o){var s;return A(function(){s=this},{name:o}),s.c=i,s})((function(i){return function(){var o;Vn&&((o=this.y)==null||o.call(this)),i.__$f|=1,i.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),je=r,ye(n)}});ce("__e",function(e,t,n,r){ye(),je=void 0,e(t,n,r)});ce("diffed",function(e,t){ye(),je=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,i=t.props,o=n.U;if(o)for(var s in o){var a=o[s];a===void 0||r&&s in r||(a.d(),o[s]=void 0)}if(r){o||(o={},n.U=o);for(var f in r){var p=o[f],l=r[f];p===void 0?(p=Jn(n,f,l,i),o[f]=p):p.o(l,i)}}}e(t)});function Jn(e,t,n,r){var i=t in e&&e.ownerSVGElement===void 0,o=j(n);return{o:function(s,a){o.value=s,r=a},d:A(function(){this.N=en;var s=o.value.value;r[t]!==s&&(r[t]=s,i?e[t]=s:s!=null&&(s!==!1||t[4]==="-")?e.setAttribute(t,s):e.removeAttribute(t))})}}ce("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var i in r){var o=r[i];o&&o.d()}}}var s=t.__np;if(s){var a=t.props;for(var f in s)a[f]=s[f]}t.__np=void 0}else{var p=t.__c;if(p){p.__$f|=8;var l=p.__$u;l&&(p.__$u=void 0,l.d())}}e(t)});ce("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});ie.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var i in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var s in e)if(s!=="__source"&&e[s]!==this.props[s])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function Kn(e,t){return ct(function(){return j(e,t)},[])}var zn=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Gn(){ut(function(){for(var e;e=Xt.shift();)Qt.call(e)})}function en(){Xt.push(this)===1&&(g.requestAnimationFrame||zn)(Gn)}function pt(){return{path:location.pathname.split("/").filter(t=>t!=="").map(decodeURIComponent),params:new URLSearchParams(location.search)}}var x=j({path:[],params:new URLSearchParams});function dt(...e){return"/"+e.map(encodeURIComponent).join("/")}function le(e,t){let n=new URLSearchParams(e);for(let[r,i]of Object.entries(t)){n.delete(r);for(let o of i===null?[]:typeof i=="string"?[i]:i)n.append(r,o)}return n}function K(e,t){let n=t.toString();return n===""?e:e+"?"+n}function De(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),x.value=pt()}function _t(e,t=!1){De(K(location.pathname,le(x.value.params,e)),t)}function Zn(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function C(e,t={}){return K(dt(...e),le(Zn(x.value.params),t))}function Qn(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),De(t.pathname+t.search),scrollTo(0,0))}function tn(){addEventListener("popstate",()=>x.value=pt()),addEventListener("click",Qn),x.value=pt()}var rn=function(e,t,n,r){var i;t[0]=0;for(var o=1;o<t.length;o++){var s=t[o++],a=t[o]?(t[0]|=s?1:2,n[t[o++]]):t[++o];s===3?r[0]=a:s===4?r[1]=Object.assign(r[1]||{},a):s===5?(r[1]=r[1]||{})[t[++o]]=a:s===6?r[1][t[++o]]+=a+"":s?(i=e.apply(a,rn(e,a,n,["",null])),r.push(i),a[0]?t[0]|=2:(t[o-2]=0,t[o]=i)):r.push(a)}return r},nn=new Map;function on(e){var t=nn.get(this);return t||(t=new Map,nn.set(this,t)),(t=rn(this,t.get(e)||(t.set(e,t=(function(n){for(var r,i,o=1,s="",a="",f=[0],p=function(d){o===1&&(d||(s=s.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?f.push(0,d,s):o===3&&(d||s)?(f.push(3,d,s),o=2):o===2&&s==="..."&&d?f.push(4,d,0):o===2&&s&&!d?f.push(5,0,!0,s):o>=5&&((s||!d&&o===5)&&(f.push(o,0,s,i),o=6),d&&(f.push(o,d,0,i),o=6)),s=""},l=0;l<n.length;l++){l&&(o===1&&p(),p(l));for(var _=0;_<n[l].length;_++)r=n[l][_],o===1?r==="<"?(p(),f=[f],o=3):s+=r:o===4?s==="--"&&r===">"?(o=1,s=""):s=r+s[0]:a?r===a?a="":s+=r:r==='"'||r==="'"?a=r:r===">"?(p(),o=1):o&&(r==="="?(o=5,i=s,s=""):r==="/"&&(o<5||n[l][_+1]===">")?(p(),o===3&&(f=f[0]),o=f,(f=f[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(p(),o=2):s+=r),o===3&&s==="!--"&&(o=4,f=f[0])}return p(),f})(e)),t),arguments,[])).length>1?t:t[0]}var u=on.bind(Ue);var We=["5m","15m","1h","6h","1d","7d","30d"],sn="1h",Xn=5e3,Yn={s:1,m:60,h:3600,d:86400},an=()=>BigInt(Date.now())*1000000n,z=j(an());function mt(){z.value=an()}function cn(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*Yn[t[2]])*1000000000n:null}function Ie(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],i=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(i)?null:BigInt(i)*1000000n+BigInt(n.padEnd(9,"0"))}var $e=J(()=>{let e=x.value.params.get("last")??sn;return cn(e)===null?sn:e}),qe=J(()=>x.value.params.get("live")==="1"),ue=J(()=>{let{params:e}=x.value,t=Ie(e.get("to")??"")??z.value;return{from:Ie(e.get("from")??"")??t-cn($e.value),to:t}});function ln(){let e=0;A(()=>{clearInterval(e),qe.value&&(e=window.setInterval(()=>document.hidden||mt(),Xn))})}var er=j(0),tr=new Map;function un(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{tr=new Map,er.value++})}function E({title:e,children:t}){return u`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function nr({answer:e}){return e.problem===null?null:u`<div class="notice problem" role="alert">${e.problem}</div>`}function G({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},i=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return i.length===0?null:u`<span class="missing">${i.join("; ")}</span>`}function L({title:e,note:t,tools:n,answer:r,className:i,children:o}){let s=r?.isLoading===!0&&r.data!==null;return u`<section class=${i} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&u`<${nr} answer=${r} />`}
    <div class=${s?"stale":""}>${o}</div>
  </section>`}function we(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function k(e){if(e<0)return"-"+k(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[r,i]of t){let o=e/i;if(o<(r==="s"?99.5:999.5))return(r==="ns"?String(Math.round(o)):we(o))+" "+r}let n=Math.round(e/1e9);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(n/3600)} h ${Math.round(n%3600/60)} min`}function q(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):we(t))+" "+n;t/=1e3}return we(t)+" TB"}function T(e){return e<1e6?e.toLocaleString("en-US"):e<9995e5?we(e/1e6)+" M":we(e/1e9)+" G"}function Z(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}var xe=e=>String(e).padStart(2,"0");function ht(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${xe(n.getHours())}:${xe(n.getMinutes())}`;if(t>=6e10)return r;let i=`${r}:${xe(n.getSeconds())}`;return t>=1e9?i:`${i}.${String(n.getMilliseconds()).padStart(3,"0")}`}function fn(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${xe(t.getMonth()+1)}-${xe(t.getDate())}`}function fe(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function pn(e){return e.slice(e.lastIndexOf(".")+1)}function dn(e){return e.split(".").slice(-2).join(".")}var rr=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,or=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/;function _n(e,{path:t,params:n}){if(rr.test(e))return C(["t",e.toLowerCase()]);let r=t[0]==="s",i=or.test(e);if(!r)return C(["s"],i?{where:e}:{frame:e});let o=n.getAll("where").filter(a=>a!==e),s=i?{where:[...o,e]}:{frame:e};return K(dt(...t),le(n,s))}function ir(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),i=r.value.trim();i!==""&&(De(_n(i,x.value)),r.value="")},t="trace id, attribute=value, or a method";return u`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function sr(){let{params:e}=x.value,t=Ie(e.get("from")??"")!==null,{from:n,to:r}=ue.value,i=a=>{let f=a.currentTarget.value;f!=="fixed"&&_t({last:f,from:null,to:null,box:null,base_box:null})},o=We.includes($e.value)?We:[$e.value,...We],s=`${fe(n)} to ${fe(r)}`;return u`<select aria-label="Time range" title=${s} onChange=${i}>
      ${t&&u`<option value="fixed" selected>
          ${fn(n)} ${ht(n,1e9)} to ${ht(r,1e9)}
        </option>`}
      ${o.map(a=>u`<option value=${a} selected=${!t&&a===$e.value}>
            last ${a}
          </option>`)}
    </select>
    <button onClick=${mt} title="ask again">refresh</button>
    <button
      aria-pressed=${qe.value?"true":"false"}
      onClick=${()=>_t({live:qe.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}var ar=[["services",""],["events","e"],["recordings","r"]];function B({crumbs:e=[],children:t}){let n=x.value.path[0]??"",r=([o,s])=>u`<a href=${C(s?[s]:[])} aria-current=${s===n?"page":void 0}>
      ${o}
    </a>`,i=({name:o,href:s},a)=>[a>0?" / ":"",s?u`<a href=${s}>${o}</a>`:u`<b>${o}</b>`];return u`<header>
      <a class="logo" href=${C([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${ar.map(r)}</nav>
      <span class="crumb">${e.map(i)}</span>
      <${ir} />
      <${sr} />
    </header>
    <main>${t}</main>`}function mn(){return u`<${B}>
    <${E} title="There is nothing here">
      <a href=${C([])}>Services</a> is where everything begins.
    <//>
  <//>`}var cr=5,lr=1;function ur(e,t){return new Promise(n=>{let r=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function fr(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}async function pr(e,t){for(let n=0;;n++){let r=await fetch(e,{signal:t,headers:{accept:"application/json"}});if(r.ok)return{data:await r.json(),problem:null,status:r.status,isLoading:!1};if(r.status!==503||n===cr)return{data:null,problem:await fr(r),status:r.status,isLoading:!1};let i=Number(r.headers.get("retry-after"))||lr;await ur(i*1e3,t)}}function O(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,i]=se(n);return at(()=>{if(e===null){i(n);return}let o=new AbortController;return i(s=>({...s,isLoading:!0})),pr(e,o.signal).then(i,s=>{if(!o.signal.aborted){let a=`the collector cannot be reached: ${String(s)}`;i(f=>({...f,problem:a,status:0,isLoading:!1}))}}),()=>o.abort()},[e,t]),r}function U(e,t,n={}){return K("/api/v1/"+e,le(t,n))}function hn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function gn(e,t){let[n,r=""]=e.split("?"),i=[...new URLSearchParams(r)].map(([o,s])=>` \\
  --data-urlencode ${hn(`${o}=${s}`)}`);return`curl -f${i.length>0?"G":""} ${hn(t+n)}${i.join("")}`}function D({url:e}){let[t,n]=se(!1);return e===null?null:u`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await navigator.clipboard.writeText(gn(e,location.origin)),n(!0)}} title=${gn(e,location.origin)}>
      ${t?"copied":"curl"}
    </button>
  </span>`}var dr=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function vn({query:e,value:t}){let n=(i,o)=>U(o,e,{...i===".jfr around"?{around:"1"}:{},...t&&/collapsed|pprof|speedscope/.test(o)?{value:t}:{}}),r=new URLSearchParams({profileURL:U("slice.speedscope.json",e,t?{value:t}:{})});return u`<details class="menu">
    <summary>download</summary>
    <div>
      ${dr.map(([i,o,s])=>u`<a href=${n(i,o)} download title=${s}
            >${i}<small>${s}</small></a
          >`)}
      <a href=${"/speedscope/#"+r.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function bn(e){return K(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function _r(e){return e.replaceAll("_","-")}function gt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,i]of Object.entries(n))t.set(r,(t.get(r)??0)+i);return[...t].sort((n,r)=>r[1]-n[1])}function vt({of:e}){return u`<span class="chips">
    ${e.map(([t,n])=>u`<span class="chip" key=${t}
          >${_r(t)} <b>${T(n)}</b></span
        >`)}
  </span>`}function Be(){let e=`-agentpath:/path/to/libloupe.so=collector=tcp://${location.hostname}:7411,service=NAME`;return u`<${E} title="No JVM has sent anything in this time">
    Start one with this option, with the address at which it reaches this collector:
    <pre>${e}</pre>
  <//>`}function mr(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function pe({columns:e,rows:t,rowKey:n,href:r,label:i}){let[o,s]=se(null),a=o===null?void 0:e[o]?.sort,f=a?[...t].sort((_,d)=>mr(a(_),a(d))):t,p=(_,d)=>{let c=o!==d?"none":_.isNumber?"descending":"ascending",m=_.sort?u`<button class="plain" onClick=${()=>s(d)}>${_.name}</button>`:_.name;return u`<th
      class=${_.isNumber?"n":""}
      title=${_.title}
      scope="col"
      aria-sort=${_.sort?c:void 0}
    >
      ${m}
    </th>`},l=(_,d,c)=>{let m=d.cell(_);return u`<td class=${(d.isNumber?"n ":"")+(d.className??"")}>
      ${r&&c===0?u`<a href=${r(_)}>${m}</a>`:m}
    </td>`};return u`<div class="scroll" tabindex="0" role="region" aria-label=${i}>
    <table>
      <thead>
        <tr>
          ${e.map(p)}
        </tr>
      </thead>
      <tbody>
        ${f.map(_=>u`<tr key=${n(_)} class=${r?"opens":""}>
              ${e.map((d,c)=>l(_,d,c))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var $n=e=>e.slice(0,19).replace("T"," "),hr=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Fe=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,yn=(e,t)=>u`${T(e)} <span class="dim">of ${T(t)}</span>`,gr=[{name:"service",cell:e=>u`<b>${e.service}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>$n(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?u`${k(Fe(e))}, running`:k(Fe(e)),isNumber:!0,sort:Fe},{name:"contexts kept",cell:e=>yn(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>yn(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>u`${q(e.bytes_out)} <span class="dim">of ${q(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>hr(e)?u`<b class="missing">yes</b>`:u`<span class="dim">no</span>`}];function vr(){let{params:e}=x.value,{from:t,to:n}=ue.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let p of["service","instance"]){let l=e.get(p);l!==null&&r.set(p,l)}let i=U("recordings",r),o=O(i),s=o.data?.recordings??[],a=u`<${G} of=${o.data} /><${D} url=${i} />`;return u`<${B}>
    <${L} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${a} answer=${o}>
      ${s.length>0&&u`<${pe}
          label="Recordings"
          columns=${gr}
          rows=${s}
          rowKey=${p=>p.id}
          href=${p=>C(["r",p.id])}
        />`}
      ${o.data&&s.length===0&&u`<${Be} />`}
    <//>
  <//>`}var br=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>T(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>T(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>q(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>q(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>u`<${vt} of=${gt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Q(e,t){return u`<span><b>${e}</b>${t}</span>`}function yr({of:e}){let t=e.contexts_in?Z(e.contexts_out/e.contexts_in):"";return u`<div class="facts">
    ${Q(e.is_running?"running":"ended",`${k(Fe(e))} since ${$n(e.start)} UTC`)}
    ${Q(t,`of ${T(e.contexts_in)} contexts kept`)}
    ${Q(T(e.events_out),`of ${T(e.events_in)} events kept`)}
    ${Q(q(e.bytes_out),`of ${q(e.bytes_in)} kept`)}
    ${Q(q(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Q(k(e.waiting.duration_ns),`not compacted yet, ${q(e.waiting.journal_bytes)}`)}
    ${Q(e.jvm_version,e.jvm_name)} ${Q(e.pid,`process, on ${e.instance}`)}
  </div>`}var $r={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk"};function xr({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?u`<span class="dim">Nothing.</span>`:u`<ul>
        ${t.map(([n,r])=>u`<li>${T(r)} ${$r[n]??n}</li>`)}
      </ul>`}function wr({service:e}){let t=U("policies/"+encodeURIComponent(e),new URLSearchParams),n=O(t,z.value),{data:r}=n,i=o=>Object.entries(o.settings).map(([s,a])=>`${s}=${a}`);return u`<${L}
    title="Policy"
    note=${r&&(r.file??"none: the JVM's own settings")}
    tools=${u`<${D} url=${t} />`}
    answer=${n}
  >
    ${r?.refused&&u`<p class="missing">${r.refused.problem}</p>`}
    ${r&&r.events.length>0&&u`<${pe}
        label="Policy"
        rows=${r.events}
        rowKey=${o=>o.event}
        columns=${[{name:"event",cell:o=>o.event},{name:"settings",cell:o=>i(o).join(", "),className:"w"}]}
      />`}
  <//>`}function kr({id:e}){let t=U("recordings/"+encodeURIComponent(e),new URLSearchParams),n=O(t,z.value),{data:r}=n,i=[{name:r?`${r.service}, ${r.instance}`:e}],o=u`<a href=${bn(e)} download>download .jfr</a><${D} url=${t} />`,s=r?gt(r.types):[];return u`<${B} crumbs=${i}>
    <${L} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&u`<${yr} of=${r} />`}
      ${n.status===404&&u`<${E} title="This collector has no such recording">
          <a href=${C(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&u`<${L}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          <${vt} of=${s} />
        <//>
        <${L} title="Lost" note="what is missing, and should not be"
          ><${xr} of=${r}
        /><//>
        <${L} title="Event types">
          <${pe}
            label="Event types"
            columns=${br}
            rows=${Object.entries(r.types).sort((a,f)=>f[1].bytes_in-a[1].bytes_in)}
            rowKey=${([a])=>a}
          />
        <//>
        <${wr} service=${r.service} />`}
  <//>`}function xn(){let e=x.value.path[1];return e===void 0?u`<${vr} />`:u`<${kr} id=${e} />`}var Sr={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},unaccounted:{name:"not accounted",token:"none"}};function oe(e){let t=e.startsWith("other: ")?e.slice(7):e;return Sr[e]??{name:t,token:"other"}}function He({category:e}){return u`<span
    class="dot"
    style=${{background:`var(--${oe(e).token})`}}
  ></span>`}function kn({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${oe(e).token})`;return u`<div class="bar" style=${{width:n,background:r}}></div>`}var wn=120,bt=22;function Sn({values:e,label:t}){let n=e.reduce((o,s)=>Math.max(o,s??0),1),r="",i=!1;return e.forEach((o,s)=>{if(o===null){i=!1;return}let a=(s+.5)/e.length*wn,f=bt-1-o/n*(bt-3);r+=`${i?"L":"M"}${a.toFixed(1)} ${f.toFixed(1)}`+(i?"":"h1"),i=!0}),u`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${wn} ${bt}"
  >
    <path d=${r} />
  </svg>`}var Rn=e=>e===null?"":k(e);function Rr(e){return[{name:"service",cell:n=>u`<b>${n.service}</b>`,sort:n=>n.service},{name:"JVMs",cell:n=>T(n.jvms),isNumber:!0,sort:n=>n.jvms},{name:"contexts/s",title:"of all types together",cell:n=>T(Number((n.contexts_in/e).toPrecision(3))),isNumber:!0,sort:n=>n.contexts_in},{name:"median",cell:n=>Rn(n.p50_ns),isNumber:!0,sort:n=>n.p50_ns??-1},{name:"p99",cell:n=>u`<b>${Rn(n.p99_ns)}</b>`,isNumber:!0,sort:n=>n.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:n=>n.contexts_in?Z(n.contexts_out/n.contexts_in):"",isNumber:!0,sort:n=>n.contexts_out},{name:"most time of the kept",cell:({top:n})=>n&&u`<${He} category=${n.category} />${oe(n.category).name}
      <span class="dim"> ${Z(n.share)}</span>`},{name:"p99 over time",cell:n=>u`<${Sn} values=${n.spark} label=${`p99 of ${n.service} over time`} />`}]}function Pn(){let{from:e,to:t}=ue.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=U("services",n),i=O(r),o=i.data?.services??[],s=Math.max(1,Number(t-e)/1e9),a=u`<${pe}
    label="Services"
    columns=${Rr(s)}
    rows=${o}
    rowKey=${l=>l.service}
    href=${l=>C(["s",l.service])}
  />`,f=i.data!==null&&o.length===0,p=u`<${G} of=${i.data} /><${D} url=${r} />`;return u`<${B}>
    <${L} title="Services" note="by all their contexts" tools=${p} answer=${i}>
      ${o.length>0&&a} ${f&&u`<${Be} />`}
    <//>
  <//>`}var Pr=3;function Nr(e,t){let n=e.slices.find(r=>r.category===t);return k(e.requests?(n?.total_ns??0)/e.requests:0)}function Tr({slice:e,of:t,largest:n,base:r}){let i=e.total_ns/t.requests,o=e.top.slice(0,Pr).filter(s=>s.total_ns>0);return u`<tr title=${`${k(e.total_ns)} in all, ${T(e.events)} events`}>
      <th scope="row"><${He} category=${e.category} />${oe(e.category).name}</th>
      <td class="fill"><${kn} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${k(i)}</td>
      ${r&&u`<td class="n dim">${Nr(r,e.category)}</td>`}
      <td class="n dim">${Z(e.total_ns/Math.max(1,t.total_ns))}</td>
    </tr>
    ${o.map(s=>u`<tr class="frame" title=${s.frame}>
          <td colspan="2">${dn(s.frame)}</td>
          <td class="n">${k(s.total_ns/t.requests)}</td>
          ${r&&u`<td></td>`}
          <td class="n dim">${Z(s.total_ns/Math.max(1,t.total_ns))}</td>
        </tr>`)}`}function Cr({of:e,base:t}){let n=e.slices.reduce((r,i)=>Math.max(r,i.total_ns),1);return u`<table class="why">
    <thead>
      <tr>
        <th scope="col">time went to</th>
        <th></th>
        <th scope="col" class="n">each</th>
        ${t&&u`<th scope="col" class="n" title="each of those to compare with">base</th>`}
        <th scope="col" class="n">share</th>
      </tr>
    </thead>
    <tbody>
      ${e.slices.map(r=>u`<${Tr}
            key=${r.category}
            slice=${r}
            of=${e}
            largest=${n}
            base=${t}
          />`)}
    </tbody>
  </table>`}function Nn({query:e,base:t=null,tick:n}){let r=U("why",e),i=O(r,n),o=O(t&&U("why",t),n),{data:s}=i,a=u`<${G} of=${s} /><${D} url=${r} />`,f=s&&s.requests>0?`mean of ${T(s.requests)} contexts, ${k(s.total_ns/s.requests)} each`:"";return u`<${L}
    title="Why"
    note=${f}
    tools=${a}
    answer=${i}
    className="why-panel"
  >
    ${s&&s.requests>0&&u`<${Cr} of=${s} base=${t&&o.data} />`}
    ${s?.requests===0&&u`<${E} title="No kept context is in this selection" />`}
  <//>`}function Ur({columns:e,rows:t,recordings:n},r){let i=(o,s)=>o[e.indexOf(s)]??null;return t.map(o=>{let s=String(i(o,"recording")),a=e.flatMap((f,p)=>f.startsWith("attr.")&&o[p]!==null&&o[p]!==r?[`${f.slice(5)}=${o[p]}`]:[]);return{recording:s,id:String(i(o,"id")),type:String(i(o,"type")),service:n[s]?.service??"",instance:n[s]?.instance??"",thread:String(i(o,"thread")??""),start:Number(i(o,"start")),duration:Number(i(o,"duration")),blocked:Number(i(o,"blocked")),attributes:a.join(" ")}})}function Lr({rows:e}){let t=e.reduce((r,i)=>Math.max(r,i.start+i.duration),1),n=r=>`${100*r/t}%`;return u`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${k(t)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(r=>u`<tr class="opens" key=${r.recording+r.id}>
              <td title=${`${r.instance}, ${r.thread}`}>
                <a href=${C(["c",r.recording,r.id])}><b>${r.service}</b></a>
                <small class="dim"> ${r.thread}</small>
              </td>
              <td title=${r.attributes}>
                ${pn(r.type)} <small class="dim">${r.attributes}</small>
              </td>
              <td class="n dim">+${k(r.start)}</td>
              <td class="n">${k(r.duration)}</td>
              <td
                class="axis"
                title=${`${k(r.blocked)} of ${k(r.duration)} blocked`}
              >
                <div
                  class="span"
                  style=${{marginLeft:n(r.start),width:n(r.duration)}}
                >
                  <div
                    style=${{width:`${100*r.blocked/Math.max(1,r.duration)}%`}}
                  ></div>
                </div>
              </td>
            </tr>`)}
      </tbody>
    </table>
  </div>`}var Mr=e=>e===null?"":fe(BigInt(e));function Tn({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Mr(n)}`;return u`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Ar({of:e}){return e.state==="eliminated"?u`<${E} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Tn} of=${e} />
      <//>`:u`<${E} title="Not seen">
        No context of this trace is known here. <${Tn} of=${e} />
      <//>`}function Cn(){let e=x.value.path[1]??"",t=U("traces/"+encodeURIComponent(e),new URLSearchParams),n=O(t,z.value),{data:r}=n,i=r?Ur(r,e):[],o=new URLSearchParams({trace:e}),s=BigInt(r?.t0_ns??"0"),a=new Set(i.map(_=>_.service)).size,f=new Set(i.map(_=>_.recording)).size,p=u`<${G} of=${r} />
    ${i.length>0&&u`<${vn} query=${o} />`} <${D} url=${t} />`,l=i.length>0&&`${i.length} contexts kept, ${a} services, ${f} JVMs, from ${fe(s)}`;return u`<${B} crumbs=${[{name:`trace ${e}`}]}>
    <${L} title="Trace" note=${l} tools=${p} answer=${n}>
      ${i.length>0&&u`<${Lr} rows=${i} />`}
      ${r&&i.length===0&&u`<${Ar} of=${r} />`}
    <//>
    ${i.length>0&&u`<${Nn} query=${Er(o,s,i)} tick=${z.value} />`}
  <//>`}function Er(e,t,n){let r=n.reduce((o,s)=>Math.max(o,s.start),0),i=new URLSearchParams(e);return i.set("from",String(t)),i.set("to",String(t+BigInt(Math.ceil(r))+1n)),i}function Or([e]){switch(e){case void 0:return Pn;case"r":return xn;case"t":return Cn;default:return mn}}function jr(){let{path:e}=x.value;return u`<${Or(e)} key=${e.join("/")} />`}tn();ln();un();A(()=>{document.title=[...x.value.path.slice(-1),"Loupe"].join(" \xB7 ")});Mt(u`<${jr} />`,document.body);})();
