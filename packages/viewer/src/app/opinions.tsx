import type { SampleOpinions } from '../opinions.ts';
import { count, visible } from './format.ts';
import { Fold, Some } from './json-tree.tsx';
import { LongText } from './long-text.tsx';

/** What each sample of a judge said, to be unfolded. */
export function Opinions({ samples }: { readonly samples: readonly SampleOpinions[] }) {
  const failed = samples.filter(({ failure }) => failure !== undefined).length;
  return (
    <Fold
      class="evidence opinions"
      summary={() => `Opinions of ${count(samples.length, 'sample')}${failed > 0 ? `, ${failed} without one` : ''}`}
    >
      {() => (
        <ol>
          <Some items={samples}>{(sample, place) => <Sample key={place} of={sample} />}</Some>
        </ol>
      )}
    </Fold>
  );
}

function Sample({ of }: { readonly of: SampleOpinions }) {
  const { sample, model, prompt, from, opinions, failure } = of;
  return (
    <li>
      <p>
        <b>Sample {sample + 1}</b>{' '}
        <small>
          {model !== undefined && <code>{visible(model)}</code>} {prompt !== undefined && <>by {visible(prompt)}</>}
          {from !== undefined && from !== 'live' && <>, from {visible(from)}</>}
        </small>
      </p>
      {failure !== undefined && (
        <p class="missing could-not-judge" dir="auto">
          No opinion: {failure}
        </p>
      )}
      <Some items={opinions}>
        {({ item, label, rationale }, place) => (
          <p key={place} class="opinion" dir="auto">
            {opinions.length > 1 && <span class="part-kind">{visible(item)} </span>}
            <b class="label">{visible(label)}</b>
            {rationale !== undefined && (
              <>
                : <LongText text={rationale} />
              </>
            )}
          </p>
        )}
      </Some>
    </li>
  );
}
