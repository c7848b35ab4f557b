import { writtenPercent } from '@agent-criteria/analysis/text';
import type { PreparedRun } from '@agent-criteria/project';
import { asks, type EstimatedCalls, estimateCalls, type Span } from '@agent-criteria/project/plan';
import { fitTable, safe } from '@agent-criteria/report/terminal';
import { formatCost } from '@agent-criteria/results/text';
import { type Io, painter } from './io.ts';
import { printJson } from './print.ts';

/** Prints an estimate of the judges' calls without running anything. Returns the exit code. */
export async function dryRun(prepared: PreparedRun, json: boolean, io: Io): Promise<number> {
  const { rows, total, budget } = await estimateCalls(prepared);
  const asking = rows.filter(asks);
  const { repeats, auto } = prepared;
  const led = rows.some(({ role }) => role === 'user');
  if (json) {
    const [users = [], tools = [], criteria = []] = (['user', 'tool', 'criterion'] as const).map((one) =>
      rows.filter(({ role }) => role === one),
    );
    const simulated = tools.length === 0 ? {} : { tools };
    const times = auto === undefined ? {} : { repeats: { most: repeats, ...auto } };
    printJson({ criteria, users, ...simulated, total, budget, simulatedUsers: led, ...times }, io);
    return 0;
  }
  const { dim, bold } = painter(io);
  if (asking.length === 0) io.out('No criterion asks a model: judging makes no calls and costs nothing.\n');
  else {
    const header = ['eval set', 'criterion', 'model', 'calls', 'tokens', 'cost'].map((text) => ({ text, paint: dim }));
    const cells = asking.map((row) => [
      ...[safe(row.set), safe(row.criterion), row.models.map(safe).join(', ')].map((text) => ({ text })),
      ...figures(row).map((text) => ({ text })),
    ]);
    const sums = ['', 'all', '', ...figures(total)].map((text) => ({ text, paint: bold }));
    io.out(`${fitTable([header, ...cells, ...(asking.length > 1 ? [sums] : [])], io.width.out)}\n`);
    io.out('From the fewest calls that can decide to all samples, without retries; cached answers cost nothing.\n');
    if (total.cost === null)
      io.out('Costs are unknown: set a price for every model under "prices" in agent-criteria.config.\n');
  }
  if (auto !== undefined)
    io.out(
      `Each case runs up to ${repeats} times: it stops as soon as it is clear whether it passes at least ${writtenPercent(auto.casePassRate)} of the time.\n`,
    );
  if (led)
    io.out(
      'Simulated users make one call for every message but the first, up to max_allowed_invocations of their config.\n',
    );
  if (rows.some(({ role }) => role === 'tool'))
    io.out(
      'Simulated tools make one call for every call of the agent to them, and one for each case to see how its tools are connected.\n',
    );
  io.out('Nothing was run. Calls that the agent itself makes are not counted.\n');
  return 0;
}

function figures({ calls, tokens, cost }: Pick<EstimatedCalls, 'calls' | 'tokens' | 'cost'>): string[] {
  return [spanText(calls, count), spanText(tokens, count), spanText(cost, formatCost)];
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** Formats a range as `24`, `6 to 10` or `unknown`. */
export function spanText(span: Span | null, figure: (value: number) => string = count): string {
  if (span === null) return 'unknown';
  const [min, max] = [figure(span.min), figure(span.max)];
  return min === max ? min : `${min} to ${max}`;
}
