import type { CellResult } from './simulate.ts';
import { markdown } from './table.ts';

export const guidePage = new URL('../../docs/guide/how-often-wrong.md', import.meta.url);

interface Row {
  readonly what: string;
  readonly table: RegExp;
  readonly column: string;
}

const CALLED: readonly Row[] = [
  { what: 'independent cases', table: /^the same agent$/, column: 'regression' },
  { what: 'groups, declared', table: /^the same agent, groups declared$/, column: 'regression' },
  { what: 'groups, **not declared**', table: /^the same agent, groups not declared$/, column: 'regression' },
  { what: '5% of repeats unjudged, at random', table: /5% unjudged/, column: 'regression' },
  { what: 'half of the failures of the first run unjudged', table: /first failures unjudged/, column: 'regression' },
  { what: '10% of cases missing in each run', table: /cases missing/, column: 'regression' },
  { what: '20 criteria, of which up to 10 improve', table: /^20 criteria$/, column: 'regression' },
  { what: 'the provider shifts every case by 2 points, up or down', table: /shifted by 2/, column: 'regression' },
  { what: 'the provider shifts every case by 4 points, up or down', table: /shifted by 4/, column: 'regression' },
  { what: '5% of repeats unjudged: cannot tell', table: /5% unjudged/, column: 'cannot tell' },
];

const COVERED: readonly Row[] = [
  { what: 'pass rate', table: /^intervals of rates$/, column: 'rate covers' },
  { what: 'pass rate, in groups', table: /^intervals of rates, in groups$/, column: 'rate covers' },
  { what: 'pass^k', table: /^intervals of rates$/, column: 'pass^k covers' },
  { what: 'pass^k, in groups', table: /^intervals of rates, in groups$/, column: 'pass^k covers' },
  { what: 'mean of a criterion', table: /^intervals of means$/, column: 'mean covers' },
  { what: 'change between two runs', table: /^(the same agent|a drop, (all|half|some))$/, column: 'covers these' },
  { what: 'change between two runs, in groups', table: /groups declared$/, column: 'covers like these' },
];

/** Returns the section of the guide about the simulations, with their recorded results. */
export function guideSection(results: readonly CellResult[]): string {
  const rows = (all: readonly Row[]) =>
    all.map(({ what, table, column }) => {
      const values = results.flatMap((one) => {
        const own = one.columns[column];
        return table.test(one.table) && own !== undefined && own.of > 0 ? [own.mean] : [];
      });
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return [
        what,
        `${values.length}`,
        percent(mean),
        `${percent(Math.min(...values))} to ${percent(Math.max(...values))}`,
      ];
    });
  const draws = results.reduce((sum, one) => sum + one.draws, 0);
  return [
    `${draws.toLocaleString('en-US')} comparisons and runs were simulated.`,
    '**Two runs of one agent, called a regression**',
    markdown(['setting', 'sizes', 'on average', 'from size to size'], rows(CALLED)),
    '**Intervals that contain the true number**, of 95% that are claimed',
    markdown(['interval of', 'settings', 'on average', 'from setting to setting'], rows(COVERED)),
    `**Announced power**: ${announcedText(results)}`,
  ].join('\n\n');
}

function announcedText(results: readonly CellResult[]): string {
  const gaps = results.flatMap(({ table, columns }) => {
    const [announced, found] = [columns.announced, columns.found];
    if (announced === undefined || found === undefined || /run once$|ran once$/.test(table)) return [];
    return [announced.mean - found.mean];
  });
  const mean = gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / gaps.length;
  return `in ${gaps.length} settings, the announced chance of finding a fall was ${points(mean)} from the true one on average.`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function points(share: number): string {
  return `${(share * 100).toFixed(1)} points`;
}

const [START, END] = ['<!-- simulated: pnpm simulate --write -->', '<!-- end of what is simulated -->'];

/** Returns the page with its section replaced. */
export function pageWith(page: string, section: string): string {
  const [from, to] = [page.indexOf(START), page.indexOf(END)];
  if (from === -1 || to === -1) throw new Error(`The page lacks ${START} or ${END}.`);
  return `${page.slice(0, from + START.length)}\n\n${section}\n\n${page.slice(to)}`;
}
