import type { OpinionsEvidence } from '@agent-criteria/core';
import { seemsMarkdown } from '../seems-markdown.ts';
import { AnswerText } from './answer-text.tsx';
import { count, visible } from './format.ts';
import { Fold, Some } from './json-tree.tsx';
import { LongText, Prose } from './long-text.tsx';

/** The opinions in each of a judge's samples. */
export function Opinions({ of }: { readonly of: OpinionsEvidence }) {
  const { samples } = of;
  const failed = samples.filter(({ failure }) => failure !== undefined).length;
  return (
    <Fold
      class="evidence opinions"
      summary={() => `Opinions of ${count(samples.length, 'sample')}${failed > 0 ? `, ${failed} without one` : ''}`}
    >
      {() => (
        <ol>
          <Some items={samples}>{(sample, place) => <SampleView key={place} sample={sample} of={of} />}</Some>
        </ol>
      )}
    </Fold>
  );
}

type Sample = OpinionsEvidence['samples'][number];

function SampleView(props: { readonly sample: Sample; readonly of: OpinionsEvidence }) {
  const { sample, model, from, opinions, failure } = props.sample;
  const { prompt, questions } = props.of;
  return (
    <li>
      <p>
        <b>Sample {sample + 1}</b>{' '}
        <small>
          {model !== undefined && <code>{visible(model)}</code>} {prompt !== undefined && <>by {visible(prompt)}</>}
          {from !== undefined && from !== 'live' && <>, from {visible(from)}</>}
        </small>
      </p>
      {failure !== undefined && <Prose class="missing could-not-judge" text={`No opinion: ${failure}`} />}
      <Some items={opinions}>
        {(opinion, place) => <OpinionView key={place} opinion={opinion} named={questions.length > 1} />}
      </Some>
    </li>
  );
}

/** An opinion on one question. `named` is whether to show the question. */
function OpinionView(props: { readonly opinion: Sample['opinions'][number]; readonly named: boolean }) {
  const { opinion, named } = props;
  const question = named && <span class="part-kind">{visible(opinion.question)} </span>;
  if ('unreadable' in opinion)
    return (
      <p class="opinion missing could-not-judge" dir="auto">
        {question}No opinion: {opinion.unreadable}
      </p>
    );
  const { label, rationale, countedAs } = opinion;
  return (
    <div class="opinion" dir="auto">
      {question}
      <b class="label">{visible(label)}</b>
      {countedAs === null && ' (not counted)'}
      {rationale !== undefined &&
        (seemsMarkdown(rationale) ? (
          <AnswerText text={rationale} />
        ) : (
          <>
            : <LongText text={rationale} />
          </>
        ))}
    </div>
  );
}
