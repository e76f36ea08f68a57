"use strict";(()=>{var F,Ko,Sr,He,xr,gn,zo,dn,Xo,Rr,kr,El,Dt=Symbol.for("pv"),bn={},$n=[],Ul=/^m(i|n|o|s|text|space)$/,Tr=Array.isArray,Or=$n.slice,nt=Object.assign;function tt(e){e&&e.parentNode&&e.remove()}function vn(e,t,n){var r,o,s,a={},i=arguments.length;for(s in t)s=="key"?r=t[s]:s=="ref"&&typeof e!="function"?o=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?Or.call(arguments,2):n),Bt(e,a,r,o,null)}function Bt(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Dt,__v:o||++Ko,__i:-1,__u:0};return!o&&F.vnode&&F.vnode(s),s}function rt(e){return e.children}function bt(e,t){this.props=e,this.context=t,this.__g=0}function Fe(e,t){if(t==null)return e.__&&Fe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Fe(e)}function Il(e){var t,n=e.__v,r=n.__e,o=[],s=[],a=e.__P;a&&((t=nt({constructor:Dt},n)).__v=n.__v+1,F.vnode&&F.vnode(t),Pr(a,t,n,e.__n,a.namespaceURI,32&n.__u?[r]:null,o,r||Fe(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,ns(o,t,s),n.__=n.__e=null,t.__e!=r&&Yo(t))}function Yo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Yo(e)}function Vo(e){(8&e.__g||(e.__g|=8,He.push(e),gn++))&&xr==F.debounceRendering||((xr=F.debounceRendering)||queueMicrotask)(Qo)}function Qo(){try{for(var e,t=1;He.length;)He.length>t&&He.sort(zo),e=He.shift(),t=He.length,8&e.__g&&Il(e)}finally{(gn=He.length)&&(xr||queueMicrotask)(Qo)}}function Zo(e,t,n,r,o,s,a,i,c,u,m){var p,d,f,g,_,h,v=r.__k||$n,w=t.length;for(c=Bl(n,t,v,c,w),p=0;p<w;p++)(f=n.__k[p])!=null&&(d=~f.__i&&v[f.__i]||bn,f.__i=p,h=Pr(e,f,d,o,s,a,i,c,u,m),g=f.__e,(d.ref!=f.ref||8&d.__u)&&(d.ref&&Cr(d.ref,null,f,d),f.ref&&m.push(f.ref,f.__c||g,f)),_=_||g,4&f.__u?(c=es(f,c,e,!d.__v),d.__e&&(d.__e=null)):typeof f.type=="function"&&h!==void 0?c=h:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=_,c}function Bl(e,t,n,r,o){var s,a,i,c,u,m,p,d,f,g=n.length,_=g,h=0,v=0,w=e.__k=Array(o);for(s=0;s<o;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=w[s]=Bt(null,a):Tr(a)?a=w[s]=Bt(rt,{children:a}):a.constructor===Dt&&a.__b?a=w[s]=Bt(a.type,a.props,a.key,a.ref,a.__v):w[s]=a,c=s+h,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=Dl(a,n,c,_))&&(_--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==c-1?h--:u==c+1?h++:u!=c&&(u>c?h--:h++,v=1)):(~u||(o>g?h--:o<g&&h++),typeof a.type!="function"&&(a.__u|=4))):w[s]=null;if(v){for(m=[],p=[],s=0;s<o;s++)if((a=w[s])&&16&a.__u){for(h=0,d=m.length;h<d;)m[f=h+d>>1]<a.__i?h=f+1:d=f;m[h]=a.__i,p[s]=h+1}for(h=m.length;s--;)p[s]&&(p[s]==h?h--:w[s].__u|=4)}if(_)for(s=0;s<g;s++)!(i=n[s])||2&i.__u||(i.__e==r&&(r=Fe(i)),Mr(i,i));return r}function es(e,t,n,r){var o,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=es(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=Fe(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!r&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Dl(e,t,n,r){var o,s=e.key,a=e.type,i=t[n],c=i&&!(2&i.__u);if(i===null&&s==null||c&&s==i.key&&a==i.type)return n;if(r>(c?1:0)){for(o=n-1;o>=0;o--)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o;for(o=n+1;o<t.length;o++)if((i=t[o])&&!(2&i.__u)&&s==i.key&&a==i.type)return o}return-1}function Go(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function fn(e,t,n,r,o){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Go(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Go(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(a=kr[t]||(kr[t]=Hl(t)),(e.__a||(e.__a={}))[t]=Rr,s=t!=(t=t.replace(Xo,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Hl(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[dn]==null)t[dn]=Rr++;else if(t[dn]<this.__a[e])return;return n(F.event?F.event(t):t)}}}function Pr(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,_,h,v,w,k,x,O,E,W,V,Re,pe,he,A=t.type;if(t.constructor!==Dt)return null;128&n.__u&&(c=32&n.__u,m=n.__c.__z)&&(t.__u|=c,p=s=[],m.nodeType==8?i=hn(m,s):s.push(m),i=s[0]||i),(m=F.__b)&&m(t);e:if(typeof A=="function"){d=a.length;try{if(v=t.props,w=(m=A.prototype)&&m.render,k=(m=A.contextType)&&r[m.__c],x=m?k?k.props.value:m.__:r,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(w?t.__c=f=new A(v,x):(t.__c=f=new bt(v,x),f.constructor=A,f.render=jl),k&&k.sub(f),f.state||(f.state={}),f.__n=r,f.__g|=8,f.__h=[],f.__k=[]),w&&(f.__s||(f.__s=f.state),A.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=nt({},f.__s)),nt(f.__s,A.getDerivedStateFromProps(v,f.__s)))),g=f.props,_=f.state,f.__v=t,n.__c){if(v!==g&&w&&!A.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(v,x),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(v,f.__s,x)===!1){t.__v!=n.__v&&(f.props=v,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),$n.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Fe(n);break e}f.componentWillUpdate&&f.componentWillUpdate(v,f.__s,x),w&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,_,h)})}else w&&!A.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),w&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=x,f.props=v,f.__P=e,f.__g&=-5,O=F.__r,E=w?25:0;do f.__g&=-9,O&&O(t),m=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++E<25);w&&($n.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(r=nt({},r,f.getChildContext())),w&&n.__c&&f.getSnapshotBeforeUpdate&&(h=f.getSnapshotBeforeUpdate(g,_)),W=m&&m.type===rt&&m.key==null?m.props.children:m,v.__P&&(m=i,o=(e=v.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&Mr(B,B)}),n.__k=null),i=n.__k?Fe(n,0):null),i=Zo(e,Tr(W)?W:[W],t,n,r,o,s,a,i,c,u),v.__P&&(t.__e=null,i=m),t.__u&=-161,p&&p.some(tt),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(B){if(a.length=d,t.__v=null,c||s)if(B&&B.then){if(t.__u|=128|c,s){for(~(pe=s.indexOf(i||void 0))||(pe=s.length);(he=s[pe-1])&&he.nodeType==8;)pe--;for(;pe<s.length;pe++)if(he=s[pe])if(s[pe]=null,V){if(he==Re)break}else{if(he.nodeType!=8)break;he.data.startsWith("$s")&&(Re=hn(V=he))}}if(!V){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;V=i}(m=hn(V=t.__c.__z||(t.__c.__z=V)))?(t.__e=V,i=m):t.__e=i,i=i&&i.nextSibling}else s&&s.some(tt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||ts(t),F.__e(B,t,n)}}else i=t.__e=Fl(n.__e,t,n,r,o,s,a,c,u,e);return(m=F.diffed)&&m(t),i}function hn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ts(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ts))}function ns(e,t,n){for(var r=0;r<n.length;)Cr(n[r++],n[r++],n[r++]);F.__c&&F.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){F.__e(s,o.__v)}})}function Fl(e,t,n,r,o,s,a,i,c,u){var m,p,d,f,g,_,h,v,w=n.props||bn,k=t.props,x=t.type;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(m=0;m<s.length;m++)if((g=s[m])&&(x?g.localName==x:g.nodeType==3)){e=g,s[m]=null;break}}if(!e){if(v=u.ownerDocument||document,!x)return v.createTextNode(k);e=v.createElementNS(o,x,k.is?k:u),i&&(F.__m&&F.__m(t,s),i=!1),s=null}if(x){if(u=x=="template"&&e.content||e,s=x=="textarea"&&k.defaultValue!=null?null:s&&Or.call(u.childNodes),!i&&s)for(w={},m=0;m<e.attributes.length;m++)w[(g=e.attributes[m]).name]=g.value;for(m in w)g=w[m],m=="dangerouslySetInnerHTML"?d=g:m=="children"||m in k||m=="value"&&"defaultValue"in k||m=="checked"&&"defaultChecked"in k||fn(e,m,null,g,o);for(m in k)g=k[m],m=="children"?f=g:m=="dangerouslySetInnerHTML"?p=g:m=="value"?_=g:m=="checked"?h=g:i&&typeof g!="function"||w[m]===g||fn(e,m,g,w[m],o);p?(i||d&&(p.__html==d.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(d&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&Ul.test(x))&&(o="http://www.w3.org/1999/xhtml"),Zo(u,Tr(f)?f:[f],t,n,r,o,s,a,s?s[0]:n.__k&&Fe(n,0),i,c),s&&s.some(tt)),i&&x!="textarea"||(m="value",x=="progress"&&_==null?e.removeAttribute(m):_==null||_===e[m]&&(x!="progress"||_)||fn(e,m,_,w[m],o),m="checked",h!=null&&h!=e[m]&&fn(e,m,h,w[m],o))}else w===k||i&&e.data==k||(e.data=k);return e}function Cr(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){F.__e(o,n)}}function Mr(e,t,n){var r,o,s,a;if(F.unmount&&F.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Cr(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){F.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&Mr(r[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=hn(r,s=[]))&&(r==e.__e&&s.some(tt),tt(o),tt(r)),n||tt(e.__e),e.__e=e.__c=e.__=null}function jl(e,t,n){return this.constructor(e,n)}function rs(e,t){var n,r,o,s;F.__&&F.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Bt(rt,{children:[e]}),o=[],s=[],Pr(t,t.__k,r||bn,bn,t.namespaceURI,r?null:t.firstChild?Or.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),ns(o,t.__k,s),t.__k.props.children=null}F={__e:function(e,t,n,r){for(var o,s,a;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((a=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),a=1),a&&8&o.__g)return void(o.__g|=2)}catch(i){e=i}}throw gn=0,e}},Ko=0,Sr=function(e){return e!=null&&e.constructor===Dt},bt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=nt({},this.state)),typeof e=="function"&&(e=e(nt({},n),this.props)),e&&(nt(n,e),this.__v&&(t&&this.__k.push(t),Vo(this)))},bt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Vo(this))},bt.prototype.render=rt,He=[],gn=0,zo=function(e,t){return e.__v.__b-t.__v.__b},dn=Symbol(),Xo=/(PointerCapture)$|Capture$/i,Rr=0,kr={},El=0;var $t,Y,Ar,os,Lr=Object.is,Ft=0,fs=[],Nr=[],z=F,ss=z.__b,as=z.__r,is=z.diffed,ls=z.__c,cs=z.unmount,us=z.__;function yn(e,t){z.__h&&z.__h(Y,e,Ft||t),Ft=0;var n=Y.__H||(Y.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function P(e){return Ft=1,ql(ds,e)}function ql(e,t,n){var r=yn($t++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ds(void 0,t),function(s){var a=(r.__N||r.__)[0],i=r.t(a,s);Lr(a,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=Y,!Y.__f)){Y.__f=!0;var o=Y.shouldComponentUpdate;Y.shouldComponentUpdate=function(s,a,i){var c=this.__H;if(!c)return!0;var u=!1,m=this.props!=s;if(c.__.some(function(d){d.__N&&(u=!0,Lr(d.__[0],d.__N[0])||(m=!0))}),o){var p=o.call(this,s,a,i);return u?p||m:p}return!u||m}}return r.__}function xe(e,t){var n=yn($t++,3);!z.__s&&Ur(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Y.__H.__h.push(n))}function Te(e,t){var n=yn($t++,4);!z.__s&&Ur(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Y.__h.push(n))}function X(e){return Ft=5,L(function(){return{current:e}},[])}function L(e,t){var n=yn($t++,7);return Ur(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function _n(e,t){return Ft=8,L(function(){return e},t)}function Wl(){var e;do{for(;e=Nr.shift();)try{Ht(e)}catch(n){z.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=fs.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ht),t.__h.some(Er),t.__h=[]}catch(n){t.__h=[],z.__e(n,e.__v)}}}while(Nr.length)}z.__b=function(e){Y=null,ss&&ss(e)},z.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),us&&us(e,t)},z.__r=function(e){as&&as(e),$t=0;var t=(Y=e.__c).__H;t&&(Ar==Y?Y.__h=[]:(t.__h.some(Ht),t.__h.some(Er),$t=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ar=Y},z.diffed=function(e){is&&is(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ps(fs.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ar=Y=null},z.__c=function(e,t){t.some(function(n){try{n.__h.some(Ht),n.__h=n.__h.filter(function(r){return!r.__||Er(r)})}catch(r){n.__h=[function(){throw r}]}}),ls&&ls(e,t)},z.unmount=function(e){cs&&cs(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,ps(Nr.push(o))}else Ht(o)}catch(s){t=s}}),r.__H=void 0,t&&z.__e(t,r.__v))};var ms=typeof requestAnimationFrame=="function";function Jl(e){var t,n=function(){clearTimeout(r),ms&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);ms&&(t=requestAnimationFrame(n))}function ps(e){e!=1&&os==z.requestAnimationFrame||((os=z.requestAnimationFrame)||Jl)(Wl)}function Ht(e){var t=Y,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),Y=t}function Er(e){var t=Y;e.__c=e.__(),Y=t}function Ur(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Lr(n,e[r])})}function ds(e,t){return typeof t=="function"?t(e):t}var Vl=Symbol.for("preact-signals");function Sn(){if(Ne>1)Ne--;else{var e,t=!1;for((function(){var o=xn;for(xn=void 0;o!==void 0;){var s=o.S;if(s.v===o.v)for(var a=s.t;a!==void 0;a=a.x)a.i===o.i&&(a.i=s.i);o=o.o}})();qt!==void 0;){var n=qt;for(qt=void 0,wn++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&gs(n))try{n.c()}catch(o){t||(e=o,t=!0)}n=r}}if(wn=0,Ne--,t)throw e}}function Br(e){if(Ne>0)return e();Ir=++Gl,Ne++;try{return e()}finally{Sn()}}var jt,J=void 0;function Wt(e){var t=J,n=jt;J=void 0,jt=void 0;try{return e()}finally{J=t,jt=n}}var qt=void 0,Ne=0,wn=0,Gl=0,Ir=0,xn=void 0,kn=0;function hs(e){if(J!==void 0){var t=e.n;if(t===void 0||t.t!==J)return t={i:0,S:e,p:J.s,n:void 0,t:J,e:void 0,x:void 0,r:t},J.s!==void 0&&(J.s.n=t),J.s=t,e.n=t,32&J.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=J.s,t.n=void 0,J.s.n=t,J.s=t),t}}function ee(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}ee.prototype.brand=Vl;ee.prototype.h=function(){return!0};ee.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:Wt(function(){var r;(r=t.W)==null||r.call(t)}))};ee.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&Wt(function(){var o;(o=t.Z)==null||o.call(t)}))}};ee.prototype.subscribe=function(e){var t=this;return ke(function(){var n=t.value;Wt(function(){return e(n)})},{name:"sub"})};ee.prototype.valueOf=function(){return this.value};ee.prototype.toString=function(){return this.value+""};ee.prototype.toJSON=function(){return this.value};ee.prototype.peek=function(){var e=this;return Wt(function(){return e.value})};Object.defineProperty(ee.prototype,"value",{get:function(){var e=hs(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(wn>100)throw new Error("Cycle detected");(function(n){Ne!==0&&wn===0&&n.l!==Ir&&(n.l=Ir,xn={S:n,v:n.v,i:n.i,o:xn})})(this),this.v=e,this.i++,kn++,Ne++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Sn()}}}});function re(e,t){return new ee(e,t)}function gs(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function bs(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function $s(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function ot(e,t){ee.call(this,void 0,t),this.x=e,this.s=void 0,this.g=kn-1,this.f=4}ot.prototype=new ee;ot.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===kn))return!0;if(this.g=kn,this.f|=1,this.i>0&&!gs(this))return this.f&=-2,!0;var e=J;try{bs(this),J=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return J=e,$s(this),this.f&=-2,!0};ot.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}ee.prototype.S.call(this,e)};ot.prototype.U=function(e){if(this.t!==void 0&&(ee.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ot.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ot.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=hs(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Oe(e,t){return new ot(e,t)}function vs(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Ne++;var n=J;J=void 0;try{t()}catch(r){throw e.f&=-2,e.f|=8,Dr(e),r}finally{J=n,Sn()}}}function Dr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,vs(e)}function Kl(e){if(J!==this)throw new Error("Out-of-order effect");$s(this),J=e,this.f&=-2;try{8&this.f&&Dr(this)}finally{Sn()}}function vt(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,jt&&jt.push(this)}vt.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};vt.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,vs(this),bs(this),Ne++;var e=J;return J=this,Kl.bind(this,e)};vt.prototype.N=function(){2&this.f||(this.f|=2,this.u=qt,qt=this)};vt.prototype.d=function(){this.f|=8,1&this.f||Dr(this)};vt.prototype.dispose=function(){this.d()};function ke(e,t){var n=new vt(e,t);try{n.c()}catch(o){throw n.d(),o}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var ys,Tn,Rn,zl=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var _s=[];ke(function(){ys=this.N})();function yt(e,t){F[e]=t.bind(null,F[e]||function(){})}function Jt(e){if(Rn){var t=Rn;Rn=void 0,t()}Rn=e&&e.S()}function ws(e){var t=this,n=e.data,r=Yl(n);r.name="ReactiveDom",r.value=n;var o=L(function(){for(var i=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var u=Oe(function(){var f=r.value.value;return f===0?0:f===!0?"":f||""}),m=Oe(function(){return!Array.isArray(u.value)&&!Sr(u.value)}),p=ke(function(){if(this.N=xs,m.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),d=t.__$u.d;return t.__$u.d=function(){p(),d.call(this)},[m,u]},[]),s=o[0],a=o[1];return s.value?a.peek():a.value}ws.displayName="ReactiveTextNode";Object.defineProperties(ee.prototype,{constructor:{configurable:!0,value:vn(rt,null).constructor},type:{configurable:!0,value:ws},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});yt("__b",function(e,t){if(Jt(),Tn=void 0,typeof t.type=="string"){var n,r=t.props;for(var o in r)if(o!=="children"){var s=r[o];s instanceof ee&&(n||(t.__np=n={}),n[o]=s,r[o]=s.peek())}}e(t)});yt("__r",function(e,t){if(e(t),t.type!==rt){Jt();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=(function(o,s){var a;return ke(function(){a=this},{name:s}),a.c=o,a})((function(o){return function(){var s;zl&&((s=this.y)==null||s.call(this)),o.__$f|=1,o.setState({})}})(r),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Tn=r,Jt(n)}});yt("__e",function(e,t,n,r){Jt(),Tn=void 0,e(t,n,r)});yt("diffed",function(e,t){Jt(),Tn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var r=t.__np,o=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||r&&a in r||(i.d(),s[a]=void 0)}if(r){s||(s={},n.U=s);for(var c in r){var u=s[c],m=r[c];u===void 0?(u=Xl(n,c,m,o),s[c]=u):u.o(m,o)}}}e(t)});function Xl(e,t,n,r){var o=t in e&&e.ownerSVGElement===void 0,s=re(n);return{o:function(a,i){s.value=a,r=i},d:ke(function(){this.N=xs;var a=s.value.value;r[t]!==a&&(r[t]=a,o?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}yt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var r=n.U;if(r){n.U=void 0;for(var o in r){var s=r[o];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var c in a)i[c]=a[c]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var m=u.__$u;m&&(u.__$u=void 0,m.d())}}e(t)});yt("__h",function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)});bt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var o in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(r||s||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Yl(e,t){return L(function(){return re(e,t)},[])}var Ql=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Zl(){Br(function(){for(var e;e=_s.shift();)ys.call(e)})}function xs(){_s.push(this)===1&&(F.requestAnimationFrame||Ql)(Zl)}function ec(e){return new URL(e).pathname.replace(/\/[^/]*$/,"")}var ks=globalThis.document?.currentScript,Se=ks?ec(ks.src):"";function Hr(e,t=Se){return e===t||e.startsWith(t+"/")?e.slice(t.length):e}var tc=e=>(/^~*\.{0,2}$/.test(e)?"~":"")+encodeURIComponent(e);function nc(e){try{return decodeURIComponent(e).replace(/^~(?=~*\.{0,2}$)/,"")}catch{return e}}function rc(e){return Hr(e).split("/").filter(t=>t!=="").map(nc)}function Fr(){return{path:rc(location.pathname),params:new URLSearchParams(location.search)}}var b=re({path:[],params:new URLSearchParams});function fe(...e){return Se+"/"+e.map(tc).join("/")}function G(e,t){let n=new URLSearchParams(e);for(let[r,o]of Object.entries(t)){n.delete(r);for(let s of o===null?[]:typeof o=="string"?[o]:o)n.append(r,s)}return n}function le(e,t){let n=t.toString();return n===""?e:e+"?"+n}function ge(e,t=!1){t?history.replaceState(null,"",e):e!==location.pathname+location.search&&history.pushState(null,"",e),b.value=Fr()}function C(e,t=!1){ge(le(location.pathname,G(b.value.params,e)),t)}function se(e){return le(fe(...b.value.path),G(b.value.params,e))}function oc(e){let t=new URLSearchParams;for(let n of["from","to","last","live","zone"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function j(e,t={}){return le(fe(...e),G(oc(b.value.params),t))}function sc(e){let t=e.target instanceof Element?e.target.closest("a"):null;if(!(e.button===0&&!(e.metaKey||e.ctrlKey||e.shiftKey))||e.defaultPrevented||!t||t.target||t.hasAttribute("download"))return;let o=(t.pathname+"/").startsWith(Se+"/")&&!/^\/(api|speedscope|metrics)(\/|$)/.test(Hr(t.pathname));t.origin===location.origin&&o&&(e.preventDefault(),ge(t.pathname+t.search),scrollTo(0,0))}function Ss(){addEventListener("popstate",()=>b.value=Fr()),addEventListener("click",sc),b.value=Fr()}function Vt(e){return e.toFixed(e<9.995?2:e<99.95?1:0)}function y(e){if(e<0)return"-"+y(-e);let t=[["ns",1],["\xB5s",1e3],["ms",1e6],["s",1e9]];for(let[o,s]of t){let a=e/s;if(a<(o==="s"?99.5:999.5))return(o==="ns"?String(Math.round(a)):Vt(a))+" "+o}let n=Math.round(e/1e9),r=Math.round(n/60);return n<7200?`${Math.floor(n/60)} min ${n%60} s`:`${Math.floor(r/60)} h ${r%60} min`}var ac={ns:1,us:1e3,\u00B5s:1e3,ms:1e6,s:1e9,min:6e10,h:36e11};function Rs(e){let t=e.trim(),n=null;for(;t!=="";){let r=/^(\d{1,12}(?:\.\d{1,9})?)\s*(ns|us|µs|ms|min|s|h|$)\s*/.exec(t);if(!r)return null;n=(n??0)+Number(r[1])*ac[r[2]||"ms"],t=t.slice(r[0].length)}return n===null?null:Math.round(n)}function Q(e){let t=e;for(let n of["B","KB","MB","GB"]){if(t<999.5)return(n==="B"?String(t):Vt(t))+" "+n;t/=1e3}return Vt(t)+" TB"}function $(e){return e<999999.9995?String(Math.round(e*1e3)/1e3).replace(/\B(?=(\d{3})+(?!\d))/g,","):e<9995e5?Vt(e/1e6)+" M":Vt(e/1e9)+" G"}function be(e,t){return`${$(e)} ${t}${e===1?"":"s"}`}function H(e){let t=e*100;return(t>0&&t<.095?"<0.1":t.toFixed(t<9.95?1:0))+" %"}function $e(e,t){return t==="ns"?y(e):t==="bytes"?Q(e):$(e)}function ce(e){return e||"(no name)"}function te(e){return e.slice(e.lastIndexOf(".")+1)}function Ee(e){return e.split(".").slice(-2).join(".")}var Os=function(e,t,n,r){var o;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?r[0]=i:a===4?r[1]=Object.assign(r[1]||{},i):a===5?(r[1]=r[1]||{})[t[++s]]=i:a===6?r[1][t[++s]]+=i+"":a?(o=e.apply(i,Os(e,i,n,["",null])),r.push(o),i[0]?t[0]|=2:(t[s-2]=0,t[s]=o)):r.push(i)}return r},Ts=new Map;function Ps(e){var t=Ts.get(this);return t||(t=new Map,Ts.set(this,t)),(t=Os(this,t.get(e)||(t.set(e,t=(function(n){for(var r,o,s=1,a="",i="",c=[0],u=function(d){s===1&&(d||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,d,a):s===3&&(d||a)?(c.push(3,d,a),s=2):s===2&&a==="..."&&d?c.push(4,d,0):s===2&&a&&!d?c.push(5,0,!0,a):s>=5&&((a||!d&&s===5)&&(c.push(s,0,a,o),s=6),d&&(c.push(s,d,0,o),s=6)),a=""},m=0;m<n.length;m++){m&&(s===1&&u(),u(m));for(var p=0;p<n[m].length;p++)r=n[m][p],s===1?r==="<"?(u(),c=[c],s=3):a+=r:s===4?a==="--"&&r===">"?(s=1,a=""):a=r+a[0]:i?r===i?i="":a+=r:r==='"'||r==="'"?i=r:r===">"?(u(),s=1):s&&(r==="="?(s=5,o=a,a=""):r==="/"&&(s<5||n[m][p+1]===">")?(u(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):r===" "||r==="	"||r===`
`||r==="\r"?(u(),s=2):a+=r),s===3&&a==="!--"&&(s=4,c=c[0])}return u(),c})(e)),t),arguments,[])).length>1?t:t[0]}var l=Ps.bind(vn);function ic(e,t){return new Promise(n=>{let r=setTimeout(n,e);t?.addEventListener("abort",()=>(clearTimeout(r),n()))})}async function _t(e,t){for(let n=0;;n++){let r=await fetch(e,t);if(r.status!==503||n===5)return r;let o=Number(r.headers.get("retry-after"))||1;await ic(o*1e3,t.signal)}}async function st(e){try{return String((await e.json()).error)}catch{return`the collector answers ${e.status}`}}var de=re(null),Gt=re(!1),Cs=Se+"/api/v1/login",Ms={"loupe-page":"1"},As=e=>`the collector cannot be reached: ${String(e)}`;async function Ls(e){if(!e.ok)return st(e);let t=await e.json();return de.value={is_needed:t.is_needed,identity:t.identity},null}async function Ns(e,t={}){try{return await Ls(await fetch(Cs,{method:e,headers:{...Ms,...t}}))}catch(n){return As(n)}}async function Es(){await _t(Cs,{headers:Ms}).then(Ls).catch(As)!==null&&(de.value={is_needed:!1,identity:null})}async function Us(e){if(!/^[\x21-\x7e]+$/.test(e))return"a token has no spaces, and no letters beyond ASCII";let t=await Ns("POST",{authorization:`Bearer ${e}`});return Gt.value&&=t!==null,t}async function Is(){let e=await Ns("DELETE");return Gt.value&&=e!==null,e}function Bs(){Gt.value||=de.value?.identity!=null,de.value={is_needed:!0,identity:null}}var ue=re(!1);function Ds(){let e=matchMedia("(max-width: 640px)"),t=()=>ue.value=e.matches;e.addEventListener("change",t),t()}var jr=0;function Hs(){return jr>0}async function lc(e,t){let n=await _t(e,{signal:t,headers:{accept:"application/json"}}),{ok:r,status:o}=n;o===401&&Bs();let s=r?await n.json():null,a=r?null:await st(n);return{data:s,problem:a,status:o,isLoading:!1}}function R(e,t=0){let n={data:null,problem:null,status:0,isLoading:e!==null},[r,o]=P(n);return Te(()=>{if(e===null){o(n);return}let s=new AbortController;o(m=>({...m,isLoading:!0}));let a=({status:m})=>m>=400&&m<500,i=m=>o(({data:p})=>m.problem===null||a(m)?m:{...m,data:p}),c=m=>{let p=`the collector cannot be reached: ${String(m)}`;i({...n,problem:p,isLoading:!1})},u=m=>p=>s.signal.aborted||m(p);return jr++,lc(e,s.signal).then(u(i),u(c)).finally(()=>jr--),()=>s.abort()},[e,t]),r}var cc={s:1,m:60,h:3600,d:86400};function je(e){let t=/^([1-9]\d{0,3})([smhd])$/.exec(e);return t?BigInt(Number(t[1])*cc[t[2]])*1000000000n:null}function qr(e){if(/^\d{1,19}$/.test(e))return BigInt(e);let[,t,n="",r]=/^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(.*)$/.exec(e)??[],o=t===void 0?NaN:Date.parse(t.replace(" ","T")+(r||"Z"));return Number.isNaN(o)?null:BigInt(o)*1000000n+BigInt(n.padEnd(9,"0"))}function at(e,t){let n=je(e);return n===null?qr(e):t-n}var js=["5m","15m","1h","6h","1d","7d","30d"],Fs="1h",uc=5e3,qs=()=>BigInt(Date.now())*1000000n,M=re(qs());function Wr(){M.value=qs()}var On=Oe(()=>{let e=b.value.params.get("last")??Fs;return je(e)===null?Fs:e}),it=Oe(()=>b.value.params.get("live")==="1"),K=Oe(()=>{let{params:e}=b.value,t=at(e.get("to")??"",M.value)??M.value,n=at(e.get("from")??"",M.value);return{from:n!==null&&n<t?n:t-je(On.value),to:t}}),mc=18e10;function Pn(e,t,n,{from:r,to:o}){let s=n.lastIndexOf(!0),a=Number(o-e)-(s+1)*t,i=s>=0&&a>0&&a<=mc;return Math.max(1,(Number(o-r)-(i?a:0))/1e9)}function Ws(){let e=0;ke(()=>{if(clearInterval(e),it.value){let t=()=>document.hidden||Hs()||Wr();e=window.setInterval(t,uc)}})}var Ue=re(0),Jr=new Map;function N(e){let t=Jr.get(e);return t===void 0&&(t=getComputedStyle(document.documentElement).getPropertyValue("--"+e).trim(),Jr.set(e,t)),t}function qe(e){return`${N("t1")} ${N(e)}`}function Vr(e){return[1,3,5].map(t=>parseInt(e.slice(t,t+2),16))}function Js(e,t,n){let r=Vr(t);return"#"+Vr(e).map((s,a)=>Math.round(s+(r[a]-s)*n)).map(s=>s.toString(16).padStart(2,"0")).join("")}var pc=.2;function wt(e){let[t,n,r]=Vr(e).map(o=>(o/255)**2.2);return .2126*t+.7152*n+.0722*r>pc?"#101113":"#ffffff"}function Vs(){matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{Jr=new Map,Ue.value++})}var fc=["recording","instance","context","where","trace","thread","id"],dc=["recording","instance","context"],hc=["min_duration_ns","max_duration_ns"];function xt(e){return/^\d{1,19}$/.test(e)}function me(e){let t=/^(\d{1,19}),(\d{1,19}),(\d{1,15}),(\d{1,15})$/.exec(e??"");return t?{from:BigInt(t[1]),to:BigInt(t[2]),min:Number(t[3]),max:Number(t[4])}:null}function Kt(e){return[e.from,e.to,Math.floor(e.min),Math.ceil(e.max)].join(",")}function Cn(e,t,n){for(let r of n)t.getAll(r).forEach(o=>e.append(r,o))}function Mn(e,t,n=""){e.set(n+"from",String(t.from)),e.set(n+"to",String(t.to))}var Gs=30000000000n;function Gr({from:e,to:t}){let n=(t-e)/2n<Gs?(t-e)/2n:Gs;return{from:e-n,to:t+n}}function Ks(e,t,n=""){Mn(e,Gr(t),n),e.set(n+"min_duration_ns",String(t.min)),e.set(n+"max_duration_ns",String(t.max))}function Ie({path:e,params:t}){return(e[0]==="s"?e[1]:void 0)??t.get("service")}function kt(e,t){let n=new URLSearchParams,r=Ie(e);r!==null&&n.set("service",r),Cn(n,e.params,fc);let o=me(e.params.get("box"));if(o)Ks(n,o);else{Mn(n,t);for(let s of hc)e.params.getAll(s).filter(xt).forEach(a=>n.append(s,a))}return n}function An(e,t){let n=new URLSearchParams,r=Ie(e);return r!==null&&n.set("service",r),Cn(n,e.params,["recording","instance"]),Mn(n,t),n}function zs(e,t){let n=kt(e,t),r=me(e.params.get("base_box"));if(!r)return Cn(n,e.params,["base"]),n;Ks(n,r,"base_");let o=n.get("service");o!==null&&n.set("base_service",o);for(let s of["recording","instance","context","where"])e.params.getAll(s).forEach(a=>n.append("base_"+s,a));return n}function Xs(e,t){let n=new URLSearchParams,r=Ie(e);r!==null&&n.set("service",r),Cn(n,e.params,dc),Mn(n,t);let o=e.params.getAll("where");return o.length===1&&/^[^=<>!^]+=/.test(o[0])&&n.set("where",o[0]),n}function S(e,t,n={}){return le(Se+"/api/v1/"+e,G(t,n))}function lt({text:e,label:t,title:n,className:r="",children:o}){let s=X(null),[a,i]=P(!1),c=()=>i(!1);xe(()=>{if(!a)return;let p=({target:f})=>s.current.contains(f)||c(),d=f=>{f.key==="Escape"&&(f.stopPropagation(),c(),s.current.querySelector("summary").focus())};return addEventListener("pointerdown",p,!0),addEventListener("focusin",p),addEventListener("keydown",d,!0),()=>{removeEventListener("pointerdown",p,!0),removeEventListener("focusin",p),removeEventListener("keydown",d,!0)}},[a]);let u=({target:p})=>p.closest("a")&&c(),m=({currentTarget:p})=>i(p.open);return l`<details
    class=${`menu ${r}`}
    ref=${s}
    open=${a}
    onToggle=${m}
  >
    <summary aria-label=${t} title=${n}>${e}</summary>
    ${a&&l`<div onClick=${u}>${o(c)}</div>`}
  </details>`}function Ln(e){return/^[\w./:=,@%+-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}function gc(e,t,n=!1){let[r,o=""]=e.split("?"),s=[...new URLSearchParams(o)].map(([i,c])=>` \\
  --data-urlencode ${Ln(`${i}=${c}`)}`),a=n?' -H "Authorization: Bearer $TOKEN"':"";return`curl -f${s.length>0?"G":""}${a} ${Ln(t+r)}${s.join("")}`}async function bc(e,t){if(navigator.clipboard){await navigator.clipboard.writeText(e);return}let n=document.createElement("textarea");n.value=e,t.after(n),n.select(),document.execCommand("copy"),n.remove(),t.focus()}function U({url:e}){return e===null?null:l`<${lt} text="⋯" label="JSON and curl" className="more-menu">
        ${()=>l`<${$c} url=${e} />`}
      <//>`}function $c({url:e}){let[t,n]=P(!1),r=gc(e,location.origin,de.value?.is_needed);return l`<a href=${e} target="_blank" rel="noopener"
      >JSON<small>what this panel shows, in another tab</small></a
    >
    <button class="plain" onClick=${async({currentTarget:s})=>{await bc(r,s),n(!0)}} title=${r}>
      ${t?"copied":"curl"}<small
        >${t?"paste it into a shell":"copies the command that asks for it"}</small
      >
    </button>`}var vc=[[".jfr","slice.jfr","a recording of these, for JDK Mission Control, IntelliJ, jfr"],[".jfr around","slice.jfr","with pauses of the JVM and the owners of monitors"],["collapsed","slice.collapsed","stack traces as text, for flame graph tools"],["pprof","slice.pprof","for go tool pprof, Pyroscope, Parca"],["speedscope.json","slice.speedscope.json","for speedscope"],["Markdown","slice.md","where the time went, for a ticket"]];function Pe({query:e,value:t="time",frame:n=null}){let r=new URLSearchParams([...e].filter(([m])=>!m.startsWith("base"))),o=e.get("unit")==="threads",s={value:t==="time"?null:t,frame:n},a=(m,p)=>S(p,r,{...m===".jfr around"?{around:"1"}:{},.../collapsed|pprof|speedscope/.test(p)?s:{}}),i=S("slice.speedscope.json",r,s),c=new URLSearchParams({profileURL:i});return l`<${lt} text="download">${()=>l`${vc.filter(([,m])=>!o||/collapsed|pprof|speedscope/.test(m)).map(([m,p,d])=>l`<a href=${a(m,p)} download title=${d}
            >${m}<small>${d}</small></a
          >`)}
      <a href=${Se+"/speedscope/#"+c.toString()} target="_blank" rel="noopener">
        open in speedscope<small>here, nothing leaves this collector</small>
      </a>`}<//>`}function Ys(e){return`${Se}/api/v1/recordings/${encodeURIComponent(e)}.jfr`}var zt=re(null),St=re([]),Qs={accept:"application/json"};async function yc(e){let t=await _t(S("collector",new URLSearchParams),{headers:Qs});if(!t.ok)return st(t);if(!(await t.json()).takes_files)return`this collector shows what agents send it. \`loupe open ${Ln(e.name)}\` shows a file on your machine`;let n=await fetch(S("uploads",new URLSearchParams({name:e.name})),{method:"POST",headers:{...Qs,"loupe-page":"1"},body:e});return n.ok?await n.json():st(n)}var ea=(e,t)=>St.value=[...St.value,{name:e,text:t}];function _c(e,{notes:t,note_count:n}){let r=n>t.length?`; and ${n-t.length} more`:"";n>0&&ea(e,`not all of it is shown: ${t.join("; ")}${r}`)}function wc(e){let t=new Set(e.map(s=>s.service)),n=(s,a)=>BigInt(s)<BigInt(a)?s:a,r=(s,a)=>BigInt(s)<BigInt(a)?a:s,o=new URLSearchParams({from:e.map(s=>s.from_ns).reduce(n),to:e.map(s=>s.to_ns).reduce(r)});return le(t.size===1?fe("s",...t):fe(),o)}async function xc(e){let t=[];for(let n of e){zt.value=n.name;let r=await yc(n).catch(o=>`it cannot be sent: ${String(o)}`);typeof r=="string"?ea(n.name,r):(t.push(r),_c(n.name,r))}zt.value=null,t.length>0&&ge(wc(t))}var Zs=Promise.resolve();function kc(e){e.dataTransfer?.types.includes("Files")&&e.preventDefault()}function Sc(e){let t=[...e.dataTransfer?.files??[]];t.length>0&&(e.preventDefault(),Zs=Zs.then(()=>xc(t)))}function ta(){addEventListener("dragover",kc),addEventListener("drop",Sc)}function na(){return zt.value===null&&St.value.length===0?null:l`<div class="upload">
    <div>
      ${St.value.map(({name:e,text:t})=>l`<p role="alert"><b>${e}</b>: ${t}</p>`)}
      ${zt.value!==null&&l`<p role="status">Reading ${zt.value} …</p>`}
    </div>
    ${St.value.length>0&&l`<button onClick=${()=>St.value=[]}>close</button>`}
  </div>`}var Rc={lock:{name:"lock",token:"lock"},park:{name:"park",token:"park"},wait:{name:"wait",token:"park"},sleep:{name:"sleep",token:"park"},io:{name:"I/O",token:"io"},pinned:{name:"pinned",token:"lock"},gc:{name:"GC",token:"gc"},safepoint:{name:"safepoint",token:"gc"},class_loading:{name:"class loading",token:"other"},compilation:{name:"compilation",token:"other"},cpu:{name:"CPU",token:"cpu"},alloc:{name:"allocation",token:"alloc"},exceptions:{name:"exceptions",token:"other"},errors:{name:"errors",token:"other"},deoptimization:{name:"deoptimization",token:"other"},queued:{name:"queued",token:"park"},elsewhere:{name:"elsewhere",token:"none"},unaccounted:{name:"not accounted",token:"none"}},Tc={l:"lock",p:"park",w:"wait",s:"sleep",i:"io",v:"pinned",g:"gc",j:"safepoint",d:"class_loading",m:"compilation",c:"cpu",a:"alloc",q:"queued",e:"elsewhere","-":"unaccounted"};function Z(e){let t=e.startsWith("other: ")?e.slice(7):e;return Rc[e]??{name:t,token:"other"}}function Rt(e){return Tc[e]??"other: other"}function Nn(e){return e==="."?null:Z(Rt(e))}var Oc={JavaMonitorEnter:"lock",JavaMonitorInflate:"lock",ThreadPark:"park",JavaMonitorWait:"wait",ThreadSleep:"sleep",SocketRead:"io",SocketWrite:"io",SocketConnect:"io",FileRead:"io",FileWrite:"io",FileForce:"io",VirtualThreadPinned:"pinned",GCPhasePause:"gc",ZAllocationStall:"gc",SafepointBegin:"safepoint",ExecuteVMOperation:"safepoint",ClassLoad:"class_loading",ClassDefine:"class_loading",Compilation:"compilation",ExecutionSample:"cpu",CPUTimeSample:"cpu",ObjectAllocationSample:"alloc",ObjectAllocationInNewTLAB:"alloc",ObjectAllocationOutsideTLAB:"alloc"};function ve(e){return(e.startsWith("jdk.")?Oc[e.slice(4)]:void 0)??"other: "+e}var Pc=/^(java|javax|jdk|sun|com\.sun)\./;function We(e){return Pc.test(e)}function Be(e,t,n){return ct("contexts",e,t,n)}function ct(e,t,n,r){return j([e==="requests"?"q":"c",t,n],r===void 0?{}:{at:String(r)})}function ra(e,t){return e.replaceAll("{trace_id}",encodeURIComponent(t))}function oa(e,t,n){let[,r,o]=/^(.+)\.[^.]+:(\d+)$/.exec(t)??[];if(!r||We(t)||n===null&&e.includes("{service}"))return null;let a={path:r.replace(/\$.*/,"").split(".").map(encodeURIComponent).join("/"),line:o,service:encodeURIComponent(n??"")};return e.replace(/\{(path|line|service)\}/g,(i,c)=>a[c])}function En(e){for(let[t,n]of Object.entries(e))if(/^trace[._-]?id$/i.test(t)&&typeof n=="string"&&n!=="")return n;return null}function Xt({t0_ns:e,columns:t,rows:n}){let r=t.indexOf("start");return n.map(o=>({start:BigInt(e)+BigInt(Math.round(Number(o[r]??0))),values:Object.fromEntries(t.map((s,a)=>[s,o[a]??null]))}))}var Cc=1e3,sa=e=>e.replace(new RegExp("(?<=[?&])(from|to)=[^&]*&?","g"),"");function Mc(e,t,n,r,o){if(e.url===t&&e.tick===n)return e;let a=e.tick!==n&&sa(e.url)===sa(t)?Math.min(Cc,Math.max(o,r)):o;return{url:t,tick:n,rows:a,cursor:"",before:[]}}function Un(e,t,n){let[r,o]=P([]),[,s]=P(""),a=X({url:e,tick:n,rows:t,cursor:"",before:[]});a.current=Mc(a.current,e,n,r.length,t);let{rows:i,cursor:c,before:u}=a.current,m=c?`&cursor=${encodeURIComponent(c)}`:"",p=R(`${e}&limit=${i}${m}`,n);xe(()=>{p.data&&!p.isLoading&&o([...u,...Xt(p.data)])},[p.data]);let d=p.isLoading?null:p.data?.next??null;return{answer:p,items:r,more:d===null?null:()=>{a.current={url:e,tick:n,rows:t,cursor:d,before:r},s(d)}}}function ae({category:e}){return l`<span
    class="dot"
    style=${{background:`var(--${Z(e).token})`}}
  ></span>`}function ia({of:e}){return e&&l`<${ae} category=${e.category} />${Z(e.category).name}
      <span class="dim"> ${H(e.share)}</span>`}var Ac=.07,Lc=.16;function la({parts:e,total:t,each:n}){let r=e.filter(u=>u.total_ns>0),o=u=>u.total_ns/Math.max(1,t),s=u=>Z(u.category).name,a=u=>o(u)<Ac?"":o(u)<Lc?s(u):`${s(u)} ${n(u)}`,i=u=>Ue.value>=0&&wt(N(Z(u.category).token)),c=r.map(u=>`${s(u)} ${H(o(u))}`).join(", ");return l`<div class="stacked" role="img" aria-label=${c}>
    ${r.map(u=>l`<span
          key=${u.category}
          title=${`${s(u)} ${n(u)}, ${H(o(u))}`}
          style=${{flexGrow:o(u),background:`var(--${Z(u.category).token})`,color:i(u)}}
          >${a(u)}</span
        >`)}
  </div>`}var aa=120,Kr=22;function ca({values:e,label:t}){let n=e.reduce((a,i)=>Math.max(a,i??0),1),r=a=>(e[a]??null)!==null,o="",s="";return e.forEach((a,i)=>{if(a===null)return;let c=(i+.5)/e.length*aa,u=Kr-2-a/n*(Kr-4),m=`${c.toFixed(1)} ${u.toFixed(1)}`,p=!r(i-1)&&!r(i+1);o+=p?"":`${r(i-1)?"L":"M"}${m}`,s+=p?`M${m}h0`:""}),l`<svg
    class="spark"
    role="img"
    aria-label=${t}
    viewBox="0 0 ${aa} ${Kr}"
  >
    <path d=${o} />
    <path class="dots" d=${s} />
  </svg>`}var ua="a time with its date, such as 2026-01-02T15:04:05Z, nanoseconds since 1970, or a length of time until now, such as 10m",ma=e=>at(e,0n)!==null,pa="FROM,TO,MIN,MAX, all in nanoseconds",In=e=>t=>e.includes(t),fa={from:[ma,ua],to:[ma,ua],last:[e=>je(e)!==null,"a length of time, such as 15m, 6h or 7d"],min_duration_ns:[xt,"a number of nanoseconds"],max_duration_ns:[xt,"a number of nanoseconds"],box:[e=>me(e)!==null,pa],base_box:[e=>me(e)!==null,pa],unit:[In(["requests","contexts","threads"]),"requests, contexts or threads"],jvm:[In(["1"]),"1"],live:[In(["1"]),"1"],zone:[In(["utc"]),"utc"]};function Yt(e,t){return fa[e]?.[0](t)??!0}function da(e,t){let n=[...e].filter(([i,c])=>!Yt(i,c)).map(([i,c])=>({name:i,value:c,wanted:fa[i][1]})),[r,o]=[e.get("from")??"",e.get("to")??""],[s,a]=[at(r,t),at(o,t)];return s!==null&&a!==null&&s>=a?[...n,{name:"from",value:r,wanted:"before to"}]:n}var Nc=[["service",e=>`service ${e}`],["instance",e=>`instance ${e}`],["recording",e=>`recording ${e.slice(0,8)}\u2026`],["context",e=>`context ${e}`],["where",e=>e],["min_duration_ns",e=>`\u2265 ${y(Number(e))}`],["max_duration_ns",e=>`\u2264 ${y(Number(e))}`],["trace",e=>`trace ${e}`],["thread",e=>`thread ${e}`],["event",e=>`event ${e}`]];function Ec(e,t){C({[e]:b.value.params.getAll(e).filter(n=>n!==t)})}var Uc=e=>b.value.params.getAll(e).filter(t=>Yt(e,t));function Ic(e){e.preventDefault();let t=e.currentTarget,n=r=>t.elements.namedItem(r).value.trim();if(n("key")!==""){let r=n("key")+n("op")+n("value");C({where:[...new Set([...b.value.params.getAll("where"),r])]}),t.reset()}}var Bc=["service","instance","recording","thread"];function Qt({keys:e=[],values:t=[],isWhole:n=!1}){let o=Nc.filter(([s])=>!n||Bc.includes(s)).flatMap(([s,a])=>Uc(s).map(i=>l`<span class="chip" key=${s+i} title=${i}>
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
  </form>`}var Tt=Oe(()=>b.value.params.get("zone")==="utc"),Bn=1000000n,zr=6e4,ha=e=>String(e).padStart(2,"0");function Dn(e,t=Tt.value){return t?0:-new Date(Number(e/Bn)).getTimezoneOffset()*zr}function ga(e){return BigInt(Dn(e))*Bn}var Zt=e=>new Date(Number(e/Bn)+Dn(e)).toISOString().replace("Z","");function oe(e,t=1e6){return Zt(e).slice(11,t>=6e10?16:t>=1e9?19:23)}function ye(e){return Zt(e).slice(0,10)}function Je(e){return Zt(e).slice(0,19).replace("T"," ")}function ba(e){let[t,n]=[Math.floor(Math.abs(e)/60),Math.abs(e)%60];return`${e<0?"-":"+"}${ha(t)}:${ha(n)}`}function ie(e,t=Tt.value){let n=Dn(e,t)/zr,r=ba(n).replace(/^(.)0/,"$1").replace(":00","");return n===0?"UTC":`UTC${r}`}function De(e){let t=Dn(e)/zr,n=String(e%1000000000n).padStart(9,"0");return`${Zt(e).slice(0,19)}.${n}${t===0?"Z":ba(t)}`}function Xr(e){return Zt(e).slice(0,19)}function $a(e){let t=Date.parse(Tt.value?`${e}Z`:e);return Number.isNaN(t)?null:BigInt(t)*Bn}var va=()=>R(S("collector",new URLSearchParams)).data;function ya({href:e,children:t}){return l`<a class="link" href=${e} target="_blank" rel="noopener noreferrer"
    >${t}</a
  >`}function Hn({trace:e}){let t=va()?.trace_link,[n=""]=/[^/]+(?=\/|$)/.exec(t?.replace(/^https?:\/\//,"")??"")??[];return t?l`<${ya} href=${ra(t,e)}>${n} ↗<//>`:null}function _a({frames:e,service:t}){let n=va()?.source_link??null,r=o=>{let s=n&&oa(n,o,t);return s?l`<${ya} href=${s}>${o}<//>`:o};return l`<ol>
    ${e.map(o=>l`<li>${r(o)}</li>`)}
  </ol>`}function Fn(e){return typeof e=="string"?e:JSON.stringify(e)}function wa(e){let t=e.values.fields;return t&&typeof t=="object"&&!Array.isArray(t)?Object.entries(t):[]}function Yr(e){let t=e.values.stack;return Array.isArray(t)?t.map(String):[]}function Hc(e){return e.find(t=>!We(t))??e[0]??""}function Fc({item:e,columns:t,service:n}){return l`<tr class="details">
    <td colspan=${t} class="w">
      <dl>
        <dt>start</dt>
        <dd>${De(e.start)}</dd>
        ${wa(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${Fn(o)}</dd>`])}
      </dl>
      <${_a} frames=${Yr(e)} service=${n} />
    </td>
  </tr>`}function Ot({items:e,since:t,service:n=null,contextHref:r,label:o}){let[s,a]=P(null),i=[t===void 0?`time, ${e[0]?ie(e[0].start):""}`:"after","event","duration","thread","method","fields",...r?["context"]:[]],c=(u,m)=>{let{type:p,duration:d,thread:f,recording:g,context:_}=u.values,h=t===void 0?oe(u.start):"+"+y(Number(u.start-t)),v=wa(u).map(([E,W])=>`${E}=${Fn(W)}`),w=`${u.start} ${p} ${f} ${g}`,k=s===w,x=()=>a(k?null:w),O=r&&g!==null&&_?r(String(g),String(_)):null;return l`<tr key=${m} class=${k?"open":""}>
        <td class="dim">
          <button class="plain" aria-expanded=${String(k)} onClick=${x}>${h}</button>
        </td>
        <td title=${p}>
          <${ae} category=${ve(String(p))} />${te(String(p))}
        </td>
        <td class="n">${typeof d=="number"?y(d):""}</td>
        <td class="cut" data-name="thread" title=${f}>${f}</td>
        <td class="cut" data-name="method" title=${Yr(u)[0]}>
          ${Ee(Hc(Yr(u)))}
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
  </div>`}function Qr({answer:e}){return e.problem===null?null:l`<div class="notice problem" role="alert">${e.problem}</div>`}function jc({name:e,value:t,wanted:n}){let r=b.value.params.getAll(e).filter(o=>o!==t);return l`<div class="fault" role="alert">
    <span><b>${e}=${t}</b> is left out: it has to be ${n}.</span>
    <button onClick=${()=>C({[e]:r},!0)}>take it away</button>
  </div>`}function xa(){return da(b.value.params,M.value).map(e=>l`<${jc} key=${`${e.name} ${e.value}`} ...${e} />`)}function Zr({lines:e}){return l`<div class="skeleton" aria-hidden="true">
    ${Array.from({length:e},()=>l`<div></div>`)}
  </div>`}function D({of:e}){let{chunks:t=0,events:n=0,places:r=0}=e?.left_out??{},o=[e?.is_truncated?"a limit was met: not all is here":"",t>0?`${t} chunks could not be read`:"",n>0?`${n} events could not be read`:"",r>0?`${r} damaged places`:""].filter(s=>s!=="");return o.length===0?null:l`<span class="missing">${o.join("; ")}</span>`}var qc=5;function T(e){let{title:t,note:n,tools:r,answer:o,className:s,lines:a=qc,children:i}=e,c=o&&o.data!==null&&(o.isLoading||o.problem!==null);return l`<section class=${s} aria-busy=${o?.isLoading?"true":"false"}>
    <h2>
      <span>${t}</span><small>${n}</small>
      <span class="tools">${r}</span>
    </h2>
    ${o&&l`<${Qr} answer=${o} />`}
    ${o?.data===null&&o.isLoading&&a>0&&l`<${Zr} lines=${a} />`}
    <div class=${c?"stale":""}>${i}</div>
  </section>`}function Wc(e,t,n=!1){let r=e.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/,"//"+t),o=r.startsWith("tls+")?",ca=/path/to/ca.pem":"";return`-agentpath:/path/to/libloupe.so=collector=${r}${o},service=NAME${n?",token=@FILE":""}`}function Jc({of:e}){if(e.data_start_ns===null)return null;let t=BigInt(e.data_start_ns),{path:n,params:r}=b.value,o=G(r,{from:e.data_start_ns,to:null,last:null});return l`<p>
    There are recordings since ${Je(t)} ${ie(t)}:${" "}
    <a class="link" href=${le(fe(...n),o)}>look at all of that time</a>.
  </p>`}function Ve(){let e=S("collector",new URLSearchParams),{data:t}=R(e,M.value),n=t?.data_start_ns!=null&&BigInt(t.data_start_ns)<K.value.from,r=Ie(b.value),o=a=>Wc(a,location.hostname,de.value?.is_needed);if(t?.takes_files&&!n)return l`<${I} title="There is no recording yet">
      Drop a recording (.jfr) on this page, and it is shown.
    <//>`;let s=r===null?"":` of ${r}`;return l`<${I} title="No JVM${s} has sent anything in this time">
    ${t?.agents&&!t.takes_files&&l`Start one with this option, and it is here within seconds:
        <pre>${o(t.agents)}</pre>`}
    ${t&&n&&l`<${Jc} of=${t} />`}
  <//>`}var Vc=/^[0-9a-fA-F]{16}([0-9a-fA-F]{16})?$/,Gc=/^[^=<>!^\s]+(=|!=|\^=|>=|<=)/,ka=e=>e.replace(/\$(?=.)/g,"\\$");function Sa(e,{path:t,params:n}){if(Vc.test(e))return j(["t",e.toLowerCase()]);let r=t[0]==="s",o=Gc.test(e);if(!r)return j(["s"],o?{where:e}:{frame:ka(e)});let s=n.getAll("where").filter(i=>i!==e),a=o?{where:[...s,e]}:{frame:ka(e)};return le(fe(...t),G(n,a))}var Ta={box:null,base_box:null},eo=e=>b.value.params.get(e)??"",jn=e=>eo(e)!==""&&Yt(e,eo(e));function Oa(){let e=jn("from")?eo("from"):On.value;return jn("to")||je(e)===null?null:e}var Ra=60000000000n;function Kc(){let{from:e,to:t}=K.value,n=Oa();if(n!==null)return`last ${n}`;let r=e%Ra===0n&&(t%Ra===0n||!jn("to")),o=a=>oe(a,r?6e10:1e9),s=ye(e)===ye(t)?o(t):`${ye(t)} ${o(t)}`;return`${ye(e)} ${o(e)} to ${jn("to")?s:"now"}`}function zc(){let e=js,t=Oa(),n=t??On.value,r=e.includes(n)?e:[n,...e];return l`<div class="lengths">
    ${r.map(o=>l`<a
          key=${o}
          href=${se({last:o,from:null,to:null,...Ta})}
          aria-current=${o===t?"true":void 0}
          >last ${o}</a
        >`)}
  </div>`}function Xc({close:e}){let[t,n]=P(""),{from:r,to:o}=K.value,s=i=>{i.preventDefault();let c=i.currentTarget,u=(d,f)=>{let g=c.elements.namedItem(d).value;return g===Xr(f)?f:$a(g)},[m,p]=[u("from",r),u("to",o)];if(m===null||p===null)n("Both need a day and a time.");else if(m>=p)n("It has to begin before it ends.");else{e();let d={from:String(m),to:String(p)};C({...d,last:null,live:null,...Ta})}},a=(i,c)=>l`<label
      >${i} <input type="datetime-local" step="1" name=${i} defaultValue=${Xr(c)}
    /></label>`;return l`<form class="between" onSubmit=${s}>
    ${a("from",r)} ${a("to",o)}
    <button>show</button>
    <span class="problem" role="alert">${t}</span>
  </form>`}function Yc(){let{to:e}=K.value,t=(n,r)=>l`<button
      aria-pressed=${Tt.value===n?"true":"false"}
      onClick=${()=>C({zone:n?"utc":null},!0)}
    >
      ${r}
    </button>`;return l`<div class="tabs" role="group" aria-label="Clocks">
    ${t(!1,`local, ${ie(e,!1)}`)} ${t(!0,"UTC")}
  </div>`}function to(){let{from:e,to:t}=K.value,n=l`${Kc()} <span class="dim">${ie(t)}</span>`;return l`<${lt}
    text=${n}
    title=${`${Je(e)} to ${Je(t)} ${ie(t)}`}
    className="time"
  >
    ${r=>l`<${zc} /><${Xc} key=${Tt.value} close=${r} /><${Yc} />`}
  <//>`}function no(){return l`<button onClick=${Wr} title="ask again">refresh</button>
    <button
      aria-pressed=${it.value?"true":"false"}
      onClick=${()=>C({live:it.value?null:"1"},!0)}
      title="ask again every 5 seconds"
    >
      live
    </button>`}function Pa({onDone:e}){let t=r=>{r.preventDefault();let o=r.currentTarget.elements.namedItem("q"),s=o.value.trim();s!==""&&(ge(Sa(s,b.value)),o.value="",e?.())},n="trace id, attribute=value, or a method";return l`<form class="search" role="search" onSubmit=${t}>
    <input name="q" placeholder=${n} aria-label="Search: ${n}" autocomplete="off" />
  </form>`}function Ca(){let[e,t]=P(null),n=de.value?.identity,r=async()=>t(await Is());return n==null?null:l`<span class="who">
        <span title="as whom this page asks the collector">${n}</span>
        <button onClick=${r}>log out</button>
        <span class="problem" role="alert">${e&&`still logged in: ${e}`}</span>
      </span>`}var Qc=[["services",""],["events","e"],["recordings","r"]];function ne({crumbs:e=[],children:t}){let n=b.value.path[0]??"",r=([m,p])=>l`<a href=${j(p?[p]:[])} aria-current=${p===n?"page":void 0}>
      ${m}
    </a>`,o=({name:m,href:p},d)=>[d>0?" / ":"",p?l`<a href=${p}>${m}</a>`:l`<b>${m}</b>`],s=l`<nav class="screens" aria-label="Screens">${Qc.map(r)}</nav>`,a=l`<a class="logo" href=${j([])}>Loupe</a>`,i=ue.value?e.slice(-1):e,c=l`<span class="crumb">${i.map(o)}</span>`,u=m=>l`${s}<${Pa} onDone=${m} />
      <div class="row"><${no} /></div>
      <${Ca} />`;return l`<header>
      ${ue.value?l`${a} ${c} <${to} />
              <${lt} text="☰" label="screens, search, refresh" className="all">${u}<//>`:l`${a} ${s} ${c} <${Pa} /> <${to} /><${no} /> <${Ca} />`}
    </header>
    <main><${xa} />${t}</main>`}var Zc=4;function eu(e,t){return typeof e=="number"&&typeof t=="number"?t-e:String(e)<String(t)?-1:1}function q({columns:e,rows:t,rowKey:n,href:r,rowsMax:o,rowsFirst:s,label:a,className:i}){let[c,u]=P(null),m=c===null?void 0:e[c]?.sort,p=m?[...t].sort((k,x)=>eu(m(k),m(x))):t,[d,f]=P(!1),g=p.slice(0,d?o:s??o),_=Math.min(t.length,o??1/0)-g.length,h=(k,x)=>{let O=c!==x?"none":k.isNumber?"descending":"ascending",E=k.sort?l`<button class="plain" onClick=${()=>u(x)}>${k.name}</button>`:k.name;return l`<th
      class=${(k.isNumber?"n ":"")+(k.sort?"sort ":"")+(k.className??"")}
      title=${k.title}
      scope="col"
      aria-sort=${k.sort?O:void 0}
    >
      ${E}
    </th>`},v=(k,x,O)=>{let E=x.cell(k);return l`<td
      class=${(x.isNumber?"n ":"")+(x.className??"")}
      data-name=${O>0?x.name:void 0}
    >
      ${r&&O===0?l`<a href=${r(k)}>${E}</a>`:E}
    </td>`},w=_>0&&s!==void 0&&l`<button class="plain more" onClick=${()=>f(!0)}>${$(_)} more</button>`;return l`<div class="scroll" tabindex="0" role="region" aria-label=${a}>
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
    ${w}`}var tu=15,nu=100,ru=20,ro=e=>e===null?"":y(e),Pt=(e,t)=>b.value.params.getAll(e).includes(t);function oo({href:e,on:t,name:n}){return l`<a
    href=${e}
    class=${t?"on":""}
    aria-current=${t?"true":void 0}
    title=${n}
    >${n}</a
  >`}function ou({types:e}){let t=n=>se({context:Pt("context",n)?null:n,key:null,where:null,event:null});return l`<${q}
    label="Types of contexts"
    rows=${e}
    rowKey=${n=>n.type}
    columns=${[{name:"type",cell:({type:n})=>l`<${oo} href=${t(n)} on=${Pt("context",n)} name=${n} />`,className:"name"},{name:"all",cell:n=>$(n.contexts_in),isNumber:!0},{name:"kept",cell:n=>$(n.contexts_out),isNumber:!0},{name:"median",cell:n=>ro(n.p50_ns),isNumber:!0},{name:"p99",cell:n=>ro(n.p99_ns),isNumber:!0}]}
  />`}function Ma({name:e,rows:t}){let n=r=>{let o=`${e}=${r}`,s=b.value.params.getAll("where").filter(a=>!a.startsWith(e+"="));return se({where:Pt("where",o)?s:[...s,o],event:null})};return l`<${q}
    label=${`Values of ${e}`}
    rows=${t}
    rowKey=${r=>r.value}
    columns=${[{name:e,cell:({value:r})=>l`<${oo}
            href=${n(r)}
            on=${Pt("where",`${e}=${r}`)}
            name=${r||"(empty)"}
          />`,className:"w"},{name:"all",cell:r=>r.all===null?"":$(r.all),isNumber:!0},{name:"kept",cell:r=>$(r.kept),isNumber:!0},{name:"p99",cell:r=>ro(r.p99_ns),isNumber:!0}]}
  />`}function su({name:e}){let t=kt(b.value,K.value);t.delete("where");let r=R(S("attributes",t,{limit:"100"}),M.value).data?.keys.find(s=>s.key===e),o=(r?.values??[]).map(s=>({value:s.value,all:null,kept:s.count,p99_ns:s.p99_ns}));return l`<p class="dim">
      ${r?.search_only?"A value for almost every context: search for one with where, or in the box above.":"Too many values for the statistics of all contexts: those of kept ones, 100 at most."}
    </p>
    ${o.length>0&&l`<${Ma} name=${e} rows=${o} />`}`}function au({of:e}){let t=b.value.params.get("key"),n=e?.attributes.find(s=>s.key===t)??e?.attributes[0];if(!e||!n)return l`<p class="dim">Choose a type of contexts to see the values that it has.</p>`;let r=[...n.values].sort((s,a)=>a.contexts_in-s.contexts_in).map(s=>({value:s.value,all:s.contexts_in,kept:s.contexts_out,p99_ns:s.p99_ns})),o=({key:s})=>l`<button
      key=${s}
      aria-pressed=${String(s===n.key)}
      onClick=${()=>C({key:s},!0)}
    >
      ${s}
    </button>`;return l`<div class="tabs">${e.attributes.map(o)}</div>
    ${n.has_too_many?l`<${su} name=${n.key} />`:l`<${Ma} name=${n.key} rows=${r} />`}`}function iu({of:e}){let t=n=>se({event:Pt("event",n)?null:n});return l`<${q}
    label="Types of events"
    rows=${e.types}
    rowsFirst=${tu}
    rowKey=${n=>n.type}
    columns=${[{name:"event",cell:({type:n})=>l`<${ae} category=${ve(n)} /><${oo}
              href=${t(n)}
              on=${Pt("event",n)}
              name=${n}
            />`,sort:n=>n.type,className:"name"},{name:"count",cell:n=>$(n.count),isNumber:!0,sort:n=>n.count},{name:"time",title:"the sum of their durations",cell:n=>n.total_ns?y(n.total_ns):"",isNumber:!0,sort:n=>n.total_ns}]}
  />`}function lu({query:e}){let t=b.value.params.get("event"),n=S("events",e,{event:t}),{answer:r,items:o,more:s}=Un(n,ue.value?ru:nu,M.value),a=l`<${D} of=${r.data} /><${U} url=${n} />`;return l`<${T} title="Events" note=${t??"of all types; choose one above"} tools=${a} answer=${r}>
    ${o.length>0&&l`<${Ot}
        label="Events"
        items=${o}
        service=${e.get("service")}
        contextHref=${Be}
      />`}
    ${s&&l`<p><button onClick=${s}>more</button></p>`}
    ${r.data&&o.length===0&&l`<${I} title="No events here" />`}
  <//>`}function Aa(){let e=b.value,t=kt(e,K.value),n=S("contexts/types",uu(t)),r=R(n,M.value),o=S("events/types",t),s=R(o,M.value),a=r.data?.types.find(c=>c.type===e.params.get("context")),i=s.data&&`${$(s.data.events)} events`+cu(s.data.contexts);return l`<${ne}>
    <${Qt} />
    <div class="three">
      <${T}
        title="Context types"
        note="all contexts, also those not kept"
        tools=${l`<${U} url=${n} />`}
        answer=${r}
      >
        ${r.data&&r.data.types.length>0&&l`<${ou} types=${r.data.types} />`}
        ${r.data?.types.length===0&&l`<${Ve} />`}
      <//>
      <${T} title="Context values" note=${a?.type}><${au} of=${a} /><//>
      <${T}
        title="Event types"
        note=${i}
        tools=${l`<${D} of=${s.data} /><${U} url=${o} />`}
        answer=${s}
      >
        ${s.data&&s.data.types.length>0&&l`<${iu} of=${s.data} />`}
      <//>
    </div>
    <${lu} query=${t} />
  <//>`}var cu=e=>e===null?", in contexts or not":` in ${$(e)} contexts`;function uu(e){let t=new URLSearchParams;for(let n of["service","instance","recording","from","to"]){let r=e.get(n);r!==null&&t.set(n,r)}return t}function La(){let[e,t]=P(null),[n,r]=P(!1),o=async s=>{s.preventDefault();let a=s.currentTarget.elements.namedItem("token");r(!0);let i=await Us(a.value.trim());r(!1),t(i),a.select()};return l`<header><span class="logo">Loupe</span></header>
    <main class="login">
      <section aria-busy=${n?"true":"false"}>
        <h1>Log in</h1>
        ${Gt.value&&l`<p role="status">Your session is over.</p>`}
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
  <//>`}function mu(e){return e.replaceAll("_","-")}function ut(e){let t=new Map;for(let{dropped:n}of Object.values(e))for(let[r,o]of Object.entries(n))t.set(r,(t.get(r)??0)+o);return[...t].sort((n,r)=>r[1]-n[1])}function mt({of:e}){return e.length===0?null:l`<span class="chips">
    ${e.map(([t,n])=>l`<span class="chip" key=${t}
          >${mu(t)} <b>${$(n)}</b></span
        >`)}
  </span>`}var pu="N/A";function fu(e){let t=[e.young_collector,e.old_collector].filter(n=>n!==void 0&&n!==pu);return[...new Set(t)].join(", ")}function du(e){let t=[e.jvm_arguments,e.java_arguments].filter(n=>n);return t.length===0?null:["java",...t].join(" ")}function hu({os:e}){let t=String(e??"");return/^PRETTY_NAME="(.*)"$/m.exec(t)?.[1]??t.split(`
`)[0]}function Ea({of:e}){let t=du(e),n=e.hardware_threads===void 0?"":`${e.hardware_threads} \xD7 `,r=[["JVM",e.jvm_version],["command line",t&&l`<code>${t}</code>`],["system",hu(e)],["processor",e.cpu&&`${n}${e.cpu}`],["memory",e.memory_bytes&&Q(Number(e.memory_bytes))],["heap",e.heap_max_bytes&&`${Q(Number(e.heap_max_bytes))} at most`],["GC",fu(e)]];return l`<div class="details">
    <dl>
      ${r.filter(([,o])=>o).map(([o,s])=>l`<dt>${o}</dt>
              <dd>${s}</dd>`)}
    </dl>
  </div>`}function qn(e){let[t,n]=P({width:0,height:0,ratio:1});return Te(()=>{let r=e.current,o=()=>{let{clientWidth:i,clientHeight:c}=r;n({width:i,height:c,ratio:devicePixelRatio})},s=new ResizeObserver(o);s.observe(r);let a=matchMedia(`(resolution: ${t.ratio}dppx)`);return a.addEventListener("change",o),o(),()=>{s.disconnect(),a.removeEventListener("change",o)}},[t.ratio]),t}function so(e,{width:t,height:n,ratio:r}){let[o,s]=[Math.round(t*r),Math.round(n*r)];(e.width!==o||e.height!==s)&&(e.width=o,e.height=s);let a=e.getContext("2d");return a?.setTransform(r,0,0,r,0,0),a?.clearRect(0,0,t,n),a}function Wn(e,{width:t,height:n,ratio:r},o,s){Te(()=>{let a=t>0&&e.current&&so(e.current,{width:t,height:n,ratio:r});a&&o(a)},[t,n,r,Ue.value,...s])}var Jn=14,Vn=8;function Ge({at:e,children:t}){let n=X(null);return Te(()=>{let{offsetWidth:r,offsetHeight:o,style:s}=n.current,a=e.clientY+Jn+o>innerHeight-Vn,i=Math.min(e.clientX+Jn,innerWidth-r-Vn);s.left=`${Math.max(Vn,i)}px`,s.top=`${a?Math.max(Vn,e.clientY-Jn-o):e.clientY+Jn}px`}),l`<div class="tip" role="tooltip" ref=${n}>${t}</div>`}var gu=[1,1.189207115002721,1.4142135623730951,1.681792830507429],bu=e=>gu[e&3]*2**(e>>2);function Ua(e){return e<0?1:Math.floor(bu(e+1))}function Ke(e,{column:t,row:n}){return t*e.rows+n}function Ct(e){let t=[];for(let r of e)for(let[o,s]of r)t[o+1]=(t[o+1]??0)+s;let n=[];return t.forEach((r,o)=>n.push([o-1,r])),n}function pt(e,t){let n=e.reduce((o,[,s])=>o+s,0),r=Math.max(1,Math.ceil(t*n));for(let[o,s]of e){if(r<=s)return o<0?1:Math.floor(2**((o+r/s)/4));r-=s}return null}function ze(e,t,n,r=null){let o=Math.max(1,Math.ceil(e.columns.length/t)),s=1/0,a=-1/0;for(let d of e.columns)s=Math.min(s,d[0]?.[0]??s),a=Math.max(a,d.at(-1)?.[0]??a);let i=r!==null&&s<=a;i&&(s=r,a=Math.max(a,r+12-1));let c=1;for(;Math.floor(a/c)-Math.floor(s/c)>=n;)c*=2;let u=s>a?0:Math.floor(s/c),m={t0:BigInt(e.t0_ns),step:BigInt(e.step_ns)*BigInt(o),columns:Math.ceil(e.columns.length/o),first:u,buckets:c,hasShorter:i,rows:s>a?0:Math.floor(a/c)-u+1,cells:new Map,most:0,exemplars:new Map},p=(d,f)=>({column:Math.floor(d/o),row:Math.max(0,Math.floor(f/c)-u)});e.columns.forEach((d,f)=>{for(let[g,_,h]of d){let v=p(f,g),w=m.cells.get(Ke(m,v))??{...v,all:0,kept:0};w.all+=_,w.kept+=h,m.cells.set(Ke(m,v),w),m.most=Math.max(m.most,w.all)}});for(let[d,f,g,_]of e.exemplars)m.exemplars.set(Ke(m,p(d,f)),{recording:g,id:_});return m}function Ba(e,t){let n=Math.log(e)/Math.log(t+1);return e<=0?0:Math.min(5,1+Math.floor(5*n))}function Mt(e,t,n){let[r,o]=[Math.min(t.column,n.column),Math.max(t.column,n.column)],[s,a]=[Math.min(t.row,n.row),Math.max(t.row,n.row)],i=(e.first+s)*e.buckets;return{from:e.t0+e.step*BigInt(r),to:e.t0+e.step*BigInt(o+1),min:i<0||e.hasShorter&&s===0?0:Ua(i-1)+1,max:Ua((e.first+a+1)*e.buckets-1)}}function Gn(e,t,n){let r=Mt(e,n,n),o=r.from<t.to&&r.to>t.from,s=r.max>Math.min(t.min,t.max-1)||r.min>=t.min;return o&&r.min<=t.max&&s}function ft(e,t){let n={all:0,kept:0};for(let r of e.cells.values())Gn(e,t,r)&&(n.all+=r.all,n.kept+=r.kept);return n}function Da(e,t){return[...e.cells.values()].filter(n=>Gn(e,t,n)).sort((n,r)=>r.row-n.row||r.column-n.column).flatMap(n=>e.exemplars.get(Ke(e,n))??[])}function Kn(e,t,{column:n,row:r}){let o=t.width/e.columns,s=t.height/e.rows,a=t.y+t.height-(r+1)*s;return{x:t.x+n*o,y:a,width:o,height:s}}function Ha(e,t,n,r){let o=(s,a)=>Math.max(0,Math.min(a-1,Math.floor(s*a)));return{column:o((n-t.x)/t.width,e.columns),row:o(1-(r-t.y)/t.height,e.rows)}}function io(e,t,n){return t>=e.x&&t<e.x+e.width&&n>=e.y&&n<e.y+e.height}function ao(e,t,n){return t.x+Number(n-e.t0)/(Number(e.step)*e.columns)*t.width}function en(e,t,n){let r=4*Math.log2(Math.max(n,1))/e.buckets-e.first;return t.y+t.height*(1-r/e.rows)}function lo(e,t,n){let[r,o]=[t.x,t.x+t.width],[s,a]=[t.y,t.y+t.height],i=Math.max(r,ao(e,t,n.from)),c=Math.max(s,en(e,t,n.max)),u=Math.min(o,ao(e,t,n.to))-i,m=n.min<=1?a:Math.min(a,en(e,t,n.min-1));return u<=0||m<=c?null:{x:i,y:c,width:u,height:m-c}}function co(e){return{from:e.t0,to:e.t0+e.step*BigInt(e.columns)}}function Fa(e,t,n,r){let o=[],s=a=>{let i=en(e,t,a);o.every(u=>Math.abs(u.at-i)>=n)&&i>=t.y&&i<=t.y+t.height&&o.push({at:i,text:r(a)})};for(let a of[1,2,5])for(let i=1;i<1e15;i*=10)s(a*i);return o.sort((a,i)=>i.at-a.at)}var Ia=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800,1209600,2592e3];function ja(e,t,n,r,o){let{from:s,to:a}=co(e),i=Number(a-s)/1e9*(n/t.width),c=Ia.find(p=>p>=i)??Ia.at(-1),u=BigInt(c)*1000000000n,m=[];for(let p=(s+r+u-1n)/u*u-r;p<a;p+=u)m.push({at:ao(e,t,p),text:o(p,c*1e9)});return m}var tn=52,$u=20,Wa=6,vu=52,yu=72,_u=26,wu=5;function zn(e,t,n){let r=e-tn-(n?vu:0);return{x:tn,y:Wa,width:Math.max(1,r),height:Math.max(1,t-Wa-$u)}}function xu(e,t){let n=oe(e,t);return n==="00:00"?ye(e).slice(5):n}function ku(e,t){let n=r=>y(r).replace(/\.0+ /," ");return{times:ja(e,t,yu,ga(e.t0),xu),durations:e.rows===0?[]:Fa(e,t,_u,n)}}function Su(e,t,n,r){e.moveTo(t-r,n),e.lineTo(t,n),e.lineTo(t,n+r)}function Ru(e,t,n,r,o){e.fillStyle=N("corner"),e.beginPath();let s=-1;for(let a of t.cells.values()){if(!o(a))continue;a.column!==s&&(e.fill(),e.beginPath(),s=a.column);let{x:i,y:c,width:u,height:m}=Kn(t,n,a);Su(e,i+u-r,c,Math.min(wu,u/2,m/2))}e.fill()}function Tu({all:e,kept:t},n){return n==="requests"?t<e:t>0}function Ja(e,t,n,r){let o=["h0","h1","h2","h3","h4","h5"].map(N),s=Math.min(n.width/t.columns,n.height/t.rows)>4?1:0;for(let a of t.cells.values()){let{x:i,y:c,width:u,height:m}=Kn(t,n,a);e.fillStyle=o[Ba(a.all,t.most)],e.fillRect(i,c,u-s,m-s)}Ru(e,t,n,s,a=>Tu(a,r)),nn(e,t,n)}function nn(e,t,n){let{times:r,durations:o}=ku(t,n);e.fillStyle=N("faint"),e.font=qe("sans"),e.textBaseline="middle",e.textAlign="right";for(let{at:s,text:a}of o)e.fillText(a,tn-8,s),e.fillRect(tn-5,Math.round(s),4,1);e.textBaseline="alphabetic",e.fillText(ie(t.t0),tn-8,n.y+n.height+16);for(let{at:s,text:a}of r){let i=e.measureText(a).width/2;e.fillRect(Math.round(s),n.y+n.height,1,4),e.textAlign="left",e.fillText(a,Math.max(n.x,Math.min(s-i,n.x+n.width-2*i)),n.y+n.height+16)}}function uo(e,t,n,r){t&&(e.fillStyle=N("sel"),e.fillRect(t.x,t.y,t.width,t.height),e.strokeStyle=n,e.lineWidth=1.5,e.setLineDash(r),e.strokeRect(t.x,t.y,t.width,t.height),e.setLineDash([]))}function Va(e,t,n,r){uo(e,r.base&&lo(t,n,r.base),N("soft"),[4,3]),uo(e,r.box&&lo(t,n,r.box),N("accent"),[]);for(let o of r.cells)uo(e,Kn(t,n,o),N("ink"),[])}function Ga({step_ns:e,columns:t},n){let r=Number(n.step/BigInt(e));return Array.from({length:n.columns},(o,s)=>{let a=t.slice(s*r,(s+1)*r),i=Ct(a);return{perSecond:i.reduce((m,[,p])=>m+p,0)/(a.length*(e/1e9)),p50:pt(i,.5),p99:pt(i,.99)}})}function Ka(e){return`${$(Number(e.toPrecision(3)))}/s`}function mo(e){let t=10**Math.floor(Math.log10(e));return t*([1,2,5].find(n=>n*t>=e)??10)}function Ou(e,t,n){let r=!1;e.beginPath();for(let o of t)o&&r?e.lineTo(...o):o&&(e.moveTo(o[0]-n/4,o[1]),e.lineTo(...o)),r=o!==null;e.stroke()}function za(e,t,n,r){let o=n.width/t.columns,s=mo(Math.max(.001,...r.map(a=>a.perSecond)));e.fillStyle=N("h1"),r.forEach(({perSecond:a},i)=>{let c=a/s*n.height;e.fillRect(n.x+i*o,n.y+n.height-c,o-1,c)}),e.lineWidth=1.5;for(let[a,i]of[["p50","cpu"],["p99","lock"]]){e.strokeStyle=N(i);let c=(u,m)=>{let p=u[a];return p===null?null:[n.x+(m+.5)*o,en(t,n,p)]};Ou(e,r.map(c),o)}nn(e,t,n),e.textAlign="left",e.textBaseline="middle";for(let a of[.5,1]){let i=n.y+n.height*(1-a);e.fillText(Ka(s*a),n.x+n.width+6,i+(a===1?5:0))}}function Xa({of:{perSecond:e,p50:t,p99:n}}){let r=o=>o===null?"-":y(o);return l`<b>${Ka(e)}</b><br />median ${r(t)}, p99 ${r(n)}`}function Ya({unit:e}){let t=(n,r)=>l`<span><span class="dot" style=${{background:`var(--${n})`}}></span>${r}</span>`;return l`${t("h1",`${e}/s, right`)}${t("cpu","median")}${t("lock","p99")}`}var At=[{name:"heap",lines:[["heap_used","io"]],isBars:!1},{name:"GC pauses",lines:[["gc_pause","gc"]],isBars:!0},{name:"CPU",lines:[["cpu_machine","none"],["cpu_jvm","cpu"]],isBars:!1},{name:"threads",lines:[["threads","park"]],isBars:!1}],Pu={heap_used:"heap used",gc_pause:"GC pauses",cpu_jvm:"CPU of the JVM",cpu_machine:"CPU of the machine",resident:"resident memory",threads:"Java threads",classes:"loaded classes"};function po({line:e}){return Pu[e]??e}function dt({unit:e},t){return({bytes:Q,ns:y,ratio:H}[e]??$)(e==="count"?Math.round(t):t)}function rn({lines:e},t){return t.lines.flatMap(([n,r])=>{let o=e.find(s=>s.line===n);return o?[{line:o,token:r}]:[]})}function Qa(e,t){let n=rn(e,t).flatMap(({line:o})=>o.points.map(s=>s[4])),r=n.reduce((o,s)=>Math.max(o,s),0);return n.length===0?null:mo(Math.max(r,.001))}var Cu=12e10,Mu=10;function Za(e,t){let n=Math.max(1,e.chunks.all/Math.max(1,e.chunks.read)),r=Cu*n*(t.line==="heap_used"?Mu:1),o=Math.max(1,Math.ceil(r/e.step_ns)),s=[];for(let a of t.points){let i=s.at(-1);i&&a[0]-i.at(-1)[0]<=o?i.push(a):s.push([a])}return s}function fo({points:e}){let t=e.reduce((n,[,r])=>n+r,0);return e.length===0?null:{count:t,least:Math.min(...e.map(n=>n[2])),mean:e.reduce((n,[,r,,o])=>n+r*o,0)/t,most:Math.max(...e.map(n=>n[4]))}}function ei({points:e},t){return e.find(([n])=>n===t)??null}var ho=58,on=20,Au=.25;function go(e,t){let{x:n,width:r}=zn(t,0,!1);return{x:n,y:on+e*(ho+on),width:r,height:ho}}var ti=At.length*(ho+on)+26;function ni(e,t,n){let r=go(0,t),o=Math.floor((n-r.x)/r.width*e.column_count);return o>=0&&o<e.column_count?o:null}function ri(e,t,n){let r=t.width/e.column_count;return{x:o=>t.x+(o+.5)*r,y:o=>t.y+t.height*(1-Math.min(1,o/n)),width:r}}function Lu(e,t,{x:n,y:r,width:o}){let s=Math.max(1.5,o-1),a=r(0);for(let[i,,,,c]of t.points){let u=Math.min(r(c),a-1);e.fillRect(n(i)-s/2,u,s,a-u)}}function Nu(e,t,n,r){let{x:o,y:s,width:a}=r;for(let i of Za(t,n))e.globalAlpha=Au,e.beginPath(),i.forEach(([c,,,,u])=>e.lineTo(o(c),s(u))),[...i].reverse().forEach(([c,,u])=>e.lineTo(o(c),s(u))),e.fill(),e.globalAlpha=1,e.beginPath(),e.moveTo(o(i[0][0])-a/2,s(i[0][3])),i.forEach(([c,,,u])=>e.lineTo(o(c),s(u))),e.lineTo(o(i.at(-1)[0])+a/2,s(i.at(-1)[3])),e.stroke()}function Eu(e,t,n,r){let o=Qa(t,n);if(e.fillStyle=N("line"),e.fillRect(r.x,r.y+r.height,r.width,1),e.font=qe("sans"),e.textBaseline="alphabetic",e.textAlign="left",e.fillStyle=N("soft"),e.fillText(n.name,r.x,r.y-4),o===null){e.fillStyle=N("faint"),e.fillText("not recorded",r.x+e.measureText(n.name).width+8,r.y-4);return}let s=rn(t,n);e.fillStyle=N("faint"),e.textAlign="right",e.fillText(dt(s[0].line,o),r.x-8,r.y+8),e.fillText("0",r.x-8,r.y+r.height);let a=ri(t,r,o);e.lineWidth=1.5;for(let{line:i,token:c}of s)e.fillStyle=N(c),e.strokeStyle=N(c),n.isBars?Lu(e,i,a):Nu(e,t,i,a)}function oi(e,t,n,r){At.forEach((m,p)=>Eu(e,t,m,go(p,n)));let o=go(At.length-1,n),{t0_ns:s,step_ns:a,column_count:i}=t,c=Array.from({length:i},()=>[]);if(nn(e,ze({t0_ns:s,step_ns:a,columns:c,...{exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1}},1/0,1),o),r!==null){e.fillStyle=N("ink");let m=ri(t,o,1).x(r);e.fillRect(Math.round(m),on,1,o.y+o.height-on)}}function Uu({data:e,hover:t}){let n=BigInt(e.t0_ns)+BigInt(t.column)*BigInt(e.step_ns),r=At.flatMap(o=>rn(e,o)).map(({line:o,token:s})=>{let a=ei(o,t.column),[,i,c,u,m]=a??[0,0,0,0,0];return l`<tr key=${o.line}>
      <th scope="row">
        <span class="dot" style=${{background:`var(--${s})`}}></span>${po(o)}
      </th>
      <td class="n"><b>${a?dt(o,u):"-"}</b></td>
      <td class="n dim">
        ${i>1&&`${dt(o,c)} to ${dt(o,m)}`}
      </td>
    </tr>`});return l`<${Ge} at=${t.at}>
    <b>${oe(n,1e9)}</b>
    <table>
      ${r}
    </table>
  <//>`}function Iu({data:e}){let t=X(null),n=qn(t),[r,o]=P(null);Wn(t,n,i=>oi(i,e,n.width,r?.column??null),[e,r?.column]);let a=i=>{let{clientX:c,clientY:u}=i,m=t.current.getBoundingClientRect().left,p=ni(e,n.width,c-m);o(p===null?null:{column:p,at:{clientX:c,clientY:u}})};return l`<canvas
      ref=${t}
      style=${{height:`${ti}px`}}
      role="img"
      aria-label="Heap, GC pauses, CPU and threads over the time; the table below has the same"
      onPointerMove=${a}
      onPointerLeave=${()=>o(null)}
    ></canvas>
    ${r&&l`<${Uu} data=${e} hover=${r} />`}`}var bo=(e,t)=>({name:e,isNumber:!0,cell:n=>{let r=fo(n);return r?dt(n,t(r)):l`<span class="dim">-</span>`}}),Bu=[{name:"line",cell:e=>po(e)},bo("least",e=>e.least),bo("mean",e=>e.mean),bo("most",e=>e.most),{name:"events",isNumber:!0,cell:e=>l`<span title=${e.event}>${$(fo(e)?.count??0)}</span>`}];function Du({data:e}){let[t,n]=P(!1);return l`<details
    class="as-table"
    onToggle=${r=>n(r.currentTarget.open)}
  >
    <summary>as a table</summary>
    ${t&&l`<${q}
        label="Lines of the JVM"
        columns=${Bu}
        rows=${e.lines}
        rowKey=${r=>r.line}
      />`}
  </details>`}function Hu({chunks:{read:e,all:t},jvms:n}){return e<t?`by ${$(e)} of ${$(t)} chunks, evenly: short pauses may be missing`:n.length>1?"as they say themselves, all JVMs together":"as it says itself"}function Lt({answer:e,url:t,onClose:n}){let{data:r}=e,o=r!==null&&r.lines.every(({points:c})=>c.length===0),s=r&&{...r,is_truncated:r.is_truncated&&r.chunks.read===r.chunks.all},a=l`<${D} of=${s} />${n&&l`<button class="plain" onClick=${n}>close</button>`}<${U} url=${t} />`,i=L(()=>r&&l`<${Du} data=${r} />`,[r]);return l`<${T}
    title="JVM"
    note=${r&&Hu(r)}
    tools=${a}
    answer=${e}
    className="jvm-panel"
  >
    ${o&&l`<${I} title="No JVM says anything of itself here">
        Events such as jdk.GCHeapSummary and jdk.CPULoad are not recorded, or not kept.
      <//>`}
    ${r&&!o&&l`<${Iu} data=${r} />${i}`}
  <//>`}var ht=e=>qr(e)??0n,Fu=({losses:e})=>Object.values(e).reduce((t,n)=>t+n,0),Xn=({start:e,end:t})=>(Date.parse(t)-Date.parse(e))*1e6,si=(e,t)=>l`${$(e)} <span class="dim">of ${$(t)}</span>`,ju=()=>[{name:"service",cell:e=>l`<b>${ce(e.service)}</b>`,sort:e=>e.service},{name:"instance",cell:e=>e.instance,sort:e=>e.instance},{name:"JDK",cell:e=>e.jvm_version,sort:e=>e.jvm_version},{name:`start, ${ie(M.value)}`,cell:e=>Je(ht(e.start)),sort:e=>e.start},{name:"ran",cell:e=>e.is_running?l`${y(Xn(e))}, running`:y(Xn(e)),isNumber:!0,sort:Xn},{name:"contexts kept",cell:e=>si(e.contexts_out,e.contexts_in),isNumber:!0,sort:e=>e.contexts_out},{name:"events kept",cell:e=>si(e.events_out,e.events_in),isNumber:!0,sort:e=>e.events_out},{name:"stored",cell:e=>l`${Q(e.bytes_out)} <span class="dim">of ${Q(e.bytes_in)}</span>`,isNumber:!0,sort:e=>e.bytes_out},{name:"lost",title:"what is missing of what the JVM recorded; see the recording",cell:e=>Fu(e)?l`<b class="missing">yes</b>`:l`<span class="dim">no</span>`}];function qu(){let{params:e}=b.value,{from:t,to:n}=K.value,r=new URLSearchParams({from:String(t),to:String(n)});for(let u of["service","instance"]){let m=e.get(u);m!==null&&r.set(u,m)}let o=S("recordings",r),s=R(o,M.value),a=s.data?.recordings??[],i=l`<${D} of=${s.data} /><${U} url=${o} />`;return l`<${ne}>
    <${T} title="Recordings" note=${"runs of JVMs in this time, the newest first"} tools=${i} answer=${s}>
      ${a.length>0&&l`<${q}
          label="Recordings"
          columns=${ju()}
          rows=${a}
          rowKey=${u=>u.id}
          href=${u=>j(["r",u.id])}
        />`}
      ${s.data&&a.length===0&&l`<${Ve} />`}
    <//>
  <//>`}var ai=10000000000n,Wu=12,Ju=[{name:"event type",cell:([e])=>e,sort:([e])=>e},{name:"recorded",cell:([,e])=>$(e.events_in),isNumber:!0,sort:([,e])=>e.events_in},{name:"kept",cell:([,e])=>$(e.events_out),isNumber:!0,sort:([,e])=>e.events_out},{name:"bytes",cell:([,e])=>Q(e.bytes_in),isNumber:!0,sort:([,e])=>e.bytes_in},{name:"bytes kept",cell:([,e])=>Q(e.bytes_out),isNumber:!0,sort:([,e])=>e.bytes_out},{name:"dropped by",cell:([,e])=>l`<${mt} of=${ut({of:e})} />`,sort:([,e])=>e.offered-e.kept}];function Xe(e,t){return l`<span><b>${e}</b>${t}</span>`}function Vu({of:e}){let t=e.contexts_in?H(e.contexts_out/e.contexts_in):"";return l`<div class="facts">
    ${Xe(e.is_running?"running":"ended",`${y(Xn(e))} since ${Je(ht(e.start))} ${ie(ht(e.start))}`)}
    ${Xe(t,`of ${$(e.contexts_in)} contexts kept`)}
    ${Xe($(e.events_out),`of ${$(e.events_in)} events kept`)}
    ${Xe(Q(e.bytes_out),`of ${Q(e.bytes_in)} kept`)}
    ${Xe(Q(e.size_bytes),"stored")}
    ${e.waiting.chunks>0&&Xe(y(e.waiting.duration_ns),`not compacted yet, ${Q(e.waiting.journal_bytes)}`)}
    ${Xe(e.jvm_version,e.jvm_name)} ${Xe(e.pid,`process, on ${e.instance}`)}
  </div>`}var Gu={contexts_dropped:"contexts that found a full ring in the JVM",context_values_cut:"values of contexts that were too long, and were cut",context_bytes_dropped:"bytes of contexts: the collector was away for too long",chunk_bytes_dropped:"bytes of events: the collector was away for too long",jfr_restarts:"times that somebody stopped the agent's recording",late_contexts:"contexts that came too late for select=if-context in an earlier chunk",batches_lost:"batches that the collector had, and lost",journal_bytes_lost:"bytes of journals that were damaged",gap_bytes:"bytes of the JVM's chunks that are missing in between",chunks_unreadable:"chunks that could not be read, and were put aside",chunks_lost:"chunks whose files are missing or damaged",batches_late:"batches with events that came too late, and were put aside",carries_lost:"chunks without the contexts that were open at their start",statistics_lost:"chunks whose statistics of contexts were lost",chunks_not_resent:"chunks with losses that the agent no longer had whole",recording_contexts_refused:"contexts without their entries, which had no place in the agent",power_cuts:"power cuts, each of which may have cost a second",end_unknown:"end that never came: the JVM was killed, or fell silent",constants_left_out:"methods, frames and the like that no tool can print"};function Ku({of:e}){let t=Object.entries(e.losses).filter(([,n])=>n>0);return t.length===0?l`<span class="dim">Nothing.</span>`:l`<ul>
        ${t.map(([n,r])=>l`<li>${$(r)} ${Gu[n]??n}</li>`)}
      </ul>`}function zu({service:e}){let[t,n]=P(!1);return l`<section class="policy">
    <details
      open=${t}
      onToggle=${r=>n(r.currentTarget.open)}
    >
      <summary>
        <b>Policy</b> <span class="dim">that is in force for ${ce(e)} now</span>
      </summary>
      ${t&&l`<${Xu} service=${e} />`}
    </details>
  </section>`}function Xu({service:e}){let t=/^\.{0,2}$/.test(e)?"default":encodeURIComponent(e),n=S("policies/"+t,new URLSearchParams),r=R(n,M.value),{data:o}=r,s=a=>Object.entries(a.settings).map(([i,c])=>`${i}=${c}`);return l`<${Qr} answer=${r} />
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
      />`}`}function Yu({of:e}){let t={from:String(ht(e.start)-ai),to:String(ht(e.end)+1n),recording:e.id},n=(r,o,s)=>l`<a class="link" href=${le(fe(...r),new URLSearchParams({...t,...o}))}
      >${s}</a
    >`;return l`<p class="links">
    ${n(["s",e.service],{},"its requests")}
    ${n(["s",e.service],{unit:"threads"},"all that its threads did")}
    ${n(["e"],{service:e.service},"its events")}
  </p>`}function Qu({id:e}){let t=S("recordings/"+encodeURIComponent(e),new URLSearchParams),n=R(t,M.value),{data:r}=n,o=[{name:r?`${ce(r.service)}, ${r.instance}`:e}],s=new URLSearchParams({recording:e});r&&(s.set("from",String(ht(r.start)-ai)),s.set("to",String(ht(r.end)+1n)));let a=S("jvm",s),i=R(r&&a,M.value),c=i.data?.jvms[0],u=l`<a href=${Ys(e)} download>download .jfr</a><${U} url=${t} />`,m=r?ut(r.types):[];return l`<${ne} crumbs=${o}>
    <${T} title="Recording" note=${e} tools=${u} answer=${n}>
      ${r&&l`<${Vu} of=${r} /><${Yu} of=${r} />`}
      ${c&&l`<${Ea} of=${c} />`}
      ${n.status===404&&l`<${I} title="This collector has no such recording">
          <a href=${j(["r"])}>All recordings</a>
        <//>`}
    <//>
    ${r&&l`<${Lt} answer=${i} url=${a} />
        <${T}
          title="Dropped"
          note="events and contexts, by the setting of the policy that dropped them"
        >
          ${m.length>0?l`<${mt} of=${m} />`:l`<span class="dim">Nothing.</span>`}
        <//>
        <${T} title="Lost" note="what is missing, and should not be"
          ><${Ku} of=${r}
        /><//>
        <${T} title="Event types">
          <${q}
            label="Event types"
            columns=${Ju}
            rows=${Object.entries(r.types).sort((p,d)=>d[1].bytes_in-p[1].bytes_in)}
            rowKey=${([p])=>p}
            rowsFirst=${Wu}
          />
        <//>
        <${zu} service=${r.service} />`}
  <//>`}function ii(){let e=b.value.path[1];return e===void 0?l`<${qu} />`:l`<${Qu} id=${e} />`}function Ce(e){return e.slice(0,-1)}var Zu=["context","thread","trace","id","box","base_box"];function li(e){let t=e.get("unit");return t==="requests"||t==="contexts"?t:Zu.some(n=>e.has(n))?"contexts":null}function Ye(e){let t=e.get("unit");return t==="requests"||t==="threads"?t:"contexts"}function Qe(e,t){return G(e,{unit:t==="contexts"?null:t})}function ci(e){let{service:t,jvms:n,requests:r}=e,o=r.requests_in>0,[s,a]=o?[r.requests_in,r.requests_out]:[e.contexts_in,e.contexts_out],{p50_ns:i,p99_ns:c,spark:u,top:m}=o?r:e;return{service:t,jvms:n,unit:o?"requests":"contexts",all:s,kept:a,p50_ns:i,p99_ns:c,spark:u,top:m}}function em(e,t,n){let{clientWidth:r,clientHeight:o,scrollTop:s}=t,a=so(e,{width:r,height:o,ratio:devicePixelRatio});a&&n(a,{width:r,height:o,top:s})}function Yn(e){let{draw:t,height:n,heightMax:r,reveal:o}=e,s=X(null),a=X(null),i=X(t),c=X(0);i.current=t;let u=()=>{c.current||=requestAnimationFrame(()=>{c.current=0,a.current&&s.current&&em(a.current,s.current,i.current)})};xe(()=>{let d=new ResizeObserver(u);return d.observe(s.current),()=>(d.disconnect(),cancelAnimationFrame(c.current))},[]),xe(u,[t,n,r,Ue.value]),xe(()=>{let{scrollTop:d,clientHeight:f}=s.current;o&&o[0]<d?s.current.scrollTop=o[0]:o&&o[1]>d+f&&(s.current.scrollTop=o[1]-f)},[o?.[0],o?.[1]]);let m=d=>f=>{let g=a.current.getBoundingClientRect(),_=f.clientY-g.top+s.current.scrollTop;d?.({x:f.clientX-g.left,y:_,width:g.width,event:f})},p=Math.min(n,r);return l`<div
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
  </div>`}var yo=e=>e.charCodeAt(0);function ui(e){let t=String.fromCharCode(e),[n,r]=[t.toLowerCase(),t.toUpperCase()];return[yo(n.length===1?n:t),yo(r.length===1?r:t)]}var _o=e=>/\w/.test(String.fromCharCode(e)),mi=e=>` 	
\v\f\r`.includes(String.fromCharCode(e)),di=(e,t)=>t>=0&&t<e.length&&_o(e.charCodeAt(t)),Qn=(e,t)=>di(e,t-1),Zn=di,$o={"^":(e,t)=>t===0,$:(e,t)=>t===e.length,"\\`":(e,t)=>t===0,"\\'":(e,t)=>t===e.length,"\\b":(e,t)=>Qn(e,t)!==Zn(e,t),"\\B":(e,t)=>Qn(e,t)===Zn(e,t),"\\<":(e,t)=>!Qn(e,t)&&Zn(e,t),"\\>":(e,t)=>Qn(e,t)&&!Zn(e,t)},pi=e=>e>=48&&e<=57,vo={"\\d":pi,"\\D":e=>!pi(e),"\\w":_o,"\\W":e=>!_o(e),"\\s":mi,"\\S":e=>!mi(e)},fi={alnum:/[0-9A-Za-z]/,alpha:/[A-Za-z]/,blank:/[ \t]/,cntrl:/[\x00-\x1f\x7f]/,digit:/[0-9]/,graph:/[!-~]/,lower:/[a-z]/,print:/[ -~]/,punct:/[!-/:-@[-`{-~]/,space:/[ \t\n\v\f\r]/,upper:/[A-Z]/,xdigit:/[0-9A-Fa-f]/},_e=class extends Error{},wo=class{constructor(t){this.text=t}text;states=[];atom=null;groups=[{begin:0,jump:null}];at=0;parse(){for(;this.at<this.text.length;)this.part();if(this.groups.length>1)throw new _e;return this.endAlternative(),this.add({isEnd:!0}),this.states}add(t,n=this.states.length){if(this.states.length===512)throw new _e;this.states.splice(n,0,t)}addAtom(t){this.atom=this.states.length,this.add({takes:t})}copy(t,n){for(let r=t;r<t+n;r++)this.add(this.states[r])}makeOptional(t){this.add({jumps:[1,this.states.length-t+1]},t)}repeat(t,n){if(this.atom===null)throw new _e;let r=this.atom,o=this.states.length-r;if(n===0){this.states.length=r;return}for(let s=1;s<t;s++)this.copy(r,o);n===1/0&&this.add({jumps:[1,-o]});for(let s=Math.max(t,1);s<n&&n!==1/0;s++)this.copy(r,o),this.makeOptional(this.states.length-o);t===0&&this.makeOptional(r)}bounds(){let t=/^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at)),n=Number(t?.[1]),r=t?.[3]?Number(t[3]):t?.[2]?1/0:n;if(!t||t[3]&&!t[2]||n>r||n>255)throw new _e;if(r!==1/0&&r>255)throw new _e;this.at+=t[0].length,this.repeat(n,r)}element(){let t=/^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));if(!t)return this.text.charCodeAt(this.at++);this.at+=t[0].length;let[,n,r]=t,o=Object.hasOwn(fi,r)?fi[r]:void 0;if(n===":"?!o:r.length!==1)throw new _e;return n===":"?s=>o.test(String.fromCharCode(s)):yo(r)}range(){let t=this.element();if(typeof t!="number")return t;let n=t;if(this.text[this.at]==="-"&&(this.text[this.at+1]??"]")!=="]"&&(this.at++,n=this.element()),typeof n!="number"||n<t)throw new _e;let r=n;return o=>o>=t&&o<=r}brackets(){let t=[],n=this.text[++this.at]==="^";for(this.at+=n?1:0;this.text[this.at]!=="]"||t.length===0;){if(this.at>=this.text.length)throw new _e;t.push(this.range())}this.at++,this.addAtom(r=>ui(r).some(o=>t.some(s=>s(o)))!==n)}endAlternative(){let{jump:t}=this.groups[this.groups.length-1];t!==null&&(this.states[t].jumps=[this.states.length-t])}bar(){let t=this.groups[this.groups.length-1];this.endAlternative(),this.add({jumps:[1,this.states.length-t.begin+2]},t.begin),this.add({jumps:[]}),t.jump=this.states.length-1,this.atom=null}part(){let t=this.text[this.at],n=t==="\\"?this.text.slice(this.at,this.at+2):t,r=Object.hasOwn($o,n)||Object.hasOwn(vo,n);if(t==="["){this.brackets();return}if(t==="{"){this.bounds();return}if(this.at+=n.length,t==="\\"&&!r&&!/^\\[^0-9A-Za-z]$/.test(n))throw new _e;if(Object.hasOwn($o,n))this.atom=null,this.add({holds:$o[n]});else if(Object.hasOwn(vo,n))this.addAtom(vo[n]);else if(t==="(")this.groups.push({begin:this.states.length,jump:null}),this.atom=null;else if(t===")"&&this.groups.length>1)this.endAlternative(),this.atom=this.groups.pop().begin;else if(t==="|")this.bar();else if(t==="*"||t==="+"||t==="?")this.repeat(t==="+"?1:0,t==="?"?1:1/0);else if(t===".")this.addAtom(()=>!0);else{let[o,s]=ui(n.charCodeAt(n.length-1));this.addAtom(a=>a===o||a===s)}}};function hi(e){try{return e.length>256?null:new wo(e).parse()}catch(t){if(t instanceof _e)return null;throw t}}function gi(e,t,n){let r=new Int32Array(e.length).fill(-1),o=[],s=(u,m)=>{r[u]!==m&&(r[u]=m,o.push(u),n.count++)},a=[],i=!1,c=(u,m,p)=>{s(m,p);for(let d=o.pop();d!==void 0;d=o.pop()){let{takes:f,holds:g,jumps:_,isEnd:h}=e[d];i||=h===!0,f?u.push(d):g?.(t,p)&&s(d+1,p);for(let v of _??[])s(d+v,p)}};for(let u=0;;u++){if(c(a,0,u),i||u===t.length)return i;let m=t.charCodeAt(u),p=[];for(let d of a)e[d].takes(m)&&c(p,d+1,u+1);a=p}}function nr(e,t=!1){let{level:n}=e,r=t?e.base_value??e.value:e.value,o=new Int32Array(n.length),s=new Int32Array(n.length),a=new Float64Array(n.length),i=[],c=[],u=0;for(let m=0;m<n.length;m++){for(;i.length>n[m];)s[i.pop()]=m;let p=n[m]-1;o[m]=p<0?-1:i[p],a[m]=p<0?0:c[p],p>=0&&(c[p]+=r[m]),c[n[m]]=a[m],i.push(m),u=r[m]>0?Math.max(u,i.length):u}return i.forEach(m=>s[m]=n.length),{flame:e,weight:r,parent:o,end:s,start:a,depth:u}}function $i(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=[];for(let d=e.parent[t]??-1;d>=0;d=e.parent[d]){let f=c.level[d];f>=r&&f<o&&u.push({node:d,x:0,width:n,row:f})}let m=n/(s[t]||1),p=new Float64Array(Math.max(0,o-r));for(let d=t;d<(i[t]??0);){let f=c.level[d];if(f>=o||s[d]===0&&d!==t){d=i[d];continue}let g=d===t?n:s[d]*m,_=(a[d]-a[t])*m,h=g<1?Math.min(Math.floor(_),n-1):_;f>=r&&(g>=1||h>=p[f-r])&&(u.push({node:d,x:h,width:Math.max(g,1),row:f}),p[f-r]=h+Math.max(g,1)),d++}return u}function vi(e,t,n,r,o){let{weight:s,start:a,end:i,flame:c}=e,u=t;for(;u>0&&c.level[u]>o;)u=e.parent[u];if(u!==t||c.level[u]===o)return c.level.length>0&&r>=0&&r<n?u:-1;let m=a[t]+r*(s[t]||1)/n;for(;u<i[t];){let p=m>=a[u]&&m<a[u]+s[u];if(p&&c.level[u]===o)return u;u=p?u+1:i[u]}return-1}function yi(e,t,n,r){let{weight:o,end:s,parent:a,flame:i}=e,c=i.level[n];switch(r){case"ArrowUp":return Math.max(0,a[n]);case"ArrowDown":return c<i.level[t]?_i(e,t)[c+1]:n+1<s[n]&&o[n+1]>0?n+1:n;case"ArrowRight":case"ArrowLeft":{let u=r==="ArrowRight"?1:-1;for(let m=n+u;m>t&&m<s[t];m+=u)if(i.level[m]===c&&o[m]>0)return m;return n}default:return n}}function _i(e,t){let n=[];for(let r=t;r>=0;r=e.parent[r])n.unshift(r);return n}var tr=4;function wi(e){let t=2166136261;for(let n=0;n<e.length;n++)t=Math.imul(t^e.charCodeAt(n),16777619);return((t>>>0)%36**tr).toString(36).padStart(tr,"0")}function rr(e,t){return _i(e,t).map(r=>e.flame.names[e.flame.name[r]]).slice(1).map(wi).join("")}function or(e,t){let{names:n,name:r}=e.flame,o=0;for(let s=0;s<t.length;s+=tr){let a=t.slice(s,s+tr),i=o+1;for(;i<(e.end[o]??0)&&wi(n[r[i]])!==a;)i=e.end[i];if(i>=(e.end[o]??0)||!(e.weight[i]>0))break;o=i}return o}var tm=1024,nm=5e7;function xi(e,t=nm){let n=/^\/(.+)\/$/.exec(e);if(!n){let c=e.toLowerCase();return Object.assign(m=>m.toLowerCase().includes(c),{isOver:()=>!1})}let r=hi(n[1]),o=new Map,s={count:0},a=()=>s.count>t;return r&&Object.assign(c=>(o.has(c)||o.set(c,!a()&&gi(r,c.slice(0,tm),s)),o.get(c)),{isOver:a})}function ki(e,t){let{flame:n,end:r,weight:o}=e,s=Uint8Array.from(n.names,i=>t(i)?1:0),a=0;for(let i=0;i<n.level.length;){let c=s[n.name[i]]===1;a+=c?o[i]:0,i=c?r[i]:i+1}return{names:s,weight:a}}var er=(e,t)=>t>0?e/t:0;function Si({value:e,base_value:t,requests:n,...r},o){let s=r.base_requests??0,a=Math.max(er(r.total,n),er(r.base_total??0,s)),i=er(e[o],n)-er(t?.[o]??0,s);return a>0?i/a:0}function Ri(e){let{flame:t,end:n}=e,r=t.names.map((s,a)=>{let i=t.kinds[a]??".";return{name:s,kind:i,self:0,total:0,baseSelf:0,baseTotal:0}}),o=new Int32Array(t.names.length);for(let s=1;s<t.level.length;s++){let a=t.name[s],i=r[a];i.self+=t.self[s],i.baseSelf+=t.base_self?.[s]??0,s>=o[a]&&(o[a]=n[s],i.total+=t.value[s],i.baseTotal+=t.base_value?.[s]??0)}return r.filter((s,a)=>o[a]>0)}function rm({flame:e,parent:t},n){let r=s=>s>0&&e.kinds[e.name[s]]===".",o=r(n)||!r(t[n])?n:t[n];for(let s=o;r(s);s=t[s])if(!We(e.names[e.name[s]]))return s;return o}function bi({flame:e,parent:t},n){let r=Float64Array.from(e.level,(o,s)=>n?.[s]??0);for(let o=1;o<r.length;o++)r[t[o]]-=n?.[o]??0;return r}function Ti(e,t){let{flame:n}=e,r=bi(e,n.value),o=bi(e,n.base_value),s=new Map;for(let i=1;i<n.level.length;i++){let c=n.kinds[n.name[i]]??".";if(c==="-"||r[i]===0&&o[i]===0)continue;let u=c==="."?"c":c,m=n.names[n.name[rm(e,i)]],p=s.get(u+m)??{name:m,kind:u,value:0,base:0};p.value+=r[i],p.base+=o[i],s.set(u+m,p)}return[...s.values()].filter(i=>i.value>0).sort((i,c)=>c.value-i.value||(i.name<c.name?-1:1)).slice(0,t)}var we=18,om=22,Oi=4,sm=5;function am(e){return e.split(".").slice(0,-2).join(".")}function im(e){if(We(e))return"frame-jdk";let t=7;for(let n of am(e))t=(t*31+n.codePointAt(0))%9973;return`frame-${t%sm}`}function lm({names:e,kinds:t}){return e.map((n,r)=>{let o=Nn(t[r]??".");return N(r===0?"frame-root":o?o.token:im(n))})}var xo=32,ko=e=>({fill:e,ink:wt(e)});function Pi(e){if(e.base_value===void 0){let o=lm(e).map(ko);return e.name.map(s=>o[s])}let t=o=>Array.from({length:xo+1},(s,a)=>ko(Js(N("frame-same"),N(o),a/xo))),[n,r]=[t("frame-more"),t("frame-less")];return e.name.map((o,s)=>{let a=s===0?0:Si(e,s),i=Math.round(xo*Math.min(1,Math.sqrt(Math.abs(a))*1.4));return(a>0?n:r)[i]})}function cm(e,t){if(e.length<=t||e.startsWith("["))return e.length<=t?e:e.slice(0,t-1)+"\u2026";let n=e.lastIndexOf(".")+1,r=e.lastIndexOf(".",n-2)+1;return[e.slice(r),e.slice(n)].find(s=>s.length<=t)??(t>2?e.slice(n,n+t-1)+"\u2026":"")}function Ci(e,t,n,r){let{flame:o,shades:s,found:a,marks:i,zoom:c}=t,u=N("ink"),m=ko(N("accent"));e.font=qe("mono"),e.textBaseline="middle";let p=e.measureText("0123456789").width/10;for(let{node:d,x:f,width:g,row:_}of n){let h=_*we-r,v=o.name[d],w=d!==c&&o.level[d]<o.level[c],k=a!==null&&a.names[v]===1,x=w||a!==null&&!k,{fill:O,ink:E}=k?m:s[d];if(e.globalAlpha=x?.6:1,e.fillStyle=O,e.fillRect(f,h,Math.max(g-.5,.5),we-1),g>=om){let W=Math.floor((g-2*Oi)/p);e.globalAlpha=1,e.fillStyle=x?u:E,e.fillText(cm(o.names[v],W),f+Oi,h+we/2)}i.includes(d)&&(e.globalAlpha=1,e.strokeStyle=u,e.lineWidth=2,e.strokeRect(f+1,h+1,Math.max(g-2,1),we-3))}}var um=24,mm=3,So=(e,t)=>H(t>0?e/t:0);function pm({names:e,name:t,value:n,self:r,total:o,unit:s,requests:a},i){let c=$e(n[i]/Math.max(1,a),s),u=$e(r[i]/Math.max(1,a),s);return`${e[t[i]]}, ${So(n[i],o)}, ${c} each, own ${u}`}function fm(e,t){let{value:n,self:r,requests:o,total:s,base_value:a,base_self:i,base_requests:c,base_total:u}=e,m={name:"",total:n[t],self:r[t],requests:o,whole:s};if(!a||!i)return[m];let p={name:"base",total:a[t],self:i[t],requests:c??0,whole:u??0};return[{...m,name:"selection"},p]}function dm({tree:e,node:t,zoom:n}){let{flame:r}=e,{unit:o,names:s,name:a,value:i}=r,c=fm(r,t),u=(m,p)=>l`<tr>
      <th scope="row">${m}</th>
      ${c.map(d=>l`<td class="n"><b>${$e(p(d)/Math.max(1,d.requests),o)}</b></td>
            <td class="n">${So(p(d),d.whole)}</td>
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
    ${n>0&&l`<div class="dim">${So(i[t],i[n])} of ${s[a[n]]}</div>`}`}function Mi({tree:e,zoom:t,found:n,onZoom:r}){let{flame:o}=e,[s,a]=P(null),[i,c]=P(null),u=L(()=>i===null?-1:or(e,i),[e,i]),m=s?.node??-1,p=L(()=>Pi(o),[o,Ue.value]),d=_n((x,{width:O,top:E,height:W})=>{let V=Math.floor(E/we),Re=$i(e,t,O,V,Math.ceil((E+W)/we));Ci(x,{flame:o,shades:p,zoom:t,found:n,marks:[u,m]},Re,E)},[e,t,n,u,m,p]),f=({x,y:O,width:E})=>vi(e,t,E,x,Math.floor(O/we)),g=x=>{let O=f(x),{clientX:E,clientY:W}=x.event;a(O<0?null:{node:O,at:{clientX:E,clientY:W}})},_=x=>{let O=f(x);O>=0&&x.event.button===0&&r(O)},h=x=>{let O=u<0?t:u;if(x.key.startsWith("Arrow")){let E=u<0?t:yi(e,t,O,x.key);c(rr(e,E)),a(null)}else if(x.key==="Enter")r(O);else if(x.key==="Escape")r(0);else if(x.key==="Backspace")r(Math.max(0,e.parent[t]));else return;x.preventDefault()},v=u>=0?u:t,w=o.level[v],k=[Math.max(0,w-mm)*we,(w+1)*we];return l`<${Yn}
      label="Flame graph. Arrow keys move, Enter zooms, Escape shows all"
      height=${e.depth*we}
      heightMax=${um*we}
      draw=${d}
      reveal=${k}
      onPoint=${g}
      onUp=${_}
      onLeave=${()=>a(null)}
      onKey=${h}
    />
    <div class="seen-by-readers" aria-live="polite">${u>=0&&pm(o,u)}</div>
    ${s&&l`<${Ge} at=${s.at}><${dm} tree=${e} node=${s.node} zoom=${t} /><//>`}`}var hm=20,gm=16;function bm(e){let t=e.slice(-gm),n=t.search(/[.$/:]/);return n>0?t.length-n:t.length}function gt({name:e,title:t=e}){if(e.length<=hm)return l`<span class="cut-name" title=${t}><span>${e}</span></span>`;let n=e.length-bm(e);return l`<span class="cut-name" title=${t}
    ><span>${e.slice(0,n)}</span><span>${e.slice(n)}</span></span
  >`}var $m=500,vm=15;function ym(e){let{unit:t,total:n,requests:r,base_requests:o}=e,s=p=>$e(p/Math.max(1,r),t),a=p=>l`<button
      class=${ue.value?"plain dotted":"plain"}
      title="${p.name}: find it in the graph"
      onClick=${()=>C({find:p.name,flame:ue.value?"graph":null,zoom:null})}
    >
      <${_m} kind=${p.kind} />${ue.value?l`<${gt} name=${Ee(p.name)} />`:p.name}
    </button>`,i=(p,d,f=g=>s(d(g)))=>({name:p,cell:f,isNumber:!0,sort:d}),c=p=>H(n>0?p.total/n:0),u=p=>$e(p/Math.max(1,o??0),t),m=[{name:"frame",cell:a,sort:p=>p.name},i("own, each",p=>p.self),i("total, each",p=>p.total),...ue.value?[]:[i("share",p=>p.total,c)]];return e.base_value===void 0?m:m.concat(i("base own",p=>p.baseSelf,p=>u(p.baseSelf)),i("base total",p=>p.baseTotal,p=>u(p.baseTotal)))}function _m({kind:e}){let t=Nn(e)?.token??"frame-root";return l`<span class="dot" style=${{background:`var(--${t})`}}></span>`}function Ai({tree:e,matches:t}){let n=Ri(e).filter(r=>!t||t(r.name));return n.sort((r,o)=>o.self-r.self||o.total-r.total),l`<div class="frames">
    <${q}
      label="Frames"
      columns=${ym(e.flame)}
      rows=${n}
      rowsMax=${$m}
      rowsFirst=${ue.value?vm:void 0}
      rowKey=${r=>r.name}
    />
  </div>`}var wm=8;function sr(e){return e.replace(/[.*+?^$(){}|[\]\\]/g,"\\$&")}function Li({url:e,answer:t}){let{data:n}=t,r=L(()=>n&&n.requests>0?Ti(nr(n),wm):[],[n]),o=b.value.params.get("frame"),s=(c,u=0)=>$e(c/Math.max(1,u),"ns"),a=c=>{let u=sr(c.name);return l`<tr key=${c.name+c.kind}>
      <td>
        <button
          class="plain dotted"
          aria-pressed=${o===u?"true":"false"}
          onClick=${()=>C({frame:o===u?null:u,zoom:null})}
        >
          <${ae} category=${Rt(c.kind)} /><${gt}
            name=${Ee(c.name)}
            title=${c.name}
          />
        </button>
      </td>
      <td class="n">${s(c.value,n?.requests)}</td>
      ${n?.base_value&&l`<td class="n dim">${s(c.base,n.base_requests)}</td>`}
      <td class="n dim">${H(c.value/Math.max(1,n?.total??0))}</td>
    </tr>`},i=l`<${D} of=${n} /><${U} url=${e} />`;return l`<${T} title="Top frames" tools=${i} answer=${t} className="top-frames">
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
  <//>`}var Ro=[["time","time"],["cpu","CPU"],["lock","lock"],["park","park"],["io","I/O"],["alloc","allocation"],["count","events"]];function ar({isOn:e,onChange:t,title:n,children:r}){return l`<button aria-pressed=${e?"true":"false"} title=${n} onClick=${t}>
    ${r}
  </button>`}function xm(e,t){let n=e.get("value")??"";return Ro.some(([r])=>r===n)?n:t}function ir(e,t,n="time"){let r=["lock","park","io","cpu"].includes(e),o=r?e:"time",s=`[${e==="unaccounted"?"not accounted":e}]`;return se({value:o===n?null:o,frame:t!==null?sr(t):r?null:sr(s),zoom:null})}function km({value:e,standard:t}){return l`<span class="tabs" role="group" aria-label="Of what">
    ${Ro.map(([n,r])=>l`<${ar}
          key=${n}
          isOn=${n===e}
          onChange=${()=>C({value:n===t?null:n,zoom:null})}
          >${r}<//
        >`)}
  </span>`}function Sm({flame:e}){let{params:t}=b.value,n=t.get("base_box")!==null,r=!n&&t.get("base")==="rest",o={base:null,base_box:null,width:null};return l`<${ar}
      isOn=${n||r}
      title="compare with ${n?"the second box":"all others of the range"}"
      onChange=${()=>C(n||r?o:{base:"rest"})}
      >${n?"vs second box":"vs rest"}<//
    >${e?.base_value&&l`<${ar}
        isOn=${t.get("width")==="base"}
        title="as wide as in the base"
        onChange=${()=>C({width:t.get("width")==="base"?null:"base"})}
        >width of the base<//
      >`}`}function Rm({found:e,flame:t,matches:n}){let r=b.value.params.get("find")??"",o=r!==""&&n===null,s=b.value.params.get("width")==="base"&&t?.base_total||t?.total,a=e&&s?H(e.weight/s):H(0),i=n?.isOver()?"too much to compare":e?`${a} found`:"";return l`<input
      type="search"
      placeholder="find: text or /regex/"
      aria-label="Find frames"
      value=${r}
      onInput=${u=>{let{value:m}=u.currentTarget;C({find:m===""?null:m},!0)}}
    /><span role="status">${o?"no regular expression":i}</span>`}function Tm(){let e=b.value.params.get("frame");return e===null?null:l`<button
        class="chip"
        title="only stack traces with a frame like this; a click shows all"
        onClick=${()=>C({frame:null,zoom:null})}
      >
        frame ${e} ×
      </button>`}function Om({flame:e}){let t=(s,a)=>l`<span><i class="dot" style=${{background:`var(--${s})`}}></i>${a}</span>`,n=Object.entries(e.of_kind).sort((s,a)=>a[1]-s[1]),r=e.of==="alloc"?"allocation, with a stack trace":"CPU, by samples",o=s=>H(e.total>0?s/e.total:0);return l`<div class="legend">
    ${e.base_value&&[t("frame-more","more of a request than in the base"),t("frame-less","less")]}
    ${!e.base_value&&n.map(([s,a])=>s==="."?t("frame-root",`${r} ${o(a)}`):l`<span>
              <${ae} category=${Rt(s)} />${Z(Rt(s)).name}
              ${" "+o(a)}
            </span>`)}
    ${e.cut.nodes>0&&l`<span>${$(e.cut.nodes)} small frames cut, ${o(e.cut.value)}</span>`}
  </div>`}function Pm({requests:e,total:t,unit:n,...r},o){let s=$e(t/Math.max(1,e),n),a=r.base_requests??0,i=$e((r.base_total??0)/Math.max(1,a),n),c=r.base_value?`; base: ${$(a)}, ${i} each`:"";return`${be(e,o)}, ${s} each${c}`}function lr(e){return S("flamegraph",e,{value:"time",frame:null})}function Me({query:e,tick:t,whole:n,standard:r="time"}){let{params:o}=b.value,s=xm(o,r),a=o.get("frame"),i=G(e,{value:s,frame:a}),c=S("flamegraph",i),u=n!==void 0&&c===lr(e),m=R(u?null:c,t),p=m.problem===null?n?.data??null:null,d=u?n:{...m,data:m.data??p},f=d.data,g=o.get("width")==="base"&&f?.base_value!==void 0,_=L(()=>f&&nr(f,g),[f,g]),h=o.get("find")??"",v=L(()=>h===""?null:xi(h),[h]),w=L(()=>_&&v&&ki(_,v),[_,v]),[k,x]=ue.value?["table","graph"]:["graph","table"],O=(o.get("flame")===x?x:k)==="table",E=!_||_.weight.length===0||!(_.weight[0]>0),W=_?or(_,o.get("zoom")??""):0,V=_&&l`<${Mi}
      tree=${_}
      zoom=${W}
      found=${w}
      onZoom=${he=>C({zoom:rr(_,he)||null})}
    />`,Re=l`<${D} of=${f} /><${Pe}
      query=${e}
      value=${s}
      frame=${a}
    /><${U} url=${c} />`,pe=f?Pm(f,Ce(Ye(e))):"";return l`<${T} title="Flame graph" note=${pe} tools=${Re} answer=${d}>
    <div class="flame-tools">
      <${km} value=${s} standard=${r} />
      <${Tm} />
      <${Sm} flame=${f} />
      <${Rm} found=${w} flame=${f} matches=${v} />
      ${W>0&&l`<button onClick=${()=>C({zoom:null})}>whole graph</button>`}
      <${ar}
        isOn=${O}
        onChange=${()=>C({flame:o.get("flame")===x?null:x})}
        title="all frames as a table"
        >table<//
      >
    </div>
    ${f&&E&&l`<${I} title="No ${Ro.find(([he])=>he===s)[1]} in this selection" />`}
    ${!E&&(O?l`<${Ai} tree=${_} matches=${v} />`:V)}
    ${f&&!E&&l`<${Om} flame=${f} />`}
  <//>`}function cr(e){let t=[20];for(let{boxes:n}of e){let r=n.reduce((o,s)=>Math.max(o,s.level+1),0);t.push(t[t.length-1]+20+r*20+8)}return t}function To({boxes:e},{from:t,to:n},r){let o=r/Math.max(1,n-t),s=[];for(let a of e)if(a.start<=n&&a.start+a.duration>=t){let i=Math.max(0,(a.start-t)*o),c=Math.min(r,(a.start+a.duration-t)*o),u=Math.max(2,c-i),m=Math.min(i,r-2);s.push({box:a,x:m,width:u,y:20+a.level*20})}return s}function Ni(e,t,{from:n,to:r},o){let s=cr(t),a=o/Math.max(1,r-n),i=c=>(c-n)*a;return e.flatMap(c=>{let[u,m]=[c.from,c.to].map(h=>t.findIndex(v=>v.key===h));if(u<0||m<0||c.end<n||c.start>r)return[];let p=h=>s[h]+20,[d,f]=u<m?[18,0]:u>m?[0,18]:[20/2,20/2],[g,_]=[p(u)+d,p(m)+f];return[{x1:i(c.start),y1:g,x2:i(c.end),y2:_}]})}function Ei(e,t){return t<e[0]?-1:e.findIndex((n,r)=>r+1<e.length&&t<e[r+1])}function Ui(e,t,n,r,o){let s=To(e,t,n).filter(i=>o>=i.y&&o<i.y+20&&r>=i.x-1&&r<=i.x+i.width+1),a=i=>Math.abs(i.x+i.width/2-r)-i.width/2;return s.sort((i,c)=>a(i)-a(c)),s[0]?.box??null}function sn(e){let t=[...e].sort((r,o)=>r.start-o.start||o.duration-r.duration),n=[];return t.map(r=>(n=n.filter(o=>o>r.start),n.push(r.start+r.duration),{...r,level:n.length-1}))}function Ii({from:e,to:t},n){let r=(t-e)/Math.max(1,n),o=10**Math.floor(Math.log10(Math.max(1,r))),s=[1,2,5,10].map(i=>i*o).find(i=>i>=r)??1,a=[];for(let i=Math.ceil(e/s)*s;i<=t;i+=s)a.push(i===0?0:i);return a}function Bi(e,t,n){let r=({boxes:s})=>[...s].sort((a,i)=>a.start-i.start||a.level-i.level);if(n==="ArrowLeft"||n==="ArrowRight"){let s=r(e[t.lane]),a=s[s.indexOf(t.box)+(n==="ArrowRight"?1:-1)];return a?{lane:t.lane,box:a}:t}let o=n==="ArrowDown"?1:-1;for(let s=t.lane+o;s>=0&&s<e.length;s+=o){let a=c=>Math.abs(c.start-t.box.start),[i]=r(e[s]).sort((c,u)=>a(c)-a(u));if(i)return{lane:s,box:i}}return t}var Cm=560,Mm=110,Am=4,Lm=28,Hi=5,Fi=7,Nm=[],Em=500;function Um(e,t){let n=/^(-?\d{1,15}),(-?\d{1,15})$/.exec(e??""),[r,o]=n?[Number(n[1]),Number(n[2])]:[t.from,t.to];return r<o?{from:r,to:o}:t}function ur(e){C({part:e&&`${Math.floor(e.from)},${Math.ceil(e.to)}`})}function Im(e,t,n){let r=e.measureText(t).width,o=Math.floor(t.length*n/r)-1;return r<=n?t:o>1?t.slice(0,o)+"\u2026":""}function Oo({count:e,name:t,duration:n}){return`${e>1?`${$(e)} \xD7 `:""}${te(t)} \xB7 ${y(n)}`}function Bm(e,t,n,r){let{box:o,x:s,width:a}=t,i=o.kind==="context",c=N(i?"hover":Z(o.kind).token);e.fillStyle=c,e.fillRect(s,n,a,18),(i||r)&&(e.strokeStyle=N(r?"ink":"none"),e.lineWidth=r?2:1,e.strokeRect(s+.5,n+.5,Math.max(1,a-1),17)),a>=Lm&&(e.fillStyle=i?N("ink"):wt(c),e.fillText(Im(e,Oo(o),a-2*Hi),s+Hi,n+20/2-1))}function Dm(e,{x1:t,y1:n,x2:r,y2:o}){let s=Math.atan2(o-n,r-t),a=i=>[r-Fi*Math.cos(s+i),o-Fi*Math.sin(s+i)];e.beginPath(),e.moveTo(t,n),e.lineTo(r,o),e.moveTo(...a(.45)),e.lineTo(r,o),e.lineTo(...a(-.45));for(let[i,c]of[[4,"panel"],[1.5,"accent"]])e.lineWidth=i,e.strokeStyle=N(c),e.stroke()}function Hm(e,t,n,r){let o=n/(t.to-t.from);e.fillStyle=N("panel"),e.fillRect(0,0,n,18);for(let s of Ii(t,n/Mm)){let a=Math.round((s-t.from)*o),i=s===0?"0":y(s),c=e.measureText(i).width;e.fillStyle=N("line"),e.fillRect(Math.min(a,n-1),16,1,r),e.fillStyle=N("faint"),e.fillText(i,Math.max(0,Math.min(a-c/2,n-c)),20/2-1)}}function Fm({lanes:e,arrows:t,view:n,marks:r,drag:o}){return _n((s,{width:a,top:i,height:c})=>{let u=cr(e);s.font=qe("sans"),s.textBaseline="middle",Hm(s,n,a,c),s.save(),s.beginPath(),s.rect(0,18,a,c),s.clip(),e.forEach((m,p)=>{let d=u[p]-i;d>c||u[p+1]-i<0||To(m,n,a).forEach(f=>Bm(s,f,d+f.y,r.includes(f.box)))});for(let{x1:m,y1:p,x2:d,y2:f}of Ni(t,e,n,a))Dm(s,{x1:m,y1:p-i,x2:d,y2:f-i});s.restore(),o&&(s.fillStyle=N("sel"),s.fillRect(o[0],0,o[1]-o[0],c))},[e,t,n.from,n.to,...r,o?.[0],o?.[1]])}function jm({title:e},t){return`${e}: ${Z(t.kind).name}, ${Oo(t)}, at ${y(t.start)}`}function qm({lanes:e}){let t=e.flatMap(n=>n.boxes.map(r=>({lane:n,box:r})));return l`<${q}
    label="What is on the axis"
    rows=${t}
    rowsMax=${Em}
    rowKey=${({lane:n,box:r})=>`${n.key} ${r.level} ${r.start} ${r.name}`}
    columns=${[{name:"thread",cell:({lane:n})=>n.title},{name:"at",cell:({box:n})=>y(n.start),isNumber:!0,sort:({box:n})=>-n.start},{name:"what",cell:({box:n})=>l`<${ae} category=${n.kind} />${n.name}`},{name:"of",cell:({box:n})=>$(n.count),isNumber:!0},{name:"duration",cell:({box:n})=>y(n.duration),isNumber:!0,sort:({box:n})=>n.duration}]}
  />`}function mr({lanes:e,arrows:t=Nm,all:n,hrefOf:r,onOpen:o,label:s}){let a=Um(b.value.params.get("part"),n),[i,c]=P(null),[u,m]=P(null),[p,d]=P(null),[f,g]=P(!1),_=L(()=>cr(e),[e]),h=u&&e[u.lane]?.boxes.includes(u.box)?u:null,v=[h?.box??null,i?.box??null],w=Fm({lanes:e,arrows:t,view:a,marks:v,drag:p}),k=({x:A,y:B,width:Ae})=>{let Le=Ei(_,B),et=Le<0?null:Ui(e[Le],a,Ae,A,B-_[Le]);return et&&{lane:Le,box:et}},x=A=>{if(p){d([p[0],Math.max(0,Math.min(A.x,A.width))]),c(null);return}let B=k(A),{clientX:Ae,clientY:Le}=A.event;c(B&&{...B,at:{clientX:Ae,clientY:Le}})},O=({lane:A,box:B})=>{let Ae=r?.(e[A],B)??null;Ae!==null&&o?o(Ae):ur({from:B.start,to:B.start+Math.max(1,B.duration)})},E=({x:A,event:B})=>{B.button===0&&B.pointerType!=="touch"&&(B.target.setPointerCapture(B.pointerId),d([A,A]))},W=A=>{d(null);let[B=0,Ae=0]=p?[...p].sort((et,Nl)=>et-Nl):[],Le=k(A);if(Ae-B>=Am){let et=(a.to-a.from)/A.width;ur({from:a.from+B*et,to:a.from+Ae*et})}else Le&&O(Le)},V=e.findIndex(({boxes:A})=>A.length>0),Re=A=>{if(A.key.startsWith("Arrow")&&V>=0)m(h?Bi(e,h,A.key):{lane:V,box:e[V].boxes[0]});else if(A.key==="Enter"&&h)O(h);else if(A.key==="Escape"||A.key==="Backspace")ur(null);else return;A.preventDefault()},pe=h?_[h.lane]+20+h.box.level*20:0,he=b.value.params.get("part")!==null;return l`<${Yn}
      label="${s}. Arrow keys move, Enter opens, Escape shows all"
      height=${_[_.length-1]}
      heightMax=${Cm}
      draw=${w}
      reveal=${h?[pe-20-20,pe+20]:void 0}
      onPoint=${x}
      onDown=${E}
      onUp=${W}
      onLeave=${()=>c(null)}
      onKey=${Re}
    >
      ${e.map((A,B)=>l`<div class="lane-title" key=${A.key} style=${{top:`${_[B]}px`}}>
            ${A.href?l`<a href=${A.href}>${A.title}</a>`:A.title}
            <small title=${A.note}>${A.note}</small>
          </div>`)}
    <//>
    <div class="seen-by-readers" aria-live="polite">${h&&jm(e[h.lane],h.box)}</div>
    ${i&&l`<${Ge} at=${i.at}>
        <b>${Oo(i.box)}</b>
        <div>${i.box.name}, ${Z(i.box.kind).name}</div>
        <div class="dim">at ${y(i.box.start)}</div>
      <//>`}
    ${he&&l`<button onClick=${()=>ur(null)}>whole time</button>`}
    <details
      class="as-table"
      onToggle=${A=>g(A.currentTarget.open)}
    >
      <summary>as a table</summary>
      ${f&&l`<${qm} lanes=${e} />`}
    </details>`}var Wm=3,Jm=.001;function Vm({is_count:e,events:t,total_ns:n}){return e?t>0:n>0}var Po=(e,t)=>{if(e===0)return"";let n=e/Math.max(1,t);return`${n<.05?"<0.1":n<9.95?n.toFixed(1):$(Math.round(n))} \xD7`};function Gm(e,{category:t,is_count:n}){let r=e.slices.find(o=>o.category===t);return n?Po(r?.events??0,e.requests):y((r?.total_ns??0)/Math.max(1,e.requests))}function Km({of:e}){return l`<ul class="repeated">
    ${e.repeated.map(t=>l`<li
          title=${`${t.frame}: ${$(t.events)} in ${be(t.requests,"context")}, ${y(t.total_ns)} in all`}
        >
          ${$(t.per_request)} × ${Ee(t.frame)}
          <span class="dim"> ${Z(t.category).name}, ${y(t.each_ns)} each</span>
        </li>`)}
  </ul>`}function zm({slice:e,of:t,base:n,hrefOf:r}){let o=r&&!e.is_count,s=(p,d)=>o?l`<a href=${r(e.category,d)}>${p}</a>`:p,a=p=>({each:e.is_count?Po(p.events,t.requests):y(p.total_ns/t.requests),share:e.is_count?"":H(p.total_ns/Math.max(1,t.total_ns)),often:e.is_count?"":Po(p.events,t.requests)}),i=Math.max(1,t.total_ns*Jm),c=e.top.slice(0,Wm).filter(p=>e.is_count||p.total_ns>=i),u=o?"opens":"",m=(p,d)=>{let{each:f,share:g,often:_}=a(p);return l`<td class="n">${f}</td>
      ${n&&l`<td class="n dim">${d}</td>`}
      <td class="n dim share">${g}</td>
      <td class="n dim often">${_}</td>`};return l`<tr
      class=${u}
      title=${`${y(e.total_ns)} in all, ${$(e.events)} events`}
    >
      <th scope="row">
        <${ae} category=${e.category} />${s(Z(e.category).name,null)}
      </th>
      ${m(e,n?Gm(n,e):"")}
    </tr>
    ${c.map(p=>l`<tr class=${`frame ${u}`}>
          <td>
            <div class="frame-name">
              ${s(l`<${gt} name=${Ee(p.frame)} title=${p.frame} />`,p.frame)}
              ${p.via&&l`<span class="via dim" title=${p.via}>via ${Ee(p.via)}</span>`}
            </div>
          </td>
          ${m(p,"")}
        </tr>`)}`}function cn({of:e,base:t,against:n="base",hrefOf:r}){let o=e.slices.filter(Vm),s=({total_ns:a})=>y(a/e.requests);return l`<${la} parts=${o} total=${e.total_ns} each=${s} />
    <table class=${t?"why compared":"why"}>
      <thead>
        <tr>
          <th scope="col">time went to</th>
          <th scope="col" class="n">each</th>
          ${t&&l`<th scope="col" class="n" title=${`each of ${$(t.requests)} to compare with`}>${n}</th>`}
          <th scope="col" class="n share">share</th>
          <th scope="col" class="n often" title="events of each">how often</th>
        </tr>
      </thead>
      <tbody>
        ${o.map(a=>l`<${zm}
              key=${a.category}
              slice=${a}
              of=${e}
              base=${t}
              hrefOf=${r}
            />`)}
      </tbody>
    </table>
    ${e.repeated.length>0&&l`<${Km} of=${e} />`}`}function Nt({query:e,against:t,tick:n,hrefOf:r}){let o=S("why",e),s=R(o,n),{data:a}=s,i=Ce(Ye(e)),c=l`<${D} of=${a} /><${U} url=${o} />`,u=a&&a.requests>0?`mean of ${be(a.requests,i)}, ${y(a.total_ns/a.requests)} each`:"";return l`<${T}
    title="Why"
    note=${u}
    tools=${c}
    answer=${s}
    className="why-panel"
  >
    ${a&&a.requests>0&&l`<${cn} of=${a} base=${a.base??null} against=${t} hrefOf=${r} />`}
    ${a?.requests===0&&l`<${I} title=${`No kept ${i} is in this selection`} />`}
  <//>`}function pr({of:e}){let t=En(e),n=r=>r===t&&t!==null?l`<a class="link" href=${j(["t",t])}>${t}</a>${" "}
          <${Hn} trace=${t} />`:Fn(r);return l`${Object.entries(e).map(([r,o])=>[l`<dt>${r}</dt>`,l`<dd>${n(o)}</dd>`])}`}function fr({at:e}){return l`<dt>start</dt>
    <dd title=${De(e)}>${ye(e)} ${oe(e)} ${ie(e)}</dd>`}function dr({recording:e,jvm:t}){return l`<dt>JVM</dt>
    <dd>
      <a class="link" href=${j(["r",e])}>${t?t.instance:e}</a>
      ${t&&l`<span class="dim"> ${t.service}, JDK ${t.jvm_version}</span>`}
    </dd>`}function hr(e,t){let n=e&&{name:ce(e.service),href:j(["s",e.service])};return[{name:"services",href:j([])},...n?[n]:[],{name:t}]}var Mo="pauses: GC, safepoints";function gr(e){return e===null?"JVM":e===""?"a thread without a name":e}function un({t0_ns:e,events:t,is_truncated:n}){return Xt({...t,t0_ns:e,next:null,is_truncated:n})}var br=e=>`request ${e??""}`,Co=(e,t,n,r,o)=>({level:0,start:n,duration:r,kind:e,name:t,count:1,id:o});function Xm(e){let t=new Map;for(let{start:n,values:r}of un(e)){let[o,s]=[r.thread??null,String(r.type)],a=o===null?null:String(o),i=Number(n-BigInt(e.t0_ns)),c=Co(ve(s),s,i,Number(r.duration??0),null);t.set(a,[...t.get(a)??[],c])}return t}var Ym=(e,t)=>e.thread===t.thread&&e.start<t.start+t.duration&&t.start<e.start+e.duration;function ji(e){let{recording:t,threads:n,parts:r,stays:o,type:s}=e,a=Xm(e),i=sn(a.get(null)??[]),c={key:br(null),title:gr(null),note:Mo,recording:t,boxes:i},u=[...new Set(n.map(({name:m})=>m))].map(m=>{let p=({thread:v})=>n[v]?.name===m,d=o.filter(p),f=d.filter(v=>!r.some(w=>Ym(w,v))),g=[...r.filter(p).map(v=>Co("context",v.type,v.start,v.duration,v.id)),...f.map(v=>Co("context",s,v.start,v.duration,null)),...a.get(m)??[]],_=d.reduce((v,w)=>v+w.duration,0),h=`worked for it ${y(_)}`;return{key:br(m),title:gr(m),note:h,recording:t,boxes:sn(g)}});return i.length>0?[c,...u]:u}function qi({hand_overs:e}){return e.map(({from:t,to:n,start:r,duration:o})=>({from:br(t),to:br(n),start:r,end:r+o}))}var Ao=8192,Wi=60000000000n,Ji=5,Qm=2000000000n;function Vi(e,t){let n=e&&typeof e=="object"&&!Array.isArray(e)?e[t]:void 0;return typeof n=="string"?n:null}function Lo(e){let t=new Map,n=(r,o)=>r[e.events.columns.indexOf(o)]??null;for(let r of e.events.rows){let o=n(r,"fields"),s=Vi(o,"previousOwner"),[a,i]=[Number(n(r,"start")),Number(n(r,"duration"))];if(n(r,"type")!=="jdk.JavaMonitorEnter"||s===null)continue;let c=Vi(o,"monitorClass")??"",u={thread:s,monitor:c,waited:0,waits:0,from:a,to:a},{waited:m,waits:p,from:d,to:f}=t.get(s)??u;t.set(s,{...u,waited:m+i,waits:p+1,from:Math.min(d,a),to:Math.max(f,a+i)})}return[...t.values()].sort((r,o)=>o.waited-r.waited)}function No(e,t){let n=Number(BigInt(e.t0_ns)-t),r=e.lanes.map(({recording:o,thread:s})=>({key:`${o} ${s??""}`,title:gr(s),recording:o,thread:s,boxes:[]}));for(let[o,s,a,i,c,u,m,p]of e.rows){let d={level:s,start:a+n,duration:i,kind:c,name:u,count:m,id:p};r[o]?.boxes.push(d)}return r}function Zm(e,t,n){return Xt(e).flatMap(({start:r,values:o})=>{let s=String(o.type),a=o.context===null&&!n.has(s),i=Number(o.duration??0),c=ve(s),u={level:0,start:Number(r-t),duration:i,kind:c,name:s};return a?[{...u,count:1,id:null}]:[]})}function ep(e,t,n,r){let o=BigInt(e.t0_ns),a=No(n,o).filter(({thread:p})=>p===t.thread).flatMap(({boxes:p})=>p),i=a.filter(({kind:p})=>p==="context").map(({name:p})=>p),c=Zm(r,o,new Set([e.type,...i])),u=sn([...a,...c]).filter(p=>p.start<=t.to&&p.start+p.duration>=t.from),m=`had the monitor of ${te(t.monitor)}`;return{key:`owner ${t.thread}`,title:t.thread,note:u.length>0?m:`${m}; nothing is kept of it then`,recording:e.recording,thread:t.thread,boxes:u}}function tp(e,t){let n=BigInt(e.t0_ns),r=new URLSearchParams({recording:e.recording});r.set("thread",t?.thread??""),r.set("from",String(n+BigInt(t?.from??0)-Qm)),r.set("to",String(n+BigInt(t?.to??0)+1n));let o=(u,m)=>t?S(u,r,m):null,s=R(o("timeline",{width:String(Ao)})),a=R(o("events",{limit:"1000",columns:"name"})),i=L(()=>t&&s.data&&a.data?ep(e,t,s.data,a.data):null,[e,t?.thread,s.data,a.data]),c=[s,a].every(u=>u.data!==null||u.problem!==null);return{lane:i,isAnswered:c}}function np(e){let t=L(()=>Lo(e),[e]),n=[];for(let i=0;i<Ji;i++){let c=n.every(u=>u.isAnswered);n.push(tp(e,c?t[i]:void 0))}let r=t.slice(Ji),o=y(r.reduce((i,c)=>i+c.waited,0)),s={key:"more owners",title:`${r.length} more`,note:`had monitors that it waited ${o} for, all together`,recording:e.recording,thread:null,boxes:[]},a=n.map(({lane:i})=>i);return L(()=>[...a.filter(i=>i!==null),...r.length>0?[s]:[]],[e,...a])}function rp(e){let t=En(e.attributes),n=BigInt(e.t0_ns),r=new URLSearchParams({from:String(n-Wi)});r.set("to",String(n+BigInt(e.duration)+Wi));let o=String(Ao),s=R(t&&S("timeline",r,{width:o,trace:t})).data,i=R(t&&S(`traces/${encodeURIComponent(t)}`,r)).data?.recordings;return L(()=>(s?No(s,n):[]).map(u=>{let m=i?.[u.recording],p=m?`same trace, ${m.service} on ${m.instance}`:"same trace";return{...u,note:p,href:t===null?void 0:j(["t",t])}}),[e,s,i])}function Gi(e,t){let n=np(e),r=rp(e);return L(()=>{let o=[null,...t,...n.map(({thread:a})=>a)],s=a=>a.recording!==e.recording||!o.includes(a.thread);return[...n,...r.filter(s)]},[e,t,n,r])}function Ki(e,t){let n=R(S("timeline",t,{width:String(Ao)})).data,r=L(()=>[e.thread],[e]),o=Gi(e,r);return L(()=>{let s=n?No(n,BigInt(e.t0_ns)):[],a=`this one, ${y(e.duration)}`,i=s.map(c=>({...c,note:c.thread===null?Mo:a}));return[...i.filter(({thread:c})=>c===null),...i.filter(({thread:c})=>c!==null),...o]},[e,n,o])}function zi(e){let t=L(()=>e.threads.map(({name:r})=>r),[e]),n=Gi(e,t);return L(()=>[...ji(e),...n],[e,n])}var Xi=300000000000n,op=100,Et=({t0_ns:e})=>BigInt(e);function Eo(e){let t=Et(e),n=new URLSearchParams({recording:e.recording,id:e.id});return n.set("from",String(t)),n.set("to",String(t+1n)),n}function sp(e){let t=Eo(e);if(b.value.params.get("base")==="rest"){let n=Et(e);t.set("from",String(n-Xi)),t.set("to",String(n+Xi)),t.set("context",e.type),t.set("base","rest")}return t}function ap({context:e,jvm:t}){return l`<dl class="kv">
    <${pr} of=${e.attributes} />
    <${fr} at=${Et(e)} />
    <dt>thread</dt>
    <dd>${e.thread}</dd>
    <${dr} recording=${e.recording} jvm=${t} />
    ${e.parent&&[l`<dt>within</dt>`,l`<dd>
          <a class="link" href=${Yi(e,e.parent)}
            >${te(e.parent.type)}, ${y(e.parent.duration)}</a
          >
        </dd>`]}
  </dl>`}function Yi(e,{id:t,start:n}){return Be(e.recording,t,Et(e)+BigInt(Math.round(n)))}function ip({context:e}){let t=Lo(e);return l`<table>
      <tbody>
        ${e.kept_because.map(({event:n,count:r,setting:o})=>l`<tr key=${n}>
              <td title=${n}>
                <${ae} category=${ve(n)} />${$(r)} × ${te(n)}
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
                  <td class="w">${te(n.monitor)}</td>
                  <td class="n">${y(n.waited)}</td>
                </tr>`)}
          </tbody>
        </table>`}`}function lp({context:e}){return l`<${T} title="Contexts in it" note=${$(e.children.length)}>
    <${q}
      label="Contexts in it"
      rows=${e.children}
      rowsMax=${op}
      rowKey=${t=>t.id}
      href=${t=>Yi(e,t)}
      columns=${[{name:"context",cell:t=>l`<span title=${t.type}>${t.type}</span>`,className:"name"},{name:"after",cell:t=>"+"+y(t.start),isNumber:!0},{name:"duration",cell:t=>y(t.duration),isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function cp({context:e,service:t,tick:n}){let r=L(()=>Eo(e),[e]),o=Ki(e,r),s=L(()=>un(e),[e]),a=(c,{id:u,start:m})=>u===null||u===e.id?null:Be(c.recording,u,Et(e)+BigInt(Math.round(m))),i=l`<${U} url=${S("timeline",r)} />`;return l`<${T}
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
    ${e.children.length>0&&l`<${lp} context=${e} />`}
    <${Me} query=${sp(e)} tick=${n} />
    <${T} title="Events" note=${$(s.length)}>
      ${s.length>0?l`<${Ot}
              items=${s}
              since=${Et(e)}
              service=${t}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it but those in the contexts in it" />`}
    <//>`}function Qi(){let{path:e,params:t}=b.value,[,n="",r=""]=e,o=/^\d{1,19}$/.test(t.get("at")??"")?BigInt(t.get("at")):null,s=new URLSearchParams(o===null?{}:{from:String(o),to:String(o+1n)}),a=["contexts",n,r].map(encodeURIComponent).join("/"),i=S(a,s),c=R(i,M.value),u=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,m=c.data,p=m?`${te(m.type)}, ${y(m.duration)}`:r,d=m&&Eo(m),f=l`<${D} of=${m} /> ${d&&l`<${Pe} query=${d} />`}
    <${U} url=${i} />`;return l`<${ne} crumbs=${hr(u,p)}>
    ${m?l`<div class="three">
              <${T}
                title=${te(m.type)}
                note=${y(m.duration)}
                tools=${f}
                answer=${c}
              >
                <${ap} context=${m} jvm=${u} />
              <//>
              <${T} title=${`Why ${y(m.duration)}`} className="why-panel">
                <${cn} of=${m.why} base=${null} />
              <//>
              <${T} title="Kept because"><${ip} context=${m} /><//>
            </div>
            <${cp} context=${m} service=${u?.service??null} tick=${M.value} />`:l`<${T} title="Request" tools=${f} answer=${c} />`}
  <//>`}var up=/(^|[._-])id$|[a-z]Id$|(trace|span|request|session)id$/;function Uo(e){return up.test(e)}function Zi({key:e,distinct:t,search_only:n,values:r},o){let s=r.every(i=>i.count+(i.base_count??0)<=1),a=Uo(e)&&2*(t??0)>o;return n||r.length>=4&&(s||a)}var mp=100,pp=10,fp=1.96;function dp(e,t,n){let[r,o]=[t+2,n+2],[s,a]=[(e.count+1)/r,((e.base_count??0)+1)/o],i=s*(1-s)/r+a*(1-a)/o;return s-a-fp*Math.sqrt(i)}function hp({contexts:e,base_contexts:t,keys:n},r){let o=({key:u,label:m})=>!r.has(u)&&!r.has(m),s=n.filter(u=>o(u)&&Zi(u,e)).map(({key:u})=>u),a=u=>t?dp(u,e,t):u.count,i=n.filter(u=>o(u)&&!s.includes(u.key)).flatMap(({key:u,values:m})=>m.map(p=>({...p,key:u}))).filter(u=>u.count>0).map(u=>[u,a(u)]).sort((u,m)=>m[1]-u[1]),c=i.filter(([,u])=>u>0).length;return{rows:i.map(([u])=>u),explaining:c,ids:s}}function gp({lift:e,base_count:t}){return e!==null?`\xD7${e.toFixed(e<10?1:0)}`:t===0?"only here":""}var Io=(e,t)=>t>0?e/t:0;function bp({here:e,there:t}){let n=o=>({left:`${100*o}%`}),r={...n(Math.min(e,t)),width:`${100*Math.abs(e-t)}%`};return l`<div class="shares" aria-hidden="true">
    <i style=${r}></i><u style=${n(t)}></u><b style=${n(e)}></b>
  </div>`}function $p({contexts:e,base_contexts:t},n){let r={name:"value",cell:({key:a,value:i})=>l`<span class="key-value" title=${`${a}=${i}`}>
        <span class="dim">${a}</span> <b><${gt} name=${i===""?"(empty)":i} /></b>
      </span>`},o={name:"here",title:"of the selected ones have it",cell:a=>l`<span title=${`${$(a.count)} of ${$(e)}`}
        >${H(a.count/e)}</span
      >`,isNumber:!0,className:"share"},s={name:"p99",cell:a=>a.p99_ns===null?"":y(a.p99_ns),isNumber:!0,className:"dim p99"};return t?[r,{name:l`here <span class="here">●</span> there ○`,cell:a=>l`<${bp}
          here=${Io(a.count,e)}
          there=${Io(a.base_count??0,t)}
        />`,className:"plot"},o,{name:"there",title:`in ${n}`,cell:a=>l`<span title=${`${$(a.base_count??0)} of ${$(t)}`}
          >${H(Io(a.base_count??0,t))}</span
        >`,isNumber:!0,className:"share dim"},s,{name:"lift",title:"its share here, over its share there",cell:a=>l`<span class=${(a.lift??1/0)>=1.5?"lift":"dim"}>${gp(a)}</span>`,isNumber:!0,className:"lift-cell"}]:[r,o,s]}function vp({key:e,value:t}){let n=`${e}=${t}`,r=b.value.params.getAll("where").filter(o=>o!==n);return se({where:[...r,n]})}function yp({data:e,against:t}){let[n,r]=P(!1),o=b.value.params.getAll("where"),s=new Set(o.map(p=>/^[^=<>!^]*/.exec(p)[0])),{rows:a,explaining:i,ids:c}=hp(e,s),u=n?a:a.slice(0,Math.min(pp,i)),m=a.length-u.length;return l`${i===0&&l`<p class="dim">No value is surely more frequent here than in ${t}.</p>`}
  ${u.length>0&&l`<${q}
      label="Attributes"
      columns=${$p(e,t)}
      rows=${u}
      rowKey=${p=>`${p.key}=${p.value}`}
      href=${vp}
      className="values"
    />`}
  ${m>0&&l`<button class="plain more" onClick=${()=>r(!0)}>
      ${$(m)} more${u.length===i?", which explain less":""}
    </button>`}
  ${c.length>0&&l`<p class="dim">${c.join(", ")}: one value for each, search for one above</p>`}`}function el({query:e,against:t,tick:n}){let r=S("attributes",e,{limit:String(mp)}),o=R(r,n),{data:s}=o,a=l`<${D} of=${s} /><${U} url=${r} />`;return l`<${T}
    title="Attributes"
    note=${s?.base_contexts?`more often than in ${t}`:""}
    tools=${a}
    answer=${o}
    className="attributes"
  >
    ${s&&s.contexts>0&&l`<${yp} data=${s} against=${t} />`}
  <//>`}function tl({name:e,all:t,options:n}){let r=b.value.params.get(e)??"",s=r===""||n.some(([i])=>i===r)?n:[[r,r],...n];return l`<select aria-label=${e} onChange=${i=>C({[e]:i.currentTarget.value||null})}>
    <option value="" selected=${r===""}>${t}</option>
    ${s.map(([i,c])=>l`<option value=${i} selected=${i===r}>${c}</option>`)}
  </select>`}function nl({name:e,placeholder:t}){let n=X(null),r=b.value.params.get(e),o=r&&xt(r)?y(Number(r)):"";return Te(()=>{n.current.value=o},[o]),l`<input
    class="duration"
    ref=${n}
    placeholder=${t}
    aria-label=${t}
    title="a duration, such as 300 ms or 1.5 s"
    onChange=${()=>{let a=n.current,i=Rs(a.value);a.setCustomValidity(i===null&&a.value!==""?"such as 300 ms, or 1.5 s":""),a.reportValidity()&&C({[e]:i===null?null:String(i),box:null})}}
  />`}function _p(){let e=X(null),t=b.value.params.get("thread")??"";return Te(()=>{e.current.value=t},[t]),l`<input
    class="thread"
    ref=${e}
    placeholder="thread"
    aria-label="thread"
    title="its name, such as http-nio-*, or its Java id"
    onChange=${()=>C({thread:e.current.value.trim()||null})}
  />`}function $r({types:e,instances:t,isWhole:n=!1}){let r=b.value.params.get("context"),o=e.filter(({type:i})=>r===null||i===r).flatMap(i=>i.attributes),s=o.flatMap(i=>i.values.map(({value:c})=>c)),a=l`<${tl}
    name="instance"
    all="all JVMs"
    options=${t.map(i=>[i,i])}
  />`;return n?l`<div class="choosers">${a} <${Qt} isWhole /></div>`:l`<div class="choosers">
    <${tl}
      name="context"
      all="all types of contexts"
      options=${e.map(({type:i,contexts_in:c})=>[i,`${i} (${$(c)})`])}
    />
    ${a}
    <${nl} name="min_duration_ns" placeholder="at least" />
    <${nl} name="max_duration_ns" placeholder="at most" />
    <${_p} />
    <${Qt}
      keys=${[...new Set(o.map(({key:i})=>i))]}
      values=${[...new Set(s)]}
    />
  </div>`}var wp=4,xp={ArrowLeft:{column:-1,row:0},ArrowRight:{column:1,row:0},ArrowUp:{column:0,row:1},ArrowDown:{column:0,row:-1}};function Ze(e){return me(b.value.params.get(e))}var ol=e=>e==="requests"?{unit:e}:{};function mn(e,t,n){let r=e&&Kt(e),o=e?{min_duration_ns:null,max_duration_ns:null}:{},s=ol(n);C(t?{base_box:r,base:null,...s}:{box:r,...o,...s})}function kp(e){mn(null,Ze("base_box")!==null,e)}function Bo({from:e,to:t}){C({from:String(e),to:String(t),last:null,live:null})}function sl(e,t){return e.column===t.column&&e.row===t.row}function rl(e,t,n){let r=(o,s)=>Math.max(0,Math.min(s-1,o));return{column:r(t.column+n.column,e.columns),row:r(t.row+n.row,e.rows)}}function Sp(e){let t=[...e.cells.values()],n=Math.max(0,...t.map(r=>r.column));return{column:n,row:Math.max(0,...t.map(r=>r.column===n?r.row:0))}}function Ut({grid:e,isRate:t},{from:n,to:r}){return t?Mt(e,{...n,row:0},{...r,row:e.rows-1}):Mt(e,n,r)}function al({grid:e,unit:t},n){let r=e.exemplars.get(Ke(e,n));r&&ge(ct(t,r.recording,r.id))}function il(e){let{grid:t,plot:n}=e,[r,o]=P(null),[s,a]=P(null),i=X(null),c=({offsetX:h,offsetY:v})=>Ha(t,n,h,v),u=h=>{let{offsetX:v,offsetY:w}=h;if(h.button===0&&t.rows>0&&io(n,v,w)){h.currentTarget.setPointerCapture(h.pointerId);let k=h.shiftKey||e.isComparing;o({from:c(h),to:c(h),x:v,y:w,isLong:!1,isBase:k})}},m=h=>{let{offsetX:v,offsetY:w}=h;if(r){let E=r.isLong||Math.hypot(v-r.x,w-r.y)>=wp;o({...r,to:c(h),isLong:E})}let{clientX:k,clientY:x}=h,O=t.rows>0&&io(n,v,w);a(O?{place:c(h),clientX:k,clientY:x}:null)},p=h=>{if(o(null),!r)return;if(h.altKey&&!r.isLong){al(e,r.from);return}let v=Ut(e,r),w=!r.isLong&&ft(t,v).all===0;mn(w?null:v,r.isBase,e.unit)},d=h=>{let v=i.current,w=v&&Gn(t,v,c(h))?v:Ut(e,{from:c(h),to:c(h)});C({box:Kt(w),...ol(e.unit)},!0),Bo(w)},f=({detail:h})=>{i.current=h>1?i.current:Ze("box")},g=()=>a(null),_=()=>o(null);return{drag:r?.isLong?r:null,hover:r?null:s,on:{onMouseDown:f,onPointerDown:u,onPointerMove:m,onPointerUp:p,onPointerLeave:g,onPointerCancel:_,onDblClick:d}}}function ll(e){let{grid:t}=e,[n,r]=P(null),o=i=>{let c=xp[i.key];if(c&&t.rows>0){let u=n?rl(t,n.to,c):Sp(t);r({from:i.shiftKey&&n?n.from:u,to:u})}else if(i.key==="Enter"&&n&&i.altKey)al(e,n.to);else if(i.key==="Enter"&&n)mn(Ut(e,n),i.shiftKey||e.isComparing,e.unit);else if(i.key==="Escape")r(null),kp(e.unit);else return;i.preventDefault()},s=i=>rl(t,i,{column:0,row:0});return{cursor:n&&{from:s(n.from),to:s(n.to)},on:{onKeyDown:o,onBlur:()=>r(null)}}}var Do=6e10;function vr({from:e,to:t,min:n,max:r}){let o=e%BigInt(Do)===0n&&t%BigInt(Do)===0n,s=i=>oe(i,o?Do:1e9),a=n<=1?`up to ${y(r)}`:`${y(n)} to ${y(r)}`;return`${s(e)} to ${s(t)}, ${a}`}function Ho({all:e,kept:t}){return`${$(t)} kept of ${$(e)}`}var Tp=5,Op=6;function Pp({view:{grid:e,unit:t},hover:n,rates:r}){let{place:o}=n,s=Ke(e,o),a=e.cells.get(s),i=r?.[o.column];if(!a&&!i)return null;let[c,u]=vr(Mt(e,o,o)).split(", "),m=a&&`${$(a.all)} ${t}, ${$(a.kept)} kept`,p=i?l`<${Xa} of=${i} /><br />${c}`:l`<b>${u}</b><br />${c}<br />${m}
        ${e.exemplars.has(s)&&l`<br />Alt+click opens one`}`;return l`<${Ge} at=${n}>${p}<//>`}var Cp={t0_ns:"0",step_ns:1,columns:[],exemplars:[],all:0,kept:0,unknown:0,is_truncated:!1};function Mp(e,t,n){let r=e??Cp,o=Math.max(1,t.width/Tp),s=Math.max(1,t.height/Op);return L(()=>ze(r,o,s,n),[r,o,s,n])}function Ap({data:e,unit:t,isRate:n,isComparing:r,onPoint:o}){let s=X(null),a=qn(s),i=zn(a.width,a.height,n),c=Mp(e,i,t==="requests"&&!n?79:null),u=L(()=>n&&e?Ga(e,c):null,[n,e,c]),m={grid:c,plot:i,unit:t,isRate:n,isComparing:r},{drag:p,hover:d,on:f}=il(m),{cursor:g,on:_}=ll(m),h=p??(g&&!sl(g.from,g.to)?g:null),v=h&&Ut(m,h),w=p?.isBase??r,k={box:!w&&v||Ze("box"),base:w&&v||Ze("base_box"),cells:[n?null:d?.place,g?.to].filter(V=>V!=null)},x=V=>{u?za(V,c,i,u):e&&Ja(V,c,i,t),Va(V,c,i,k)},{column:O,row:E}=d?.place??{};Wn(s,a,x,[c,u,b.value,r,p,g,O,E]);let W=g&&Ut(m,g);return l`<div class="heatmap">
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
    ${d&&l`<${Pp} view=${m} hover=${d} rates=${u} />`}
    <div class="seen-by-readers" aria-live="polite">
      ${W&&`${vr(W)}: ${Ho(ft(c,W))}`}
    </div>
    ${e&&l`<${Ep} data=${e} unit=${t} most=${c.most} isRate=${n} />`}
  </div>`}function Lp({most:e,unit:t}){let n=Array.from({length:5},(o,s)=>Math.ceil((e+1)**(s/5))),r=o=>l`<span class="dot" style=${{background:`var(--h${o+1})`}}></span>`;return l`<span
    >${t} in a cell
    ${n.map((o,s)=>o<(n[s+1]??e+1)&&l` ${r(s)}${$(o)}`)}
    ${e>1&&l` to ${$(e)}`}</span
  >`}var Np=e=>`Counted by chunk: a ${Ce(e)} is in the column in which the middle of its chunk lies. The panels below have the kept ${e} that began in this time, or up to half a chunk before or after (half a minute), so they may have a few more or less. A click takes the selection away (Escape).`;function ul({data:e,unit:t,box:n,isBase:r}){let o=L(()=>ze(e,1/0,1/0),[e]);return l`<button
    class=${`chip ${r?"base_box":"box"}`}
    title=${Np(t)}
    onClick=${()=>mn(null,r,t)}
  >
    ${r?"compared with":"selected"} <b>${vr(n)}</b>${" "}
    ${Ho(ft(o,n))} by chunk <i>×</i>
  </button>`}function Ep({data:e,unit:t,most:n,isRate:r}){let o=[n>0&&l`<${Lp} most=${n} unit=${t} />`,l`<span
      ><span class="dot corner"></span>${t==="requests"?"has some that were not kept":"has kept ones"}</span
    >`],[s,a]=[Ze("box"),Ze("base_box")];return l`<div class="legend">
    ${r?l`<${Ya} unit=${t} />`:o}
    ${s&&l`<${ul} data=${e} unit=${t} box=${s} isBase=${!1} />`}
    ${a&&l`<${ul} data=${e} unit=${t} box=${a} isBase=${!0} />`}
  </div>`}function Up({data:e,unit:t}){let[n,r]=P(!1),o=(a,i)=>{let c=Ct([a]),[u,m]=[1,2].map(d=>a.reduce((f,g)=>f+g[d],0)),p=d=>y(pt(c,d));return l`<tr>
      <td>${oe(BigInt(e.t0_ns)+BigInt(i)*BigInt(e.step_ns),1e9)}</td>
      <td class="n">${$(u)}</td>
      <td class="n">${$(m)}</td>
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
  </details>`}function Ip({unit:e}){let t=n=>l`<button
      aria-pressed=${e===n?"true":"false"}
      onClick=${()=>C({unit:n,box:null,base_box:null})}
    >
      ${n}
    </button>`;return l`<span class="tabs" role="group" aria-label="What is counted"
    >${t("requests")} ${t("contexts")}</span
  >`}function ml({answer:e,url:t,unit:n,isEither:r,note:o,onPoint:s}){let[a,i]=P(!1),c=b.value.params.get("view")==="rate",u=Ze("box"),{data:m}=e,p=L(()=>m&&l`<${Up} data=${m} unit=${n} />`,[m,n]),d=(g,_,h)=>l`<button aria-pressed=${h?"true":"false"} onClick=${()=>C({view:g})}>
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
    ${r&&l`<${Ip} unit=${n} />`}
    <span class="tabs">${d(null,"duration",!c)} ${d("rate","rate",c)}</span>
    <${U} url=${t} />`;return l`<${T}
    title=${`All ${n}`}
    note=${o}
    tools=${f}
    answer=${e}
    className="heatmap-panel"
    lines=${0}
  >
    <${Ap}
      data=${m}
      unit=${n}
      isRate=${c}
      isComparing=${a}
      onPoint=${s}
    />
    ${p}
  <//>`}var Bp=3;function Dp({of:e}){let t=R(S(`recordings/${encodeURIComponent(e.id)}`,new URLSearchParams)),n=t.data&&ut(t.data.types);return n&&n.length>0?l`<p>
        Settings of the policy that dropped events of${" "}
        <a class="link" href=${j(["r",e.id])}>${e.instance}</a>, since it started:
        <${mt} of=${n} />
      </p>`:null}function Hp(e,t){return Kt({...e,from:e.from-t,to:e.to+t})}function Fp({grid:e,heatUrl:t,box:n,kept:r,unit:o}){let{data:s}=R(t),a=y(Number(e.step)).replace(/ 0 (s|min)$/,""),i=s?Da(ze(s,1/0,1/0),n).slice(0,Bp):[],c=({recording:u,id:m},p)=>l`<a class="link" key=${m} href=${ct(o,u,m)}>${p+1}</a>${" "}`;return l`<${I} title=${`No kept ${Ce(o)} began in this box`}>
    <p>
      The heat map has ${$(r)} kept ones here: it counts a ${Ce(o)} in the column in
      which the middle of its chunk lies, and chunks that are longer than a minute reach farther
      than that.
    </p>
    <p>
      <button onClick=${()=>C({box:Hp(n,e.step)})}>
        ${a} more on either side
      </button>
      ${i.length>0&&l`${" "}or open one of them: ${i.map(c)}`}
    </p>
  <//>`}function pl({heat:e,heatUrl:t,query:n,recordings:r,isNarrowed:o}){let s=L(()=>ze(e,1/0,1/0),[e]),a=me(b.value.params.get("box")),i=["where","min_duration_ns","max_duration_ns","context"].some(h=>n.has(h)),c=(h,v)=>Number(n.get(h)??v),u=a??{...co(s),min:c("min_duration_ns",0),max:c("max_duration_ns",1/0)},{all:m,kept:p}=ft(s,u),d=Ye(n),f=Ce(d),g=r[0];if(r.length===0)return l`<${Ve} />`;let _=(h,v)=>l`<${I} title=${h}>${v}<//>`;return o?_(`No kept ${f} is like this`,"Take a condition away to see more."):m===0&&a?_(`No ${f} is in this box`,"Choose a coloured cell."):m===0&&i?_(`No ${f} is like this`,"Take a condition away, or look at a longer time."):m===0?_(`No ${d} in this time`,r.some(h=>h.is_running)?"A JVM is running; what it sends is counted about a minute later.":"JVMs ran, but had no contexts: docs/java-api.md says how a service gets some."):p>0&&a?l`<${Fp}
      grid=${s}
      heatUrl=${t}
      box=${a}
      kept=${p}
      unit=${d}
    />`:l`<${I} title=${`Nothing is kept of these ${$(m)} ${d}`}>
    <p>They are counted, but nothing happened in them that the policy keeps.</p>
    ${g&&l`<${Dp} of=${g} />`}
  <//>`}var jp=12,jo={contexts:[["duration","slowest"],["blocked","longest blocked"],["triggers","most events"],["start","first"]],requests:[["duration","slowest"],["start","first"]]};function qo(e,t){let n=e.get("sort");return jo[t].some(([r])=>r===n)?n:jo[t][0][0]}function qp({start:e,values:t}){let n=o=>String(t[o]??""),r=Object.entries(t).filter(([o,s])=>o.startsWith("attr.")&&s!==null).map(([o,s])=>[o.slice(5),s]);return{start:e,recording:n("recording"),id:n("id"),type:n("type"),thread:n("thread"),duration:Number(t.duration),blocked:Number(t.blocked),triggers:Number(t.triggers),queued:Number(t.queued),elsewhere:Number(t.elsewhere),parts:Number(t.parts),keptBy:n("kept_by"),attributes:Object.fromEntries(r)}}function Wp({of:{blocked:e,duration:t}}){let n=t>0?e/t:0,r=`blocked ${y(e)}, ${H(n)}`;return l`<div class="stack" title=${r} role="img" aria-label=${r}>
    <div style=${{width:`${n*100}%`}}></div>
  </div>`}var Fo=(e,t)=>new Set(e.map(t)).size>1,Jp={contexts:[{name:"blocked",cell:e=>l`<${Wp} of=${e} />`},{name:"events",cell:e=>$(e.triggers),isNumber:!0}],requests:[{name:"parts",title:"its contexts",cell:e=>$(e.parts),isNumber:!0}]},Vp={contexts:{name:"thread",cell:e=>l`<span title=${e.thread}>${e.thread}</span>`,className:"dim cut"},requests:{name:"kept by",cell:e=>e.keptBy,className:"dim"}},Gp=e=>e[0]?ie(e[0].start):"";function Kp(e,t,n){let r=[...new Set(e.flatMap(c=>Object.keys(c.attributes)))],o=Fo(e,c=>ye(c.start)),s=c=>l`<span title=${De(c.start)}>
      ${o?`${ye(c.start).slice(5)} `:""}${oe(c.start)}
    </span>`,a=(c,u)=>[e.some(m=>m[c]>0),{name:c,title:u,cell:m=>m[c]>0?y(m[c]):"",isNumber:!0}],i=[a("queued","its tasks waited for a thread"),a("elsewhere","no thread worked for it"),[Fo(e,c=>c.type),{name:"type",cell:c=>te(c.type)}],[Fo(e,c=>c.recording),{name:"JVM",cell:c=>t.get(c.recording)??c.recording.slice(0,8)}]];return[{name:`start, ${Gp(e)}`,cell:s},{name:"duration",cell:c=>l`<b>${y(c.duration)}</b>`,isNumber:!0},...Jp[n],...i.flatMap(([c,u])=>c?[u]:[]),...r.slice(0,jp).map(c=>({name:c,cell:u=>zp(u.attributes[c]),className:"cut"})),Vp[n]]}function zp(e){if(e===void 0)return"";let t=typeof e=="object"?JSON.stringify(e):String(e);return l`<span title=${t}>${t}</span>`}function Xp({unit:e}){let t=jo[e],n=qo(b.value.params,e),r=o=>C({sort:o===t[0][0]?null:o});return l`<span class="tabs" role="group" aria-label="Order">
    ${t.map(([o,s])=>l`<button
          key=${o}
          aria-pressed=${n===o?"true":"false"}
          onClick=${()=>r(o)}
        >
          ${s}
        </button>`)}
  </span>`}function fl({pages:e,url:t,query:n,instances:r,eventsHref:o}){let{answer:s,items:a,more:i}=e,c=a.map(qp),u=Ye(n),m=l`<${D} of=${s.data} />
    <${Xp} unit=${u} />
    <a href=${o}>events</a>
    <${Pe} query=${n} value=${b.value.params.get("value")??void 0} />
    <${U} url=${t} />`,p=me(b.value.params.get("box")),d=p&&Gr(p),f=s.data&&`${$(c.length)} of ${$(s.data.matched)}`+(d?`, began ${oe(d.from,1e9)} to ${oe(d.to,1e9)}`:"");return l`<${T}
    title=${`Kept ${u}`}
    note=${f}
    tools=${m}
    answer=${s}
    className="requests"
  >
    ${c.length>0&&l`<${q}
        label=${`Kept ${u}`}
        columns=${Kp(c,r,u)}
        rows=${c}
        rowKey=${g=>g.recording+g.id}
        href=${g=>ct(u,g.recording,g.id,g.start)}
      />`}
    ${i&&l`<p><button onClick=${i}>more</button></p>`}
  <//>`}var dl=e=>e===null?"":y(e);function yr(e,t){return{name:"per second",title:t,cell:n=>{let r=e(n),o=r===null?"":$(Number(r.toPrecision(3)));return l`<span title=${`${$(n.all)} in all`}>${o}</span>`},isNumber:!0,sort:n=>e(n)??n.all}}function _r(e){return[{name:"median",cell:t=>dl(t.p50_ns),isNumber:!0,sort:t=>t.p50_ns??-1},{name:"p99",cell:t=>l`<b>${dl(t.p99_ns)}</b>`,isNumber:!0,sort:t=>t.p99_ns??-1},{name:"p99 over time",cell:t=>t.spark.length>0&&l`<${ca} values=${t.spark} label=${`p99 of ${e(t)} over time`} />`},{name:"most time of the kept",cell:t=>l`<${ia} of=${t.top} />`},{name:"kept",title:"in which something happened, and which are stored",cell:t=>l`<span title=${`${$(t.kept)} of ${$(t.all)}`}
          >${t.all>0?H(t.kept/t.all):""}</span
        >`,isNumber:!0,sort:t=>t.kept}]}var Yp=10,pn=["http_route","http.route","route","endpoint"];function Qp(e){let t=new Map;for(let{key:o,values:s}of e.flatMap(a=>a.attributes))if(s.length>0&&!Uo(o)){let a=t.get(o)??new Set;s.forEach(({value:i})=>a.add(i)),t.set(o,a)}let n=o=>pn.includes(o)?pn.indexOf(o):pn.length,r=o=>t.get(o).size;return[...t.keys()].sort((o,s)=>n(o)-n(s)||r(s)-r(o))}function hl(e,t,n){let r=e?.types.find(s=>s.type===t);return(n===null?r:r?.values.find(s=>s.value===n))?.spark??[]}function Zp(e,t,n){return e.flatMap(o=>{let{type:s,requests_in:a,requests_out:i,p50_ns:c,p99_ns:u,top:m}=o,p=o.attributes.find(h=>h.key===t)?.values??[];if(p.length===0){let h=hl(n,s,null);return[{type:s,value:null,all:a,kept:i,p50_ns:c,p99_ns:u,spark:h,top:m}]}let d=p.map(({value:h,requests_in:v,requests_out:w,...k})=>{let{p50_ns:x,p99_ns:O,top:E}=k,W=hl(n,s,h);return{type:s,value:h,all:v,kept:w,p50_ns:x,p99_ns:O,spark:W,top:E}}),f=d.reduce((h,v)=>h-v.all,a),g=d.reduce((h,v)=>h-v.kept,i),_={p50_ns:null,p99_ns:null,spark:[],top:null};return f>0?[...d,{type:s,value:null,all:f,kept:g,..._}]:d}).sort((o,s)=>s.all-o.all)}var Wo=(e,t)=>`${e}=${t}`,gl=e=>b.value.params.getAll("where").includes(e);function ef(e,t){let n=Wo(e,t),r=b.value.params.getAll("where").filter(o=>!o.startsWith(Wo(e,"")));return se({where:gl(n)?r:[...r,n]})}function tf({of:e,chosen:t,isOfTypes:n}){let{value:r,type:o}=e,s=n&&l` <span class="dim">${o}</span>`;if(r===null||t===null)return l`<span class="dim">${t===null?"":`without ${t}`}</span>${s}`;let a=gl(Wo(t,r));return l`<a
      href=${ef(t,r)}
      class=${a?"on":""}
      aria-current=${a?"true":void 0}
      title=${r}
      >${r===""?"(empty)":r}</a
    >${s}`}function nf(e,t,n){return[{name:e??"type",cell:r=>l`<${tf} of=${r} chosen=${e} isOfTypes=${n} />`,sort:r=>r.value??"",className:"name"},yr(r=>t&&r.all/t),..._r(({value:r,type:o})=>r??o)]}function rf({keys:e,chosen:t}){return l`<select aria-label="divided by" onChange=${r=>C({key:r.currentTarget.value},!0)}>
    ${e.map(r=>l`<option selected=${r===t}>${r}</option>`)}
  </select>`}function bl({answer:e,url:t,requests:n,query:r,tick:o,seconds:s}){let a=Qp(n),i=b.value.params.get("key"),c=i!==null&&a.includes(i)?i:a[0]??null,u=r!==null&&n.length>0,m=R(u?S("requests/series",r,{key:c}):null,o),p=Zp(n,c,m.data),d=c===null||n.length>1,f=l`<${D} of=${e.data} />
    ${c!==null&&a.length>1&&l`by <${rf} keys=${a} chosen=${c} />`}
    <${U} url=${t} />`;return l`<${T}
    title="Routes"
    note=${p.length>0?`${$(p.length)} of them`:""}
    tools=${f}
    answer=${e}
    className="routes"
  >
    ${p.length>0&&l`<${q}
        label="Routes"
        columns=${nf(c,s,d)}
        rows=${p}
        rowKey=${g=>`${g.type} ${g.value}`}
        rowsFirst=${Yp}
      />`}
  <//>`}var $l={unit:null,box:null,base_box:null,base:null,value:null,frame:null,zoom:null},of=["context","where","trace","id","min_duration_ns","max_duration_ns","key","view","sort"];function sf(e){let t=me(e.get("box")),n=t?{from:String(t.from),to:String(t.to),last:null}:{},r=Object.fromEntries(of.map(o=>[o,null]));return se({...$l,...r,...n,unit:"threads"})}function wr({isWhole:e=!1}){let t=(r,o,s)=>l`<a href=${o} aria-current=${s?"page":void 0}>${r}</a>`,n=se({...$l,thread:null,jvm:null});return l`<nav class="views" aria-label="Of the service">
    ${t("requests",n,!e)}
    ${t("whole service",sf(b.value.params),e)}
  </nav>`}var af=12,lf=2;function cf({waits:e}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).slice(0,lf).map(([t,n])=>`${Z(t).name} ${y(n)}`).join(", ")}function uf(e){let t=e.reduce((r,o)=>r+o.cpu_ns,0),n=({cpu_ns:r})=>t>0?H(r/t):"";return[{name:"pool",cell:({pool:r})=>l`<span title=${r||"threads without a name, such as virtual ones"}
          >${ce(r)}</span
        >`,sort:({pool:r})=>r,className:"cut wide"},{name:"threads",cell:r=>$(r.threads),isNumber:!0,sort:r=>r.threads},{name:"CPU",title:"a period for each sample of a running thread",cell:r=>r.samples>0&&l`<span class="dim">${n(r)}</span> ${y(r.cpu_ns)}`,isNumber:!0,sort:r=>r.cpu_ns},{name:"allocated",cell:r=>r.alloc_bytes>0&&Q(r.alloc_bytes),isNumber:!0,sort:r=>r.alloc_bytes},{name:"waited",title:"by the events that say so, of all its threads together",cell:r=>r.blocked_ns>0&&l`<span title=${y(r.blocked_ns)}>${cf(r)}</span>`,isNumber:!0,sort:r=>r.blocked_ns}]}function vl(e,t){return R(e&&S("threads",e),t)}function yl({answer:e,query:t}){let{data:n}=e,r=b.value.params.get("thread"),o=l`<${D} of=${n} /><${U} url=${S("threads",t)} />`,a=(n?n.pool_count-n.pools.length:0)>0?`the first of ${$(n.pool_count)}`:"a click chooses a pool",i=({pool:c})=>se({thread:c===r||c===""?null:c,zoom:null});return l`<${T} title="Threads by pool" note=${a} tools=${o} answer=${e}>
    ${n&&n.pools.length>0&&l`<${q}
        label="Threads by pool"
        columns=${uf(n.pools)}
        rows=${n.pools}
        rowKey=${({pool:c})=>c}
        rowsFirst=${af}
        href=${i}
      />`}
    ${n?.pools.length===0&&l`<${I} title="No event of a thread is kept here" />`}
  <//>`}var mf=["cpu","alloc","lock","park","wait","sleep","io","pinned","gc","safepoint"];function pf(e){return mf.flatMap(t=>{let n=Object.entries(e).filter(([a])=>ve(a)===t),r=a=>n.reduce((i,[,c])=>i+a(c),0),o=r(a=>a.offered),s=ut(Object.fromEntries(n));return o===0?[]:[{kind:t,offered:o,kept:r(a=>a.kept),dropped:s}]})}function _l({query:e,tick:t}){let n=S("accounting",e),r=R(n,t),{data:o}=r,s=o?pf(o.types):[],a=({kind:c,offered:u,kept:m,dropped:p})=>l`<tr key=${c}>
      <th scope="row"><${ae} category=${c} />${Z(c).name}</th>
      <td class="n"><b>${H(m/u)}</b></td>
      <td class="n dim">${$(u)}</td>
      <td><${mt} of=${p} /></td>
    </tr>`,i=l`<${D} of=${o} /><${U} url=${n} />`;return l`<${T}
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
  <//>`}var ff=6n*3600000000000n,wl="cpu",df=(e,t)=>ir(e,t,wl);function hf({query:e}){let{params:t}=b.value,n=G(e,{thread:t.get("thread")}),r=Qe(G(n,{base:t.get("base")}),"threads"),o=vl(e,M.value);return l`<div class="one-and-two">
      <${yl} answer=${o} query=${e} />
      <${_l} query=${e} tick=${M.value} />
    </div>
    <${Nt} query=${Qe(n,"threads")} tick=${M.value} hrefOf=${df} />
    <${Me} query=${r} tick=${M.value} standard=${wl} />`}function xl(){let{params:e}=b.value,{from:t,to:n}=K.value,r=An(b.value,K.value),o=R(S("recordings",G(r,{recording:null})),M.value),s=S("jvm",r),a=R(s,M.value),i=Ie(b.value),c=[{name:"services",href:j([])},{name:i===null?"all":ce(i)}],u=o.data?.recordings??[];return l`<${ne} crumbs=${c}>
    <${wr} isWhole />
    <${$r} types=${[]} instances=${[...new Set(u.map(m=>m.instance))]} isWhole />
    <${Lt} answer=${a} url=${s} />
    ${n-t<=ff||e.get("whole")==="1"?l`<${hf} query=${r} />`:l`<section>
            <${I} title="Choose a shorter time to see what its threads did">
              <button onClick=${()=>C({whole:"1"})}>
                or read everything that is kept
              </button>
            <//>
          </section>`}
  <//>`}var gf=50,bf=10,$f=6n*3600000000000n,Jo=60000000000n,Sl=["trace","thread","id"];function vf({from:e,to:t}){let n=it.value?(e+Jo-1n)/Jo*Jo:e;return{from:n<t?n:e,to:t}}function yf(e,t){return e.getAll("where").length-t.getAll("where").length>0||Sl.some(r=>e.has(r))}function _f({t0_ns:e,step_ns:t,columns:n},r){let o=n.map(s=>s.length>0);return Pn(BigInt(e),t,o,r)}function wf({data:e,seconds:t,jvms:n,unit:r}){let o=Ct(e.columns),s=m=>{let p=pt(o,m);return p===null?"-":y(p)},a=m=>(n?.recordings??[]).reduce((p,d)=>p+m(d),0),i=a(m=>m.bytes_out),c=a(m=>m.bytes_in),u=(m,p,d="")=>l`<span title=${d}><b>${m}</b>${p}</span>`;return l`<div class="facts">
    ${u(`${$(Number((e.all/t).toPrecision(3)))}/s`,`${r}, ${$(e.all)}`)}
    ${n&&u($(n.recordings.length),"JVMs","that ran in this time")}
    ${u(s(.5),"median")} ${u(s(.99),"p99")}
    ${u(e.all>0?H(e.kept/e.all):"-",`kept, ${$(e.kept)}`)}
    ${c>0&&u(`${Q(i)} of ${Q(c)}`,"stored of recorded","by these JVMs, since they started")}
  </div>`}function xf({heat:e,heatUrl:t,unit:n,recordings:r,isNarrowed:o}){let{params:s}=b.value,a=Qe(kt(b.value,K.value),n),i=Qe(zs(b.value,K.value),n),c=s.has("box")&&it.value?0:M.value,u=["box","where","min_duration_ns","max_duration_ns",...Sl].some(O=>s.has(O)),p=i.has("base")||s.has("base_box")||!u?i:G(i,{base:"rest"}),d=s.has("base_box")?"other box":"rest",f=S(n,Qe(a,"contexts"),{sort:qo(s,n)}),g=Un(f,ue.value?bf:gf,c),_=R(lr(i),c),{data:h}=g.answer;if(h?.matched===0&&!h.is_truncated&&e.data)return l`<section>
      <${pl}
        heat=${e.data}
        heatUrl=${t}
        query=${a}
        recordings=${r}
        isNarrowed=${o}
      />
    </section>`;let v=new Map(r.map(O=>[O.id,O.instance])),k={service:a.get("service"),sort:null,view:null,unit:null,key:null},x=s.has("box")&&n==="contexts"?le(fe("e"),G(a,{zone:s.get("zone")})):le(fe("e"),G(s,{...k,box:null,base_box:null}));return l`<div class="one-and-two">
      <${Nt} query=${p} against=${d} tick=${c} hrefOf=${ir} />
      <${el} query=${p} tick=${c} against=${`the ${d}`} />
      <${Li} url=${lr(i)} answer=${_} />
    </div>
    <${Me} query=${i} tick=${c} whole=${_} />
    <${fl}
      pages=${g}
      url=${f}
      query=${a}
      instances=${v}
      eventsHref=${x}
    />`}function kf(e,t){return[e&&e.unknown>0&&`${$(e.unknown)} of which it is not known if they are like this`,t&&"whatever the conditions: statistics have one attribute=value, of few values",e&&e.all>0&&"drag to select, Shift+drag to compare"].filter(r=>r).join("; ")}function kl(e,t,n){let r=g=>S("contexts/heatmap",e,{fine:"1",...g}),o=r({}),s=n&&t&&!e.has("where"),a=R(s?o:null,M.value),i=r({exemplars:"0"}),c=R(n&&!a.data?i:null,M.value),u=a.data?a:c,{data:m}=u,p=e.has("where")&&m!==null&&m.all===0&&m.unknown>0,d=r({where:null}),f=R(p?d:null,M.value);return p&&f.data?{heat:f,heatUrl:d,isOfAll:!0}:{heat:u,heatUrl:o,isOfAll:!1}}function Sf(e,t){let n=li(b.value.params),r=n!=="contexts",o=kl(Qe(e,"requests"),t,r),{data:s}=o.heat,a=s!==null&&s.all===0&&s.unknown===0,i=!r||a&&(n===null||!e.has("where")),c=kl(e,t,i);return i?{...c,unit:"contexts"}:{...o,unit:"requests"}}function Rf(e){let[t,n]=P(!1);return xe(()=>{e&&n(!0)},[e]),t}function Tf({heat:e}){let t=b.value.params.get("jvm")==="1",n=BigInt(e.t0_ns),r=n+BigInt(e.step_ns)*BigInt(e.columns.length),o=S("jvm",An(b.value,{from:n,to:r})),s=R(t?o:null,M.value);return t?l`<${Lt} answer=${s} url=${o} onClose=${()=>C({jvm:null})} />`:l`<section class="jvm-panel">
        <button class="plain" aria-expanded="false" onClick=${()=>C({jvm:"1"})}>
          ▸ <b>JVM</b> <span class="dim">heap, GC, CPU and threads in the same time</span>
        </button>
      </section>`}function Rl(){return b.value.params.get("unit")==="threads"?l`<${xl} />`:l`<${Of} />`}function Of(){let{params:e}=b.value,{from:t,to:n}=K.value,r=vf(K.value),o=Xs(b.value,r),[s,a]=P(!1),{heat:i,heatUrl:c,isOfAll:u,unit:m}=Sf(o,s),p=Rf(i.data!==null||i.problem!==null),d=G(o,{where:null,context:null}),f=S("contexts/types",d),g=R(m==="requests"||p?f:null,M.value),_=g.data?.requests??[],h=i.data&&_f(i.data,r),v=G(d,{recording:null}),w=R(p?S("recordings",v):null,M.value),k=w.data?.recordings??[],x=u||yf(e,o),O=n-t<=$f||e.get("whole")==="1"||me(e.get("box"))!==null||e.has("trace"),E=Ie(b.value),W=[{name:"services",href:j([])},{name:E===null?"all":ce(E)}],V=i.data?.all===0&&w.data!==null&&k.length===0;return l`<${ne} crumbs=${W}>
    ${i.data?l`<${wf} data=${i.data} seconds=${h} jvms=${w.data} unit=${m} />`:i.isLoading&&l`<div class="facts"><${Zr} lines=${2} /></div>`}
    <${wr} />
    <${$r}
      types=${g.data?.types??[]}
      instances=${[...new Set(k.map(Re=>Re.instance))]}
    />
    ${m==="requests"&&l`<${bl}
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
        note=${kf(i.data,x)}
        onPoint=${()=>a(!0)}
      />`}
    ${i.data&&k.length>0&&l`<${Tf} heat=${i.data} />`}
    ${p&&O&&l`<${xf}
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
  <//>`}function Pf(e,t){return[{name:"service",cell:r=>l`<b>${ce(r.service)}</b>`,sort:r=>r.service},{name:"JVMs",cell:r=>$(r.jvms),isNumber:!0,sort:r=>r.jvms},yr(({all:r,spark:o})=>{let s=o.map(i=>i!==null),a=e?Pn(BigInt(e.t0_ns),e.step_ns,s,t):1;return r/a},"of all types together"),{name:"counted",title:"requests, where the service has some",cell:r=>l`${$(r.all)} <span class="dim">${r.unit}</span>`,isNumber:!0,sort:r=>r.all},..._r(({service:r})=>r)]}function Tl(){let{from:e,to:t}=K.value,n=new URLSearchParams({from:String(e),to:String(t)}),r=S("services",n),o=R(r,M.value),s=(o.data?.services??[]).map(ci),a=l`<${q}
    label="Services"
    columns=${Pf(o.data,K.value)}
    rows=${s}
    rowKey=${u=>u.service}
    href=${u=>j(["s",u.service])}
  />`,i=o.data!==null&&s.length===0,c=l`<${D} of=${o.data} /><${U} url=${r} />`;return l`<${ne}>
    <${T}
      title="Services"
      note="by all their requests, or contexts where there are none"
      tools=${c}
      answer=${o}
    >
      ${s.length>0&&a} ${i&&l`<${Ve} />`}
    <//>
  <//>`}function Cf({columns:e,rows:t,recordings:n},r){let o=(s,a)=>s[e.indexOf(a)]??null;return t.map(s=>{let a=String(o(s,"recording")),i=e.flatMap((c,u)=>c.startsWith("attr.")&&s[u]!==null&&s[u]!==r?[`${c.slice(5)}=${s[u]}`]:[]);return{recording:a,id:String(o(s,"id")),type:String(o(s,"type")),service:n[a]?.service??"",instance:n[a]?.instance??"",thread:String(o(s,"thread")??""),start:Number(o(s,"start")),duration:Number(o(s,"duration")),blocked:Number(o(s,"blocked")),attributes:i.join(" ")}})}function Mf({rows:e,first:t}){let n=e.reduce((o,s)=>Math.max(o,s.start+s.duration),1),r=o=>`${100*o/n}%`;return l`<div class="scroll" tabindex="0" role="region" aria-label="Contexts of the trace">
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
                <a href=${Be(o.recording,o.id,t+BigInt(Math.round(o.start)))}
                  ><b>${o.service}</b></a
                >
                <small class="dim"> ${o.thread}</small>
              </td>
              <td title=${o.attributes}>
                ${te(o.type)} <small class="dim">${o.attributes}</small>
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
  </div>`}var Af=e=>e===null?"":De(BigInt(e));function Ol({of:e}){let{is_whole:t,eliminated_since:n}=e.searched,r=n===null?"":` since ${Af(n)}`;return l`<p>
      ${t?"Looked for in all chunks that are stored, and in what running JVMs have sent.":"The index does not have all chunks: loupe index --rebuild makes it whole."}
    </p>
    <p>Eliminated traces are known${r||" from now on"}.</p>`}function Lf({of:e}){return e.state==="eliminated"?l`<${I} title="Seen, and eliminated">
        Contexts of this trace came in, and nothing happened in them that the policy keeps: no event
        over its threshold, for instance. So nothing of them is stored. <${Ol} of=${e} />
      <//>`:l`<${I} title="Not seen">
        No context of this trace is known here. <${Ol} of=${e} />
      <//>`}function Pl(){let e=b.value.path[1]??"",t=S("traces/"+encodeURIComponent(e),new URLSearchParams),n=R(t,M.value),{data:r}=n,o=r?Cf(r,e):[],s=BigInt(r?.t0_ns??"0"),a=Nf(e,s,o),i=new Set(o.map(p=>p.service)).size,c=new Set(o.map(p=>p.recording)).size,u=l`<${D} of=${r} /><${Hn} trace=${e} />
    ${o.length>0&&l`<${Pe} query=${a} />`} <${U} url=${t} />`,m=o.length>0&&`${be(o.length,"context")} kept, ${be(i,"service")}, ${be(c,"JVM")}, from ${De(s)}`;return l`<${ne} crumbs=${[{name:`trace ${e}`}]}>
    <${T} title="Trace" note=${m} tools=${u} answer=${n}>
      ${o.length>0&&l`<${Mf} rows=${o} first=${s} />`}
      ${r&&o.length===0&&l`<${Lf} of=${r} />`}
    <//>
    ${o.length>0&&l`<${Nt} query=${a} tick=${M.value} />
        <${Me} query=${a} tick=${M.value} />`}
  <//>`}function Nf(e,t,n){let r=n.reduce((s,a)=>Math.max(s,a.start),0),o=t+BigInt(Math.ceil(r))+1n;return new URLSearchParams({trace:e,from:String(t),to:String(o)})}var Cl=300000000000n,Ef=100,It=({t0_ns:e})=>BigInt(e),Uf={parts:"something happened in its contexts",event:"something happened in it",slow:"it was slow",slowest:"it was among the slowest of its route",rare:"its route is rare",condition:"its attributes",open:"it was open when a chunk ended"};function Ml(e){let t=new URLSearchParams({unit:"requests",recording:e.recording});return t.set("request",e.id),t.set("from",String(It(e))),t.set("to",String(It(e)+1n)),t}function Al(e,t){return e.set("from",String(t-Cl)),e.set("to",String(t+Cl)),e}function If(e,t){let n=new URLSearchParams({unit:"requests",service:t,context:e.type}),r=pn.find(o=>typeof e.attributes[o]=="string");return r!==void 0&&n.set("where",`${r}=${e.attributes[r]}`),Al(n,It(e))}function Bf(e){let t=Ml(e);return b.value.params.get("base")==="rest"?(t.set("base","rest"),t.set("context",e.type),Al(t,It(e))):t}function Df({request:e,jvm:t}){let{busy:n,queued:r,elsewhere:o,part_count:s,threads:a,state:i}=e,u=[[n,"threads worked for it"],[r,"queued"],[o,"elsewhere"]].filter(([m])=>m>0).map(([m,p])=>`${p} ${y(m)}`);return l`<dl class="kv">
    <${pr} of=${e.attributes} />
    <${fr} at=${It(e)} />
    <dt>time</dt>
    <dd>
      ${u.join(", ")}${i==="over"?"":l` <span class="missing">${i}</span>`}
    </dd>
    <dt>parts</dt>
    <dd>${be(s,"context")} on ${be(a.length,"thread")}</dd>
    <dt>kept</dt>
    <dd>${Uf[e.kept_by]??e.kept_by}</dd>
    <${dr} recording=${e.recording} jvm=${t} />
  </dl>`}function Hf({request:e,jvm:t}){let n=t&&S("why",If(e,t.service)),r=R(n,M.value).data,o=r!==null&&r.requests>1;return l`<${T}
    title=${`Why ${y(e.duration)}`}
    note=${o?`beside ${$(r.requests)} like it`:""}
    className="why-panel"
  >
    <${cn} of=${e.why} base=${o?r:null} against="like it" />
  <//>`}function Ff({of:e}){return l`<${T} title="Hand-overs" note=${$(e.length)}>
    <${q}
      label="Hand-overs"
      rows=${e}
      rowsMax=${Ef}
      rowKey=${t=>`${t.from} ${t.to} ${t.start} ${t.duration}`}
      columns=${[{name:"after",cell:t=>"+"+y(t.start)},{name:"from",cell:t=>t.from,className:"name"},{name:"to",cell:t=>t.to,className:"name"},{name:"waited",title:"until a thread took the task",cell:t=>l`<b>${y(t.duration)}</b>`,isNumber:!0,sort:t=>t.duration}]}
    />
  <//>`}function jf({request:e,jvm:t}){let n=It(e),r=zi(e),o=L(()=>qi(e),[e]),s=L(()=>un(e),[e]),a=(i,{id:c,start:u})=>c===null?null:Be(i.recording,c,n+BigInt(Math.round(u)));return l`<${T}
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
    ${e.hand_overs.length>0&&l`<${Ff} of=${e.hand_overs} />`}
    <${Me} query=${Bf(e)} tick=${M.value} />
    <${T} title="Events" note=${$(s.length)}>
      ${s.length>0?l`<${Ot}
              items=${s}
              since=${n}
              service=${t?.service??null}
              label="Events of the request"
            />`:l`<${I} title="No events are kept of it" />`}
    <//>`}function Ll(){let{path:e,params:t}=b.value,[,n="",r=""]=e,o=t.get("at"),s=["requests",n,r].map(encodeURIComponent).join("/"),a=S(s,new URLSearchParams,{from:o}),i=R(a,M.value),c=R(S(`recordings/${encodeURIComponent(n)}`,new URLSearchParams)).data,u=i.data,m=u?`${te(u.type)}, ${y(u.duration)}`:r,p=l`<${D} of=${u} />
    ${u&&l`<${Pe} query=${Ml(u)} />`} <${U} url=${a} />`;return l`<${ne} crumbs=${hr(c,m)}>
    ${u?l`<div class="two">
              <${T}
                title=${te(u.type)}
                note=${y(u.duration)}
                tools=${p}
                answer=${i}
              >
                <${Df} request=${u} jvm=${c} />
              <//>
              <${Hf} request=${u} jvm=${c} />
            </div>
            <${jf} request=${u} jvm=${c} />`:l`<${T} title="Request" note=${r} tools=${p} answer=${i} />`}
  <//>`}function qf([e]){switch(e){case void 0:return Tl;case"c":return Qi;case"e":return Aa;case"q":return Ll;case"r":return ii;case"s":return Rl;case"t":return Pl;default:return Na}}var Wf={s:"all services",e:"events",r:"recordings"};function Jf(){let{path:e}=b.value;return de.value===null?null:de.value.is_needed&&de.value.identity===null?l`<${La} />`:l`<${qf(e)} key=${e.join("/")} /> <${na} />`}Ss();Ws();Vs();Ds();Es();ta();ke(()=>{let{path:e}=b.value,[t,...n]=e,r=n.length===0?Wf[t??""]??t:ce(n.at(-1));document.title=[...r===void 0?[]:[r],"Loupe"].join(" \xB7 ")});rs(l`<${Jf} />`,document.body);})();
