import * as r from '@agent-criteria/report';
import { largeRun } from '/work/main/packages/report/src/__fixtures__/shapes.ts';

const which = process.argv[2]!;
for (const n of [10_000, 100_000]) {
  const t = Date.now();
  let bytes = 0;
  let peak = 0;
  let k = 0;
  for await (const c of (r.reporters as any)[which].write(largeRun(n))) {
    bytes += c.length;
    if (++k % 5000 === 0) {
      globalThis.gc?.();
      peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
  }
  globalThis.gc?.();
  console.log(
    which,
    n,
    Date.now() - t,
    'ms',
    (bytes / 1e6).toFixed(1),
    'MB',
    'peak heap',
    (Math.max(peak, process.memoryUsage().heapUsed) / 1e6).toFixed(1),
  );
}
