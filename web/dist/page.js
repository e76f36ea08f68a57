"use strict";(()=>{var $,Et,rt,Q,tt,Oe,Ut,Ue,Mt,ot,nt,Kn,be=Symbol.for("pv"),je={},Ie=[],zn=/^m(i|n|o|s|text|space)$/,it=Array.isArray,st=Ie.slice,le=Object.assign;function ae(e){e&&e.parentNode&&e.remove()}function De(e,t,n){var r,i,o,s={},a=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?i=t[o]:s[o]=t[o];return a>2&&(s.children=a>3?st.call(arguments,2):n),$e(e,s,r,i,null)}function $e(e,t,n,r,i){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:be,__v:i||++Et,__i:-1,__u:0};return!i&&$.vnode&&$.vnode(o),o}function ce(e){return e.children}function fe(e,t){this.props=e,this.context=t,this.__g=0}function Y(e,t){if(t==null)return e.__&&Y(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Y(e)}function Gn(e){var t,n=e.__v,r=n.__e,i=[],o=[],s=e.__P;s&&((t=le({constructor:be},n)).__v=n.__v+1,$.vnode&&$.vnode(t),at(s,t,n,e.__n,s.namespaceURI,32&n.__u?[r]:null,i,r||Y(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,Wt(i,t,o),n.__=n.__e=null,t.__e!=r&&Ot(t))}function Ot(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ot(e)}function Lt(e){(8&e.__g||(e.__g|=8,Q.push(e),Oe++))&&tt==$.debounceRendering||((tt=$.debounceRendering)||queueMicrotask)(jt)}function jt(){try{for(var e,t=1;Q.length;)Q.length>t&&Q.sort(Ut),e=Q.shift(),t=Q.length,8&e.__g&&Gn(e)}finally{(Oe=Q.length)&&(tt||queueMicrotask)(jt)}}function It(e,t,n,r,i,o,s,a,p,f,u){var d,m,c,_,R,v,y=r.__k||Ie,g=t.length;for(p=Zn(n,t,y,p,g),d=0;d<g;d++)(c=n.__k[d])!=null&&(m=~c.__i&&y[c.__i]||je,c.__i=d,v=at(e,c,m,i,o,s,a,p,f,u),_=c.__e,(m.ref!=c.ref||8&m.__u)&&(m.ref&&lt(m.ref,null,c,m),c.ref&&u.push(c.ref,c.__c||_,c)),R=R||_,4&c.__u?(p=Dt(c,p,e,!m.__v),m.__e&&(m.__e=null)):typeof c.type=="function"&&v!==void 0?p=v:_&&(p=_.nextSibling),c.__u&=-21);return n.__e=R,p}function Zn(e,t,n,r,i){var o,s,a,p,f,u,d,m,c,_=n.length,R=_,v=0,y=0,g=e.__k=Array(i);for(o=0;o<i;o++)(s=t[o])!=null&&typeof s!="boolean"&&typeof s!="function"?(typeof s!="object"||s.constructor===String?s=g[o]=$e(null,s):it(s)?s=g[o]=$e(ce,{children:s}):s.constructor===be&&s.__b?s=g[o]=$e(s.type,s.props,s.key,s.ref,s.__v):g[o]=s,p=o+v,s.__=e,s.__b=e.__b+1,a=null,~(f=s.__i=Qn(s,n,p,R))&&(R--,(a=n[f])&&(a.__u|=2)),a&&a.__v?(s.__u|=16,f==p-1?v--:f==p+1?v++:f!=p&&(f>p?v--:v++,y=1)):(~f||(i>_?v--:i<_&&v++),typeof s.type!="function"&&(s.__u|=4))):g[o]=null;if(y){for(u=[],d=[],o=0;o<i;o++)if((s=g[o])&&16&s.__u){for(v=0,m=u.length;v<m;)u[c=v+m>>1]<s.__i?v=c+1:m=c;u[v]=s.__i,d[o]=v+1}for(v=u.length;o--;)d[o]&&(d[o]==v?v--:g[o].__u|=4)}if(R)for(o=0;o<_;o++)!(a=n[o])||2&a.__u||(a.__e==r&&(r=Y(a)),ct(a,a));return r}function Dt(e,t,n,r){var i,o,s,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(o=0;o<i.length;o++)i[o]&&(i[o].__=e,t=Dt(i[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Y(e))&&!t.parentNode&&(t=null),s=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(s!=a&&(!r&&n.moveBefore&&s.parentNode?n.moveBefore(s,t):n.insertBefore(s,t||null)),t=s;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Qn(e,t,n,r){var i,o=e.key,s=e.type,a=t[n],p=a&&!(2&a.__u);if(a===null&&o==null||p&&o==a.key&&s==a.type)return n;if(r>(p?1:0)){for(i=n-1;i>=0;i--)if((a=t[i])&&!(2&a.__u)&&o==a.key&&s==a.type)return i;for(i=n+1;i<t.length;i++)if((a=t[i])&&!(2&a.__u)&&o==a.key&&s==a.type)return i}return-1}function At(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ee(e,t,n,r,i){var o,s;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||At(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||At(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(s=nt[t]||(nt[t]=Yn(t)),(e.__a||(e.__a={}))[t]=ot,o=t!=(t=t.replace(Mt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,s,o):e.removeEventListener(t,s,o));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Yn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ue]==null)t[Ue]=ot++;else if(t[Ue]<this.__a[e])return;return n($.event?$.event(t):t)}}}function at(e,t,n,r,i,o,s,a,p,f){var u,d,m,c,_,R,v,y,g,S,w,ve,Nt,Ae,ie,Pt,Z,se,J=t.type;if(t.constructor!==be)return null;128&n.__u&&(p=32&n.__u,u=n.__c.__z)&&(t.__u|=p,d=o=[],u.nodeType==8?a=Me(u,o):o.push(u),a=o[0]||a),(u=$.__b)&&u(t);e:if(typeof J=="function"){m=s.length;try{if(y=t.props,g=(u=J.prototype)&&u.render,S=(u=J.contextType)&&r[u.__c],w=u?S?S.props.value:u.__:r,(c=n.__c)?(t.__c=c,2&c.__g&&(c.__g|=1)):(g?t.__c=c=new J(y,w):(t.__c=c=new fe(y,w),c.constructor=J,c.render=er),S&&S.sub(c),c.state||(c.state={}),c.__n=r,c.__g|=8,c.__h=[],c.__k=[]),g&&(c.__s||(c.__s=c.state),J.getDerivedStateFromProps&&(c.__s==c.state&&(c.__s=le({},c.__s)),le(c.__s,J.getDerivedStateFromProps(y,c.__s)))),_=c.props,R=c.state,c.__v=t,n.__c){if(y!==_&&g&&!J.getDerivedStateFromProps&&c.componentWillReceiveProps&&c.componentWillReceiveProps(y,w),t.__v==n.__v&&!(8&c.__g)||!(4&c.__g)&&c.shouldComponentUpdate&&c.shouldComponentUpdate(y,c.__s,w)===!1){t.__v!=n.__v&&(c.props=y,c.state=c.__s,c.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(j){j&&(j.__=t)}),Ie.push.apply(c.__h,c.__k),c.__k=[],c.__h.length&&s.push(c),a=Y(n);break e}c.componentWillUpdate&&c.componentWillUpdate(y,c.__s,w),g&&c.componentDidUpdate&&c.__h.push(function(){c.componentDidUpdate(_,R,v)})}else g&&!J.getDerivedStateFromProps&&c.componentWillMount&&c.componentWillMount(),g&&c.componentDidMount&&c.__h.push(c.componentDidMount);c.context=w,c.props=y,c.__P=e,c.__g&=-5,ve=$.__r,Nt=g?25:0;do c.__g&=-9,ve&&ve(t),u=c.render(c.props,c.state=c.__s,c.context);while(8&c.__g&&++Nt<25);g&&(Ie.push.apply(c.__h,c.__k),c.__k=[]),c.state=c.__s,c.getChildContext&&(r=le({},r,c.getChildContext())),g&&n.__c&&c.getSnapshotBeforeUpdate&&(v=c.getSnapshotBeforeUpdate(_,R)),Ae=u&&u.type===ce&&u.key==null?u.props.children:u,y.__P&&(u=a,i=(e=y.__P).namespaceURI,p=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(j){j&&ct(j,j)}),n.__k=null),a=n.__k?Y(n,0):null),a=It(e,it(Ae)?Ae:[Ae],t,n,r,i,o,s,a,p,f),y.__P&&(t.__e=null,a=u),t.__u&=-161,d&&d.some(ae),c.__h.length&&s.push(c),1&c.__g&&(c.__g&=-4)}catch(j){if(s.length=m,t.__v=null,p||o)if(j&&j.then){if(t.__u|=128|p,o){for(~(Z=o.indexOf(a||void 0))||(Z=o.length);(se=o[Z-1])&&se.nodeType==8;)Z--;for(;Z<o.length;Z++)if(se=o[Z])if(o[Z]=null,ie){if(se==Pt)break}else{if(se.nodeType!=8)break;se.data.startsWith("$s")&&(Pt=Me(ie=se))}}if(!ie){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;ie=a}(u=Me(ie=t.__c.__z||(t.__c.__z=ie)))?(t.__e=ie,a=u):t.__e=a,a=a&&a.nextSibling}else o&&o.some(ae);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),j&&j.then||Vt(t),$.__e(j,t,n)}}else a=t.__e=Xn(n.__e,t,n,r,i,o,s,p,f,e);return(u=$.diffed)&&u(t),a}function Me(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Vt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Vt))}function Wt(e,t,n){for(var r=0;r<n.length;)lt(n[r++],n[r++],n[r++]);$.__c&&$.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(o){o.call(i)})}catch(o){$.__e(o,i.__v)}})}function Xn(e,t,n,r,i,o,s,a,p,f){var u,d,m,c,_,R,v,y,g=n.props||je,S=t.props,w=t.type;if(w=="svg"?i="http://www.w3.org/2000/svg":w=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),o){for(u=0;u<o.length;u++)if((_=o[u])&&(w?_.localName==w:_.nodeType==3)){e=_,o[u]=null;break}}if(!e){if(y=f.ownerDocument||document,!w)return y.createTextNode(S);e=y.createElementNS(i,w,S.is?S:f),a&&($.__m&&$.__m(t,o),a=!1),o=null}if(w){if(f=w=="template"&&e.content||e,o=w=="textarea"&&S.defaultValue!=null?null:o&&st.call(f.childNodes),!a&&o)for(g={},u=0;u<e.attributes.length;u++)g[(_=e.attributes[u]).name]=_.value;for(u in g)_=g[u],u=="dangerouslySetInnerHTML"?m=_:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in S||Ee(e,u,null,_,i);for(u in S)_=S[u],u=="children"?c=_:u=="dangerouslySetInnerHTML"?d=_:u=="value"?R=_:u=="checked"?v=_:a&&typeof _!="function"||g[u]===_||Ee(e,u,_,g[u],i);d?(a||m&&(d.__html==m.__html||d.__html==e.innerHTML)||(e.innerHTML=d.__html),t.__k=[]):(m&&(e.textContent=""),(w=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&zn.test(w))&&(i="http://www.w3.org/1999/xhtml"),It(f,it(c)?c:[c],t,n,r,i,o,s,o?o[0]:n.__k&&Y(n,0),a,p),o&&o.some(ae)),a&&w!="textarea"||(u="value",w=="progress"&&R==null?e.removeAttribute(u):R==null||R===e[u]&&(w!="progress"||R)||Ee(e,u,R,g[u],i),u="checked",v!=null&&v!=e[u]&&Ee(e,u,v,g[u],i))}else g===S||a&&e.data==S||(e.data=S);return e}function lt(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){$.__e(i,n)}}function ct(e,t,n){var r,i,o,s;if($.unmount&&$.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||lt(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){$.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&ct(r[s],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(i=Me(r,o=[]))&&(r==e.__e&&o.some(ae),ae(i),ae(r)),n||ae(e.__e),e.__e=e.__c=e.__=null}function er(e,t,n){return this.constructor(e,n)}function Ft(e,t){var n,r,i,o;$.__&&$.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=$e(ce,{children:[e]}),i=[],o=[],at(t,t.__k,r||je,je,t.namespaceURI,r?null:t.firstChild?st.call(t.childNodes):null,i,r?r.__e:t.firstChild,n,o),Wt(i,t.__k,o),t.__k.props.children=null}$={__e:function(e,t,n,r){for(var i,o,s;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((s=(o=i.constructor)&&o.getDerivedStateFromError)&&i.setState(o.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),s=1),s&&8&i.__g)return void(i.__g|=2)}catch(a){e=a}}throw Oe=0,e}},Et=0,rt=function(e){return e!=null&&e.constructor===be},fe.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=le({},this.state)),typeof e=="function"&&(e=e(le({},n),this.props)),e&&(le(n,e),this.__v&&(t&&this.__k.push(t),Lt(this)))},fe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Lt(this))},fe.prototype.render=ce,Q=[],Oe=0,Ut=function(e,t){return e.__v.__b-t.__v.__b},Ue=Symbol(),Mt=/(PointerCapture)$|Capture$/i,ot=0,nt={},Kn=0;var xe,N,ut,Bt,pt=Object.is,ft=0,Yt=[],dt=[],C=$,qt=C.__b,Ht=C.__r,Jt=C.diffed,Kt=C.__c,zt=C.unmount,Gt=C.__;function _t(e,t){C.__h&&C.__h(N,e,ft||t),ft=0;var n=N.__H||(N.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function I(e){return ft=1,tr(en,e)}function tr(e,t,n){var r=_t(xe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):en(void 0,t),function(o){var s=(r.__N||r.__)[0],a=r.t(s,o);pt(s,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=N,!N.__f)){N.__f=!0;var i=N.shouldComponentUpdate;N.shouldComponentUpdate=function(o,s,a){var p=this.__H;if(!p)return!0;var f=!1,u=this.props!=o;if(p.__.some(function(m){m.__N&&(f=!0,pt(m.__[0],m.__N[0])||(u=!0))}),i){var d=i.call(this,o,s,a);return f?d||u:d}return!f||u}}return r.__}function we(e,t){var n=_t(xe++,3);!C.__s&&Xt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,N.__H.__h.push(n))}function ht(e,t){var n=_t(xe++,7);return Xt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function nr(){var e;do{for(;e=dt.shift();)try{ye(e)}catch(n){C.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Yt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ye),t.__h.some(mt),t.__h=[]}catch(n){t.__h=[],C.__e(n,e.__v)}}}while(dt.length)}C.__b=function(e){N=null,qt&&qt(e)},C.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Gt&&Gt(e,t)},C.__r=function(e){Ht&&Ht(e),xe=0;var t=(N=e.__c).__H;t&&(ut==N?N.__h=[]:(t.__h.some(ye),t.__h.some(mt),xe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ut=N},C.diffed=function(e){Jt&&Jt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Qt(Yt.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ut=N=null},C.__c=function(e,t){t.some(function(n){try{n.__h.some(ye),n.__h=n.__h.filter(function(r){return!r.__||mt(r)})}catch(r){n.__h=[function(){throw r}]}}),Kt&&Kt(e,t)},C.unmount=function(e){zt&&zt(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(i){try{if(i.__P&&i.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}i.__P=n,Qt(dt.push(i))}else ye(i)}catch(o){t=o}}),r.__H=void 0,t&&C.__e(t,r.__v))};var Zt=typeof requestAnimationFrame=="function";function rr(e){var t,n=function(){clearTimeout(r),Zt&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Zt&&(t=requestAnimationFrame(n))}function Qt(e){e!=1&&Bt==C.requestAnimationFrame||((Bt=C.requestAnimationFrame)||rr)(nr)}function ye(e){var t=N,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),N=t}function mt(e){var t=N;e.__c=e.__(),N=t}function Xt(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!pt(n,e[r])})}function en(e,t){return typeof t=="function"?t(e):t}var or=Symbol.for("preact-signals");function Be(){if(K>1)K--;else{var e,t=!1;for((function(){var i=We;for(We=void 0;i!==void 0;){var o=i.S;if(o.v===i.v)for(var s=o.t;s!==void 0;s=s.x)s.i===i.i&&(s.i=o.i);i=i.o}})();Se!==void 0;){var n=Se;for(Se=void 0,Ve++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&nn(n))try{n.c()}catch(i){t||(e=i,t=!0)}n=r}}if(Ve=0,K--,t)throw e}}function vt(e){if(K>0)return e();gt=++ir,K++;try{return e()}finally{Be()}}var ke,k=void 0;function Te(e){var t=k,n=ke;k=void 0,ke=void 0;try{return e()}finally{k=t,ke=n}}var Se=void 0,K=0,Ve=0,ir=0,gt=0,We=void 0,Fe=0;function tn(e){if(k!==void 0){var t=e.n;if(t===void 0||t.t!==k)return t={i:0,S:e,p:k.s,n:void 0,t:k,e:void 0,x:void 0,r:t},k.s!==void 0&&(k.s.n=t),k.s=t,e.n=t,32&k.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=k.s,t.n=void 0,k.s.n=t,k.s=t),t}}function P(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}P.prototype.brand=or;P.prototype.h=function(){return!0};P.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Te(function(){var r;(r=t.W)==null||r.call(t)}))};P.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Te(function(){var i;(i=t.Z)==null||i.call(t)}))}};P.prototype.subscribe=function(e){var t=this;return D(function(){var n=t.value;Te(function(){return e(n)})},{name:"sub"})};P.prototype.valueOf=function(){return this.value};P.prototype.toString=function(){return this.value+""};P.prototype.toJSON=function(){return this.value};P.prototype.peek=function(){var e=this;return Te(function(){return e.value})};Object.defineProperty(P.prototype,"value",{get:function(){var e=tn(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Ve>100)throw new Error("Cycle detected");(function(n){K!==0&&Ve===0&&n.l!==gt&&(n.l=gt,We={S:n,v:n.v,i:n.i,o:We})})(this),this.v=e,this.i++,Fe++,K++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Be()}}}});function q(e,t){return new P(e,t)}function nn(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function rn(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function on(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function ue(e,t){P.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Fe-1,this.f=4}ue.prototype=new P;ue.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Fe))return!0;if(this.g=Fe,this.f|=1,this.i>0&&!nn(this))return this.f&=-2,!0;var e=k;try{rn(this),k=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return k=e,on(this),this.f&=-2,!0};ue.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}P.prototype.S.call(this,e)};ue.prototype.U=function(e){if(this.t!==void 0&&(P.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ue.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ue.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=tn(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function X(e,t){return new ue(e,t)}function sn(e){var t=e.j;if(e.j=void 0,typeof t=="function"){K++;var n=k;k=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,$t(e),r}finally{k=n,Be()}}}function $t(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,sn(e)}function sr(e){if(k!==this)throw new Error("Out-of-order effect");on(this),k=e,this.f&=-2;try{8&this.f&&$t(this)}finally{Be()}}function de(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,ke&&ke.push(this)}de.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};de.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,sn(this),rn(this),K++;var e=k;return k=this,sr.bind(this,e)};de.prototype.N=function(){2&this.f||(this.f|=2,this.u=Se,Se=this)};de.prototype.d=function(){this.f|=8,1&this.f||$t(this)};de.prototype.dispose=function(){this.d()};function D(e,t){var n=new de(e,t);try{n.c()}catch(i){throw n.d(),i}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var an,He,qe,ar=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var ln=[];D(function(){an=this.N})();function me(e,t){$[e]=t.bind(null,$[e]||function(){})}function Re(e){if(qe){var t=qe;qe=void 0,t()}qe=e&&e.S()}function cn(e){var t=this,n=e.data,r=cr(n);r.name="ReactiveDom",r.value=n;var i=ht(function(){for(var a=t,p=t.__v;p=p.__;)if(p.__c){p.__c.__$f|=4;break}var f=X(function(){var c=r.value.value;return c===0?0:c===!0?"":c||""}),u=X(function(){return!Array.isArray(f.value)&&!rt(f.value)}),d=D(function(){if(this.N=un,u.value){var c=f.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=c)}}),m=t.__$u.d;return t.__$u.d=function(){d(),m.call(this)},[u,f]},[]),o=i[0],s=i[1];return o.value?s.peek():s.value}cn.displayName="ReactiveTextNode";Object.defineProperties(P.prototype,{constructor:{configurable:!0,value:De(ce,null).constructor},type:{configurable:!0,value:cn},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});me("__b",function(e,t){if(Re(),He=void 0,typeof t.type=="string"){var n,r=t.props;for(var i in r)if(i!=="children"){var o=r[i];o instanceof P&&(n||(t.__np=n={}),n[i]=o,r[i]=o.peek())}}e(t)});me("__r",function(e,t){if(e(t),t.type!==ce){Re();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(i,o){var s;return D(function(){s=this},{name:o}),s.c=i,s})((function(i){return function(){var o;ar&&((o=this.y)==null||o.call(this)),i.__$f|=1,i.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),He=r,Re(n)}});me("__e",function(e,t,n,r){Re(),He=void 0,e(t,n,r)});me("diffed",function(e,t){Re(),He=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,i=t.props,o=n.U;if(o)for(var s in o){var a=o[s];a===void 0||r&&s in r||(a.d(),o[s]=void 0)}if(r){o||(o={},n.U=o);for(var p in r){var f=o[p],u=r[p];f===void 0?(f=lr(n,p,u,i),o[p]=f):f.o(u,i)}}}e(t)});function lr(e,t,n,r){var i=t in e&&e.ownerSVGElement===void 0,o=q(n);return{o:function(s,a){o.value=s,r=a},d:D(function(){this.N=un;var s=o.value.value;r[t]!==s&&(r[t]=s,i?e[t]=s:s!=null&&(s!==!1||t[4]==="-")?e.setAttribute(t,s):e.removeAttribute(t))})}}me("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var i in r){var o=r[i];o&&o.d()}}}var s=t.__np;if(s){var a=t.props;for(var p in s)a[p]=s[p]}t.__np=void 0}else{var f=t.__c;if(f){f.__$f|=8;var u=f.__$u;u&&(f.__$u=void 0,u.d())}}e(t)});me("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});fe.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var i in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var o=2&this.__$f;if(!(r||o||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var s in e)if(s!=="__source"&&e[s]!==this.props[s])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function cr(e,t){return ht(function(){return q(e,t)},[])}var ur=function(e){queueMicrotask(function(){queueMicrotask(e)})};function pr(){vt(function(){for(var e;e=ln.shift();)an.call(e)})}function un(){ln.push(this)===1&&($.requestAnimationFrame||ur)(pr)}function bt(){return{path:location.pathname.split("/").filter(t=>t!=="").map(decodeURIComponent),params:new URLSearchParams(location.search)}}var h=q({path:[],params:new URLSearchParams});function _e(...e){return"/"+e.map(encodeURIComponent).join("/")}function z(e,t){let n=new URLSearchParams(e);for(let[r,i]of Object.entries(t)){n.delete(r);for(let o of i===null?[]:typeof i=="string"?[i]:i)n.append(r,o)}return n}function V(e,t){let n=t.toString();return n===""?e:e+"?"+n}function Je(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),h.value=bt()}function ee(e,t=!1){Je(V(location.pathname,z(h.value.params,e)),t)}function Ke(e){return V(_e(...h.value.path),z(h.value.params,e))}function fr(e){let t=new URLSearchParams;for(let n of["from","to","last","live"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function E(e,t={}){return V(_e(...e),z(fr(h.value.params),t))}function dr(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let r=!/^\/(api|speedscope|metrics)(\/|$)/.test(t.pathname);t.origin===location.origin&&r&&(e.preventDefault(),Je(t.pathname+t.search),scrollTo(0,0))}function pn(){addEventListener("popstate",()=>h.value=bt()),addEventListener("click",dr),h.value=bt()}var dn=function(e,t,n,r){var i;t[0]=0;for(var o=1;o<t.length;o++){var s=t[o++],a=t[o]?(t[0]|=s?1:2,n[t[o++]]):t[++o];s===3?r[0]=a:s===4?r[1]=Object.assign(r[1]||{},a):s===5?(r[1]=r[1]||{})[t[++o]]=a:s===6?r[1][t[++o]]+=a+"":s?(i=e.apply(a,dn(e,a,n,["",null])),r.push(i),a[0]?t[0]|=2:(t[o-2]=0,t[o]=i)):r.push(a)}return r},fn=new Map;function mn(e){var t=fn.get(this);return t||(t=new Map,fn.set(this,t)),(t=dn(this,t.get(e)||(t.set(e,t=(function(n){for(var r,i,o=1,s="",a="",p=[0],f=function(m){o===1&&(m||(s=s.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,m,s):o===3&&(m||s)?(p.push(3,m,s),o=2):o===2&&s==="..."&&m?p.push(4,m,0):o===2&&s&&!m?p.push(5,0,!0,s):o>=5&&((s||!m&&o===5)&&(p.push(o,0,s,i),o=6),m&&(p.push(o,m,0,i),o=6)),s=""},u=0;u<n.length;u++){u&&(o===1&&f(),f(u));for(var d=0;d<n[u].length;d++)r=n[u][d],o===1?r==="<"?(f(),p=[p],o=3):s+=r:o===4?s==="--"&&r===">"?(o=1,s=""):s=r+s[0]:a?r===a?a="":s+=r:r==='"'||r==="'"?a=r:r===">"?(f(),o=1):o&&(r==="="?(o=5,i=s,s=""):r==="/"&&(o<5||n[u][d+1]===">")?(f(),o===3&&(p=p[0]),o=p,(p=p[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(f(),o=2):s+=r),o===3&&s==="!--"&&(o=4,p=p[0])}return f(),p})(e)),t),arguments,[])).length>1?t:t[0]}var l=mn.bind(De);var Ge=["5m","15m","1h","6h","1d","7d","30d"],_n="1h",mr=5e3,_r={s:1,m:60,h:3600,d:86400},hn=()=>BigInt(Date.now())*1000000n,U=q(hn());function yt(){U.value=hn()}function gn(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*_r[t[2]])*1000000000n:null}function ze(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],i=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(i)?null:BigInt(i)*1000000n+BigInt(n.padEnd(9,"0"))}var Ce=X(()=>{let e=h.value.params.get("last")??_n;return gn(e)===null?_n:e}),Ze=X(()=>h.value.params.get("live")==="1"),W=X(()=>{let{params:e}=h.value,t=ze(e.get("to")??"")??U.value;return{from:ze(e.get("from")??"")??t-gn(Ce.value),to:t}});function vn(){let e=0;D(()=>{clearInterval(e),Ze.value&&(e=window.setInterval(()=>document.hidden||yt(),mr))})}var hr=q(0),gr=new Map;function $n(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{gr=new Map,hr.value++})}var vr=5,$r=1;function br(e,t){return new Promise(n=>{let r=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function yr(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}async function xr(e,t){for(let n=0;;n++){let r=await fetch(e,{signal:t,headers:{accept:"application/json"}});if(r.ok)return{data:await r.json(),problem:null,status:r.status,isLoading:!1};if(r.status!==503||n===vr)return{data:null,problem:await yr(r),status:r.status,isLoading:!1};let i=Number(r.headers.get("retry-after"))||$r;await br(i*1e3,t)}}function L(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,i]=I(n);return we(()=>{if(e===null){i(n);return}let o=new AbortController;return i(s=>({...s,isLoading:!0})),xr(e,o.signal).then(i,s=>{if(!o.signal.aborted){let a=`the collector cannot be reached: ${String(s)}`;i(p=>({...p,problem:a,status:0,isLoading:!1}))}}),()=>o.abort()},[e,t]),r}function Pe(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function b(e){if(e<0)return"-"+b(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[i,o]of t){let s=e/o;if(s<(i==="s"?99.5:999.5))return(i==="ns"?String(Math.round(s)):Pe(s))+" "+i}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}function G(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Pe(t))+" "+n;t/=1e3}return Pe(t)+" TB"}function x(e){return e<1e6?e.toLocaleString("en-US"):e<9995e5?Pe(e/1e6)+" M":Pe(e/1e9)+" G"}function te(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}var Ne=e=>String(e).padStart(2,"0");function Le(e,t=1e6){let n=new Date(Number(e/1000000n)),r=`${Ne(n.getHours())}:${Ne(n.getMinutes())}`;if(t>=6e10)return r;let i=`${r}:${Ne(n.getSeconds())}`;return t>=1e9?i:`${i}.${String(n.getMilliseconds()).padStart(3,"0")}`}function bn(e){let t=new Date(Number(e/1000000n));return`${t.getFullYear()}-${Ne(t.getMonth()+1)}-${Ne(t.getDate())}`}function ne(e){let t=e/1000000000n;return`${new Date(Number(t)*1e3).toISOString().slice(0,19)}.${String(e%1000000000n).padStart(9,"0")}Z`}function Qe(e){return e.slice(e.lastIndexOf(".")+1)}function Ye(e){return e.split(".").slice(-2).join(".")}var wr={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},unaccounted:{name:"not accounted",token:"none"}};function pe(e){let t=e.startsWith("other: ")?e.slice(7):e;return wr[e]??{name:t,token:"other"}}var kr={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function Xe(e){return(e.startsWith("jdk.")?kr[e.slice(4)]:void 0)??"other: "+e}function Sr({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(i=>({start:BigInt(e)+BigInt(Math.round(Number(i[r]??0))),values:Object.fromEntries(t.map((o,s)=>[o,i[s]??null]))}))}function yn(e,t){let n=`${e} ${String(t)}`,[r,i]=I({key:n,cursor:"",before:[]}),{cursor:o,before:s}=r.key===n?r:{cursor:"",before:[]},a=e&&o?`${e}&cursor=${encodeURIComponent(o)}`:e,p=L(a,t),[f,u]=I([]);we(()=>{p.data&&!p.isLoading&&u([...s,...Sr(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:f,more:d===null?null:()=>i({key:n,cursor:d,before:f})}}var Tr=["recording","instance","context","where","trace","thread","id"];var Rr=["min_duration_ns","max_duration_ns"];function Cr(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function xn(e,t,n){for(let r of n)t.getAll(r).forEach(i=>e.append(r,i))}function wn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}function Nr(e,t,n=""){wn(e,t,n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Pr({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function xt(e,t){let n=new URLSearchParams,r=Pr(e);r!==null&&n.set("service",r),xn(n,e.params,Tr);let i=Cr(e.params.get("box"));return i?Nr(n,i):(wn(n,t),xn(n,e.params,Rr)),n}function T(e,t,n={}){return V("/api/v1/"+e,z(t,n))}function re({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${pe(e).token})`}}
  ></span>`}function Sn({category:e,share:t}){let n=`${Math.max(0,Math.min(1,t))*100}%`,r=`var(--${pe(e).token})`;return l`<div class="bar" style=${{width:n,background:r}}></div>`}var kn=120,wt=22;function Tn({values:e,label:t}){let n=e.reduce((o,s)=>Math.max(o,s??0),1),r="",i=!1;return e.forEach((o,s)=>{if(o===null){i=!1;return}let a=(s+.5)/e.length*kn,p=wt-1-o/n*(wt-3);r+=`${i?"L":"M"}${a.toFixed(1)} ${p.toFixed(1)}`+(i?"":"h1"),i=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${kn} ${wt}"
  >
    <path d=${r} />
  </svg>`}var Lr=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${b(Number(e))}`],["max_duration_ns",e=>`\u2264 ${b(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ar(e,t){ee({[e]:h.value.params.getAll(e).filter(n=>n!==t)})}function Er(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");ee({where:[...new Set([...h.value.params.getAll("where"),r])]}),t.reset()}}function Rn({keys:e=[],values:t=[]}){let n=Lr.flatMap(([r,i])=>h.value.params.getAll(r).map(o=>l`<span class="chip" key=${r+o} title=${o}>
          ${i(o)}
          <button
            class="plain"
            aria-label=${`take away ${i(o)}`}
            onClick=${()=>Ar(r,o)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${n}
    <form class="where" onSubmit=${Er} aria-label="Add a condition on an attribute">
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
  </div>`}function Cn(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function Nn(e,t){let[n,r=""]=e.split("?"),i=[...new URLSearchParams(r)].map(([o,s])=>` \\
  --data-urlencode ${Cn(`${o}=${s}`)}`);return`curl -f${i.length>0?"G":""} ${Cn(t+n)}${i.join("")}`}function M({url:e}){let[t,n]=I(!1);return e===null?null:l`<span class="raw" onMouseLeave=${()=>n(!1)}>
    <a href=${e} target="_blank" rel="noopener" title="the same as JSON">JSON</a>
    <button class="plain" onClick=${async()=>{await navigator.clipboard.writeText(Nn(e,location.origin)),n(!0)}} title=${Nn(e,location.origin)}>
      ${t?"copied":"curl"}
    </button>
  </span>`}var Ur=[[".jfr","slice.jfr","a recording of these contexts, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Pn({query:e,value:t}){let n=(i,o)=>T(o,e,{...i===".jfr around"?{around:"1"}:{},...t&&/collapsed|pprof|speedscope/.test(o)?{value:t}:{}}),r=new URLSearchParams({profileURL:T("slice.speedscope.json",e,t?{value:t}:{})});return l`<details class="menu">
    <summary>download</summary>
    <div>
      ${Ur.map(([i,o,s])=>l`<a href=${n(i,o)} download title=${s}
            >${i}<small>${s}</small></a
          >`)}
      <a href=${"/speedscope/#"+r.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>
    </div>
  </details>`}function Ln(e){return V(`/api/v1/recordings/${encodeURIComponent(e)}.jfr`,new URLSearchParams)}function An(e){return typeof e=="string"?e:JSON.stringify(e)}function En(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function kt(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}var Mr=/^(java|javax|jdk|sun|com\.sun)\./;function Or(e){return e.find(t=>!Mr.test(t))??e[0]??""}function jr({item:e,columns:t}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${ne(e.start)}</dd>
        ${En(e).map(([n,r])=>[l`<dt>${n}</dt>`,l`<dd>${An(r)}</dd>`])}
      </dl>
      <ol>
        ${kt(e).map(n=>l`<li>${n}</li>`)}
      </ol>
    </td>
  </tr>`}function Un({items:e,since:t,contextHref:n,label:r}){let[i,o]=I(null),s=[t===void 0?"time":"after","event","duration","thread","method","fields",...n?["context"]:[]],a=(p,f)=>{let{type:u,duration:d,thread:m,recording:c,context:_}=p.values,R=t===void 0?Le(p.start):"+"+b(Number(p.start-t)),v=En(p).map(([w,ve])=>`${w}=${An(ve)}`),y=()=>o(i===f?null:f),g=i===f,S=n&&c!==null&&_?n(String(c),String(_)):null;return l`<tr key=${f} class=${g?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(g)} onClick=${y}>${R}</button>
        </td>
        <td title=${u}>
          <${re} category=${Xe(String(u))} />${Qe(String(u))}
        </td>
        <td class="n">${typeof d=="number"?b(d):""}</td>
        <td class="cut">${m}</td>
        <td class="cut" title=${kt(p)[0]}>${Ye(Or(kt(p)))}</td>
        <td class="cut wide" title=${v.join(`
`)}>${v.join(" ")}</td>
        ${n&&l`<td>${S&&l`<a href=${S}>open</a>`}</td>`}
      </tr>
      ${g&&l`<${jr} item=${p} columns=${s.length} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${r}>
    <table class="events">
      <thead>
        <tr>
          ${s.map(p=>l`<th scope="col" class=${p==="duration"?"n":""}>${p}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${e.map(a)}
      </tbody>
    </table>
  </div>`}function O({title:e,children:t}){return l`<div class="notice" role="status">
    <b>${e}</b>
    <div>${t}</div>
  </div>`}function Ir({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function F({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},i=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(o=>o!=="");return i.length===0?null:l`<span class="missing">${i.join("; ")}</span>`}function A({title:e,note:t,tools:n,answer:r,className:i,children:o}){let s=r?.isLoading===!0&&r.data!==null;return l`<section class=${i} aria-busy=${r?.isLoading?"true":"false"}>
    <h2>
      <span>${e}</span><small>${t}</small>
      <span class="tools">${n}</span>
    </h2>
    ${r&&l`<${Ir} answer=${r} />`}
    <div class=${s?"stale":""}>${o}</div>
  </section>`}function Dr(e,t){return`-agentpath:/path/to/libloupe.so=collector=${e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t)},service=NAME`}function Vr({of:e}){if(e.data_start===null||e.data_start_ns===null)return null;let{path:t,params:n}=h.value,r=z(n,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${e.data_start.slice(0,19).replace("T"," ")} UTC:
    <a class="link" href=${V(_e(...t),r)}>look at all of that time</a>.
  </p>`}function he(){let e=T("collector",new URLSearchParams),{data:t}=L(e,U.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<W.value.from;return l`<${O} title="No JVM has sent anything in this time">
    Start one with this option, and it is here within seconds:
    ${t?.agents&&l`<pre>${Dr(t.agents,location.hostname)}</pre>`}
    ${t&&n&&l`<${Vr} of=${t} />`}
  <//>`}var Wr=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Fr=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/;function Mn(e,{path:t,params:n}){if(Wr.test(e))return E(["t",e.toLowerCase()]);let r=t[0]==="s",i=Fr.test(e);if(!r)return E(["s"],i?{where:e}:{frame:e});let o=n.getAll("where").filter(a=>a!==e),s=i?{where:[...o,e]}:{frame:e};return V(_e(...t),z(n,s))}function Br(){let e=n=>{n.preventDefault();let r=n.currentTarget.elements.namedItem("q"),i=r.value.trim();i!==""&&(Je(Mn(i,h.value)),r.value="")},t="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${e}>
    <input name="q" placeholder=${t} aria-label="Search: ${t}" autocomplete="off" />
  </form>`}function qr(){let{params:e}=h.value,t=ze(e.get("from")??"")!==null,{from:n,to:r}=W.value,i=a=>{let p=a.currentTarget.value;p!=="fixed"&&ee({last:p,from:null,to:null,box:null,base_box:null})},o=Ge.includes(Ce.value)?Ge:[Ce.value,...Ge],s=`${ne(n)} to ${ne(r)}`;return l`<select aria-label="Time range" title=${s} onChange=${i}>
      ${t&&l`<option value="fixed" selected>
          ${bn(n)} ${Le(n,1e9)} to ${Le(r,1e9)}
        </option>`}
      ${o.map(a=>l`<option value=${a} selected=${!t&&a===Ce.value}>
            last ${a}
          </option>`)}
    </select>
    <button onClick=${yt} title="ask again">refresh</button>
    <button
      aria-pressed=${Ze.value?"true":"false"}
      onClick=${()=>ee({live:Ze.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}var Hr=[["services",""],["events","e"],["recordings","r"]];function B({crumbs:e=[],children:t}){let n=h.value.path[0]??"",r=([o,s])=>l`<a href=${E(s?[s]:[])} aria-current=${s===n?"page":void 0}>
      ${o}
    </a>`,i=({name:o,href:s},a)=>[a>0?" / ":"",s?l`<a href=${s}>${o}</a>`:l`<b>${o}</b>`];return l`<header>
      <a class="logo" href=${E([])}>Loupe</a>
      <nav class="screens" aria-label="Screens">${Hr.map(r)}</nav>
      <span class="crumb">${e.map(i)}</span>
      <${Br} />
      <${qr} />
    </header>
    <main>${t}</main>`}function Jr(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function H({columns:e,rows:t,rowKey:n,href:r,label:i}){let[o,s]=I(null),a=o===null?void 0:e[o]?.sort,p=a?[...t].sort((d,m)=>Jr(a(d),a(m))):t,f=(d,m)=>{let c=o!==m?"none":d.isNumber?"descending":"ascending",_=d.sort?l`<button class="plain" onClick=${()=>s(m)}>${d.name}</button>`:d.name;return l`<th
      class=${d.isNumber?"n":""}
      title=${d.title}
      scope="col"
      aria-sort=${d.sort?c:void 0}
    >
      ${_}
    </th>`},u=(d,m,c)=>{let _=m.cell(d);return l`<td class=${(m.isNumber?"n ":"")+(m.className??"")}>
      ${r&&c===0?l`<a href=${r(d)}>${_}</a>`:_}
    </td>`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${i}>
    <table>
      <thead>
        <tr>
          ${e.map(f)}
        </tr>
      </thead>
      <tbody>
        ${p.map(d=>l`<tr key=${n(d)} class=${r?"opens":""}>
              ${e.map((m,c)=>u(d,m,c))}
            </tr>`)}
      </tbody>
    </table>
  </div>`}var St=e=>e===null?"":b(e),ge=(e,t)=>h.value.params.getAll(e).includes(t);function Tt({href:e,on:t,name:n}){return l`<a href=${e} class=${t?"on":""} aria-current=${t?"true":void 0}
    >${n}</a
  >`}function Kr({types:e}){let t=n=>Ke({context:ge("context",n)?null:n,key:null,where:null,event:null});return l`<${H}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${Tt} href=${t(n)} on=${ge("context",n)} name=${n} />`},{name:"all",cell:n=>x(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>x(n.contexts_out),isNumber:!0},{name:"median",cell:n=>St(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>St(n.p99_ns),isNumber:!0}]}
  />`}function On({name:e,rows:t}){let n=r=>{let i=`${e}=${r}`,o=h.value.params.getAll("where").filter(s=>!s.startsWith(e+"="));return Ke({where:ge("where",i)?o:[...o,i],event:null})};return l`<${H}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${Tt}
            href=${n(r)}
            on=${ge("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":x(r.all),isNumber:!0},{name:"kept",cell:r=>x(r.kept),isNumber:!0},{name:"p99",cell:r=>St(r.p99_ns),isNumber:!0}]}
  />`}function zr({name:e}){let t=xt(h.value,W.value);t.delete("where");let r=L(T("attributes",t,{limit:"100"}),U.value).data?.keys.find(o=>o.key===e),i=(r?.values??[]).map(o=>({value:o.value,all:null,kept:o.count,p99_ns:o.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${i.length>0&&l`<${On} name=${e} rows=${i} />`}`}function Gr({of:e}){let t=h.value.params.get("key"),n=e?.attributes.find(o=>o.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((o,s)=>s.contexts_in-o.contexts_in).map(o=>({value:o.value,all:o.contexts_in,kept:o.contexts_out,p99_ns:o.p99_ns})),i=({key:o})=>l`<button
      key=${o}
      aria-pressed=${String(o===n.key)}
      onClick=${()=>ee({key:o},!0)}
    >
      ${o}
    </button>`;return l`<div class="tabs">${e.attributes.map(i)}</div>
    ${n.has_too_many?l`<${zr} name=${n.key} />`:l`<${On} name=${n.key} rows=${r} />`}`}function Zr({of:e}){let t=n=>Ke({event:ge("event",n)?null:n});return l`<${H}
    label="Types of events"
    rows=${e.types}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${re} category=${Xe(n)} /><${Tt}
              href=${t(n)}
              on=${ge("event",n)}
              name=${n}
            />`,sort:n=>n.type},{name:"count",cell:n=>x(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?b(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function Qr({query:e}){let t=h.value.params.get("event"),n=T("events",e,{event:t,limit:"100"}),{answer:r,items:i,more:o}=yn(n,U.value),s=l`<${F} of=${r.data} /><${M} url=${n} />`;return l`<${A} title="Events" note=${t??"of all types; choose one above"} tools=${s} answer=${r}>
    ${i.length>0&&l`<${Un}
        label="Events"
        items=${i}
        contextHref=${(p,f)=>E(["c",p,f])}
      />`}
    ${o&&l`<p><button onClick=${o}>more</button></p>`}
    ${r.data&&i.length===0&&l`<${O} title="No events here" />`}
  <//>`}function jn(){let e=h.value,t=xt(e,W.value),n=T("contexts/types",Xr(t)),r=L(n,U.value),i=T("events/types",t),o=L(i,U.value),s=r.data?.types.find(p=>p.type===e.params.get("context")),a=o.data&&`${x(o.data.events)} events`+Yr(o.data.contexts);return l`<${B}>
    <${Rn} />
    <div class="three">
      <${A}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${M} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${Kr} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${he} />`}
      <//>
      <${A} title="Context values" note=${s?.type}><${Gr} of=${s} /><//>
      <${A}
        title="Event types"
        note=${a}
        tools=${l`<${F} of=${o.data} /><${M} url=${i} />`}
        answer=${o}
      >
        ${o.data&&l`<${Zr} of=${o.data} />`}
      <//>
    </div>
    <${Qr} query=${t} />
  <//>`}var Yr=e=>e===null?", in contexts or not":` in ${x(e)} contexts`;function Xr(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function In(){return l`<${B}>
    <${O} title="There is nothing here">
      <a href=${E([])}>Services</a> is where everything begins.
    <//>
  <//>`}function eo(e){return e.replaceAll("_","-")}function Rt(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,i]of Object.entries(n))t.set(r,(t.get(r)??0)+i);return[...t].sort((n,r)=>r[1]-n[1])}function Ct({of:e}){return l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${eo(t)} <b>${x(n)}</b></span
        >`)}
  </span>`}var Vn=e=>e.slice(0,19).replace("T"," "),to=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),et=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,Dn=(e,t)=>l`${x(e)} <span class="dim">of ${x(t)}</span>`,no=[{name:"service",cell:e=>l`<b>${e.service}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:"start, UTC",cell:e=>Vn(e.start),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${b(et(e))}, running`:b(et(e)),isNumber:!0,sort:et},{name:"contexts kept",cell:e=>Dn(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>Dn(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${G(e.bytes_out)} <span class="dim">of ${G(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>to(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function ro(){let{params:e}=h.value,{from:t,to:n}=W.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let f of["service","instance"]){let u=e.get(f);u!==null&&r.set(f,u)}let i=T("recordings",r),o=L(i),s=o.data?.recordings??[],a=l`<${F} of=${o.data} /><${M} url=${i} />`;return l`<${B}>
    <${A} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${a} answer=${o}>
      ${s.length>0&&l`<${H}
          label="Recordings"
          columns=${no}
          rows=${s}
          rowKey=${f=>f.id}
          href=${f=>E(["r",f.id])}
        />`}
      ${o.data&&s.length===0&&l`<${he} />`}
    <//>
  <//>`}var oo=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>x(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>x(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>G(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>G(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${Ct} of=${Rt({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function oe(e,t){return l`<span><b>${e}</b>${t}</span>`}function io({of:e}){let t=e.contexts_in?te(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${oe(e.is_running?"running":"ended",`${b(et(e))} since ${Vn(e.start)} UTC`)}
    ${oe(t,`of ${x(e.contexts_in)} contexts kept`)}
    ${oe(x(e.events_out),`of ${x(e.events_in)} events kept`)}
    ${oe(G(e.bytes_out),`of ${G(e.bytes_in)} kept`)}
    ${oe(G(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&oe(b(e.waiting.duration_ns),`not compacted yet, ${G(e.waiting.journal_bytes)}`)}
    ${oe(e.jvm_version,e.jvm_name)} ${oe(e.pid,`process, on ${e.instance}`)}
  </div>`}var so={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk"};function ao({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${x(r)} ${so[n]??n}</li>`)}
      </ul>`}function lo({service:e}){let t=T("policies/"+encodeURIComponent(e),new URLSearchParams),n=L(t,U.value),{data:r}=n,i=o=>Object.entries(o.settings).map(([s,a])=>`${s}=${a}`);return l`<${A}
    title="Policy"
    note=${r&&(r.file??"none: the JVM's own settings")}
    tools=${l`<${M} url=${t} />`}
    answer=${n}
  >
    ${r?.refused&&l`<p class="missing">${r.refused.problem}</p>`}
    ${r&&r.events.length>0&&l`<${H}
        label="Policy"
        rows=${r.events}
        rowKey=${o=>o.event}
        columns=${[{name:"event",cell:o=>o.event},{name:"settings",cell:o=>i(o).join(", "),className:"w"}]}
      />`}
  <//>`}function co({id:e}){let t=T("recordings/"+encodeURIComponent(e),new URLSearchParams),n=L(t,U.value),{data:r}=n,i=[{name:r?`${r.service}, ${r.instance}`:e}],o=l`<a href=${Ln(e)} download>download .jfr</a><${M} url=${t} />`,s=r?Rt(r.types):[];return l`<${B} crumbs=${i}>
    <${A} title="Recording" note=${e} tools=${o} answer=${n}>
      ${r&&l`<${io} of=${r} />`}
      ${n.status===404&&l`<${O} title="This collector has no such recording">
          <a href=${E(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${A}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          <${Ct} of=${s} />
        <//>
        <${A} title="Lost" note="what is missing, and should not be"
          ><${ao} of=${r}
        /><//>
        <${A} title="Event types">
          <${H}
            label="Event types"
            columns=${oo}
            rows=${Object.entries(r.types).sort((a,p)=>p[1].bytes_in-a[1].bytes_in)}
            rowKey=${([a])=>a}
          />
        <//>
        <${lo} service=${r.service} />`}
  <//>`}function Wn(){let e=h.value.path[1];return e===void 0?l`<${ro} />`:l`<${co} id=${e} />`}var Fn=e=>e===null?"":b(e);function uo(e){return[{name:"service",cell:n=>l`<b>${n.service}</b>`,sort:n=>n.service},{name:"JVMs",cell:n=>x(n.jvms),isNumber:!0,sort:n=>n.jvms},{name:"contexts/s",title:"of all types together",cell:n=>x(Number((n.contexts_in/e).toPrecision(3))),isNumber:!0,sort:n=>n.contexts_in},{name:"median",cell:n=>Fn(n.p50_ns),isNumber:!0,sort:n=>n.p50_ns??-1},{name:"p99",cell:n=>l`<b>${Fn(n.p99_ns)}</b>`,isNumber:!0,sort:n=>n.p99_ns??-1},{name:"kept",title:"contexts in which something happened, and which are stored",cell:n=>n.contexts_in?te(n.contexts_out/n.contexts_in):"",isNumber:!0,sort:n=>n.contexts_out},{name:"most time of the kept",cell:({top:n})=>n&&l`<${re} category=${n.category} />${pe(n.category).name}
      <span class="dim"> ${te(n.share)}</span>`},{name:"p99 over time",cell:n=>l`<${Tn} values=${n.spark} label=${`p99 of ${n.service} over time`} />`}]}function Bn(){let{from:e,to:t}=W.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=T("services",n),i=L(r),o=i.data?.services??[],s=Math.max(1,Number(t-e)/1e9),a=l`<${H}
    label="Services"
    columns=${uo(s)}
    rows=${o}
    rowKey=${u=>u.service}
    href=${u=>E(["s",u.service])}
  />`,p=i.data!==null&&o.length===0,f=l`<${F} of=${i.data} /><${M} url=${r} />`;return l`<${B}>
    <${A} title="Services" note="by all their contexts" tools=${f} answer=${i}>
      ${o.length>0&&a} ${p&&l`<${he} />`}
    <//>
  <//>`}var po=3;function fo(e,t){let n=e.slices.find(r=>r.category===t);return b(e.requests?(n?.total_ns??0)/e.requests:0)}function mo({slice:e,of:t,largest:n,base:r}){let i=e.total_ns/t.requests,o=e.top.slice(0,po).filter(s=>s.total_ns>0);return l`<tr title=${`${b(e.total_ns)} in all, ${x(e.events)} events`}>
      <th scope="row"><${re} category=${e.category} />${pe(e.category).name}</th>
      <td class="fill"><${Sn} category=${e.category} share=${e.total_ns/n} /></td>
      <td class="n">${b(i)}</td>
      ${r&&l`<td class="n dim">${fo(r,e.category)}</td>`}
      <td class="n dim">${te(e.total_ns/Math.max(1,t.total_ns))}</td>
    </tr>
    ${o.map(s=>l`<tr class="frame" title=${s.frame}>
          <td colspan="2">${Ye(s.frame)}</td>
          <td class="n">${b(s.total_ns/t.requests)}</td>
          ${r&&l`<td></td>`}
          <td class="n dim">${te(s.total_ns/Math.max(1,t.total_ns))}</td>
        </tr>`)}`}function _o({of:e,base:t}){let n=e.slices.reduce((r,i)=>Math.max(r,i.total_ns),1);return l`<table class="why">
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
      ${e.slices.map(r=>l`<${mo}
            key=${r.category}
            slice=${r}
            of=${e}
            largest=${n}
            base=${t}
          />`)}
    </tbody>
  </table>`}function qn({query:e,base:t=null,tick:n}){let r=T("why",e),i=L(r,n),o=L(t&&T("why",t),n),{data:s}=i,a=l`<${F} of=${s} /><${M} url=${r} />`,p=s&&s.requests>0?`mean of ${x(s.requests)} contexts, ${b(s.total_ns/s.requests)} each`:"";return l`<${A}
    title="Why"
    note=${p}
    tools=${a}
    answer=${i}
    className="why-panel"
  >
    ${s&&s.requests>0&&l`<${_o} of=${s} base=${t&&o.data} />`}
    ${s?.requests===0&&l`<${O} title="No kept context is in this selection" />`}
  <//>`}function ho({columns:e,rows:t,recordings:n},r){let i=(o,s)=>o[e.indexOf(s)]??null;return t.map(o=>{let s=String(i(o,"recording")),a=e.flatMap((p,f)=>p.startsWith("attr.")&&o[f]!==null&&o[f]!==r?[`${p.slice(5)}=${o[f]}`]:[]);return{recording:s,id:String(i(o,"id")),type:String(i(o,"type")),service:n[s]?.service??"",instance:n[s]?.instance??"",thread:String(i(o,"thread")??""),start:Number(i(o,"start")),duration:Number(i(o,"duration")),blocked:Number(i(o,"blocked")),attributes:a.join(" ")}})}function go({rows:e}){let t=e.reduce((r,i)=>Math.max(r,i.start+i.duration),1),n=r=>`${100*r/t}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
    <table class="waterfall">
      <thead>
        <tr>
          <th scope="col">service</th>
          <th scope="col">context</th>
          <th class="n" scope="col">start</th>
          <th class="n" scope="col">duration</th>
          <th class="axis" scope="col"><span>0</span><span>${b(t)}</span></th>
        </tr>
      </thead>
      <tbody>
        ${e.map(r=>l`<tr class="opens" key=${r.recording+r.id}>
              <td title=${`${r.instance}, ${r.thread}`}>
                <a href=${E(["c",r.recording,r.id])}><b>${r.service}</b></a>
                <small class="dim"> ${r.thread}</small>
              </td>
              <td title=${r.attributes}>
                ${Qe(r.type)} <small class="dim">${r.attributes}</small>
              </td>
              <td class="n dim">+${b(r.start)}</td>
              <td class="n">${b(r.duration)}</td>
              <td
                class="axis"
                title=${`${b(r.blocked)} of ${b(r.duration)} blocked`}
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
  </div>`}var vo=e=>e===null?"":ne(BigInt(e));function Hn({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${vo(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function $o({of:e}){return e.state==="eliminated"?l`<${O} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Hn} of=${e} />
      <//>`:l`<${O} title="Not seen">
        No context of this trace is known here. <${Hn} of=${e} />
      <//>`}function Jn(){let e=h.value.path[1]??"",t=T("traces/"+encodeURIComponent(e),new URLSearchParams),n=L(t,U.value),{data:r}=n,i=r?ho(r,e):[],o=new URLSearchParams({trace:e}),s=BigInt(r?.t0_ns??"0"),a=new Set(i.map(d=>d.service)).size,p=new Set(i.map(d=>d.recording)).size,f=l`<${F} of=${r} />
    ${i.length>0&&l`<${Pn} query=${o} />`} <${M} url=${t} />`,u=i.length>0&&`${i.length} contexts kept, ${a} services, ${p} JVMs, from ${ne(s)}`;return l`<${B} crumbs=${[{name:`trace ${e}`}]}>
    <${A} title="Trace" note=${u} tools=${f} answer=${n}>
      ${i.length>0&&l`<${go} rows=${i} />`}
      ${r&&i.length===0&&l`<${$o} of=${r} />`}
    <//>
    ${i.length>0&&l`<${qn} query=${bo(o,s,i)} tick=${U.value} />`}
  <//>`}function bo(e,t,n){let r=n.reduce((o,s)=>Math.max(o,s.start),0),i=new URLSearchParams(e);return i.set("from",String(t)),i.set("to",String(t+BigInt(Math.ceil(r))+1n)),i}function yo([e]){switch(e){case void 0:return Bn;case"e":return jn;case"r":return Wn;case"t":return Jn;default:return In}}function xo(){let{path:e}=h.value;return l`<${yo(e)} key=${e.join("/")} />`}pn();vn();$n();D(()=>{document.title=[...h.value.path.slice(-1),"Loupe"].join(" \xB7 ")});Ft(l`<${xo} />`,document.body);})();
