(function(r){if(!r)return;
var f=r.querySelector('input.filter'),b=r.querySelector('tbody');
if(f&&b)f.addEventListener('input',function(){var w=f.value.toLowerCase().split(/\s+/);
for(var t of b.rows){var x=t.textContent.toLowerCase();t.hidden=!w.every(function(v){return x.includes(v)})}});
r.querySelectorAll('th').forEach(function(h,i){h.addEventListener('click',function(){
var up=h.dataset.up!=='1';h.dataset.up=up?'1':'0';
var k=function(t){var c=t.cells[i],v=c.dataset.k||c.textContent,n=parseFloat(v);return isNaN(n)?v:n};
Array.from(b.rows).sort(function(p,q){var a=k(p),c=k(q);return (a>c?1:a<c?-1:0)*(up?1:-1)})
.forEach(function(t){b.appendChild(t)})})});
var on=[];r.addEventListener('mouseover',function(e){var v=e.target.dataset&&e.target.dataset.v;
on.forEach(function(x){x.classList.remove('on')});on=[];if(!v)return;
on=Array.from(r.querySelectorAll('[data-v="'+v+'"]'));on.forEach(function(x){x.classList.add('on')});
if(on.length)e.target.title=on[0].parentElement.textContent.trim().slice(0,300)});
var m=r.querySelector('.more');if(m)m.addEventListener('click',async function(){
var z=Uint8Array.from(atob(m.dataset.z),function(c){return c.charCodeAt(0)});
var s=new Blob([z]).stream().pipeThrough(new DecompressionStream('deflate'));
var h=await new Response(s).text();m.parentElement.querySelector('.ir').innerHTML=h;m.remove()});
})(document.getElementById('ROOT'));
