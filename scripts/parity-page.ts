import { existsSync, readdirSync } from 'node:fs';
import {
  type AdkDifference,
  adkDifferences,
  honestDifferences,
  refusedInputs,
} from '../packages/core/adk-differences.ts';
import type { Entry } from '../test/golden-rows/ledger.ts';
import { goldenRowsSection } from './golden-rows-section.ts';

const root = new URL('..', import.meta.url);

/**
 * The parity page: core's differences, those of each package of criteria, what is never switched off, and which golden rows
 * were held against all of that.
 */
export async function parityPage(entries: readonly Entry[]): Promise<string> {
  const sections: string[] = [];
  const honest = [...honestDifferences];
  for (const name of readdirSync(new URL('packages', root)).toSorted()) {
    const file = new URL(`packages/${name}/adk-differences.ts`, root);
    if (name === 'core' || !existsSync(file)) continue;
    const module: { adkDifferences: readonly AdkDifference[]; honestDifferences?: typeof honestDifferences } =
      await import(file.href);
    honest.push(...(module.honestDifferences ?? []));
    // What core does for every criterion is said once.
    const own = module.adkDifferences.filter((line) => !adkDifferences.some((shared) => shared.id === line.id));
    sections.push(`### @agent-criteria/${name}\n\n${tableA(own)}`);
  }
  return `# Parity with ADK Python

Written by \`pnpm parity\`: where and why the numbers of agent-criteria differ from those of ADK Python, and which rows recorded
from its code prove the rest.

## A. Numbers

Switched by \`compat: 'adk'\` (\`--compat adk\`); default off. Compat changes numbers, never honesty.

### Every criterion

${tableA(adkDifferences)}

${sections.join('\n\n')}

## B. Honesty

Never switched off.

| line | what | ADK Python | agent-criteria | why |
| --- | --- | --- | --- | --- |
${honest.map((line) => `| \`${line.id}\` | ${line.title} | ${line.adk} | ${line.ours} | ${line.reason} |`).join('\n')}

## Results that ADK recorded

\`score --from\` judges a result file of ADK again and names these lines where its scores differ. A result does not hold the scenario
of a simulated conversation or an expected final session state: what needs them is left out there. A metric that ADK has as NOT_EVALUATED
has no reason in the file. \`test/recorded-results.test.ts\` makes result files of the golden rows of whole evaluations: with
\`--compat adk\` every score is ADK's, and without it every difference has its line.

## Not to be told apart

Integers beyond 2^53 are read as doubles: two that differ in Python can be equal here. The loader warns of each, with its path.

## Read by Python, refused here

Each is an error before the run, with its place.

| what | why |
| --- | --- |
${refusedInputs.map(({ what, reason }) => `| ${what} | ${reason} |`).join('\n')}

Comments are not refused: keys that begin with \`_\`, and \`description\`, are left out of configs with a warning, as in ADK.

${goldenRowsSection(entries)}`;
}

function tableA(lines: readonly AdkDifference[]): string {
  const rows = lines.map(
    (line) => `| \`${line.id}\` | ${line.title} | ${line.default} | ${line.compat} | ${line.reason} |`,
  );
  return ['| line | what | default | compat | why |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}
