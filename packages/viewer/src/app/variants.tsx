import type { RunInfo } from '@agent-criteria/results';
import type { PageIndex } from '../page-data.ts';
import { count, scoreText, visible } from './format.ts';
import { type Column, cellOf, type PlacedRow } from './select-cases.ts';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

/** The results of several agents. */
export function VariantOutcomes({ info }: { readonly info: RunInfo }) {
  return (
    <ul class="variant-outcomes" aria-label="Variants">
      {info.variants?.map(({ name, summary: { verdict, verdicts, total } }) => (
        <li key={name}>
          <VerdictIcon verdict={verdict} />
          <span>
            <b>{visible(name)}</b>: {verdicts.passed.toLocaleString('en')} of {count(total, 'case')} passed
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A variant's cell in a case's row. */
export function VariantCell(props: {
  readonly placed: PlacedRow | undefined;
  readonly name: string;
  readonly columns: readonly Column[];
  hrefOf(row: PlacedRow): string;
}) {
  const { placed, name, columns } = props;
  const label = (
    <i class="name" title={visible(name)}>
      {visible(name)}
    </i>
  );
  if (placed === undefined) {
    return (
      <span role="cell" class="score none">
        {label}
        <span class="number">–</span>
      </span>
    );
  }
  const { verdict } = placed.row;
  return (
    <span role="cell" class={`score variant ${verdict}`}>
      {label}
      <a class="number" href={props.hrefOf(placed)} title={scoreList(placed, columns).join('\n')}>
        <VerdictIcon verdict={verdict} />
        {VERDICT_WORDS[verdict]}
      </a>
      <small>{scores(placed, columns).join(' · ')}</small>
    </span>
  );
}

/** Links to the other variants of a case. */
export function VariantLinks(props: {
  readonly index: PageIndex;
  readonly opened: PlacedRow;
  readonly columns: readonly Column[];
  hrefOf(variant: string): string;
}) {
  const { index, opened, columns } = props;
  const names = index.info.variants?.map(({ name }) => name) ?? [];
  return (
    <nav class="tabs variants" aria-label="Variants">
      {opened.variants?.map((placed) => {
        const name = names[placed.row.variant ?? -1] ?? '';
        const { verdict } = placed.row;
        return (
          <a
            key={name}
            href={props.hrefOf(name)}
            aria-current={placed.place === opened.place ? 'page' : undefined}
            title={scoreList(placed, columns).join('\n')}
          >
            <VerdictIcon verdict={verdict} />
            <span class="unseen">{VERDICT_WORDS[verdict]}: </span>
            <bdi>{visible(name)}</bdi>
            <small>{scores(placed, columns).join(' · ')}</small>
          </a>
        );
      })}
    </nav>
  );
}

function scores(placed: PlacedRow, columns: readonly Column[]): readonly string[] {
  return columns.flatMap((column) => {
    const cell = cellOf(placed.row, column);
    if (cell === undefined) return [];
    const [verdict, score] = cell;
    return [scoreText(score, column.threshold ?? null, verdict === 'passed' ? column.range : null)];
  });
}

function scoreList(placed: PlacedRow, columns: readonly Column[]): readonly string[] {
  const told = columns.filter((column) => cellOf(placed.row, column) !== undefined);
  return scores(placed, told).map((score, place) => `${visible(told[place]?.name ?? '')} ${score}`);
}
