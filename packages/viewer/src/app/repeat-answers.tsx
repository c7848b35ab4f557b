import type { RunCase } from '@agent-criteria/results';
import { type DistinctAnswer, distinctAnswers } from '../distinct-answers.ts';
import { AnswerText } from './answer-text.tsx';
import { count, visible } from './format.ts';
import { Fold, Some } from './json-tree.tsx';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

/** The distinct answers of a repeated case, each with the repeats that gave it. */
export function RepeatAnswers(props: {
  readonly one: RunCase;
  /** The selected repeat. */
  readonly chosen: number;
  choose(repeat: number): void;
}) {
  const { one, chosen, choose } = props;
  const answers = distinctAnswers(one);
  const { units } = one.result;
  const passed = units.filter(({ verdict }) => verdict === 'passed').length;
  return (
    <Fold
      class="repeat-answers"
      summary={(open) => (
        <>
          <b>
            {passed}/{units.length} passed, {count(answers.length, 'distinct answer')}
          </b>
          {!open && <span class="preview"> {answers.slice(0, 5).map(brief).join(' · ')}</span>}
        </>
      )}
    >
      {() => (
        <ol>
          <Some items={answers} step={10}>
            {({ texts, repeats }) => (
              <li key={repeats[0]} class={repeats.includes(chosen) ? 'chosen' : ''}>
                <b class="times" title={count(repeats.length, 'repeat')}>
                  {repeats.length} ×
                </b>
                <div dir="auto">
                  {texts.map((text, place) =>
                    text === '' ? (
                      <p key={place}>
                        <i class="nothing">No answer</i>
                      </p>
                    ) : (
                      <AnswerText key={place} text={text} most={300} />
                    ),
                  )}
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
      )}
    </Fold>
  );
}

function brief({ texts, repeats }: DistinctAnswer): string {
  const text = texts.join(' ').replace(/\s+/g, ' ').trim();
  return `${repeats.length} × ${text === '' ? 'no answer' : `“${visible(text.slice(0, 80))}${text.length > 80 ? '…' : ''}”`}`;
}
