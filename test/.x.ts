import * as r from '@agent-criteria/report';
import { hostileRun } from '/work/main/packages/report/src/__fixtures__/hostile.ts';
for (const t of ['__proto__', 'constructor', 'prototype']) {
try { let s=''; for await (const c of r.adkResults(hostileRun(t))) s += c; console.log(s.length); } catch (e) { console.log(String(e).slice(0, 300)); } }
