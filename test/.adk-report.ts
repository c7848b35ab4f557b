import * as r from '@agent-criteria/report';
import { hostileRun } from '/work/main/packages/report/src/__fixtures__/hostile.ts';
import { runOfAll } from '/work/main/packages/report/src/__fixtures__/shapes.ts';

await r.writeAdkResults(runOfAll(), '/tmp/adkout');
await r.writeAdkResults(hostileRun('\ud800<\u0000"\\\n\ufffe'), '/tmp/adkout');
await r.writeReport(hostileRun('\ud800<\u0000"\\\n\r\t]]>&amp;\ufffe'), 'junit', '/tmp/adkout/x.xml');
