"use strict";(()=>{var F,Ko,Rr,Be,kr,hn,zo,fn,Xo,Tr,Sr,El,Bt=Symbol.for("pv"),gn={},$n=[],Ul=/^m(i|n|o|s|text|space)$/,Or=Array.isArray,Pr=$n.slice,tt=Object.assign;function et(e){e&&e.parentNode&&e.remove()}function bn(e,t,n){var r,o,s,a={},i=arguments.length;for(s in t)s=="key"?r=t[s]:s=="ref"&&typeof e!="function"?o=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?Pr.call(arguments,2):n),It(e,a,r,o,null)}function It(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Bt,__v:o||++Ko,__i:-1,__u:0};return!o&&F.vnode&&F.vnode(s),s}function nt(e){return e.children}function ht(e,t){this.props=e,this.context=t,this.__g=0}function De(e,t){if(t==null)return e.__&&De(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:De(e)}function Il(e){var t,n=e.__v,r=n.__e,o=[],s=[],a=e.__P;a&&((t=tt({constructor:Bt},n)).__v=n.__v+1,F.vnode&&F.vnode(t),Cr(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||De(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,ns(o,t,s),n.__=n.__e=null,t.__e!=r&&Yo(t))}function Yo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Yo(e)}function Vo(e){(8&e.__g||(e.__g|=8,Be.push(e),hn++))&&kr==F.debounceRendering||((kr=F.debounceRendering)||queueMicrotask)(Qo)}function Qo(){try{for(var e,t=1;Be.length;)Be.length>t&&Be.sort(zo),e=Be.shift(),t=Be.length,8&e.__g&&Il(e)}finally{(hn=Be.length)&&(kr||queueMicrotask)(Qo)}}function Zo(e,t,n,r,o,s,a,i,c,u,m){var p,d,f,g,_,h,v=r.__k||$n,w=t.length;for(c=Bl(n,t,v,c,w),p=0;p<w;p++)(f=n.__k[p])!=null&&(d=~f.__i&&v[f.__i]||gn,f.__i=p,h=Cr(e,f,d,o,s,a,i,c,u,m),g=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Mr(d.ref,null,f,d),f.ref&&m.push(f.ref,f.__c||g,f)),_=_||g,4&f.__u?(c=es(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&h!==void 0?c=h:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=_,c}function Bl(e,t,n,r,o){var s,a,i,c,u,m,p,d,f,g=n.length,_=g,h=0,v=0,w=e.__k=Array(o);for(s=0;s<o;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=w[s]=It(null,a):Or(a)?a=w[s]=It(nt,{children:a}):a.constructor===Bt&&a.__b?a=w[s]=It(a.type,a.props,a.key,a.ref,a.__v):w[s]=a,c=s+h,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=Dl(a,n,c,_))&&(_--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==c-1?h--:u==c+1?h++:u!=c&&(u>c?h--:h++,v=1)):(~u||(o>g?h--:o<g&&h++),typeof a.type!="function"&&(a.__u|=4))):w[s]=null;if(v){for(m=[],p=[],s=0;s<o;s++)if((a=w[s])&&16&a.__u){for(h=0,d=m.length;h<d;)m[f=h+d>>1]<a.__i?h=f+1:d=f;m[h]=a.__i,p[s]=h+1}for(h=m.length;s--;)p[s]&&(p[s]==h?h--:w[s].__u|=4)}if(_)for(s=0;s<g;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=De(i)),Ar(i,i));return r}function es(e,t,n,r){var o,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=es(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=De(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Dl(e,t,n,r){var o,s=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&a==i.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o}return-1}function Go(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function pn(e,t,n,r,o){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Go(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Go(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=Sr[t]||(Sr[t]=Hl(t)),(e.__a||(e.__a={}))[t]=Tr,s=t!=(t=t.replace(Xo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Hl(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[fn]==null)t[fn]=Tr++;else if(t[fn]<this.__a[e])return;return n(F.event?F.event(t):t)}}}function Cr(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,_,h,v,w,k,x,O,U,W,V,de,he,Ce,A=t.type;if(t.constructor!==Bt)return null;128&n.__u&&(c=32&n.__u,m=n.__c.__z)&&(t.__u|=c,p=s=[],m.nodeType==8?i=dn(m,s):s.push(m),i=s[0]||i),(m=F.__b)&&m(t);e:if(typeof A=="function"){d=a.length;try{if(v=t.props,w=(m=A.prototype)&&m.render,k=(m=A.contextType)&&r[m.__c],x=m?k?k.props.value:m.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(w?t.__c=f=new A(v,x):(t.__c=f=new ht(v,x),f.constructor=A,f.render=jl),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),w&&(f.__s||(f.__s=f.state),A.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=tt({},f.__s)),tt(f.__s,A.getDerivedStateFromProps(v,f.__s)))),g=f.props,_=f.state,f.__v=t,n.__c){if(v!==g&&w&&!A.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(v,x),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(v,f.__s,x)===!1){t.__v!=n.__v&&(f.props=v,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),$n.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=De(n);break e}f.componentWillUpdate&&f.componentWillUpdate(v,f.__s,x),w&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,_,h)})}else w&&!A.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),w&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=v,f.__P=e,f.__g&=-5,O=F.__r,U=w?25:0;do f.__g&=-9,O&&O(t),m=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++U<25);w&&($n.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=tt({},r,f.getChildContext())),w&&n.__c&&f.getSnapshotBeforeUpdate&&(h=f.getSnapshotBeforeUpdate(g,_)),W=m&&m.type===nt&&m.key==null?m.props.children:m,v.__P&&(m=i,o=(e=v.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&Ar(B,B)}),n.__k=null),i=n.__k?De(n,0):null),i=Zo(e,Or(W)?W:[W],t,n,r,o,s,a,i,c,u),v.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(et),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(B){if(a.length=d,t.__v=null,c||s)if(B&&B.then){if(t.__u|=128|c,s){for(~(he=s.indexOf(i||void 0))||(he=s.length);(Ce=s[he-1])&&Ce.nodeType==8;)he--;for(;he<s.length;he++)if(Ce=s[he])if(s[he]=null,V){if(Ce==de)break}else{if(Ce.nodeType!=8)break;Ce.data.startsWith("$s")&&(de=dn(V=Ce))}}if(!V){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;V=i}(m=dn(V=t.__c.__z||(t.__c.__z=V)))?(t.__e=V,i=m):t.__e=i,i=i&&i.nextSibling}else s&&s.some(et);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||ts(t),F.__e(B,t,n)}}else i=t.__e=Fl(n.__e,t,n,r,o,s,a,c,u,e);return(m=F.diffed)&&m(t),i}function dn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ts(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ts))}function ns(e,t,n){for(var r=0;r<n.length;)Mr(n[r++],n[r++],n[r++]);F.__c&&F.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){F.__e(s,o.__v)}})}function Fl(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,_,h,v,w=n.props||gn,k=t.props,x=t.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(m=0;m<s.length;m++)if((g=s[m])&&(x?g.localName==x:g.nodeType==3)){e=g,s[m]=null;break}}if(!e){if(v=u.ownerDocument||document,!x)return v.createTextNode(k);e=v.createElementNS(o,x,k.is?k:u),i&&(F.__m&&F.__m(t,s),i=!1),s=null}if(x){if(u=x=="template"&&e.content||e,s=x=="textarea"&&k.defaultValue!=null?null:s&&Pr.call(u.childNodes),!i&&s)for(w={},m=0;m<e.attributes.length;m++)w[(g=e.attributes[m]).name]=g.value;for(m in w)g=w[m],m=="dangerouslySetInnerHTML"?d=g:m=="children"||m in k||m=="value"&&"defaultValue"in k||m=="checked"&&"defaultChecked"in k||pn(e,m,null,g,o);for(m in k)g=k[m],m=="children"?f=g:m=="dangerouslySetInnerHTML"?p=g:m=="value"?_=g:m=="checked"?h=g:i&&typeof g!="function"||w[m]===g||pn(e,m,g,w[m],o);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&Ul.test(x))&&(o="http://www.w3.org/1999/xhtml"),Zo(u,Or(f)?f:[f],t,n,r,o,s,a,s?s[0]:n.__k&&De(n,0),i,c),s&&s.some(et)),i&&x!="textarea"||(m="value",x=="progress"&&_==null?e.removeAttribute(m):_==null||_===e[m]&&(x!="progress"||_)||pn(e,m,_,w[m],o),m="checked",h!=null&&h!=e[m]&&pn(e,m,h,w[m],o))}else w===k||i&&e.data==k||(e.data=k);return e}function Mr(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){F.__e(o,n)}}function Ar(e,t,n){var r,o,s,a;if(F.unmount&&F.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Mr(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){F.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Ar(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=dn(r,s=[]))&&(r==e.__e&&s.some(et),et(o),et(r)),n||et(e.__e),e.__e=e.__c=e.__=null}function jl(e,t,n){return this.constructor(e,n)}function rs(e,t){var n,r,o,s;F.__&&F.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=It(nt,{children:[e]}),o=[],s=[],Cr(t,t.__k,r||gn,gn,t.namespaceURI,r?null:t.firstChild?Pr.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),ns(o,t.__k,s),t.__k.props.children=null}F={__e:function(e,t,n,r){for(var o,s,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw hn=0,e}},Ko=0,Rr=function(e){return e!=null&&e.constructor===Bt},ht.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=tt({},this.state)),typeof e=="function"&&(e=e(tt({},n),this.props)),e&&(tt(n,e),this.__v&&(t&&this.__k.push(t),Vo(this)))},ht.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Vo(this))},ht.prototype.render=nt,Be=[],hn=0,zo=function(e,t){return e.__v.__b-t.__v.__b},fn=Symbol(),Xo=/(PointerCapture)$|Capture$/i,Tr=0,Sr={},El=0;var gt,Y,Lr,os,Nr=Object.is,Ht=0,fs=[],Er=[],z=F,ss=z.__b,as=z.__r,is=z.diffed,ls=z.__c,cs=z.unmount,us=z.__;function vn(e,t){z.__h&&z.__h(Y,e,Ht||t),Ht=0;var n=Y.__H||(Y.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return Ht=1,ql(ds,e)}function ql(e,t,n){var r=vn(gt++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ds(void 0,t),function(s){var a=(r.__N||r.__)[0],i=r.t(a,s);Nr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=Y,!Y.__f)){Y.__f=!0;var o=Y.shouldComponentUpdate;Y.shouldComponentUpdate=function(s,a,i){var c=this.__H;if(!c)return!0;var u=!1,m=this.props!=s;if(c.__.some(function(d){d.__N&&(u=!0,Nr(d.__[0],d.__N[0])||(m=!0))}),o){var p=o.call(this,s,a,i);return u?p||m:p}return!u||m}}return r.__}function we(e,t){var n=vn(gt++,3);!z.__s&&Ir(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Y.__H.__h.push(n))}function Se(e,t){var n=vn(gt++,4);!z.__s&&Ir(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Y.__h.push(n))}function X(e){return Ht=5,L(function(){return{current:e}},[])}function L(e,t){var n=vn(gt++,7);return Ir(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function yn(e,t){return Ht=8,L(function(){return e},t)}function Wl(){var e;do{for(;e=Er.shift();)try{Dt(e)}catch(n){z.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=fs.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Dt),t.__h.some(Ur),t.__h=[]}catch(n){t.__h=[],z.__e(n,e.__v)}}}while(Er.length)}z.__b=function(e){Y=null,ss&&ss(e)},z.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),us&&us(e,t)},z.__r=function(e){as&&as(e),gt=0;var t=(Y=e.__c).__H;t&&(Lr==Y?Y.__h=[]:(t.__h.some(Dt),t.__h.some(Ur),gt=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Lr=Y},z.diffed=function(e){is&&is(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ps(fs.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Lr=Y=null},z.__c=function(e,t){t.some(function(n){try{n.__h.some(Dt),n.__h=n.__h.filter(function(r){return!r.__||Ur(r)})}catch(r){n.__h=[function(){throw r}]}}),ls&&ls(e,t)},z.unmount=function(e){cs&&cs(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,ps(Er.push(o))}else Dt(o)}catch(s){t=s}}),r.__H=void 0,t&&z.__e(t,r.__v))};var ms=typeof requestAnimationFrame=="function";function Jl(e){var t,n=function(){clearTimeout(r),ms&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ms&&(t=requestAnimationFrame(n))}function ps(e){e!=1&&os==z.requestAnimationFrame||((os=z.requestAnimationFrame)||Jl)(Wl)}function Dt(e){var t=Y,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Y=t}function Ur(e){var t=Y;e.__c=e.__(),Y=t}function Ir(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Nr(n,e[r])})}function ds(e,t){return typeof t=="function"?t(e):t}var Vl=Symbol.for("preact-signals");function kn(){if(Le>1)Le--;else{var e,t=!1;for((function(){var o=wn;for(wn=void 0;o!==void 0;){var s=o.S;if(s.v===o.v)for(var a=s.t;a!==void 0;a=a.x)a.i===o.i&&(a.i=s.i);o=o.o}})();jt!==void 0;){var n=jt;for(jt=void 0,_n++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&gs(n))try{n.c()}catch(o){t||(e=o,t=!0)}n=r}}if(_n=0,Le--,t)throw e}}function Dr(e){if(Le>0)return e();Br=++Gl,Le++;try{return e()}finally{kn()}}var Ft,J=void 0;function qt(e){var t=J,n=Ft;J=void 0,Ft=void 0;try{return e()}finally{J=t,Ft=n}}var jt=void 0,Le=0,_n=0,Gl=0,Br=0,wn=void 0,xn=0;function hs(e){if(J!==void 0){var t=e.n;if(t===void 0||t.t!==J)return t={i:0,S:e,p:J.s,n:void 0,t:J,e:void 0,x:void 0,r:t},J.s!==void 0&&(J.s.n=t),J.s=t,e.n=t,32&J.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=J.s,t.n=void 0,J.s.n=t,J.s=t),t}}function te(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}te.prototype.brand=Vl;te.prototype.h=function(){return!0};te.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:qt(function(){var r;(r=t.W)==null||r.call(t)}))};te.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&qt(function(){var o;(o=t.Z)==null||o.call(t)}))}};te.prototype.subscribe=function(e){var t=this;return xe(function(){var n=t.value;qt(function(){return e(n)})},{name:"sub"})};te.prototype.valueOf=function(){return this.value};te.prototype.toString=function(){return this.value+""};te.prototype.toJSON=function(){return this.value};te.prototype.peek=function(){var e=this;return qt(function(){return e.value})};Object.defineProperty(te.prototype,"value",{get:function(){var e=hs(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(_n>100)throw new Error("Cycle detected");(function(n){Le!==0&&_n===0&&n.l!==Br&&(n.l=Br,wn={S:n,v:n.v,i:n.i,o:wn})})(this),this.v=e,this.i++,xn++,Le++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{kn()}}}});function re(e,t){return new te(e,t)}function gs(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function $s(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function bs(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function rt(e,t){te.call(this,void 0,t),this.x=e,this.s=void 0,this.g=xn-1,this.f=4}rt.prototype=new te;rt.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===xn))return!0;if(this.g=xn,this.f|=1,this.i>0&&!gs(this))return this.f&=-2,!0;var e=J;try{$s(this),J=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return J=e,bs(this),this.f&=-2,!0};rt.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}te.prototype.S.call(this,e)};rt.prototype.U=function(e){if(this.t!==void 0&&(te.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};rt.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(rt.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=hs(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Re(e,t){return new rt(e,t)}function vs(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Le++;var n=J;J=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Hr(e),r}finally{J=n,kn()}}}function Hr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,vs(e)}function Kl(e){if(J!==this)throw new Error("Out-of-order effect");bs(this),J=e,this.f&=-2;try{8&this.f&&Hr(this)}finally{kn()}}function $t(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Ft&&Ft.push(this)}$t.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};$t.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,vs(this),$s(this),Le++;var e=J;return J=this,Kl.bind(this,e)};$t.prototype.N=function(){2&this.f||(this.f|=2,this.u=jt,jt=this)};$t.prototype.d=function(){this.f|=8,1&this.f||Hr(this)};$t.prototype.dispose=function(){this.d()};function xe(e,t){var n=new $t(e,t);try{n.c()}catch(o){throw n.d(),o}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var ys,Rn,Sn,zl=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var _s=[];xe(function(){ys=this.N})();function bt(e,t){F[e]=t.bind(null,F[e]||function(){})}function Wt(e){if(Sn){var t=Sn;Sn=void 0,t()}Sn=e&&e.S()}function ws(e){var t=this,n=e.data,r=Yl(n);r.name="ReactiveDom",r.value=n;var o=L(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var u=Re(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),m=Re(function(){return!Array.isArray(u.value)&&!Rr(u.value)}),p=xe(function(){if(this.N=xs,m.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[m,u]},[]),s=o[0],a=o[1];return s.value?a.peek():a.value}ws.displayName="ReactiveTextNode";Object.defineProperties(te.prototype,{constructor:{configurable:!0,value:bn(nt,null).constructor},type:{configurable:!0,value:ws},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});bt("__b",function(e,t){if(Wt(),Rn=void 0,typeof t.type=="string"){var n,r=t.props;for(var o in r)if(o!=="children"){var s=r[o];s instanceof te&&(n||(t.__np=n={}),n[o]=s,r[o]=s.peek())}}e(t)});bt("__r",function(e,t){if(e(t),t.type!==nt){Wt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(o,s){var a;return xe(function(){a=this},{name:s}),a.c=o,a})((function(o){return function(){var s;zl&&((s=this.y)==null||s.call(this)),o.__$f|=1,o.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Rn=r,Wt(n)}});bt("__e",function(e,t,n,r){Wt(),Rn=void 0,e(t,n,r)});bt("diffed",function(e,t){Wt(),Rn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,o=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||r&&a in r||(i.d(),s[a]=void 0)}if(r){s||(s={},n.U=s);for(var c in r){var u=s[c],m=r[c];u===void 0?(u=Xl(n,c,m,o),s[c]=u):u.o(m,o)}}}e(t)});function Xl(e,t,n,r){var o=t in e&&e.ownerSVGElement===void 0,s=re(n);return{o:function(a,i){s.value=a,r=i},d:xe(function(){this.N=xs;var a=s.value.value;r[t]!==a&&(r[t]=a,o?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}bt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var o in r){var s=r[o];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});bt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});ht.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var o in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(r||s||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Yl(e,t){return L(function(){return re(e,t)},[])}var Ql=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Zl(){Dr(function(){for(var e;e=_s.shift();)ys.call(e)})}function xs(){_s.push(this)===1&&(F.requestAnimationFrame||Ql)(Zl)}function ec(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var ks=globalThis.document?.currentScript,ke=ks?ec(ks.src):"";function Fr(e,t=ke){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var tc=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function nc(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function rc(e){return Fr(e).split("/").filter(t=>t!=="").map(nc)}function jr(){return{path:rc(location.pathname),params:new URLSearchParams(location.search)}}var $=re({path:[],params:new URLSearchParams});function me(...e){return ke+"/"+e.map(tc).join("/")}function G(e,t){let n=new URLSearchParams(e);for(let[r,o]of Object.entries(t)){n.delete(r);for(let s of o===null?[]:typeof o=="string"?[o]:o)n.append(r,s)}return n}function le(e,t){let n=t.toString();return n===""?e:e+"?"+n}function ge(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),$.value=jr()}function C(e,t=!1){ge(le(location.pathname,G($.value.params,e)),t)}function se(e){return le(me(...$.value.path),G($.value.params,e))}function oc(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function j(e,t={}){return le(me(...e),G(oc($.value.params),t))}function sc(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=(t.pathname+"/").startsWith(ke+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(Fr(t.pathname));t.origin===location.origin&&o&&(e.preventDefault(),ge(t.pathname+t.search),scrollTo(0,0))}function Ss(){addEventListener("popstate",()=>$.value=jr()),addEventListener("click",sc),$.value=jr()}function Jt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[o,s]of t){let a=e/s;if(a<(o==="s"?99.5:999.5))return(o==="ns"?String(Math.round(a)):Jt(a))+" "+o}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ac={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Rs(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*ac[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function Q(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Jt(t))+" "+n;t/=1e3}return Jt(t)+" TB"}function b(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Jt(e/1e6)+" M":Jt(e/1e9)+" G"}function pe(e,t){return`${b(e)} ${t}${e===1?"":"s"}`}function H(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function $e(e,t){return t==="ns"?y(e):t==="bytes"?Q(e):b(e)}function ce(e){return e||"(no name)"}function Z(e){return e.slice(e.lastIndexOf(".")+1)}function He(e){return e.split(".").slice(-2).join(".")}var Os=function(e,t,n,r){var o;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++s]]=i:a===6?r[1][t[++s]]+=i+"":a?(o=e.apply(i,Os(e,i,n,["",null])),r.push(o),i[0]?t[0]|=2:(t[s-2]=0,t[s]=o)):r.push(i)}return r},Ts=new Map;function Ps(e){var t=Ts.get(this);return t||(t=new Map,Ts.set(this,t)),(t=Os(this,t.get(e)||(t.set(e,t=(function(n){for(var r,o,s=1,a="",i="",c=[0],u=function(d){s===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):s===3&&(d||a)?(c.push(3,d,a),s=2):s===2&&a==="..."&&d?c.push(4,d,0):s===2&&a&&!d?c.push(5,0,!0,a):s>=5&&((a||!d&&s===5)&&(c.push(s,0,a,o),s=6),d&&(c.push(s,d,0,o),s=6)),a=""},m=0;m<n.length;m++){m&&(s===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],s===1?r==="<"?(u(),c=[c],s=3):a+=r:s===4?a==="--"&&r===">"?(s=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),s=1):s&&(r==="="?(s=5,o=a,a=""):r==="/"&&(s<5||n[m][p+1]===">")?(u(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),s=2):a+=r),s===3&&a==="!--"&&(s=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Ps.bind(bn);function ic(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function vt(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let o=Number(r.headers.get("retry-after"))||1;await ic(o*1e3,t.signal)}}async function ot(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var fe=re(null),Vt=re(!1),Cs=ke+"/api/v1/login",Ms={"loupe-page":"1"},As=e=>`the collector cannot be reached: ${String(e)}`;async function Ls(e){if(!e.ok)return ot(e);let t=await e.json();return fe.value={is_needed:t.is_needed,identity:t.identity},null}async function Ns(e,t={}){try{return await Ls(await fetch(Cs,{method:e,headers:{...Ms,...t}}))}catch(n){return As(n)}}async function Es(){await vt(Cs,{headers:Ms}).then(Ls).catch(As)!==null&&(fe.value={is_needed:!1,identity:null})}async function Us(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Ns("POST",{authorization:`Bearer ${e}`});return Vt.value&&=t!==null,t}async function Is(){let e=await Ns("DELETE");return Vt.value&&=e!==null,e}function Bs(){Vt.value||=fe.value?.identity!=null,fe.value={is_needed:!0,identity:null}}var Tn=re(!1);function Ds(){let e=matchMedia("(max-width: 640px)"),t=()=>Tn.value=e.matches;e.addEventListener("change",t),t()}var qr=0;function Hs(){return qr>0}async function lc(e,t){let n=await vt(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:o}=n;o===401&&Bs();let s=r?await n.json():null,a=r?null:await ot(n);return{data:s,problem:a,status:o,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,o]=P(n);return Se(()=>{if(e===null){o(n);return}let s=new AbortController;o(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>o(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),c=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>s.signal.aborted||m(p);return qr++,lc(e,s.signal).then(u(i),u(c)).finally(()=>qr--),()=>s.abort()},[e,t]),r}var cc={s:1,m:60,h:3600,d:86400};function Fe(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*cc[t[2]])*1000000000n:null}function Wr(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],o=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(o)?null:BigInt(o)*1000000n+BigInt(n.padEnd(9,"0"))}function st(e,t){let n=Fe(e);return n===null?Wr(e):t-n}var js=["5m","15m","1h","6h","1d","7d","30d"],Fs="1h",uc=5e3,qs=()=>BigInt(Date.now())*1000000n,M=re(qs());function Jr(){M.value=qs()}var On=Re(()=>{let e=$.value.params.get("last")??Fs;return Fe(e)===null?Fs:e}),at=Re(()=>$.value.params.get("live")==="1"),K=Re(()=>{let{params:e}=$.value,t=st(e.get("to")??"",M.value)??M.value,n=st(e.get("from")??"",M.value);return{from:n!==null&&n<t?n:t-Fe(On.value),to:t}}),mc=18e10;function Pn(e,t,n,{from:r,to:o}){let s=n.lastIndexOf(!0),a=Number(o-e)-(s+1)*t,i=s>=0&&a>0&&a<=mc;return Math.max(1,(Number(o-r)-(i?a:0))/1e9)}function Ws(){let e=0;xe(()=>{if(clearInterval(e),at.value){let t=()=>document.hidden||Hs()||Jr();e=window.setInterval(t,uc)}})}var Ne=re(0),Vr=new Map;function N(e){let t=Vr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Vr.set(e,t)),t}function je(e){return`${N("t1")} ${N(e)}`}function Gr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Js(e,t,n){let r=Gr(t);return"#"+Gr(e).map((s,a)=>Math.round(s+(r[a]-s)*n)).map(s=>s.toString(16).padStart(2,"0")).join("")}var pc=.2;function yt(e){let[t,n,r]=Gr(e).map(o=>(o/255)**2.2);return .2126*t+.7152*n+.0722*r>pc?"#101113":"#ffffff"}function Vs(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Vr=new Map,Ne.value++})}var fc=["recording","instance","context","where","trace","thread","id"],dc=["recording","instance","context"],hc=["min_duration_ns","max_duration_ns"];function _t(e){return/^\d{1,19}$/.test(e)}function ue(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Gt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Cn(e,t,n){for(let r of n)t.getAll(r).forEach(o=>e.append(r,o))}function Mn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Gs=30000000000n;function Kr({from:e,to:t}){let n=(t-e)/2n<Gs?(t-e)/2n:Gs;return{from:e-n,to:t+n}}function Ks(e,t,n=""){Mn(e,Kr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Ee({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function wt(e,t){let n=new URLSearchParams,r=Ee(e);r!==null&&n.set("service",r),Cn(n,e.params,fc);let o=ue(e.params.get("box"));if(o)Ks(n,o);else{Mn(n,t);for(let s of hc)e.params.getAll(s).filter(_t).forEach(a=>n.append(s,a))}return n}function An(e,t){let n=new URLSearchParams,r=Ee(e);return r!==null&&n.set("service",r),Cn(n,e.params,["recording","instance"]),Mn(n,t),n}function zs(e,t){let n=wt(e,t),r=ue(e.params.get("base_box"));if(!r)return Cn(n,e.params,["base"]),n;Ks(n,r,"base_");let o=n.get("service");o!==null&&n.set("base_service",o);for(let s of["recording","instance","context","where"])e.params.getAll(s).forEach(a=>n.append("base_"+s,a));return n}function Xs(e,t){let n=new URLSearchParams,r=Ee(e);r!==null&&n.set("service",r),Cn(n,e.params,dc),Mn(n,t);let o=e.params.getAll("where");return o.length===1&&/^[^=<>!^]+=/.test(o[0])&&n.set("where",o[0]),n}function S(e,t,n={}){return le(ke+"/api/v1/"+e,G(t,n))}function it({text:e,label:t,title:n,className:r="",children:o}){let s=X(null),[a,i]=P(!1),c=()=>i(!1);we(()=>{if(!a)return;let p=({target:f})=>s.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),s.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let u=({target:p})=>p.closest("a")&&c(),m=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${s}
    open=${a}
    onToggle=${m}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${u}>${o(c)}</div>`}
  </details>`}function Ln(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function gc(e,t,n=!1){let[r,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([i,c])=>` \\
  --data-urlencode ${Ln(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${s.length>0?"G":""}${a} ${Ln(t+r)}${s.join("")}`}async function $c(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function E({url:e}){return e===null?null:l`<${it} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${bc} url=${e} />`}
      <//>`}function bc({url:e}){let[t,n]=P(!1),r=gc(e,location.origin,fe.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:s})=>{await $c(r,s),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var vc=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Te({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),o=e.get("unit")==="threads",s={value:t==="time"?null:t,frame:n},a=(m,p)=>S(p,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(p)?s:{}}),i=S("slice.speedscope.json",r,s),c=new URLSearchParams({profileURL:i});return l`<${it} text="download">${()=>l`${vc.filter(([,m])=>!o||/collapsed|pprof|speedscope/.test(m)).map(([m,p,d])=>l`<a href=${a(m,p)} download title=${d}
            >${m}<small>${d}</small></a
          >`)}
      <a href=${ke+"/speedscope/#"+c.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function Ys(e){return`${ke}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var Kt=re(null),xt=re([]),Qs={accept:"application/json"};async function yc(e){let t=await vt(S("collector",new URLSearchParams),{headers:Qs});if(!t.ok)return ot(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${Ln(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...Qs,"loupe-page":"1"},body:e});return n.ok?await n.json():ot(n)}var ea=(e,t)=>xt.value=[...xt.value,{name:e,text:t}];function _c(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&ea(e,`not all of it is shown: ${t.join("; ")}${r}`)}function wc(e){let t=new Set(e.map(s=>s.service)),n=(s,a)=>BigInt(s)<BigInt(a)?s:a,r=(s,a)=>BigInt(s)<BigInt(a)?a:s,o=new URLSearchParams({from:e.map(s=>s.from_ns).reduce(n),to:e.map(s=>s.to_ns).reduce(r)});return le(t.size===1?me("s",...t):me(),o)}async function xc(e){let t=[];for(let n of e){Kt.value=n.name;let r=await yc(n).catch(o=>`it cannot be sent: ${String(o)}`);typeof r=="string"?ea(n.name,r):(t.push(r),_c(n.name,r))}Kt.value=null,t.length>0&&ge(wc(t))}var Zs=Promise.resolve();function kc(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Sc(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),Zs=Zs.then(()=>xc(t)))}function ta(){addEventListener("dragover",kc),addEventListener("drop",Sc)}function na(){return Kt.value===null&&xt.value.length===0?null:l`<div class="upload">
    <div>
      ${xt.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${Kt.value!==null&&l`<p role="status">Reading ${Kt.value} …</p>`}
    </div>
    ${xt.value.length>0&&l`<button onClick=${()=>xt.value=[]}>close</button>`}
  </div>`}var Rc={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Tc={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function ee(e){let t=e.startsWith("other: ")?e.slice(7):e;return Rc[e]??{name:t,token:"other"}}function kt(e){return Tc[e]??"other: other"}function Nn(e){return e==="."?null:ee(kt(e))}var Oc={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function be(e){return(e.startsWith("jdk.")?Oc[e.slice(4)]:void 0)??"other: "+e}var Pc=/^(java|javax|jdk|sun|com\.sun)\./;function qe(e){return Pc.test(e)}function Ue(e,t,n){return lt("contexts",e,t,n)}function lt(e,t,n,r){return j([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function ra(e,t){return e.replaceAll("{trace_id}",encodeURIComponent(t))}function oa(e,t,n){let[,r,o]=/^(.+)\.[^.]+:(\d+)$/.exec(t)??[];if(!r||qe(t)||n===null&&e.includes("{service}"))return null;let a={path:r.replace(/\$.*/,"").split(".").map(encodeURIComponent).join("/"),line:o,service:encodeURIComponent(n??"")};return e.replace(/\{(path|line|service)\}/g,(i,c)=>a[c])}function En(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function zt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(o=>({start:BigInt(e)+BigInt(Math.round(Number(o[r]??0))),values:Object.fromEntries(t.map((s,a)=>[s,o[a]??null]))}))}var Cc=1e3,sa=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Mc(e,t,n,r,o){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&sa(e.url)===sa(t)?Math.min(Cc,Math.max(o,r)):o;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Un(e,t,n){let[r,o]=P([]),[,s]=P(""),a=X({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Mc(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:u}=a.current,m=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${m}`,n);we(()=>{p.data&&!p.isLoading&&o([...u,...zt(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},s(d)}}}function ae({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${ee(e).token})`}}
  ></span>`}function ia({of:e}){return e&&l`<${ae} category=${e.category} />${ee(e.category).name}
      <span class="dim"> ${H(e.share)}</span>`}var Ac=.07,Lc=.16;function la({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),o=u=>u.total_ns/Math.max(1,t),s=u=>ee(u.category).name,a=u=>o(u)<Ac?"":o(u)<Lc?s(u):`${s(u)} ${n(u)}`,i=u=>Ne.value>=0&&yt(N(ee(u.category).token)),c=r.map(u=>`${s(u)} ${H(o(u))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(u=>l`<span
          key=${u.category}
          title=${`${s(u)} ${n(u)}, ${H(o(u))}`}
          style=${{flexGrow:o(u),background:`var(--${ee(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var aa=120,zr=22;function ca({values:e,label:t}){let n=e.reduce((s,a)=>Math.max(s,a??0),1),r="",o=!1;return e.forEach((s,a)=>{if(s===null){o=!1;return}let i=(a+.5)/e.length*aa,c=zr-1-s/n*(zr-3);r+=`${o?"L":"M"}${i.toFixed(1)} ${c.toFixed(1)}`+(o?"":"h1"),o=!0}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${aa} ${zr}"
  >
    <path d=${r} />
  </svg>`}var ua="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",ma=e=>st(e,0n)!==null,pa="FROM,TO,MIN,MAX, all in nanoseconds",In=e=>t=>e.includes(t),fa={from:[ma,ua],to:[ma,ua],last:[e=>Fe(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[_t,"a number of nanoseconds"],max_duration_ns:[_t,"a number of nanoseconds"],box:[e=>ue(e)!==null,pa],base_box:[e=>ue(e)!==null,pa],unit:[In(["requests","contexts","threads"]),"requests, contexts or threads"],jvm:[In(["1"]),"1"],live:[In(["1"]),"1"],zone:[In(["utc"]),"utc"]};function Xt(e,t){return fa[e]?.[0](t)??!0}function da(e,t){let n=[...e].filter(([i,c])=>!Xt(i,c)).map(([i,c])=>({name:i,value:c,wanted:fa[i][1]})),[r,o]=[e.get("from")??"",e.get("to")??""],[s,a]=[st(r,t),st(o,t)];return s!==null&&a!==null&&s>=a?[...n,{name:"from",value:r,wanted:"before to"}]:n}var Nc=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ec(e,t){C({[e]:$.value.params.getAll(e).filter(n=>n!==t)})}var Uc=e=>$.value.params.getAll(e).filter(t=>Xt(e,t));function Ic(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...$.value.params.getAll("where"),r])]}),t.reset()}}var Bc=["service","instance","recording","thread"];function Yt({keys:e=[],values:t=[],isWhole:n=!1}){let o=Nc.filter(([s])=>!n||Bc.includes(s)).flatMap(([s,a])=>Uc(s).map(i=>l`<span class="chip" key=${s+i} title=${i}>
          ${a(i)}
          <button
            class="plain"
            aria-label=${`take away ${a(i)}`}
            onClick=${()=>Ec(s,i)}
          >
            ×
          </button>
        </span>`));return l`<div class="chips conditions">
    ${o} ${!n&&l`<${Dc} keys=${e} values=${t} />`}
  </div>`}function Dc({keys:e,values:t}){return l`<form class="where" onSubmit=${Ic} aria-label="Add a condition on an attribute">
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
  </form>`}var St=Re(()=>$.value.params.get("zone")==="utc"),Bn=1000000n,Xr=6e4,ha=e=>String(e).padStart(2,"0");function Dn(e,t=St.value){return t?0:-new Date(Number(e/Bn)).getTimezoneOffset()*Xr}function ga(e){return BigInt(Dn(e))*Bn}var Qt=e=>new Date(Number(e/Bn)+Dn(e)).toISOString().replace("Z","");function oe(e,t=1e6){return Qt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function ve(e){return Qt(e).slice(0,10)}function We(e){return Qt(e).slice(0,19).replace("T"," ")}function $a(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${ha(t)}:${ha(n)}`}function ie(e,t=St.value){let n=Dn(e,t)/Xr,r=$a(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function Ie(e){let t=Dn(e)/Xr,n=String(e%1000000000n).padStart(9,"0");return`${Qt(e).slice(0,19)}.${n}${t===0?"Z":$a(t)}`}function Yr(e){return Qt(e).slice(0,19)}function ba(e){let t=Date.parse(St.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*Bn}var va=()=>R(S("collector",new URLSearchParams)).data;function ya({href:e,children:t}){return l`<a class="link" href=${e} target="_blank" rel="noopener noreferrer"
    >${t}</a
  >`}function Hn({trace:e}){let t=va()?.trace_link,[n=""]=/[^/]+(?=\/|$)/.exec(t?.replace(/^https?:\/\//,"")??"")??[];return t?l`<${ya} href=${ra(t,e)}>${n} ↗<//>`:null}function _a({frames:e,service:t}){let n=va()?.source_link??null,r=o=>{let s=n&&oa(n,o,t);return s?l`<${ya} href=${s}>${o}<//>`:o};return l`<ol>
    ${e.map(o=>l`<li>${r(o)}</li>`)}
  </ol>`}function Fn(e){return typeof e=="string"?e:JSON.stringify(e)}function wa(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Qr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Hc(e){return e.find(t=>!qe(t))??e[0]??""}function Fc({item:e,columns:t,service:n}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${Ie(e.start)}</dd>
        ${wa(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${Fn(o)}</dd>`])}
      </dl>
      <${_a} frames=${Qr(e)} service=${n} />
    </td>
  </tr>`}function Rt({items:e,since:t,service:n=null,contextHref:r,label:o}){let[s,a]=P(null),i=[t===void 0?`time, ${e[0]?ie(e[0].start):""}`:"after","event","duration","thread","method","fields",...r?["context"]:[]],c=(u,m)=>{let{type:p,duration:d,thread:f,recording:g,context:_}=u.values,h=t===void 0?oe(u.start):"+"+y(Number(u.start-t)),v=wa(u).map(([U,W])=>`${U}=${Fn(W)}`),w=`${u.start} ${p} ${f} ${g}`,k=s===w,x=()=>a(k?null:w),O=r&&g!==null&&_?r(String(g),String(_)):null;return l`<tr key=${m} class=${k?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(k)} onClick=${x}>${h}</button>
        </td>
        <td title=${p}>
          <${ae} category=${be(String(p))} />${Z(String(p))}
        </td>
        <td class="n">${typeof d=="number"?y(d):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${Qr(u)[0]}>
          ${He(Hc(Qr(u)))}
        </td>
        <td class="cut wide" title=${v.join(`
`)}>${v.join(" ")}</td>
        ${r&&l`<td data-name="context">${O&&l`<a href=${O}>open</a>`}</td>`}
      </tr>
      ${k&&l`<${Fc} item=${u} columns=${i.length} service=${n} />`}`};return l`<div class="scroll" tabindex="0" role="region" aria-label=${o}>
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
  </div>`}function Zr({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function jc({name:e,value:t,wanted:n}){let r=$.value.params.getAll(e).filter(o=>o!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function xa(){return da($.value.params,M.value).map(e=>l`<${jc} key=${`${e.name} ${e.value}`} ...${e} />`)}function eo({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function D({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},o=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(s=>s!=="");return o.length===0?null:l`<span class="missing">${o.join("; ")}</span>`}var qc=5;function T(e){let{title:t,note:n,tools:r,answer:o,className:s,lines:a=qc,children:i}=e,c=o&&o.data!==null&&(o.isLoading||o.problem!==null);return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${o&&l`<${Zr} answer=${o} />`}
    ${o?.data===null&&o.isLoading&&a>0&&l`<${eo} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function Wc(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),o=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${o},service=NAME${n?",token=@FILE":""}`}function Jc({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=$.value,o=G(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${We(t)} ${ie(t)}:${" "}
    <a class="link" href=${le(me(...n),o)}>look at all of that time</a>.
  </p>`}function Je(){let e=S("collector",new URLSearchParams),{data:t}=R(e,M.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<K.value.from,r=Ee($.value),o=a=>Wc(a,location.hostname,fe.value?.is_needed);if(t?.takes_files&&!n)return l`<${I} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let s=r===null?"":` of ${r}`;return l`<${I} title="No JVM${s} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${o(t.agents)}</pre>`}
    ${t&&n&&l`<${Jc} of=${t} />`}
  <//>`}var Vc=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Gc=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,ka=e=>e.replace(/\$(?=.)/g,"\\$");function Sa(e,{path:t,params:n}){if(Vc.test(e))return j(["t",e.toLowerCase()]);let r=t[0]==="s",o=Gc.test(e);if(!r)return j(["s"],o?{where:e}:{frame:ka(e)});let s=n.getAll("where").filter(i=>i!==e),a=o?{where:[...s,e]}:{frame:ka(e)};return le(me(...t),G(n,a))}var Ta={box:null,base_box:null},to=e=>$.value.params.get(e)??"",jn=e=>to(e)!==""&&Xt(e,to(e));function Oa(){let e=jn("from")?to("from"):On.value;return jn("to")||Fe(e)===null?null:e}var Ra=60000000000n;function Kc(){let{from:e,to:t}=K.value,n=Oa();if(n!==null)return`last ${n}`;let r=e%Ra===0n&&(t%Ra===0n||!jn("to")),o=a=>oe(a,r?6e10:1e9),s=ve(e)===ve(t)?o(t):`${ve(t)} ${o(t)}`;return`${ve(e)} ${o(e)} to ${jn("to")?s:"now"}`}function zc(){let e=js,t=Oa(),n=t??On.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(o=>l`<a
          key=${o}
          href=${se({last:o,from:null,to:null,...Ta})}
          aria-current=${o===t?"true":void 0}
          >last ${o}</a
        >`)}
  </div>`}function Xc({close:e}){let[t,n]=P(""),{from:r,to:o}=K.value,s=i=>{i.preventDefault();let c=i.currentTarget,u=(d,f)=>{let g=c.elements.namedItem(d).value;return g===Yr(f)?f:ba(g)},[m,p]=[u("from",r),u("to",o)];if(m===null||p===null)n("Both need a day and a time.");else if(m>=p)n("It has to begin before it ends.");else{e();let d={from:String(m),to:String(p)};C({...d,last:null,live:null,...Ta})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${Yr(c)}
    /></label>`;return l`<form class="between" onSubmit=${s}>
    ${a("from",r)} ${a("to",o)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function Yc(){let{to:e}=K.value,t=(n,r)=>l`<button
      aria-pressed=${St.value===n?"true":"false"}
      onClick=${()=>C({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${ie(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function no(){let{from:e,to:t}=K.value,n=l`${Kc()} <span class="dim">${ie(t)}</span>`;return l`<${it}
    text=${n}
    title=${`${We(e)} to ${We(t)} ${ie(t)}`}
    className="time"
  >
    ${r=>l`<${zc} /><${Xc} key=${St.value} close=${r} /><${Yc} />`}
  <//>`}function ro(){return l`<button onClick=${Jr} title="ask again">refresh</button>
    <button
      aria-pressed=${at.value?"true":"false"}
      onClick=${()=>C({live:at.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function Pa({onDone:e}){let t=r=>{r.preventDefault();let o=r.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(ge(Sa(s,$.value)),o.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Ca(){let[e,t]=P(null),n=fe.value?.identity,r=async()=>t(await Is());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Qc=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=$.value.path[0]??"",r=([m,p])=>l`<a href=${j(p?[p]:[])} aria-current=${p===n?"page":void 0}>
      ${m}
    </a>`,o=({name:m,href:p},d)=>[d>0?" / ":"",p?l`<a href=${p}>${m}</a>`:l`<b>${m}</b>`],s=l`<nav class="screens" aria-label="Screens">${Qc.map(r)}</nav>`,a=l`<a class="logo" href=${j([])}>Loupe</a>`,i=Tn.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(o)}</span>`,u=m=>l`${s}<${Pa} onDone=${m} />
      <div class="row"><${ro} /></div>
      <${Ca} />`;return l`<header>
      ${Tn.value?l`${a} ${c} <${no} />
              <${it} text="☰" label="screens, search, refresh" className="all">${u}<//>`:l`${a} ${s} ${c} <${Pa} /> <${no} /><${ro} /> <${Ca} />`}
    </header>
    <main><${xa} />${t}</main>`}var Zc=4;function eu(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function q({columns:e,rows:t,rowKey:n,href:r,rowsMax:o,rowsFirst:s,label:a,className:i}){let[c,u]=P(null),m=c===null?void 0:e[c]?.sort,p=m?[...t].sort((k,x)=>eu(m(k),m(x))):t,[d,f]=P(!1),g=p.slice(0,d?o:s??o),_=Math.min(t.length,o??1/0)-g.length,h=(k,x)=>{let O=c!==x?"none":k.isNumber?"descending":"ascending",U=k.sort?l`<button class="plain" onClick=${()=>u(x)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?O:void 0}
    >
      ${U}
    </th>`},v=(k,x,O)=>{let U=x.cell(k);return l`<td
      class=${(x.isNumber?"n ":"")+(x.className??"")}
      data-name=${O>0?x.name:void 0}
    >
      ${r&&O===0?l`<a href=${r(k)}>${U}</a>`:U}
    </td>`},w=_>0&&s!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${b(_)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
      <table class=${i??(e.length>Zc?"stacks":"")}>
        <thead class=${e.some(k=>k.sort)?"sorts":""}>
          <tr>
            ${e.map(h)}
          </tr>
        </thead>
        <tbody>
          ${g.map(k=>l`<tr key=${n(k)} class=${r?"opens":""}>
                ${e.map((x,O)=>v(k,x,O))}
              </tr>`)}
        </tbody>
      </table>
    </div>
    ${w}`}var tu=15,nu=100,oo=e=>e===null?"":y(e),Tt=(e,t)=>$.value.params.getAll(e).includes(t);function so({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function ru({types:e}){let t=n=>se({context:Tt("context",n)?null:n,key:null,where:null,event:null});return l`<${q}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${so} href=${t(n)} on=${Tt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>b(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>b(n.contexts_out),isNumber:!0},{name:"median",cell:n=>oo(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>oo(n.p99_ns),isNumber:!0}]}
  />`}function Ma({name:e,rows:t}){let n=r=>{let o=`${e}=${r}`,s=$.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return se({where:Tt("where",o)?s:[...s,o],event:null})};return l`<${q}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${so}
            href=${n(r)}
            on=${Tt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":b(r.all),isNumber:!0},{name:"kept",cell:r=>b(r.kept),isNumber:!0},{name:"p99",cell:r=>oo(r.p99_ns),isNumber:!0}]}
  />`}function ou({name:e}){let t=wt($.value,K.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),M.value).data?.keys.find(s=>s.key===e),o=(r?.values??[]).map(s=>({value:s.value,all:null,kept:s.count,p99_ns:s.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${o.length>0&&l`<${Ma} name=${e} rows=${o} />`}`}function su({of:e}){let t=$.value.params.get("key"),n=e?.attributes.find(s=>s.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((s,a)=>a.contexts_in-s.contexts_in).map(s=>({value:s.value,all:s.contexts_in,kept:s.contexts_out,p99_ns:s.p99_ns})),o=({key:s})=>l`<button
      key=${s}
      aria-pressed=${String(s===n.key)}
      onClick=${()=>C({key:s},!0)}
    >
      ${s}
    </button>`;return l`<div class="tabs">${e.attributes.map(o)}</div>
    ${n.has_too_many?l`<${ou} name=${n.key} />`:l`<${Ma} name=${n.key} rows=${r} />`}`}function au({of:e}){let t=n=>se({event:Tt("event",n)?null:n});return l`<${q}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${tu}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ae} category=${be(n)} /><${so}
              href=${t(n)}
              on=${Tt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>b(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function iu({query:e}){let t=$.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:o,more:s}=Un(n,nu,M.value),a=l`<${D} of=${r.data} /><${E} url=${n} />`;return l`<${T} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${o.length>0&&l`<${Rt}
        label="Events"
        items=${o}
        service=${e.get("service")}
        contextHref=${Ue}
      />`}
    ${s&&l`<p><button onClick=${s}>more</button></p>`}
    ${r.data&&o.length===0&&l`<${I} title="No events here" />`}
  <//>`}function Aa(){let e=$.value,t=wt(e,K.value),n=S("contexts/types",cu(t)),r=R(n,M.value),o=S("events/types",t),s=R(o,M.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=s.data&&`${b(s.data.events)} events`+lu(s.data.contexts);return l`<${ne}>
    <${Yt} />
    <div class="three">
      <${T}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${E} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${ru} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${Je} />`}
      <//>
      <${T} title="Context values" note=${a?.type}><${su} of=${a} /><//>
      <${T}
        title="Event types"
        note=${i}
        tools=${l`<${D} of=${s.data} /><${E} url=${o} />`}
        answer=${s}
      >
        ${s.data&&s.data.types.length>0&&l`<${au} of=${s.data} />`}
      <//>
    </div>
    <${iu} query=${t} />
  <//>`}var lu=e=>e===null?", in contexts or not":` in ${b(e)} contexts`;function cu(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function La(){let[e,t]=P(null),[n,r]=P(!1),o=async s=>{s.preventDefault();let a=s.currentTarget.elements.namedItem("token");r(!0);let i=await Us(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Vt.value&&l`<p role="status">Your session is over.</p>`}
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
    </main>`}function Na(){return l`<${ne}>
    <section>
      <${I} title="There is nothing here">
        <a class="link" href=${j([])}>Services are where everything begins</a>
      <//>
    </section>
  <//>`}function uu(e){return e.replaceAll("_","-")}function ct(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,o]of Object.entries(n))t.set(r,(t.get(r)??0)+o);return[...t].sort((n,r)=>r[1]-n[1])}function ut({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${uu(t)} <b>${b(n)}</b></span
        >`)}
  </span>`}var mu="N/A";function pu(e){let t=[e.young_collector,e.old_collector].filter(n=>n!==void 0&&n!==mu);return[...new Set(t)].join(", ")}function fu(e){let t=[e.jvm_arguments,e.java_arguments].filter(n=>n);return t.length===0?null:["java",...t].join(" ")}function du({os:e}){let t=String(e??"");return/^PRETTY_NAME="(.*)"$/m.exec(t)?.[1]??t.split(`
`)[0]}function Ea({of:e}){let t=fu(e),n=e.hardware_threads===void 0?"":`${e.hardware_threads} \xD7 `,r=[["JVM",e.jvm_version],["command line",t&&l`<code>${t}</code>`],["system",du(e)],["processor",e.cpu&&`${n}${e.cpu}`],["memory",e.memory_bytes&&Q(Number(e.memory_bytes))],["heap",e.heap_max_bytes&&`${Q(Number(e.heap_max_bytes))} at most`],["GC",pu(e)]];return l`<div class="details">
    <dl>
      ${r.filter(([,o])=>o).map(([o,s])=>l`<dt>${o}</dt>
              <dd>${s}</dd>`)}
    </dl>
  </div>`}function qn(e){let[t,n]=P({width:0,height:0,ratio:1});return Se(()=>{let r=e.current,o=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},s=new ResizeObserver(o);s.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",o),o(),()=>{s.disconnect(),a.removeEventListener("change",o)}},[t.ratio]),t}function ao(e,{width:t,height:n,ratio:r}){let[o,s]=[Math.round(t*r),Math.round(n*r)];(e.width!==o||e.height!==s)&&(e.width=o,e.height=s);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Wn(e,{width:t,height:n,ratio:r},o,s){Se(()=>{let a=t>0&&e.current&&ao(e.current,{width:t,height:n,ratio:r});a&&o(a)},[t,n,r,Ne.value,...s])}var Jn=14,Vn=8;function Ve({at:e,children:t}){let n=X(null);return Se(()=>{let{offsetWidth:r,offsetHeight:o,style:s}=n.current,a=e.clientY+Jn+o>innerHeight-Vn,i=Math.min(e.clientX+Jn,innerWidth-r-Vn);s.left=`${Math.max(Vn,i)}px`,s.top=`${a?Math.max(Vn,e.clientY-Jn-o):e.clientY+Jn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var hu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],gu=e=>hu[e&3]*2**(e>>2);function Ua(e){return e<0?1:Math.floor(gu(e+1))}function Ge(e,{column:t,row:n}){return t*e.rows+n}function Ot(e){let t=[];for(let r of e)for(let[o,s]of r)t[o+1]=(t[o+1]??0)+s;let n=[];return t.forEach((r,o)=>n.push([o-1,r])),n}function mt(e,t){let n=e.reduce((o,[,s])=>o+s,0),r=Math.max(1,Math.ceil(t*n));for(let[o,s]of e){if(r<=s)return o<0?1:Math.floor(2**((o+r/s)/4));r-=s}return null}function Ke(e,t,n,r=null){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,a=-1/0;for(let d of e.columns)s=Math.min(s,d[0]?.[0]??s),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&s<=a;i&&(s=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(s/c)>=n;)c*=2;let u=s>a?0:Math.floor(s/c),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:u,buckets:c,hasShorter:i,rows:s>a?0:Math.floor(a/c)-u+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/o),row:Math.max(0,Math.floor(f/c)-u)});e.columns.forEach((d,f)=>{for(let[g,_,h]of d){let v=p(f,g),w=m.cells.get(Ge(m,v))??{...v,all:0,kept:0};w.all+=_,w.kept+=h,m.cells.set(Ge(m,v),w),m.most=Math.max(m.most,w.all)}});for(let[d,f,g,_]of e.exemplars)m.exemplars.set(Ge(m,p(d,f)),{recording:g,id:_});return m}function Ba(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Pt(e,t,n){let[r,o]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[s,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+s)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(o+1),min:i<0||e.hasShorter&&s===0?0:Ua(i-1)+1,max:Ua((e.first+a+1)*e.buckets-1)}}function Gn(e,t,n){let r=Pt(e,n,n),o=r.from<t.to&&r.to>t.from,s=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return o&&r.min<=t.max&&s}function pt(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Gn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function Da(e,t){return[...e.cells.values()].filter(n=>Gn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ge(e,n))??[])}function Kn(e,t,{column:n,row:r}){let o=t.width/e.columns,s=t.height/e.rows,a=t.y+t.height-(r+1)*s;return{x:t.x+n*o,y:a,width:o,height:s}}function Ha(e,t,n,r){let o=(s,a)=>Math.max(0,Math.min(a-1,Math.floor(s*a)));return{column:o((n-t.x)/t.width,e.columns),row:o(1-(r-t.y)/t.height,e.rows)}}function lo(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function io(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function Zt(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function co(e,t,n){let[r,o]=[t.x,t.x+t.width],[s,a]=[t.y,t.y+t.height],i=Math.max(r,io(e,t,n.from)),c=Math.max(s,Zt(e,t,n.max)),u=Math.min(o,io(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,Zt(e,t,n.min-1));return u<=0||m<=c?null:{x:i,y:c,width:u,height:m-c}}function uo(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function Fa(e,t,n,r){let o=[],s=a=>{let i=Zt(e,t,a);o.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&o.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)s(a*i);return o.sort((a,i)=>i.at-a.at)}var Ia=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ja(e,t,n,r,o){let{from:s,to:a}=uo(e),i=Number(a-s)/1e9*(n/t.width),c=Ia.find(p=>p>=i)??Ia.at(-1),u=BigInt(c)*1000000000n,m=[];for(let p=(s+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:io(e,t,p),text:o(p,c*1e9)});return m}var en=52,$u=20,Wa=6,bu=52,vu=72,yu=26,_u=5;function zn(e,t,n){let r=e-en-(n?bu:0);return{x:en,y:Wa,width:Math.max(1,r),height:Math.max(1,t-Wa-$u)}}function wu(e,t){let n=oe(e,t);return n==="00:00"?ve(e).slice(5):n}function xu(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:ja(e,t,vu,ga(e.t0),wu),durations:e.rows===0?[]:Fa(e,t,yu,n)}}function ku(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Su(e,t,n,r,o){e.fillStyle=N("corner"),e.beginPath();let s=-1;for(let a of t.cells.values()){if(!o(a))continue;a.column!==s&&(e.fill(),e.beginPath(),s=a.column);let{x:i,y:c,width:u,height:m}=Kn(t,n,a);ku(e,i+u-r,c,Math.min(_u,u/2,m/2))}e.fill()}function Ru({all:e,kept:t},n){return n==="requests"?t<e:t>0}function Ja(e,t,n,r){let o=["h0","h1","h2","h3","h4","h5"].map(N),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:u,height:m}=Kn(t,n,a);e.fillStyle=o[Ba(a.all,t.most)],e.fillRect(i,c,u-s,m-s)}Su(e,t,n,s,a=>Ru(a,r)),tn(e,t,n)}function tn(e,t,n){let{times:r,durations:o}=xu(t,n);e.fillStyle=N("faint"),e.font=je("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:s,text:a}of o)e.fillText(a,en-8,s),e.fillRect(en-5,Math.round(s),4,1);e.textBaseline="alphabetic",e.fillText(ie(t.t0),en-8,n.y+n.height+16);for(let{at:s,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(s),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(s-i,n.x+n.width-2*i)),n.y+n.height+16)}}function mo(e,t,n,r){t&&(e.fillStyle=N("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function Va(e,t,n,r){mo(e,r.base&&co(t,n,r.base),N("soft"),[4,3]),mo(e,r.box&&co(t,n,r.box),N("accent"),[]);for(let o of r.cells)mo(e,Kn(t,n,o),N("ink"),[])}function Ga({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(o,s)=>{let a=t.slice(s*r,(s+1)*r),i=Ot(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:mt(i,.5),p99:mt(i,.99)}})}function Ka(e){return`${b(Number(e.toPrecision(3)))}/s`}function po(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Tu(e,t,n){let r=!1;e.beginPath();for(let o of t)o&&r?e.lineTo(...o):o&&(e.moveTo(o[0]-n/4,o[1]),e.lineTo(...o)),r=o!==null;e.stroke()}function za(e,t,n,r){let o=n.width/t.columns,s=po(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=N("h1"),r.forEach(({perSecond:a},i)=>{let c=a/s*n.height;e.fillRect(n.x+i*o,n.y+n.height-c,o-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=N(i);let c=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*o,Zt(t,n,p)]};Tu(e,r.map(c),o)}tn(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Ka(s*a),n.x+n.width+6,i+(a===1?5:0))}}function Xa({of:{perSecond:e,p50:t,p99:n}}){let r=o=>o===null?"-":y(o);return l`<b>${Ka(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Ya({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var Ct=[{name:"heap",lines:[["heap_used","io"]],isBars:!1},{name:"GC pauses",lines:[["gc_pause","gc"]],isBars:!0},{name:"CPU",lines:[["cpu_machine","none"],["cpu_jvm","cpu"]],isBars:!1},{name:"threads",lines:[["threads","park"]],isBars:!1}],Ou={heap_used:"heap used",gc_pause:"GC pauses",cpu_jvm:"CPU of the JVM",cpu_machine:"CPU of the machine",resident:"resident memory",threads:"Java threads",classes:"loaded classes"};function fo({line:e}){return Ou[e]??e}function ft({unit:e},t){return({bytes:Q,ns:y,ratio:H}[e]??b)(e==="count"?Math.round(t):t)}function nn({lines:e},t){return t.lines.flatMap(([n,r])=>{let o=e.find(s=>s.line===n);return o?[{line:o,token:r}]:[]})}function Qa(e,t){let n=nn(e,t).flatMap(({line:o})=>o.points.map(s=>s[4])),r=n.reduce((o,s)=>Math.max(o,s),0);return n.length===0?null:po(Math.max(r,.001))}var Pu=12e10,Cu=10;function Za(e,t){let n=Math.max(1,e.chunks.all/Math.max(1,e.chunks.read)),r=Pu*n*(t.line==="heap_used"?Cu:1),o=Math.max(1,Math.ceil(r/e.step_ns)),s=[];for(let a of t.points){let i=s.at(-1);i&&a[0]-i.at(-1)[0]<=o?i.push(a):s.push([a])}return s}function ho({points:e}){let t=e.reduce((n,[,r])=>n+r,0);return e.length===0?null:{count:t,least:Math.min(...e.map(n=>n[2])),mean:e.reduce((n,[,r,,o])=>n+r*o,0)/t,most:Math.max(...e.map(n=>n[4]))}}function ei({points:e},t){return e.find(([n])=>n===t)??null}var go=58,rn=20,Mu=.25;function $o(e,t){let{x:n,width:r}=zn(t,0,!1);return{x:n,y:rn+e*(go+rn),width:r,height:go}}var ti=Ct.length*(go+rn)+26;function ni(e,t,n){let r=$o(0,t),o=Math.floor((n-r.x)/r.width*e.column_count);return o>=0&&o<e.column_count?o:null}function ri(e,t,n){let r=t.width/e.column_count;return{x:o=>t.x+(o+.5)*r,y:o=>t.y+t.height*(1-Math.min(1,o/n)),width:r}}function Au(e,t,{x:n,y:r,width:o}){let s=Math.max(1.5,o-1),a=r(0);for(let[i,,,,c]of t.points){let u=Math.min(r(c),a-1);e.fillRect(n(i)-s/2,u,s,a-u)}}function Lu(e,t,n,r){let{x:o,y:s,width:a}=r;for(let i of Za(t,n))e.globalAlpha=Mu,e.beginPath(),i.forEach(([c,,,,u])=>e.lineTo(o(c),s(u))),[...i].reverse().forEach(([c,,u])=>e.lineTo(o(c),s(u))),e.fill(),e.globalAlpha=1,e.beginPath(),e.moveTo(o(i[0][0])-a/2,s(i[0][3])),i.forEach(([c,,,u])=>e.lineTo(o(c),s(u))),e.lineTo(o(i.at(-1)[0])+a/2,s(i.at(-1)[3])),e.stroke()}function Nu(e,t,n,r){let o=Qa(t,n);if(e.fillStyle=N("line"),e.fillRect(r.x,r.y+r.height,r.width,1),e.font=je("sans"),e.textBaseline="alphabetic",e.textAlign="left",e.fillStyle=N("soft"),e.fillText(n.name,r.x,r.y-4),o===null){e.fillStyle=N("faint"),e.fillText("not recorded",r.x+e.measureText(n.name).width+8,r.y-4);return}let s=nn(t,n);e.fillStyle=N("faint"),e.textAlign="right",e.fillText(ft(s[0].line,o),r.x-8,r.y+8),e.fillText("0",r.x-8,r.y+r.height);let a=ri(t,r,o);e.lineWidth=1.5;for(let{line:i,token:c}of s)e.fillStyle=N(c),e.strokeStyle=N(c),n.isBars?Au(e,i,a):Lu(e,t,i,a)}function oi(e,t,n,r){Ct.forEach((m,p)=>Nu(e,t,m,$o(p,n)));let o=$o(Ct.length-1,n),{t0_ns:s,step_ns:a,column_count:i}=t,c=Array.from({length:i},()=>[]);if(tn(e,Ke({t0_ns:s,step_ns:a,columns:c,...{exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1}},1/0,1),o),r!==null){e.fillStyle=N("ink");let m=ri(t,o,1).x(r);e.fillRect(Math.round(m),rn,1,o.y+o.height-rn)}}function Eu({data:e,hover:t}){let n=BigInt(e.t0_ns)+BigInt(t.column)*BigInt(e.step_ns),r=Ct.flatMap(o=>nn(e,o)).map(({line:o,token:s})=>{let a=ei(o,t.column),[,i,c,u,m]=a??[0,0,0,0,0];return l`<tr key=${o.line}>
      <th scope="row">
        <span class="dot" style=${{background:`var(--${s})`}}></span>${fo(o)}
      </th>
      <td class="n"><b>${a?ft(o,u):"-"}</b></td>
      <td class="n dim">
        ${i>1&&`${ft(o,c)} to ${ft(o,m)}`}
      </td>
    </tr>`});return l`<${Ve} at=${t.at}>
    <b>${oe(n,1e9)}</b>
    <table>
      ${r}
    </table>
  <//>`}function Uu({data:e}){let t=X(null),n=qn(t),[r,o]=P(null);Wn(t,n,i=>oi(i,e,n.width,r?.column??null),[e,r?.column]);let a=i=>{let{clientX:c,clientY:u}=i,m=t.current.getBoundingClientRect().left,p=ni(e,n.width,c-m);o(p===null?null:{column:p,at:{clientX:c,clientY:u}})};return l`<canvas
      ref=${t}
      style=${{height:`${ti}px`}}
      role="img"
      aria-label="Heap, GC pauses, CPU and threads over the time; the table below has the same"
      onPointerMove=${a}
      onPointerLeave=${()=>o(null)}
    ></canvas>
    ${r&&l`<${Eu} data=${e} hover=${r} />`}`}var bo=(e,t)=>({name:e,isNumber:!0,cell:n=>{let r=ho(n);return r?ft(n,t(r)):l`<span class="dim">-</span>`}}),Iu=[{name:"line",cell:e=>fo(e)},bo("least",e=>e.least),bo("mean",e=>e.mean),bo("most",e=>e.most),{name:"events",isNumber:!0,cell:e=>l`<span title=${e.event}>${b(ho(e)?.count??0)}</span>`}];function Bu({data:e}){let[t,n]=P(!1);return l`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<${q}
        label="Lines of the JVM"
        columns=${Iu}
        rows=${e.lines}
        rowKey=${r=>r.line}
      />`}
  </details>`}function Du({chunks:{read:e,all:t},jvms:n}){return e<t?`by ${b(e)} of ${b(t)} chunks, evenly: short pauses may be missing`:n.length>1?"as they say themselves, all JVMs together":"as it says itself"}function Mt({answer:e,url:t,onClose:n}){let{data:r}=e,o=r!==null&&r.lines.every(({points:c})=>c.length===0),s=r&&{...r,is_truncated:r.is_truncated&&r.chunks.read===r.chunks.all},a=l`<${D} of=${s} />${n&&l`<button class="plain" onClick=${n}>close</button>`}<${E} url=${t} />`,i=L(()=>r&&l`<${Bu} data=${r} />`,[r]);return l`<${T}
    title="JVM"
    note=${r&&Du(r)}
    tools=${a}
    answer=${e}
    className="jvm-panel"
  >
    ${o&&l`<${I} title="No JVM says anything of itself here">
        Events such as jdk.GCHeapSummary and jdk.CPULoad are not recorded, or not kept.
      <//>`}
    ${r&&!o&&l`<${Uu} data=${r} />${i}`}
  <//>`}var dt=e=>Wr(e)??0n,Hu=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Xn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,si=(e,t)=>l`${b(e)} <span class="dim">of ${b(t)}</span>`,Fu=()=>[{name:"service",cell:e=>l`<b>${ce(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${ie(M.value)}`,cell:e=>We(dt(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${y(Xn(e))}, running`:y(Xn(e)),isNumber:!0,sort:Xn},{name:"contexts kept",cell:e=>si(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>si(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${Q(e.bytes_out)} <span class="dim">of ${Q(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Hu(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function ju(){let{params:e}=$.value,{from:t,to:n}=K.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let o=S("recordings",r),s=R(o,M.value),a=s.data?.recordings??[],i=l`<${D} of=${s.data} /><${E} url=${o} />`;return l`<${ne}>
    <${T} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${s}>
      ${a.length>0&&l`<${q}
          label="Recordings"
          columns=${Fu()}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>j(["r",u.id])}
        />`}
      ${s.data&&a.length===0&&l`<${Je} />`}
    <//>
  <//>`}var ai=10000000000n,qu=12,Wu=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>b(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>b(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>Q(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>Q(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${ut} of=${ct({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function ze(e,t){return l`<span><b>${e}</b>${t}</span>`}function Ju({of:e}){let t=e.contexts_in?H(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${ze(e.is_running?"running":"ended",`${y(Xn(e))} since ${We(dt(e.start))} ${ie(dt(e.start))}`)}
    ${ze(t,`of ${b(e.contexts_in)} contexts kept`)}
    ${ze(b(e.events_out),`of ${b(e.events_in)} events kept`)}
    ${ze(Q(e.bytes_out),`of ${Q(e.bytes_in)} kept`)}
    ${ze(Q(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&ze(y(e.waiting.duration_ns),`not compacted yet, ${Q(e.waiting.journal_bytes)}`)}
    ${ze(e.jvm_version,e.jvm_name)} ${ze(e.pid,`process, on ${e.instance}`)}
  </div>`}var Vu={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function Gu({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${b(r)} ${Vu[n]??n}</li>`)}
      </ul>`}function Ku({service:e}){let[t,n]=P(!1);return l`<section class="policy">
    <details
      open=${t}
      onToggle=${r=>n(r.currentTarget.open)}
    >
      <summary>
        <b>Policy</b> <span class="dim">that is in force for ${ce(e)} now</span>
      </summary>
      ${t&&l`<${zu} service=${e} />`}
    </details>
  </section>`}function zu({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,M.value),{data:o}=r,s=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${Zr} answer=${r} />
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
      />`}`}function Xu({of:e}){let t={from:String(dt(e.start)-ai),to:String(dt(e.end)+1n),recording:e.id},n=(r,o,s)=>l`<a class="link" href=${le(me(...r),new URLSearchParams({...t,...o}))}
      >${s}</a
    >`;return l`<p class="links">
    ${n(["s",e.service],{},"its requests")}
    ${n(["s",e.service],{unit:"threads"},"all that its threads did")}
    ${n(["e"],{service:e.service},"its events")}
  </p>`}function Yu({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,M.value),{data:r}=n,o=[{name:r?`${ce(r.service)}, ${r.instance}`:e}],s=new URLSearchParams({recording:e});r&&(s.set("from",String(dt(r.start)-ai)),s.set("to",String(dt(r.end)+1n)));let a=S("jvm",s),i=R(r&&a,M.value),c=i.data?.jvms[0],u=l`<a href=${Ys(e)} download>download .jfr</a><${E} url=${t} />`,m=r?ct(r.types):[];return l`<${ne} crumbs=${o}>
    <${T} title="Recording" note=${e} tools=${u} answer=${n}>
      ${r&&l`<${Ju} of=${r} /><${Xu} of=${r} />`}
      ${c&&l`<${Ea} of=${c} />`}
      ${n.status===404&&l`<${I} title="This collector has no such recording">
          <a href=${j(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${Mt} answer=${i} url=${a} />
        <${T}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${m.length>0?l`<${ut} of=${m} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${T} title="Lost" note="what is missing, and should not be"
          ><${Gu} of=${r}
        /><//>
        <${T} title="Event types">
          <${q}
            label="Event types"
            columns=${Wu}
            rows=${Object.entries(r.types).sort((p,d)=>d[1].bytes_in-p[1].bytes_in)}
            rowKey=${([p])=>p}
            rowsFirst=${qu}
          />
        <//>
        <${Ku} service=${r.service} />`}
  <//>`}function ii(){let e=$.value.path[1];return e===void 0?l`<${ju} />`:l`<${Yu} id=${e} />`}function Oe(e){return e.slice(0,-1)}var Qu=["context","thread","trace","id","box","base_box"];function li(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:Qu.some(n=>e.has(n))?"contexts":null}function Xe(e){let t=e.get("unit");return t==="requests"||t==="threads"?t:"contexts"}function Ye(e,t){return G(e,{unit:t==="contexts"?null:t})}function ci(e){let{service:t,jvms:n,requests:r}=e,o=r.requests_in>0,[s,a]=o?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:u,top:m}=o?r:e;return{service:t,jvms:n,unit:o?"requests":"contexts",all:s,kept:a,p50_ns:i,p99_ns:c,spark:u,top:m}}function Zu(e,t,n){let{clientWidth:r,clientHeight:o,scrollTop:s}=t,a=ao(e,{width:r,height:o,ratio:devicePixelRatio});a&&n(a,{width:r,height:o,top:s})}function Yn(e){let{draw:t,height:n,heightMax:r,reveal:o}=e,s=X(null),a=X(null),i=X(t),c=X(0);i.current=t;let u=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&s.current&&Zu(a.current,s.current,i.current)})};we(()=>{let d=new ResizeObserver(u);return d.observe(s.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),we(u,[t,n,r,Ne.value]),we(()=>{let{scrollTop:d,clientHeight:f}=s.current;o&&o[0]<d?s.current.scrollTop=o[0]:o&&o[1]>d+f&&(s.current.scrollTop=o[1]-f)},[o?.[0],o?.[1]]);let m=d=>f=>{let g=a.current.getBoundingClientRect(),_=f.clientY-g.top+s.current.scrollTop;d?.({x:f.clientX-g.left,y:_,width:g.width,event:f})},p=Math.min(n,r);return l`<div
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
  </div>`}var _o=e=>e.charCodeAt(0);function ui(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[_o(n.length===1?n:t),_o(r.length===1?r:t)]}var wo=e=>/\w/.test(String.fromCharCode(e)),mi=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),di=(e,t)=>t>=0&&t<e.length&&wo(e.charCodeAt(t)),Qn=(e,t)=>di(e,t-1),Zn=di,vo={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>Qn(e,t)!==Zn(e,t),"\\B":(e,t)=>Qn(e,t)===Zn(e,t),"\\<":(e,t)=>!Qn(e,t)&&Zn(e,t),"\\>":(e,t)=>Qn(e,t)&&!Zn(e,t)},pi=e=>e>=48&&e<=57,yo={"\\d":pi,"\\D":e=>!pi(e),"\\w":wo,"\\W":e=>!wo(e),"\\s":mi,"\\S":e=>!mi(e)},fi={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},ye=class extends Error{},xo=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new ye;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new ye;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new ye;let r=this.atom,o=this.states.length-r;if(n===0){this.states.length=r;return}for(let s=1;s<t;s++)this.copy(r,o);n===1/0&&this.add({jumps:[1,-o]});for(let s=Math.max(t,1);s<n&&n!==1/0;s++)this.copy(r,o),this.makeOptional(this.states.length-o);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new ye;if(r!==1/0&&r>255)throw new ye;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,o=Object.hasOwn(fi,r)?fi[r]:void 0;if(n===":"?!o:r.length!==1)throw new ye;return n===":"?s=>o.test(String.fromCharCode(s)):_o(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new ye;let r=n;return o=>o>=t&&o<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new ye;t.push(this.range())}this.at++,this.addAtom(r=>ui(r).some(o=>t.some(s=>s(o)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn(vo,n)||Object.hasOwn(yo,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new ye;if(Object.hasOwn(vo,n))this.atom=null,this.add({holds:vo[n]});else if(Object.hasOwn(yo,n))this.addAtom(yo[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[o,s]=ui(n.charCodeAt(n.length-1));this.addAtom(a=>a===o||a===s)}}};function hi(e){try{return e.length>256?null:new xo(e).parse()}catch(t){if(t instanceof ye)return null;throw t}}function gi(e,t,n){let r=new Int32Array(e.length).fill(-1),o=[],s=(u,m)=>{r[u]!==m&&(r[u]=m,o.push(u),n.count++)},a=[],i=!1,c=(u,m,p)=>{s(m,p);for(let d=o.pop();d!==void 0;d=o.pop()){let{takes:f,holds:g,jumps:_,isEnd:h}=e[d];i||=h===!0,f?u.push(d):g?.(t,p)&&s(d+1,p);for(let v of _??[])s(d+v,p)}};for(let u=0;;u++){if(c(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let d of a)e[d].takes(m)&&c(p,d+1,u+1);a=p}}function nr(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,o=new Int32Array(n.length),s=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)s[i.pop()]=m;let p=n[m]-1;o[m]=p<0?-1:i[p],a[m]=p<0?0:c[p],p>=0&&(c[p]+=r[m]),c[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>s[m]=n.length),{flame:e,weight:r,parent:o,end:s,start:a,depth:u}}function bi(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<o&&u.push({node:d,x:0,width:n,row:f})}let m=n/(s[t]||1),p=new Float64Array(Math.max(0,o-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=o||s[d]===0&&d!==t){d=i[d];continue}let g=d===t?n:s[d]*m,_=(a[d]-a[t])*m,h=g<1?Math.min(Math.floor(_),n-1):_;f>=r&&(g>=1||h>=p[f-r])&&(u.push({node:d,x:h,width:Math.max(g,1),row:f}),p[f-r]=h+Math.max(g,1)),d++}return u}function vi(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=t;for(;u>0&&c.level[u]>o;)u=e.parent[u];if(u!==t||c.level[u]===o)return c.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(s[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+s[u];if(p&&c.level[u]===o)return u;u=p?u+1:i[u]}return-1}function yi(e,t,n,r){let{weight:o,end:s,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?_i(e,t)[c+1]:n+1<s[n]&&o[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<s[t];m+=u)if(i.level[m]===c&&o[m]>0)return m;return n}default:return n}}function _i(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var tr=4;function wi(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**tr).toString(36).padStart(tr,"0")}function rr(e,t){return _i(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(wi).join("")}function or(e,t){let{names:n,name:r}=e.flame,o=0;for(let s=0;s<t.length;s+=tr){let a=t.slice(s,s+tr),i=o+1;for(;i<(e.end[o]??0)&&wi(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[o]??0)||!(e.weight[i]>0))break;o=i}return o}var em=1024,tm=5e7;function xi(e,t=tm){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(c),{isOver:()=>!1})}let r=hi(n[1]),o=new Map,s={count:0},a=()=>s.count>t;return r&&Object.assign(c=>(o.has(c)||o.set(c,!a()&&gi(r,c.slice(0,em),s)),o.get(c)),{isOver:a})}function ki(e,t){let{flame:n,end:r,weight:o}=e,s=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=s[n.name[i]]===1;a+=c?o[i]:0,i=c?r[i]:i+1}return{names:s,weight:a}}var er=(e,t)=>t>0?e/t:0;function Si({value:e,base_value:t,requests:n,...r},o){let s=r.base_requests??0,a=Math.max(er(r.total,n),er(r.base_total??0,s)),i=er(e[o],n)-er(t?.[o]??0,s);return a>0?i/a:0}function Ri(e){let{flame:t,end:n}=e,r=t.names.map((s,a)=>{let i=t.kinds[a]??".";return{name:s,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),o=new Int32Array(t.names.length);for(let s=1;s<t.level.length;s++){let a=t.name[s],i=r[a];i.self+=t.self[s],i.baseSelf+=t.base_self?.[s]??0,s>=o[a]&&(o[a]=n[s],i.total+=t.value[s],i.baseTotal+=t.base_value?.[s]??0)}return r.filter((s,a)=>o[a]>0)}function nm({flame:e,parent:t},n){let r=s=>s>0&&e.kinds[e.name[s]]===".",o=r(n)||!r(t[n])?n:t[n];for(let s=o;r(s);s=t[s])if(!qe(e.names[e.name[s]]))return s;return o}function $i({flame:e,parent:t},n){let r=Float64Array.from(e.level,(o,s)=>n?.[s]??0);for(let o=1;o<r.length;o++)r[t[o]]-=n?.[o]??0;return r}function Ti(e,t){let{flame:n}=e,r=$i(e,n.value),o=$i(e,n.base_value),s=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&o[i]===0)continue;let u=c==="."?"c":c,m=n.names[n.name[nm(e,i)]],p=s.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=o[i],s.set(u+m,p)}return[...s.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var _e=18,rm=22,Oi=4,om=5;function sm(e){return e.split(".").slice(0,-2).join(".")}function am(e){if(qe(e))return"frame-jdk";let t=7;for(let n of sm(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%om}`}function im({names:e,kinds:t}){return e.map((n,r)=>{let o=Nn(t[r]??".");return N(r===0?"frame-root":o?o.token:am(n))})}var ko=32,So=e=>({fill:e,ink:yt(e)});function Pi(e){if(e.base_value===void 0){let o=im(e).map(So);return e.name.map(s=>o[s])}let t=o=>Array.from({length:ko+1},(s,a)=>So(Js(N("frame-same"),N(o),a/ko))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((o,s)=>{let a=s===0?0:Si(e,s),i=Math.round(ko*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function lm(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(s=>s.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ci(e,t,n,r){let{flame:o,shades:s,found:a,marks:i,zoom:c}=t,u=N("ink"),m=So(N("accent"));e.font=je("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:g,row:_}of n){let h=_*_e-r,v=o.name[d],w=d!==c&&o.level[d]<o.level[c],k=a!==null&&a.names[v]===1,x=w||a!==null&&!k,{fill:O,ink:U}=k?m:s[d];if(e.globalAlpha=x?.6:1,e.fillStyle=O,e.fillRect(f,h,Math.max(g-.5,.5),_e-1),g>=rm){let W=Math.floor((g-2*Oi)/p);e.globalAlpha=1,e.fillStyle=x?u:U,e.fillText(lm(o.names[v],W),f+Oi,h+_e/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(f+1,h+1,Math.max(g-2,1),_e-3))}}var cm=24,um=3,Ro=(e,t)=>H(t>0?e/t:0);function mm({names:e,name:t,value:n,self:r,total:o,unit:s,requests:a},i){let c=$e(n[i]/Math.max(1,a),s),u=$e(r[i]/Math.max(1,a),s);return`${e[t[i]]}, ${Ro(n[i],o)}, ${c} each, own ${u}`}function pm(e,t){let{value:n,self:r,requests:o,total:s,base_value:a,base_self:i,base_requests:c,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:o,whole:s};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:u??0};return[{...m,name:"selection"},p]}function fm({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:o,names:s,name:a,value:i}=r,c=pm(r,t),u=(m,p)=>l`<tr>
      <th scope="row">${m}</th>
      ${c.map(d=>l`<td class="n"><b>${$e(p(d)/Math.max(1,d.requests),o)}</b></td>
            <td class="n">${Ro(p(d),d.whole)}</td>
            <td class="n dim">${$e(p(d),o)}</td>`)}
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
    ${n>0&&l`<div class="dim">${Ro(i[t],i[n])} of ${s[a[n]]}</div>`}`}function Mi({tree:e,zoom:t,found:n,onZoom:r}){let{flame:o}=e,[s,a]=P(null),[i,c]=P(null),u=L(()=>i===null?-1:or(e,i),[e,i]),m=s?.node??-1,p=L(()=>Pi(o),[o,Ne.value]),d=yn((x,{width:O,top:U,height:W})=>{let V=Math.floor(U/_e),de=bi(e,t,O,V,Math.ceil((U+W)/_e));Ci(x,{flame:o,shades:p,zoom:t,found:n,marks:[u,m]},de,U)},[e,t,n,u,m,p]),f=({x,y:O,width:U})=>vi(e,t,U,x,Math.floor(O/_e)),g=x=>{let O=f(x),{clientX:U,clientY:W}=x.event;a(O<0?null:{node:O,at:{clientX:U,clientY:W}})},_=x=>{let O=f(x);O>=0&&x.event.button===0&&r(O)},h=x=>{let O=u<0?t:u;if(x.key.startsWith("Arrow")){let U=u<0?t:yi(e,t,O,x.key);c(rr(e,U)),a(null)}else if(x.key==="Enter")r(O);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},v=u>=0?u:t,w=o.level[v],k=[Math.max(0,w-um)*_e,(w+1)*_e];return l`<${Yn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*_e}
      heightMax=${cm*_e}
      draw=${d}
      reveal=${k}
      onPoint=${g}
      onUp=${_}
      onLeave=${()=>a(null)}
      onKey=${h}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&mm(o,u)}</div>
    ${s&&l`<${Ve} at=${s.at}><${fm} tree=${e} node=${s.node} zoom=${t} /><//>`}`}var dm=20,hm=16;function gm(e){let t=e.slice(-hm),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function At({name:e,title:t=e}){if(e.length<=dm)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-gm(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var $m=500;function bm(e){let{unit:t,total:n,requests:r,base_requests:o}=e,s=p=>$e(p/Math.max(1,r),t),a=p=>l`<button
      class="plain"
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:null,zoom:null})}
    >
      <${vm} kind=${p.kind} />${p.name}
    </button>`,i=(p,d,f=g=>s(d(g)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>H(n>0?p.total/n:0),u=p=>$e(p/Math.max(1,o??0),t),m=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),i("share",p=>p.total,c)];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function vm({kind:e}){let t=Nn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Ai({tree:e,matches:t}){let n=Ri(e).filter(r=>!t||t(r.name));return n.sort((r,o)=>o.self-r.self||o.total-r.total),l`<div class="frames">
    <${q}
      label="Frames"
      columns=${bm(e.flame)}
      rows=${n}
      rowsMax=${$m}
      rowKey=${r=>r.name}
    />
  </div>`}var ym=8;function sr(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Li({url:e,answer:t}){let{data:n}=t,r=L(()=>n&&n.requests>0?Ti(nr(n),ym):[],[n]),o=$.value.params.get("frame"),s=(c,u=0)=>$e(c/Math.max(1,u),"ns"),a=c=>{let u=sr(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${o===u?"true":"false"}
          onClick=${()=>C({frame:o===u?null:u,zoom:null})}
        >
          <${ae} category=${kt(c.kind)} /><${At}
            name=${He(c.name)}
            title=${c.name}
          />
        </button>
      </td>
      <td class="n">${s(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${s(c.base,n.base_requests)}</td>`}
      <td class="n dim">${H(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${D} of=${n} /><${E} url=${e} />`;return l`<${T} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
  <//>`}var To=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function ar({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function _m(e,t){let n=e.get("value")??"";return To.some(([r])=>r===n)?n:t}function ir(e,t,n="time"){let r=["lock","park","io","cpu"].includes(e),o=r?e:"time",s=`[${e==="unaccounted"?"not accounted":e}]`;return se({value:o===n?null:o,frame:t!==null?sr(t):r?null:sr(s),zoom:null})}function wm({value:e,standard:t}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${To.map(([n,r])=>l`<${ar}
          key=${n}
          isOn=${n===e}
          onChange=${()=>C({value:n===t?null:n,zoom:null})}
          >${r}<//
        >`)}
  </span>`}function xm({flame:e}){let{params:t}=$.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",o={base:null,base_box:null,width:null};return l`<${ar}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?o:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${ar}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function km({found:e,flame:t,matches:n}){let r=$.value.params.get("find")??"",o=r!==""&&n===null,s=$.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&s?H(e.weight/s):H(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;C({find:m===""?null:m},!0)}}
    /><span role="status">${o?"no regular expression":i}</span>`}function Sm(){let e=$.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Rm({flame:e}){let t=(s,a)=>l`<span><i class="dot" style=${{background:`var(--${s})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((s,a)=>a[1]-s[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",o=s=>H(e.total>0?s/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([s,a])=>s==="."?t("frame-root",`${r} ${o(a)}`):l`<span>
              <${ae} category=${kt(s)} />${ee(kt(s)).name}
              ${" "+o(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${b(e.cut.nodes)} small frames cut, ${o(e.cut.value)}</span>`}
  </div>`}function Tm({requests:e,total:t,unit:n,...r},o){let s=$e(t/Math.max(1,e),n),a=r.base_requests??0,i=$e((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${b(a)}, ${i} each`:"";return`${pe(e,o)}, ${s} each${c}`}function lr(e){return S("flamegraph",e,{value:"time",frame:null})}function Pe({query:e,tick:t,whole:n,standard:r="time"}){let{params:o}=$.value,s=_m(o,r),a=o.get("frame"),i=G(e,{value:s,frame:a}),c=S("flamegraph",i),u=n!==void 0&&c===lr(e),m=R(u?null:c,t),p=m.problem===null?n?.data??null:null,d=u?n:{...m,data:m.data??p},f=d.data,g=o.get("width")==="base"&&f?.base_value!==void 0,_=L(()=>f&&nr(f,g),[f,g]),h=o.get("find")??"",v=L(()=>h===""?null:xi(h),[h]),w=L(()=>_&&v&&ki(_,v),[_,v]),k=o.get("flame")==="table",x=!_||_.weight.length===0||!(_.weight[0]>0),O=_?or(_,o.get("zoom")??""):0,U=_&&l`<${Mi}
      tree=${_}
      zoom=${O}
      found=${w}
      onZoom=${de=>C({zoom:rr(_,de)||null})}
    />`,W=l`<${D} of=${f} /><${Te}
      query=${e}
      value=${s}
      frame=${a}
    /><${E} url=${c} />`,V=f?Tm(f,Oe(Xe(e))):"";return l`<${T} title="Flame graph" note=${V} tools=${W} answer=${d}>
    <div class="flame-tools">
      <${wm} value=${s} standard=${r} />
      <${Sm} />
      <${xm} flame=${f} />
      <${km} found=${w} flame=${f} matches=${v} />
      ${O>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${ar}
        isOn=${k}
        onChange=${()=>C({flame:k?null:"table"})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${f&&x&&l`<${I} title="No ${To.find(([de])=>de===s)[1]} in this selection" />`}
    ${!x&&(k?l`<${Ai} tree=${_} matches=${v} />`:U)}
    ${f&&!x&&l`<${Rm} flame=${f} />`}
  <//>`}function cr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((o,s)=>Math.max(o,s.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function Oo({boxes:e},{from:t,to:n},r){let o=r/Math.max(1,n-t),s=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*o),c=Math.min(r,(a.start+a.duration-t)*o),u=Math.max(2,c-i),m=Math.min(i,r-2);s.push({box:a,x:m,width:u,y:20+a.level*20})}return s}function Ni(e,t,{from:n,to:r},o){let s=cr(t),a=o/Math.max(1,r-n),i=c=>(c-n)*a;return e.flatMap(c=>{let[u,m]=[c.from,c.to].map(h=>t.findIndex(v=>v.key===h));if(u<0||m<0||c.end<n||c.start>r)return[];let p=h=>s[h]+20,[d,f]=u<m?[18,0]:u>m?[0,18]:[20/2,20/2],[g,_]=[p(u)+d,p(m)+f];return[{x1:i(c.start),y1:g,x2:i(c.end),y2:_}]})}function Ei(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ui(e,t,n,r,o){let s=Oo(e,t,n).filter(i=>o>=i.y&&o<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return s.sort((i,c)=>a(i)-a(c)),s[0]?.box??null}function on(e){let t=[...e].sort((r,o)=>r.start-o.start||o.duration-r.duration),n=[];return t.map(r=>(n=n.filter(o=>o>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Ii({from:e,to:t},n){let r=(t-e)/Math.max(1,n),o=10**Math.floor(Math.log10(Math.max(1,r))),s=[1,2,5,10].map(i=>i*o).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/s)*s;i<=t;i+=s)a.push(i===0?0:i);return a}function Bi(e,t,n){let r=({boxes:s})=>[...s].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let s=r(e[t.lane]),a=s[s.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let o=n==="ArrowDown"?1:-1;for(let s=t.lane+o;s>=0&&s<e.length;s+=o){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[s]).sort((c,u)=>a(c)-a(u));if(i)return{lane:s,box:i}}return t}var Om=560,Pm=110,Cm=4,Mm=28,Hi=5,Fi=7,Am=[],Lm=500;function Nm(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,o]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<o?{from:r,to:o}:t}function ur(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Em(e,t,n){let r=e.measureText(t).width,o=Math.floor(t.length*n/r)-1;return r<=n?t:o>1?t.slice(0,o)+"\u2026":""}function Po({count:e,name:t,duration:n}){return`${e>1?`${b(e)} \xD7 `:""}${Z(t)} \xB7 ${y(n)}`}function Um(e,t,n,r){let{box:o,x:s,width:a}=t,i=o.kind==="context",c=N(i?"hover":ee(o.kind).token);e.fillStyle=c,e.fillRect(s,n,a,18),(i||r)&&(e.strokeStyle=N(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(s+.5,n+.5,Math.max(1,a-1),17)),a>=Mm&&(e.fillStyle=i?N("ink"):yt(c),e.fillText(Em(e,Po(o),a-2*Hi),s+Hi,n+20/2-1))}function Im(e,{x1:t,y1:n,x2:r,y2:o}){let s=Math.atan2(o-n,r-t),a=i=>[r-Fi*Math.cos(s+i),o-Fi*Math.sin(s+i)];e.beginPath(),e.moveTo(t,n),e.lineTo(r,o),e.moveTo(...a(.45)),e.lineTo(r,o),e.lineTo(...a(-.45));for(let[i,c]of[[4,"panel"],[1.5,"accent"]])e.lineWidth=i,e.strokeStyle=N(c),e.stroke()}function Bm(e,t,n,r){let o=n/(t.to-t.from);e.fillStyle=N("panel"),e.fillRect(0,0,n,18);for(let s of Ii(t,n/Pm)){let a=Math.round((s-t.from)*o),i=s===0?"0":y(s),c=e.measureText(i).width;e.fillStyle=N("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=N("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function Dm({lanes:e,arrows:t,view:n,marks:r,drag:o}){return yn((s,{width:a,top:i,height:c})=>{let u=cr(e);s.font=je("sans"),s.textBaseline="middle",Bm(s,n,a,c),s.save(),s.beginPath(),s.rect(0,18,a,c),s.clip(),e.forEach((m,p)=>{let d=u[p]-i;d>c||u[p+1]-i<0||Oo(m,n,a).forEach(f=>Um(s,f,d+f.y,r.includes(f.box)))});for(let{x1:m,y1:p,x2:d,y2:f}of Ni(t,e,n,a))Im(s,{x1:m,y1:p-i,x2:d,y2:f-i});s.restore(),o&&(s.fillStyle=N("sel"),s.fillRect(o[0],0,o[1]-o[0],c))},[e,t,n.from,n.to,...r,o?.[0],o?.[1]])}function Hm({title:e},t){return`${e}: ${ee(t.kind).name}, ${Po(t)}, at ${y(t.start)}`}function Fm({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${q}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Lm}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ae} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>b(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function mr({lanes:e,arrows:t=Am,all:n,hrefOf:r,onOpen:o,label:s}){let a=Nm($.value.params.get("part"),n),[i,c]=P(null),[u,m]=P(null),[p,d]=P(null),[f,g]=P(!1),_=L(()=>cr(e),[e]),h=u&&e[u.lane]?.boxes.includes(u.box)?u:null,v=[h?.box??null,i?.box??null],w=Dm({lanes:e,arrows:t,view:a,marks:v,drag:p}),k=({x:A,y:B,width:Me})=>{let Ae=Ei(_,B),Ze=Ae<0?null:Ui(e[Ae],a,Me,A,B-_[Ae]);return Ze&&{lane:Ae,box:Ze}},x=A=>{if(p){d([p[0],Math.max(0,Math.min(A.x,A.width))]),c(null);return}let B=k(A),{clientX:Me,clientY:Ae}=A.event;c(B&&{...B,at:{clientX:Me,clientY:Ae}})},O=({lane:A,box:B})=>{let Me=r?.(e[A],B)??null;Me!==null&&o?o(Me):ur({from:B.start,to:B.start+Math.max(1,B.duration)})},U=({x:A,event:B})=>{B.button===0&&B.pointerType!=="touch"&&(B.target.setPointerCapture(B.pointerId),d([A,A]))},W=A=>{d(null);let[B=0,Me=0]=p?[...p].sort((Ze,Nl)=>Ze-Nl):[],Ae=k(A);if(Me-B>=Cm){let Ze=(a.to-a.from)/A.width;ur({from:a.from+B*Ze,to:a.from+Me*Ze})}else Ae&&O(Ae)},V=e.findIndex(({boxes:A})=>A.length>0),de=A=>{if(A.key.startsWith("Arrow")&&V>=0)m(h?Bi(e,h,A.key):{lane:V,box:e[V].boxes[0]});else if(A.key==="Enter"&&h)O(h);else if(A.key==="Escape"||A.key==="Backspace")ur(null);else return;A.preventDefault()},he=h?_[h.lane]+20+h.box.level*20:0,Ce=$.value.params.get("part")!==null;return l`<${Yn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${_[_.length-1]}
      heightMax=${Om}
      draw=${w}
      reveal=${h?[he-20-20,he+20]:void 0}
      onPoint=${x}
      onDown=${U}
      onUp=${W}
      onLeave=${()=>c(null)}
      onKey=${de}
    >
      ${e.map((A,B)=>l`<div class="lane-title" key=${A.key} style=${{top:`${_[B]}px`}}>
            ${A.href?l`<a href=${A.href}>${A.title}</a>`:A.title}
            <small title=${A.note}>${A.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${h&&Hm(e[h.lane],h.box)}</div>
    ${i&&l`<${Ve} at=${i.at}>
        <b>${Po(i.box)}</b>
        <div>${i.box.name}, ${ee(i.box.kind).name}</div>
        <div class="dim">at ${y(i.box.start)}</div>
      <//>`}
    ${Ce&&l`<button onClick=${()=>ur(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${A=>g(A.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${f&&l`<${Fm} lanes=${e} />`}
    </details>`}var jm=3,qm=.001;function Wm({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var Co=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):b(Math.round(n))} \xD7`};function Jm(e,{category:t,is_count:n}){let r=e.slices.find(o=>o.category===t);return n?Co(r?.events??0,e.requests):y((r?.total_ns??0)/Math.max(1,e.requests))}function Vm({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${b(t.events)} in ${pe(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${b(t.per_request)} × ${He(t.frame)}
          <span class="dim"> ${ee(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function Gm({slice:e,of:t,base:n,hrefOf:r}){let o=r&&!e.is_count,s=(p,d)=>o?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?Co(p.events,t.requests):y(p.total_ns/t.requests),share:e.is_count?"":H(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":Co(p.events,t.requests)}),i=Math.max(1,t.total_ns*qm),c=e.top.slice(0,jm).filter(p=>e.is_count||p.total_ns>=i),u=o?"opens":"",m=(p,d)=>{let{each:f,share:g,often:_}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim">${g}</td>
      <td class="n dim often">${_}</td>`};return l`<tr
      class=${u}
      title=${`${y(e.total_ns)} in all, ${b(e.events)} events`}
    >
      <th scope="row">
        <${ae} category=${e.category} />${s(ee(e.category).name,null)}
      </th>
      ${m(e,n?Jm(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${s(l`<${At} name=${He(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${He(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function ln({of:e,base:t,against:n="base",hrefOf:r}){let o=e.slices.filter(Wm),s=({total_ns:a})=>y(a/e.requests);return l`<${la} parts=${o} total=${e.total_ns} each=${s} />
    <table class="why">
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title=${`each of ${b(t.requests)} to compare with`}>${n}</th>`}
          <th scope="col" class="n">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${o.map(a=>l`<${Gm}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${Vm} of=${e} />`}`}function Lt({query:e,against:t,tick:n,hrefOf:r}){let o=S("why",e),s=R(o,n),{data:a}=s,i=Oe(Xe(e)),c=l`<${D} of=${a} /><${E} url=${o} />`,u=a&&a.requests>0?`mean of ${pe(a.requests,i)}, ${y(a.total_ns/a.requests)} each`:"";return l`<${T}
    title="Why"
    note=${u}
    tools=${c}
    answer=${s}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${ln} of=${a} base=${a.base??null} against=${t} hrefOf=${r} />`}
    ${a?.requests===0&&l`<${I} title=${`No kept ${i} is in this selection`} />`}
  <//>`}function pr({of:e}){let t=En(e),n=r=>r===t&&t!==null?l`<a class="link" href=${j(["t",t])}>${t}</a>
          <${Hn} trace=${t} />`:Fn(r);return l`${Object.entries(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${n(o)}</dd>`])}`}function fr({at:e}){return l`<dt>start</dt>
    <dd title=${Ie(e)}>${ve(e)} ${oe(e)} ${ie(e)}</dd>`}function dr({recording:e,jvm:t}){return l`<dt>JVM</dt>
    <dd>
      <a class="link" href=${j(["r",e])}>${t?t.instance:e}</a>
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>`}function hr(e,t){let n=e&&{name:ce(e.service),href:j(["s",e.service])};return[{name:"services",href:j([])},...n?[n]:[],{name:t}]}var Ao="pauses: GC, safepoints";function gr(e){return e===null?"JVM":e===""?"a thread without a name":e}function cn({t0_ns:e,events:t,is_truncated:n}){return zt({...t,t0_ns:e,next:null,is_truncated:n})}var $r=e=>`request ${e??""}`,Mo=(e,t,n,r,o)=>({level:0,start:n,duration:r,kind:e,name:t,count:1,id:o});function Km(e){let t=new Map;for(let{start:n,values:r}of cn(e)){let[o,s]=[r.thread??null,String(r.type)],a=o===null?null:String(o),i=Number(n-BigInt(e.t0_ns)),c=Mo(be(s),s,i,Number(r.duration??0),null);t.set(a,[...t.get(a)??[],c])}return t}var zm=(e,t)=>e.thread===t.thread&&e.start<t.start+t.duration&&t.start<e.start+e.duration;function ji(e){let{recording:t,threads:n,parts:r,stays:o,type:s}=e,a=Km(e),i=on(a.get(null)??[]),c={key:$r(null),title:gr(null),note:Ao,recording:t,boxes:i},u=[...new Set(n.map(({name:m})=>m))].map(m=>{let p=({thread:v})=>n[v]?.name===m,d=o.filter(p),f=d.filter(v=>!r.some(w=>zm(w,v))),g=[...r.filter(p).map(v=>Mo("context",v.type,v.start,v.duration,v.id)),...f.map(v=>Mo("context",s,v.start,v.duration,null)),...a.get(m)??[]],_=d.reduce((v,w)=>v+w.duration,0),h=`worked for it ${y(_)}`;return{key:$r(m),title:gr(m),note:h,recording:t,boxes:on(g)}});return i.length>0?[c,...u]:u}function qi({hand_overs:e}){return e.map(({from:t,to:n,start:r,duration:o})=>({from:$r(t),to:$r(n),start:r,end:r+o}))}var Lo=8192,Wi=60000000000n,Ji=5,Xm=2000000000n;function Ym({owners:e}){let t=new Map;for(let{thread:n,monitor:r,had:o,start:s,end:a}of e){if(n===null)continue;let i=t.get(n),c=Z(r);t.set(n,{thread:n,monitors:i?`${i.monitors}, ${c}`:c,had:o+(i?.had??0),from:Math.min(s,i?.from??s),to:Math.max(a,i?.to??a)})}return[...t.values()].sort((n,r)=>r.had-n.had)}function No(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:o,thread:s})=>({key:`${o} ${s??""}`,title:gr(s),recording:o,thread:s,boxes:[]}));for(let[o,s,a,i,c,u,m,p]of e.rows){let d={level:s,start:a+n,duration:i,kind:c,name:u,count:m,id:p};r[o]?.boxes.push(d)}return r}function Qm(e,t){return zt(e).flatMap(({start:n,values:r})=>{let o=String(r.type),s=Number(r.duration??0),a=be(o),i={level:0,start:Number(n-t),duration:s,kind:a,name:o};return r.context===null?[{...i,count:1,id:null}]:[]})}function Zm(e,t,n,r){let o=BigInt(e.t0_ns),a=No(n,o).filter(({thread:u})=>u===t.thread).flatMap(({boxes:u})=>u),i=on([...a,...Qm(r,o)]).filter(u=>u.start<=t.to&&u.start+u.duration>=t.from),c=`had ${t.monitors} for ${y(t.had)}`;return{key:`owner ${t.thread}`,title:t.thread,note:i.length>0?c:`${c}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:i}}function ep(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Xm)),r.set("to",String(n+BigInt(t?.to??0)+1n));let o=(u,m)=>t?S(u,r,m):null,s=R(o("timeline",{width:String(Lo)})),a=R(o("events",{limit:"1000",columns:"name"})),i=L(()=>t&&s.data&&a.data?Zm(e,t,s.data,a.data):null,[e,t?.thread,s.data,a.data]),c=[s,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:c}}function tp(e){let t=L(()=>Ym(e),[e]),n=[];for(let i=0;i<Ji;i++){let c=n.every(u=>u.isAnswered);n.push(ep(e,c?t[i]:void 0))}let r=t.slice(Ji),o=y(r.reduce((i,c)=>i+c.had,0)),s={key:"more owners",title:`${r.length} more`,note:`had monitors for ${o}, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return L(()=>[...a.filter(i=>i!==null),...r.length>0?[s]:[]],[e,...a])}function np(e){let t=En(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Wi)});r.set("to",String(n+BigInt(e.duration)+Wi));let o=String(Lo),s=R(t&&S("timeline",r,{width:o,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return L(()=>(s?No(s,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:j(["t",t])}}),[e,s,i])}function Vi(e,t){let n=tp(e),r=np(e);return L(()=>{let o=[null,...t,...n.map(({thread:a})=>a)],s=a=>a.recording!==e.recording||!o.includes(a.thread);return[...n,...r.filter(s)]},[e,t,n,r])}function Gi(e,t){let n=R(S("timeline",t,{width:String(Lo)})).data,r=L(()=>[e.thread],[e]),o=Vi(e,r);return L(()=>{let s=n?No(n,BigInt(e.t0_ns)):[],a=`this one, ${y(e.duration)}`,i=s.map(c=>({...c,note:c.thread===null?Ao:a}));return[...i.filter(({thread:c})=>c===null),...i.filter(({thread:c})=>c!==null),...o]},[e,n,o])}function Ki(e){let t=L(()=>e.threads.map(({name:r})=>r),[e]),n=Vi(e,t);return L(()=>[...ji(e),...n],[e,n])}function zi({of:e,depth:t}){let n=e.thread??"a thread without a name";return[l`<tr title=${`${pe(e.waits,"wait")} for ${e.monitor}`}>
      <td class="w" style=${{paddingInlineStart:`calc(var(--s2) + ${t} * var(--s4))`}}>
        ${t>0&&l`<span class="dim">waited for </span>`}<b>${n}</b>
      </td>
      <td class="w">${Z(e.monitor)}</td>
      <td class="n">${y(e.had)}</td>
    </tr>`,...e.owners.map(r=>l`<${zi} of=${r} depth=${t+1} />`)]}function br({of:e}){return e.length>0&&l`<h2 class="second">Who had the monitor</h2>
      <table aria-label="Who had the monitor">
        <tbody>
          ${e.map(t=>l`<${zi} of=${t} depth=${0} />`)}
        </tbody>
      </table>`}var Xi=300000000000n,rp=100,Nt=({t0_ns:e})=>BigInt(e);function Eo(e){let t=Nt(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function op(e){let t=Eo(e);if($.value.params.get("base")==="rest"){let n=Nt(e);t.set("from",String(n-Xi)),t.set("to",String(n+Xi)),t.set("context",e.type),t.set("base","rest")}return t}function sp({context:e,jvm:t}){return l`<dl class="kv">
    <${pr} of=${e.attributes} />
    <${fr} at=${Nt(e)} />
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <${dr} recording=${e.recording} jvm=${t} />
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${Yi(e,e.parent)}
            >${Z(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Yi(e,{id:t,start:n}){return Ue(e.recording,t,Nt(e)+BigInt(Math.round(n)))}function ap({context:e}){return l`<table>
      <tbody>
        ${e.kept_because.map(({event:t,count:n,setting:r})=>l`<tr key=${t}>
              <td title=${t}>
                <${ae} category=${be(t)} />${b(n)} × ${Z(t)}
              </td>
              <td class="dim w">${r}</td>
            </tr>`)}
      </tbody>
    </table>
    ${e.kept_because.length===0&&l`<p class="dim">the contexts in it</p>`}
    <${br} of=${e.owners} />`}function ip({context:e}){return l`<${T} title="Contexts in it" note=${b(e.children.length)}>
    <${q}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${rp}
      rowKey=${t=>t.id}
      href=${t=>Yi(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function lp({context:e,service:t,tick:n}){let r=L(()=>Eo(e),[e]),o=Gi(e,r),s=L(()=>cn(e),[e]),a=(c,{id:u,start:m})=>u===null||u===e.id?null:Ue(c.recording,u,Nt(e)+BigInt(Math.round(m))),i=l`<${E} url=${S("timeline",r)} />`;return l`<${T}
      title="On one axis"
      note="this thread, who held it up, what stopped the JVM, and its trace; drag to zoom"
      tools=${i}
    >
      <${mr}
        label="Threads on one axis"
        lanes=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${ge}
      />
    <//>
    ${e.children.length>0&&l`<${ip} context=${e} />`}
    <${Pe} query=${op(e)} tick=${n} />
    <${T} title="Events" note=${b(s.length)}>
      ${s.length>0?l`<${Rt}
              items=${s}
              since=${Nt(e)}
              service=${t}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Qi(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,s=new URLSearchParams(o===null?{}:{from:String(o),to:String(o+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,s),c=R(i,M.value),u=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=c.data,p=m?`${Z(m.type)}, ${y(m.duration)}`:r,d=m&&Eo(m),f=l`<${D} of=${m} /> ${d&&l`<${Te} query=${d} />`}
    <${E} url=${i} />`;return l`<${ne} crumbs=${hr(u,p)}>
    ${m?l`<div class="three">
              <${T}
                title=${Z(m.type)}
                note=${y(m.duration)}
                tools=${f}
                answer=${c}
              >
                <${sp} context=${m} jvm=${u} />
              <//>
              <${T} title=${`Why ${y(m.duration)}`} className="why-panel">
                <${ln} of=${m.why} base=${null} />
              <//>
              <${T} title="Kept because"><${ap} context=${m} /><//>
            </div>
            <${lp} context=${m} service=${u?.service??null} tick=${M.value} />`:l`<${T} title="Request" tools=${f} answer=${c} />`}
  <//>`}var cp=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Uo(e){return cp.test(e)}function Zi({key:e,distinct:t,search_only:n,values:r},o){let s=r.every(i=>i.count+(i.base_count??0)<=1),a=Uo(e)&&2*(t??0)>o;return n||r.length>=4&&(s||a)}var up=100,mp=10,pp=1.96;function fp(e,t,n){let[r,o]=[t+2,n+2],[s,a]=[(e.count+1)/r,((e.base_count??0)+1)/o],i=s*(1-s)/r+a*(1-a)/o;return s-a-pp*Math.sqrt(i)}function dp({contexts:e,base_contexts:t,keys:n},r){let o=({key:u,label:m})=>!r.has(u)&&!r.has(m),s=n.filter(u=>o(u)&&Zi(u,e)).map(({key:u})=>u),a=u=>t?fp(u,e,t):u.count,i=n.filter(u=>o(u)&&!s.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),c=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:c,ids:s}}function hp({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Io=(e,t)=>t>0?e/t:0;function gp({here:e,there:t}){let n=o=>({left:`${100*o}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function $p({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${At} name=${i===""?"(empty)":i} /></b>
      </span>`},o={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${b(a.count)} of ${b(e)}`}
        >${H(a.count/e)}</span
      >`,isNumber:!0,className:"share"},s={name:"p99",cell:a=>a.p99_ns===null?"":y(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${gp}
          here=${Io(a.count,e)}
          there=${Io(a.base_count??0,t)}
        />`,className:"plot"},o,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${b(a.base_count??0)} of ${b(t)}`}
          >${H(Io(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},s,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${hp(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,o,s]}function bp({key:e,value:t}){let n=`${e}=${t}`,r=$.value.params.getAll("where").filter(o=>o!==n);return se({where:[...r,n]})}function vp({data:e,against:t}){let[n,r]=P(!1),o=$.value.params.getAll("where"),s=new Set(o.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=dp(e,s),u=n?a:a.slice(0,Math.min(mp,i)),m=a.length-u.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&l`<${q}
      label="Attributes"
      columns=${$p(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${bp}
      className="values"
    />`}
  ${m>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${b(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function el({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(up)}),o=R(r,n),{data:s}=o,a=l`<${D} of=${s} /><${E} url=${r} />`;return l`<${T}
    title="Attributes"
    note=${s?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${o}
    className="attributes"
  >
    ${s&&s.contexts>0&&l`<${vp} data=${s} against=${t} />`}
  <//>`}function tl({name:e,all:t,options:n}){let r=$.value.params.get(e)??"",s=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${s.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function nl({name:e,placeholder:t}){let n=X(null),r=$.value.params.get(e),o=r&&_t(r)?y(Number(r)):"";return Se(()=>{n.current.value=o},[o]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=Rs(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&C({[e]:i===null?null:String(i),box:null})}}
  />`}function yp(){let e=X(null),t=$.value.params.get("thread")??"";return Se(()=>{e.current.value=t},[t]),l`<input
    class="thread"
    ref=${e}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>C({thread:e.current.value.trim()||null})}
  />`}function vr({types:e,instances:t,isWhole:n=!1}){let r=$.value.params.get("context"),o=e.filter(({type:i})=>r===null||i===r).flatMap(i=>i.attributes),s=o.flatMap(i=>i.values.map(({value:c})=>c)),a=l`<${tl}
    name="instance"
    all="all JVMs"
    options=${t.map(i=>[i,i])}
  />`;return n?l`<div class="choosers">${a} <${Yt} isWhole /></div>`:l`<div class="choosers">
    <${tl}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:i,contexts_in:c})=>[i,`${i} (${b(c)})`])}
    />
    ${a}
    <${nl} name="min_duration_ns" placeholder="at least" />
    <${nl} name="max_duration_ns" placeholder="at most" />
    <${yp} />
    <${Yt}
      keys=${[...new Set(o.map(({key:i})=>i))]}
      values=${[...new Set(s)]}
    />
  </div>`}var _p=4,wp={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Qe(e){return ue($.value.params.get(e))}var ol=e=>e==="requests"?{unit:e}:{};function un(e,t,n){let r=e&&Gt(e),o=e?{min_duration_ns:null,max_duration_ns:null}:{},s=ol(n);C(t?{base_box:r,base:null,...s}:{box:r,...o,...s})}function xp(e){un(null,Qe("base_box")!==null,e)}function Bo({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function sl(e,t){return e.column===t.column&&e.row===t.row}function rl(e,t,n){let r=(o,s)=>Math.max(0,Math.min(s-1,o));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function kp(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function Et({grid:e,isRate:t},{from:n,to:r}){return t?Pt(e,{...n,row:0},{...r,row:e.rows-1}):Pt(e,n,r)}function al({grid:e,unit:t},n){let r=e.exemplars.get(Ge(e,n));r&&ge(lt(t,r.recording,r.id))}function il(e){let{grid:t,plot:n}=e,[r,o]=P(null),[s,a]=P(null),i=X(null),c=({offsetX:h,offsetY:v})=>Ha(t,n,h,v),u=h=>{let{offsetX:v,offsetY:w}=h;if(h.button===0&&t.rows>0&&lo(n,v,w)){h.currentTarget.setPointerCapture(h.pointerId);let k=h.shiftKey||e.isComparing;o({from:c(h),to:c(h),x:v,y:w,isLong:!1,isBase:k})}},m=h=>{let{offsetX:v,offsetY:w}=h;if(r){let U=r.isLong||Math.hypot(v-r.x,w-r.y)>=_p;o({...r,to:c(h),isLong:U})}let{clientX:k,clientY:x}=h,O=t.rows>0&&lo(n,v,w);a(O?{place:c(h),clientX:k,clientY:x}:null)},p=h=>{if(o(null),!r)return;if(h.altKey&&!r.isLong){al(e,r.from);return}let v=Et(e,r),w=!r.isLong&&pt(t,v).all===0;un(w?null:v,r.isBase,e.unit)},d=h=>{let v=i.current,w=v&&Gn(t,v,c(h))?v:Et(e,{from:c(h),to:c(h)});C({box:Gt(w),...ol(e.unit)},!0),Bo(w)},f=({detail:h})=>{i.current=h>1?i.current:Qe("box")},g=()=>a(null),_=()=>o(null);return{drag:r?.isLong?r:null,hover:r?null:s,on:{onMouseDown:f,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:g,onPointerCancel:_,onDblClick:d}}}function ll(e){let{grid:t}=e,[n,r]=P(null),o=i=>{let c=wp[i.key];if(c&&t.rows>0){let u=n?rl(t,n.to,c):kp(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)al(e,n.to);else if(i.key==="Enter"&&n)un(Et(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),xp(e.unit);else return;i.preventDefault()},s=i=>rl(t,i,{column:0,row:0});return{cursor:n&&{from:s(n.from),to:s(n.to)},on:{onKeyDown:o,onBlur:()=>r(null)}}}var Do=6e10;function yr({from:e,to:t,min:n,max:r}){let o=e%BigInt(Do)===0n&&t%BigInt(Do)===0n,s=i=>oe(i,o?Do:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${s(e)} to ${s(t)}, ${a}`}function Ho({all:e,kept:t}){return`${b(t)} kept of ${b(e)}`}var Rp=5,Tp=6;function Op({view:{grid:e,unit:t},hover:n,rates:r}){let{place:o}=n,s=Ge(e,o),a=e.cells.get(s),i=r?.[o.column];if(!a&&!i)return null;let[c,u]=yr(Pt(e,o,o)).split(", "),m=a&&`${b(a.all)} ${t}, ${b(a.kept)} kept`,p=i?l`<${Xa} of=${i} /><br />${c}`:l`<b>${u}</b><br />${c}<br />${m}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${Ve} at=${n}>${p}<//>`}var Pp={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Cp(e,t,n){let r=e??Pp,o=Math.max(1,t.width/Rp),s=Math.max(1,t.height/Tp);return L(()=>Ke(r,o,s,n),[r,o,s,n])}function Mp({data:e,unit:t,isRate:n,isComparing:r,onPoint:o}){let s=X(null),a=qn(s),i=zn(a.width,a.height,n),c=Cp(e,i,t==="requests"&&!n?79:null),u=L(()=>n&&e?Ga(e,c):null,[n,e,c]),m={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=il(m),{cursor:g,on:_}=ll(m),h=p??(g&&!sl(g.from,g.to)?g:null),v=h&&Et(m,h),w=p?.isBase??r,k={box:!w&&v||Qe("box"),base:w&&v||Qe("base_box"),cells:[n?null:d?.place,g?.to].filter(V=>V!=null)},x=V=>{u?za(V,c,i,u):e&&Ja(V,c,i,t),Va(V,c,i,k)},{column:O,row:U}=d?.place??{};Wn(s,a,x,[c,u,$.value,r,p,g,O,U]);let W=g&&Et(m,g);return l`<div class="heatmap">
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
    ${d&&l`<${Op} view=${m} hover=${d} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${W&&`${yr(W)}: ${Ho(pt(c,W))}`}
    </div>
    ${e&&l`<${Np} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function Ap({most:e,unit:t}){let n=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),r=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((o,s)=>o<(n[s+1]??e+1)&&l` ${r(s)}${b(o)}`)}
    ${e>1&&l` to ${b(e)}`}</span
  >`}var Lp=e=>`Counted by chunk: a ${Oe(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function ul({data:e,unit:t,box:n,isBase:r}){let o=L(()=>Ke(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Lp(t)}
    onClick=${()=>un(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${yr(n)}</b>${" "}
    ${Ho(pt(o,n))} by chunk <i>×</i>
  </button>`}function Np({data:e,unit:t,most:n,isRate:r}){let o=[n>0&&l`<${Ap} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[s,a]=[Qe("box"),Qe("base_box")];return l`<div class="legend">
    ${r?l`<${Ya} unit=${t} />`:o}
    ${s&&l`<${ul} data=${e} unit=${t} box=${s} isBase=${!1} />`}
    ${a&&l`<${ul} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Ep({data:e,unit:t}){let[n,r]=P(!1),o=(a,i)=>{let c=Ot([a]),[u,m]=[1,2].map(d=>a.reduce((f,g)=>f+g[d],0)),p=d=>y(mt(c,d));return l`<tr>
      <td>${oe(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
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
  </details>`}function Up({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function ml({answer:e,url:t,unit:n,isEither:r,note:o,onPoint:s}){let[a,i]=P(!1),c=$.value.params.get("view")==="rate",u=Qe("box"),{data:m}=e,p=L(()=>m&&l`<${Ep} data=${m} unit=${n} />`,[m,n]),d=(g,_,h)=>l`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:g})}>
      ${_}
    </button>`,f=l`<${D} of=${m} />
    ${u&&l`<button class="plain" onClick=${()=>Bo(u)}>zoom in</button>`}
    <span class="tabs"
      ><button
        aria-pressed=${a?"true":"false"}
        title="the next box is what the selection is compared with, as with Shift"
        onClick=${()=>i(!a)}
      >
        compare
      </button></span
    >
    ${r&&l`<${Up} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${E} url=${t} />`;return l`<${T}
    title=${`All ${n}`}
    note=${o}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${Mp}
      data=${m}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${s}
    />
    ${p}
  <//>`}var Ip=3;function Bp({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&ct(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${j(["r",e.id])}>${e.instance}</a>, since it started:
        <${ut} of=${n} />
      </p>`:null}function Dp(e,t){return Gt({...e,from:e.from-t,to:e.to+t})}function Hp({grid:e,heatUrl:t,box:n,kept:r,unit:o}){let{data:s}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=s?Da(Ke(s,1/0,1/0),n).slice(0,Ip):[],c=({recording:u,id:m},p)=>l`<a class="link" key=${m} href=${lt(o,u,m)}>${p+1}</a>${" "}`;return l`<${I} title=${`No kept ${Oe(o)} began in this box`}>
    <p>
      The heat map has ${b(r)} kept ones here: it counts a ${Oe(o)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Dp(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function pl({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:o}){let s=L(()=>Ke(e,1/0,1/0),[e]),a=ue($.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),c=(h,v)=>Number(n.get(h)??v),u=a??{...uo(s),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:m,kept:p}=pt(s,u),d=Xe(n),f=Oe(d),g=r[0];if(r.length===0)return l`<${Je} />`;let _=(h,v)=>l`<${I} title=${h}>${v}<//>`;return o?_(`No kept ${f} is like this`,"Take a condition away to see more."):m===0&&a?_(`No ${f} is in this box`,"Choose a coloured cell."):m===0&&i?_(`No ${f} is like this`,"Take a condition away, or look at a longer time."):m===0?_(`No ${d} in this time`,r.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?l`<${Hp}
      grid=${s}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${I} title=${`Nothing is kept of these ${b(m)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${g&&l`<${Bp} of=${g} />`}
  <//>`}var Fp=12,jo={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function qo(e,t){let n=e.get("sort");return jo[t].some(([r])=>r===n)?n:jo[t][0][0]}function jp({start:e,values:t}){let n=o=>String(t[o]??""),r=Object.entries(t).filter(([o,s])=>o.startsWith("attr.")&&s!==null).map(([o,s])=>[o.slice(5),s]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function qp({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${H(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Fo=(e,t)=>new Set(e.map(t)).size>1,Wp={contexts:[{name:"blocked",cell:e=>l`<${qp} of=${e} />`},{name:"events",cell:e=>b(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>b(e.parts),isNumber:!0}]},Jp={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},Vp=e=>e[0]?ie(e[0].start):"";function Gp(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],o=Fo(e,c=>ve(c.start)),s=c=>l`<span title=${Ie(c.start)}>
      ${o?`${ve(c.start).slice(5)} `:""}${oe(c.start)}
    </span>`,a=(c,u)=>[e.some(m=>m[c]>0),{name:c,title:u,cell:m=>m[c]>0?y(m[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Fo(e,c=>c.type),{name:"type",cell:c=>Z(c.type)}],[Fo(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${Vp(e)}`,cell:s},{name:"duration",cell:c=>l`<b>${y(c.duration)}</b>`,isNumber:!0},...Wp[n],...i.flatMap(([c,u])=>c?[u]:[]),...r.slice(0,Fp).map(c=>({name:c,cell:u=>Kp(u.attributes[c]),className:"cut"})),Jp[n]]}function Kp(e){let t=e===void 0?"":typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function zp({unit:e}){let t=jo[e],n=qo($.value.params,e),r=o=>C({sort:o===t[0][0]?null:o});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([o,s])=>l`<button
          key=${o}
          aria-pressed=${n===o?"true":"false"}
          onClick=${()=>r(o)}
        >
          ${s}
        </button>`)}
  </span>`}function fl({pages:e,url:t,query:n,instances:r,eventsHref:o}){let{answer:s,items:a,more:i}=e,c=a.map(jp),u=Xe(n),m=l`<${D} of=${s.data} />
    <${zp} unit=${u} />
    <a href=${o}>events</a>
    <${Te} query=${n} value=${$.value.params.get("value")??void 0} />
    <${E} url=${t} />`,p=ue($.value.params.get("box")),d=p&&Kr(p),f=s.data&&`${b(c.length)} of ${b(s.data.matched)}`+(d?`, began ${oe(d.from,1e9)} to ${oe(d.to,1e9)}`:"");return l`<${T}
    title=${`Kept ${u}`}
    note=${f}
    tools=${m}
    answer=${s}
    className="requests"
  >
    ${c.length>0&&l`<${q}
        label=${`Kept ${u}`}
        columns=${Gp(c,r,u)}
        rows=${c}
        rowKey=${g=>g.recording+g.id}
        href=${g=>lt(u,g.recording,g.id,g.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var dl=e=>e===null?"":y(e);function _r(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),o=r===null?"":b(Number(r.toPrecision(3)));return l`<span title=${`${b(n.all)} in all`}>${o}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function wr(e){return[{name:"median",cell:t=>dl(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${dl(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${ca} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${ia} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${b(t.kept)} of ${b(t.all)}`}
          >${t.all>0?H(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var Xp=10,mn=["http_route","http.route","route","endpoint"];function Yp(e){let t=new Map;for(let{key:o,values:s}of e.flatMap(a=>a.attributes))if(s.length>0&&!Uo(o)){let a=t.get(o)??new Set;s.forEach(({value:i})=>a.add(i)),t.set(o,a)}let n=o=>mn.includes(o)?mn.indexOf(o):mn.length,r=o=>t.get(o).size;return[...t.keys()].sort((o,s)=>n(o)-n(s)||r(s)-r(o))}function hl(e,t,n){let r=e?.types.find(s=>s.type===t);return(n===null?r:r?.values.find(s=>s.value===n))?.spark??[]}function Qp(e,t,n){return e.flatMap(o=>{let{type:s,requests_in:a,requests_out:i,p50_ns:c,p99_ns:u,top:m}=o,p=o.attributes.find(h=>h.key===t)?.values??[];if(p.length===0){let h=hl(n,s,null);return[{type:s,value:null,all:a,kept:i,p50_ns:c,p99_ns:u,spark:h,top:m}]}let d=p.map(({value:h,requests_in:v,requests_out:w,...k})=>{let{p50_ns:x,p99_ns:O,top:U}=k,W=hl(n,s,h);return{type:s,value:h,all:v,kept:w,p50_ns:x,p99_ns:O,spark:W,top:U}}),f=d.reduce((h,v)=>h-v.all,a),g=d.reduce((h,v)=>h-v.kept,i),_={p50_ns:null,p99_ns:null,spark:[],top:null};return f>0?[...d,{type:s,value:null,all:f,kept:g,..._}]:d}).sort((o,s)=>s.all-o.all)}var Wo=(e,t)=>`${e}=${t}`,gl=e=>$.value.params.getAll("where").includes(e);function Zp(e,t){let n=Wo(e,t),r=$.value.params.getAll("where").filter(o=>!o.startsWith(Wo(e,"")));return se({where:gl(n)?r:[...r,n]})}function ef({of:e,chosen:t,isOfTypes:n}){let{value:r,type:o}=e,s=n&&l` <span class="dim">${o}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${s}`;let a=gl(Wo(t,r));return l`<a
      href=${Zp(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${s}`}function tf(e,t,n){return[{name:e??"type",cell:r=>l`<${ef} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},_r(r=>t&&r.all/t),...wr(({value:r,type:o})=>r??o)]}function nf({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function $l({answer:e,url:t,requests:n,query:r,tick:o,seconds:s}){let a=Yp(n),i=$.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=r!==null&&n.length>0,m=R(u?S("requests/series",r,{key:c}):null,o),p=Qp(n,c,m.data),d=c===null||n.length>1,f=l`<${D} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${nf} keys=${a} chosen=${c} />`}
    <${E} url=${t} />`;return l`<${T}
    title="Routes"
    note=${p.length>0?`${b(p.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    ${p.length>0&&l`<${q}
        label="Routes"
        columns=${tf(c,s,d)}
        rows=${p}
        rowKey=${g=>`${g.type} ${g.value}`}
        rowsFirst=${Xp}
      />`}
  <//>`}var bl={unit:null,box:null,base_box:null,base:null,value:null,frame:null,zoom:null},rf=["context","where","trace","id","min_duration_ns","max_duration_ns","key","view","sort"];function of(e){let t=ue(e.get("box")),n=t?{from:String(t.from),to:String(t.to),last:null}:{},r=Object.fromEntries(rf.map(o=>[o,null]));return se({...bl,...r,...n,unit:"threads"})}function xr({isWhole:e=!1}){let t=(r,o,s)=>l`<a href=${o} aria-current=${s?"page":void 0}>${r}</a>`,n=se({...bl,thread:null,jvm:null});return l`<nav class="views" aria-label="Of the service">
    ${t("requests",n,!e)}
    ${t("whole service",of($.value.params),e)}
  </nav>`}var sf=12,af=2;function lf({waits:e}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).slice(0,af).map(([t,n])=>`${ee(t).name} ${y(n)}`).join(", ")}function cf(e){let t=e.reduce((r,o)=>r+o.cpu_ns,0),n=({cpu_ns:r})=>t>0?H(r/t):"";return[{name:"pool",cell:({pool:r})=>l`<span title=${r||"threads without a name, such as virtual ones"}
          >${ce(r)}</span
        >`,sort:({pool:r})=>r,className:"cut wide"},{name:"threads",cell:r=>b(r.threads),isNumber:!0,sort:r=>r.threads},{name:"CPU",title:"a period for each sample of a running thread",cell:r=>r.samples>0&&l`<span class="dim">${n(r)}</span> ${y(r.cpu_ns)}`,isNumber:!0,sort:r=>r.cpu_ns},{name:"allocated",cell:r=>r.alloc_bytes>0&&Q(r.alloc_bytes),isNumber:!0,sort:r=>r.alloc_bytes},{name:"waited",title:"by the events that say so, of all its threads together",cell:r=>r.blocked_ns>0&&l`<span title=${y(r.blocked_ns)}>${lf(r)}</span>`,isNumber:!0,sort:r=>r.blocked_ns}]}function vl(e,t){return R(e&&S("threads",e),t)}function yl({answer:e,query:t}){let{data:n}=e,r=$.value.params.get("thread"),o=l`<${D} of=${n} /><${E} url=${S("threads",t)} />`,a=(n?n.pool_count-n.pools.length:0)>0?`the first of ${b(n.pool_count)}`:"a click chooses a pool",i=({pool:c})=>se({thread:c===r||c===""?null:c,zoom:null});return l`<${T} title="Threads by pool" note=${a} tools=${o} answer=${e}>
    ${n&&n.pools.length>0&&l`<${q}
        label="Threads by pool"
        columns=${cf(n.pools)}
        rows=${n.pools}
        rowKey=${({pool:c})=>c}
        rowsFirst=${sf}
        href=${i}
      />`}
    ${n?.pools.length===0&&l`<${I} title="No event of a thread is kept here" />`}
  <//>`}var uf=["cpu","alloc","lock","park","wait","sleep","io","pinned","gc","safepoint"];function mf(e){return uf.flatMap(t=>{let n=Object.entries(e).filter(([a])=>be(a)===t),r=a=>n.reduce((i,[,c])=>i+a(c),0),o=r(a=>a.offered),s=ct(Object.fromEntries(n));return o===0?[]:[{kind:t,offered:o,kept:r(a=>a.kept),dropped:s}]})}function _l({query:e,tick:t}){let n=S("accounting",e),r=R(n,t),{data:o}=r,s=o?mf(o.types):[],a=({kind:c,offered:u,kept:m,dropped:p})=>l`<tr key=${c}>
      <th scope="row"><${ae} category=${c} />${ee(c).name}</th>
      <td class="n"><b>${H(m/u)}</b></td>
      <td class="n dim">${b(u)}</td>
      <td><${ut} of=${p} /></td>
    </tr>`,i=l`<${D} of=${o} /><${E} url=${n} />`;return l`<${T}
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
  <//>`}var pf=6n*3600000000000n,wl="cpu",ff=(e,t)=>ir(e,t,wl);function df({query:e}){let{params:t}=$.value,n=G(e,{thread:t.get("thread")}),r=Ye(G(n,{base:t.get("base")}),"threads"),o=vl(e,M.value);return l`<div class="one-and-two">
      <${yl} answer=${o} query=${e} />
      <${_l} query=${e} tick=${M.value} />
    </div>
    <${Lt} query=${Ye(n,"threads")} tick=${M.value} hrefOf=${ff} />
    <${Pe} query=${r} tick=${M.value} standard=${wl} />`}function xl(){let{params:e}=$.value,{from:t,to:n}=K.value,r=An($.value,K.value),o=R(S("recordings",G(r,{recording:null})),M.value),s=S("jvm",r),a=R(s,M.value),i=Ee($.value),c=[{name:"services",href:j([])},{name:i===null?"all":ce(i)}],u=o.data?.recordings??[];return l`<${ne} crumbs=${c}>
    <${xr} isWhole />
    <${vr} types=${[]} instances=${[...new Set(u.map(m=>m.instance))]} isWhole />
    <${Mt} answer=${a} url=${s} />
    ${n-t<=pf||e.get("whole")==="1"?l`<${df} query=${r} />`:l`<section>
            <${I} title="Choose a shorter time to see what its threads did">
              <button onClick=${()=>C({whole:"1"})}>
                or read everything that is kept
              </button>
            <//>
          </section>`}
  <//>`}var hf=50,gf=6n*3600000000000n,Jo=60000000000n,Sl=["trace","thread","id"];function $f({from:e,to:t}){let n=at.value?(e+Jo-1n)/Jo*Jo:e;return{from:n<t?n:e,to:t}}function bf(e,t){return e.getAll("where").length-t.getAll("where").length>0||Sl.some(r=>e.has(r))}function vf({t0_ns:e,step_ns:t,columns:n},r){let o=n.map(s=>s.length>0);return Pn(BigInt(e),t,o,r)}function yf({data:e,seconds:t,jvms:n,unit:r}){let o=Ot(e.columns),s=m=>{let p=mt(o,m);return p===null?"-":y(p)},a=m=>(n?.recordings??[]).reduce((p,d)=>p+m(d),0),i=a(m=>m.bytes_out),c=a(m=>m.bytes_in),u=(m,p,d="")=>l`<span title=${d}><b>${m}</b>${p}</span>`;return l`<div class="facts">
    ${u(`${b(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${b(e.all)}`)}
    ${n&&u(b(n.recordings.length),"JVMs","that ran in this time")}
    ${u(s(.5),"median")} ${u(s(.99),"p99")}
    ${u(e.all>0?H(e.kept/e.all):"-",`kept, ${b(e.kept)}`)}
    ${c>0&&u(`${Q(i)} of ${Q(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function _f({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:o}){let{params:s}=$.value,a=Ye(wt($.value,K.value),n),i=Ye(zs($.value,K.value),n),c=s.has("box")&&at.value?0:M.value,u=["box","where","min_duration_ns","max_duration_ns",...Sl].some(O=>s.has(O)),p=i.has("base")||s.has("base_box")||!u?i:G(i,{base:"rest"}),d=s.has("base_box")?"other box":"rest",f=S(n,Ye(a,"contexts"),{sort:qo(s,n)}),g=Un(f,hf,c),_=R(lr(i),c),{data:h}=g.answer;if(h?.matched===0&&!h.is_truncated&&e.data)return l`<section>
      <${pl}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${o}
      />
    </section>`;let v=new Map(r.map(O=>[O.id,O.instance])),k={service:a.get("service"),sort:null,view:null,unit:null,key:null},x=s.has("box")&&n==="contexts"?le(me("e"),G(a,{zone:s.get("zone")})):le(me("e"),G(s,{...k,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Lt} query=${p} against=${d} tick=${c} hrefOf=${ir} />
      <${el} query=${p} tick=${c} against=${`the ${d}`} />
      <${Li} url=${lr(i)} answer=${_} />
    </div>
    <${Pe} query=${i} tick=${c} whole=${_} />
    <${fl}
      pages=${g}
      url=${f}
      query=${a}
      instances=${v}
      eventsHref=${x}
    />`}function wf(e,t){return[e&&e.unknown>0&&`${b(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function kl(e,t,n){let r=g=>S("contexts/heatmap",e,{fine:"1",...g}),o=r({}),s=n&&t&&!e.has("where"),a=R(s?o:null,M.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,M.value),u=a.data?a:c,{data:m}=u,p=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,d=r({where:null}),f=R(p?d:null,M.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:u,heatUrl:o,isOfAll:!1}}function xf(e,t){let n=li($.value.params),r=n!=="contexts",o=kl(Ye(e,"requests"),t,r),{data:s}=o.heat,a=s!==null&&s.all===0&&s.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=kl(e,t,i);return i?{...c,unit:"contexts"}:{...o,unit:"requests"}}function kf(e){let[t,n]=P(!1);return we(()=>{e&&n(!0)},[e]),t}function Sf({heat:e}){let t=$.value.params.get("jvm")==="1",n=BigInt(e.t0_ns),r=n+BigInt(e.step_ns)*BigInt(e.columns.length),o=S("jvm",An($.value,{from:n,to:r})),s=R(t?o:null,M.value);return t?l`<${Mt} answer=${s} url=${o} onClose=${()=>C({jvm:null})} />`:l`<section class="jvm-panel">
        <button class="plain" aria-expanded="false" onClick=${()=>C({jvm:"1"})}>
          ▸ <b>JVM</b> <span class="dim">heap, GC, CPU and threads in the same time</span>
        </button>
      </section>`}function Rl(){return $.value.params.get("unit")==="threads"?l`<${xl} />`:l`<${Rf} />`}function Rf(){let{params:e}=$.value,{from:t,to:n}=K.value,r=$f(K.value),o=Xs($.value,r),[s,a]=P(!1),{heat:i,heatUrl:c,isOfAll:u,unit:m}=xf(o,s),p=kf(i.data!==null||i.problem!==null),d=G(o,{where:null,context:null}),f=S("contexts/types",d),g=R(m==="requests"||p?f:null,M.value),_=g.data?.requests??[],h=i.data&&vf(i.data,r),v=G(d,{recording:null}),w=R(p?S("recordings",v):null,M.value),k=w.data?.recordings??[],x=u||bf(e,o),O=n-t<=gf||e.get("whole")==="1"||ue(e.get("box"))!==null||e.has("trace"),U=Ee($.value),W=[{name:"services",href:j([])},{name:U===null?"all":ce(U)}],V=i.data?.all===0&&w.data!==null&&k.length===0;return l`<${ne} crumbs=${W}>
    ${i.data?l`<${yf} data=${i.data} seconds=${h} jvms=${w.data} unit=${m} />`:i.isLoading&&l`<div class="facts"><${eo} lines=${2} /></div>`}
    <${xr} />
    <${vr}
      types=${g.data?.types??[]}
      instances=${[...new Set(k.map(de=>de.instance))]}
    />
    ${m==="requests"&&l`<${$l}
        answer=${g}
        url=${f}
        requests=${_}
        query=${p?d:null}
        tick=${M.value}
        seconds=${h}
      />`}
    ${!V&&l`<${ml}
        answer=${i}
        url=${c}
        unit=${m}
        isEither=${_.length>0}
        note=${wf(i.data,x)}
        onPoint=${()=>a(!0)}
      />`}
    ${i.data&&k.length>0&&l`<${Sf} heat=${i.data} />`}
    ${p&&O&&l`<${_f}
        key=${m}
        heat=${i}
        heatUrl=${c}
        unit=${m}
        recordings=${k}
        isNarrowed=${x}
      />`}
    ${p&&!O&&l`<section>
        <${I} title="Drag a box in the heat map to see where its time went">
          <button onClick=${()=>C({whole:"1"})}>or read everything that is kept</button>
        <//>
      </section>`}
  <//>`}function Tf(e,t){return[{name:"service",cell:r=>l`<b>${ce(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>b(r.jvms),isNumber:!0,sort:r=>r.jvms},_r(({all:r,spark:o})=>{let s=o.map(i=>i!==null),a=e?Pn(BigInt(e.t0_ns),e.step_ns,s,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${b(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},...wr(({service:r})=>r)]}function Tl(){let{from:e,to:t}=K.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),o=R(r,M.value),s=(o.data?.services??[]).map(ci),a=l`<${q}
    label="Services"
    columns=${Tf(o.data,K.value)}
    rows=${s}
    rowKey=${u=>u.service}
    href=${u=>j(["s",u.service])}
  />`,i=o.data!==null&&s.length===0,c=l`<${D} of=${o.data} /><${E} url=${r} />`;return l`<${ne}>
    <${T}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${o}
    >
      ${s.length>0&&a} ${i&&l`<${Je} />`}
    <//>
  <//>`}function Of({columns:e,rows:t,recordings:n},r){let o=(s,a)=>s[e.indexOf(a)]??null;return t.map(s=>{let a=String(o(s,"recording")),i=e.flatMap((c,u)=>c.startsWith("attr.")&&s[u]!==null&&s[u]!==r?[`${c.slice(5)}=${s[u]}`]:[]);return{recording:a,id:String(o(s,"id")),type:String(o(s,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(o(s,"thread")??""),start:Number(o(s,"start")),duration:Number(o(s,"duration")),blocked:Number(o(s,"blocked")),attributes:i.join(" ")}})}function Pf({rows:e,first:t}){let n=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),r=o=>`${100*o/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                <a href=${Ue(o.recording,o.id,t+BigInt(Math.round(o.start)))}
                  ><b>${o.service}</b></a
                >
                <small class="dim"> ${o.thread}</small>
              </td>
              <td title=${o.attributes}>
                ${Z(o.type)} <small class="dim">${o.attributes}</small>
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
  </div>`}var Cf=e=>e===null?"":Ie(BigInt(e));function Ol({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Cf(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Mf({of:e}){return e.state==="eliminated"?l`<${I} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Ol} of=${e} />
      <//>`:l`<${I} title="Not seen">
        No context of this trace is known here. <${Ol} of=${e} />
      <//>`}function Pl(){let e=$.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,M.value),{data:r}=n,o=r?Of(r,e):[],s=BigInt(r?.t0_ns??"0"),a=Af(e,s,o),i=new Set(o.map(p=>p.service)).size,c=new Set(o.map(p=>p.recording)).size,u=l`<${D} of=${r} /><${Hn} trace=${e} />
    ${o.length>0&&l`<${Te} query=${a} />`} <${E} url=${t} />`,m=o.length>0&&`${pe(o.length,"context")} kept, ${pe(i,"service")}, ${pe(c,"JVM")}, from ${Ie(s)}`;return l`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${T} title="Trace" note=${m} tools=${u} answer=${n}>
      ${o.length>0&&l`<${Pf} rows=${o} first=${s} />`}
      ${r&&o.length===0&&l`<${Mf} of=${r} />`}
    <//>
    ${o.length>0&&l`<${Lt} query=${a} tick=${M.value} />
        <${Pe} query=${a} tick=${M.value} />`}
  <//>`}function Af(e,t,n){let r=n.reduce((s,a)=>Math.max(s,a.start),0),o=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(o)})}var Cl=300000000000n,Lf=100,Ut=({t0_ns:e})=>BigInt(e),Nf={parts:"something happened in its contexts",event:"something happened in it",slow:"it was slow",slowest:"it was among the slowest of its route",rare:"its route is rare",condition:"its attributes",open:"it was open when a chunk ended"};function Ml(e){let t=new URLSearchParams({unit:"requests",recording:e.recording});return t.set("request",e.id),t.set("from",String(Ut(e))),t.set("to",String(Ut(e)+1n)),t}function Al(e,t){return e.set("from",String(t-Cl)),e.set("to",String(t+Cl)),e}function Ef(e,t){let n=new URLSearchParams({unit:"requests",service:t,context:e.type}),r=mn.find(o=>typeof e.attributes[o]=="string");return r!==void 0&&n.set("where",`${r}=${e.attributes[r]}`),Al(n,Ut(e))}function Uf(e){let t=Ml(e);return $.value.params.get("base")==="rest"?(t.set("base","rest"),t.set("context",e.type),Al(t,Ut(e))):t}function If({request:e,jvm:t}){let{busy:n,queued:r,elsewhere:o,part_count:s,threads:a,state:i}=e,u=[[n,"threads worked for it"],[r,"queued"],[o,"elsewhere"]].filter(([m])=>m>0).map(([m,p])=>`${p} ${y(m)}`);return l`<dl class="kv">
    <${pr} of=${e.attributes} />
    <${fr} at=${Ut(e)} />
    <dt>time</dt>
    <dd>
      ${u.join(", ")}${i==="over"?"":l` <span class="missing">${i}</span>`}
    </dd>
    <dt>parts</dt>
    <dd>${pe(s,"context")} on ${pe(a.length,"thread")}</dd>
    <dt>kept</dt>
    <dd>${Nf[e.kept_by]??e.kept_by}</dd>
    <${dr} recording=${e.recording} jvm=${t} />
  </dl>`}function Bf({request:e,jvm:t}){let n=t&&S("why",Ef(e,t.service)),r=R(n,M.value).data,o=r!==null&&r.requests>1;return l`<${T}
    title=${`Why ${y(e.duration)}`}
    note=${o?`beside ${b(r.requests)} like it`:""}
    className="why-panel"
  >
    <${ln} of=${e.why} base=${o?r:null} against="like it" />
  <//>`}function Df({of:e}){return l`<${T} title="Hand-overs" note=${b(e.length)}>
    <${q}
      label="Hand-overs"
      rows=${e}
      rowsMax=${Lf}
      rowKey=${t=>`${t.from} ${t.to} ${t.start} ${t.duration}`}
      columns=${[{name:"after",cell:t=>"+"+y(t.start)},{name:"from",cell:t=>t.from,className:"name"},{name:"to",cell:t=>t.to,className:"name"},{name:"waited",title:"until a thread took the task",cell:t=>l`<b>${y(t.duration)}</b>`,isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function Hf({request:e,jvm:t}){let n=Ut(e),r=Ki(e),o=L(()=>qi(e),[e]),s=L(()=>cn(e),[e]),a=(i,{id:c,start:u})=>c===null?null:Ue(i.recording,c,n+BigInt(Math.round(u)));return l`<${T}
      title="On one axis"
      note="its threads, arrows for tasks that were handed over, who held it up, what stopped the JVM, and its trace; drag to zoom"
    >
      <${mr}
        label="Threads on one axis"
        lanes=${r}
        arrows=${o}
        all=${{from:0,to:Math.max(1,e.duration)}}
        hrefOf=${a}
        onOpen=${ge}
      />
    <//>
    ${e.hand_overs.length>0&&l`<${Df} of=${e.hand_overs} />`}
    <${Pe} query=${Uf(e)} tick=${M.value} />
    <${T} title="Events" note=${b(s.length)}>
      ${s.length>0?l`<${Rt}
              items=${s}
              since=${n}
              service=${t?.service??null}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it" />`}
    <//>`}function Ll(){let{path:e,params:t}=$.value,[,n="",r=""]=e,o=t.get("at"),s=["requests",n,r].map(encodeURIComponent).join("/"),a=S(s,new URLSearchParams,{from:o}),i=R(a,M.value),c=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=i.data,m=u?`${Z(u.type)}, ${y(u.duration)}`:r,p=l`<${D} of=${u} />
    ${u&&l`<${Te} query=${Ml(u)} />`} <${E} url=${a} />`;return l`<${ne} crumbs=${hr(c,m)}>
    ${u?l`<div class="two">
              <${T}
                title=${Z(u.type)}
                note=${y(u.duration)}
                tools=${p}
                answer=${i}
              >
                <${If} request=${u} jvm=${c} />
                <${br} of=${u.owners} />
              <//>
              <${Bf} request=${u} jvm=${c} />
            </div>
            <${Hf} request=${u} jvm=${c} />`:l`<${T} title="Request" note=${r} tools=${p} answer=${i} />`}
  <//>`}function Ff([e]){switch(e){case void 0:return Tl;case"c":return Qi;case"e":return Aa;case"q":return Ll;case"r":return ii;case"s":return Rl;case"t":return Pl;default:return Na}}var jf={s:"all services",e:"events",r:"recordings"};function qf(){let{path:e}=$.value;return fe.value===null?null:fe.value.is_needed&&fe.value.identity===null?l`<${La} />`:l`<${Ff(e)} key=${e.join("/")} /> <${na} />`}Ss();Ws();Vs();Ds();Es();ta();xe(()=>{let{path:e}=$.value,[t,...n]=e,r=n.length===0?jf[t??""]??t:ce(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});rs(l`<${qf} />`,document.body);})();
