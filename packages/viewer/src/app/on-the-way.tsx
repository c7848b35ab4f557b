import { type Invocation, intermediateTexts } from '@agent-criteria/core';
import { alignTexts, isSame, type SaidRow } from '../align-texts.ts';
import { diffWords, type Piece } from '../word-diff.ts';
import { visible } from './format.ts';
import { Some } from './json-tree.tsx';
import { TextBlock } from './long-text.tsx';

/** Expected intermediate texts next to the actual ones. Empty if none are expected. */
export function OnTheWay(props: {
  readonly actual: Invocation | undefined;
  readonly expected: Invocation | undefined;
}) {
  const due = props.expected === undefined ? [] : intermediateTexts(props.expected);
  if (due.length === 0) return null;
  const rows = alignTexts(due, props.actual === undefined ? [] : intermediateTexts(props.actual));
  return (
    <section class="on-the-way">
      <h4>
        Intermediate texts <small>{rows.every(isSame) ? 'as expected' : 'expected next to actual'}</small>
      </h4>
      <Some items={rows}>{(row, place) => <SaidLine key={place} row={row} />}</Some>
    </section>
  );
}

function SaidLine({ row }: { readonly row: SaidRow }) {
  const { expected, said } = row;
  if (isSame(row)) return <Side name="Expected and actual" by={said} />;
  const diff = expected !== null && said !== null ? diffWords(expected.text, said.text) : null;
  return (
    <div class="columns">
      <Side name="Expected" by={expected} pieces={diff?.before} as="del" />
      <Side name="Actual" by={said} pieces={diff?.after} />
    </div>
  );
}

function Side(props: {
  readonly name: string;
  readonly by: SaidRow['said'];
  /** The text with its differences marked. Default: plain text. */
  readonly pieces?: readonly Piece[] | undefined;
  readonly as?: 'del';
}) {
  const { name, by, pieces, as = 'ins' } = props;
  return (
    <section class="side-text">
      <h5>
        {name}
        {by !== null && (
          <>
            {' '}
            <bdi>{visible(by.author)}</bdi>
          </>
        )}
      </h5>
      {by === null ? (
        <p class="nothing">Nothing was {name === 'Expected' ? 'expected' : 'said'} here.</p>
      ) : (
        <TextBlock text={by.text} pieces={pieces} as={as} />
      )}
    </section>
  );
}
