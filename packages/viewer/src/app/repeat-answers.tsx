import type { RunCase } from '@agent-criteria/results';
import { distinctAnswers } from '../distinct-answers.ts';
import { count } from './format.ts';
import { Some } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

/** The answers of a case that ran several times, each once, with the repeats that gave it. */
export function RepeatAnswers(props: {
  readonly one: RunCase;
  /** The repeat that is shown. */
  readonly chosen: number;
  choose(repeat: number): void;
}) {
  const { one, chosen, choose } = props;
  const answers = distinctAnswers(one);
  const { units } = one.result;
  const passed = units.filter(({ verdict }) => verdict === 'passed').length;
  return (
    <section class="repeat-answers" aria-labelledby="repeats-title">
      <h3 id="repeats-title">
        {passed}/{units.length} passed, {count(answers.length, 'distinct answer')}
      </h3>
      <ol>
        <Some items={answers} step={10}>
          {({ texts, repeats }) => (
            <li key={repeats[0]} class={repeats.includes(chosen) ? 'chosen' : ''}>
              <b class="times" title={count(repeats.length, 'repeat')}>
                {repeats.length} ×
              </b>
              <div class="text" dir="auto">
                {texts.map((text, place) => (
                  <p key={place}>
                    {text === '' ? <i class="nothing">No answer</i> : <LongText text={text} most={300} />}
                  </p>
                ))}
              </div>
              <span class="which">
                <Some items={repeats} step={20}>
                  {(repeat) => {
                    const verdict = units.find((unit) => unit.repeat === repeat)?.verdict;
                    return (
                      <button
                        type="button"
                        key={repeat}
                        aria-pressed={repeat === chosen}
                        title={verdict && VERDICT_WORDS[verdict]}
                        onClick={() => choose(repeat)}
                      >
                        <VerdictIcon verdict={verdict} />
                        <span class="unseen">{verdict && VERDICT_WORDS[verdict]}: show repeat</span> {repeat + 1}
                      </button>
                    );
                  }}
                </Some>
              </span>
            </li>
          )}
        </Some>
      </ol>
    </section>
  );
}
