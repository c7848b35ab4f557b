import { type Invocation, intermediateTexts } from '@agent-criteria/core';
import type { ComponentChildren } from 'preact';
import { alignTexts, type SaidRow } from '../align-texts.ts';
import { diffWords } from '../word-diff.ts';
import { visible } from './format.ts';
import { Some } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { Marked } from './marked.tsx';

/** Expected intermediate texts next to the actual ones, if any are expected. */
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

function isSame({ expected, said }: SaidRow): boolean {
  return expected !== null && said !== null && expected.text === said.text && expected.author === said.author;
}

function SaidLine({ row }: { readonly row: SaidRow }) {
  const { expected, said } = row;
  if (isSame(row)) return <Side name="Expected and actual" by={said} />;
  const diff = expected !== null && said !== null ? diffWords(expected.text, said.text) : null;
  return (
    <div class="columns">
      <Side name="Expected" by={expected}>
        {diff !== null && <Marked pieces={diff.before} as="del" />}
      </Side>
      <Side name="Actual" by={said}>
        {diff !== null && <Marked pieces={diff.after} as="ins" />}
      </Side>
    </div>
  );
}

function Side(props: {
  readonly name: string;
  readonly by: SaidRow['said'];
  /** The text with its differences marked; `false` for plain text. */
  readonly children?: ComponentChildren;
}) {
  const { name, by, children = false } = props;
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
        <div class="text" dir="auto">
          {children === false ? <LongText text={by.text} /> : children}
        </div>
      )}
    </section>
  );
}
