import { PlainTurn, visible } from '@agent-criteria/viewer/views';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ThingToLabel } from '../../api.ts';
import { Problem } from '../answer.tsx';
import { Button } from '../button.tsx';
import { useStudioKeys } from '../keys.ts';
import { Agreement } from './agreement.tsx';
import { type LabellingOptions, useLabelling } from './use-labelling.ts';

/** Shows one item after another for a person to label. */
export function Labelling(props: LabellingOptions) {
  const { run, kind } = props;
  const labelling = useLabelling(props);
  const { thing, here, reason, setReason, problem, round, heading, trail, give, forward, back } = labelling;
  const next = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const skip = () => (here !== null && here.own === null ? forward() : undefined);
  const isLabelled = here !== null && here.own !== null;
  // Focuses the button before the next key can be pressed.
  useLayoutEffect(() => {
    if (isLabelled) next.current?.focus({ preventScroll: true });
  }, [here?.at, isLabelled]);

  useStudioKeys({
    p: () => void give('pass'),
    f: () => void give('fail'),
    s: () => void skip(),
    u: () => void give(null),
    b: () => void back(),
    n: () => void (isLabelled ? forward() : undefined),
    r: () => field.current?.focus(),
  });

  const labelled = here?.labelled ?? kind.labelled;
  return (
    <>
      <Problem text={problem} />
      {thing === null && problem === undefined && <p class="note">Looking for what comes next…</p>}
      {thing === 'done' && (
        <section class="label-done">
          <h2 ref={heading} tabIndex={-1}>
            All {kind.things.toLocaleString('en')} have your label.
          </h2>
          {trail.length > 0 && <Button text="Back" shortcut="b" onClick={() => void back()} />}
        </section>
      )}
      {here !== null && (
        <>
          <Thing thing={here} heading={heading} />
          <section class="label-panel" aria-label="Your label">
            <p class="label-question" dir="auto">
              <b>{visible(kind.rubric ?? kind.criterion ?? 'The whole case')}</b>: {visible(here.question)}
            </p>
            {here.own === null ? (
              <div class="label-keys">
                <label class="label-reason">
                  <span class="unseen">Reason (optional)</span>
                  <input
                    ref={field}
                    type="text"
                    dir="auto"
                    maxLength={10_000}
                    placeholder="Reason, if you like; then pass or fail"
                    value={reason}
                    onInput={(event) => setReason(event.currentTarget.value)}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' || event.isComposing) return;
                      event.preventDefault();
                      heading.current?.focus({ preventScroll: true });
                    }}
                  />
                </label>
                <Button text="Pass" shortcut="p" class="say passed" onClick={() => void give('pass')} />
                <Button text="Fail" shortcut="f" class="say failed" onClick={() => void give('fail')} />
                <Button text="Skip" shortcut="s" onClick={() => void skip()} />
                <Button text="Back" shortcut="b" disabled={trail.length === 0} onClick={() => void back()} />
              </div>
            ) : (
              <>
                <p role="status" class="label-said">
                  <span>
                    You: <b>{here.own.label}</b>
                    {here.own.reason !== null && <bdi>: {visible(here.own.reason)}</bdi>}
                  </span>
                  <span class={here.judge?.verdict === here.own.label ? 'same' : 'different'}>
                    {here.judge === null ? (
                      'No verdict of the run'
                    ) : (
                      <>
                        {kind.judged ? 'Judge' : kind.criterion === null ? 'Run' : 'Criterion'}:{' '}
                        <b>{here.judge.verdict}</b>
                        {here.judge.reason !== null && <bdi>: {visible(here.judge.reason)}</bdi>}
                      </>
                    )}
                  </span>
                </p>
                <div class="label-keys">
                  <Button text="Next" shortcut="n" class="main" ref={next} onClick={() => void forward()} />
                  <Button text="Undo" shortcut="u" onClick={() => void give(null)} />
                  <Button text="Back" shortcut="b" disabled={trail.length === 0} onClick={() => void back()} />
                </div>
              </>
            )}
            <label class="label-progress">
              <progress max={here.of} value={labelled} />{' '}
              <span>
                {labelled.toLocaleString('en')} of {here.of.toLocaleString('en')} labelled
              </span>
            </label>
          </section>
        </>
      )}
      <Agreement run={run} kind={kind} round={round} open={thing === 'done'} />
    </>
  );
}

/** Shows the conversation up to the labelled turn, without the expectations for earlier turns. */
export function Thing(props: { readonly thing: ThingToLabel; readonly heading: RefObject<HTMLHeadingElement | null> }) {
  const { about, turns, at } = props.thing;
  const { setId, caseId, variant, repeat, turn } = about;
  const end = useRef<HTMLDivElement>(null);
  // Scrolls a long conversation to its end, which is the part to label.
  useLayoutEffect(() => {
    scrollTo(0, 0);
    if (turns.length > 1 && turn !== null) end.current?.scrollIntoView({ block: 'start' });
  }, [at]);
  return (
    <section class="label-thing" aria-labelledby="label-thing-title">
      <h2 id="label-thing-title" ref={props.heading} tabIndex={-1}>
        <bdi>{visible(caseId)}</bdi>
        {turn !== null && `, turn ${turn + 1}`}{' '}
        <small>
          {visible(setId)}
          {variant !== undefined && `, ${visible(variant)}`}
          {repeat > 0 && `, repeat ${repeat + 1}`}
        </small>
      </h2>
      {turns.length === 0 && <p class="nothing">Nothing was said.</p>}
      {turns.map(({ actual, expected }, place) => {
        const isAsked = turn === null || place === turn;
        return (
          <div key={place} ref={place === turns.length - 1 ? end : undefined} class={isAsked ? 'asked' : 'earlier'}>
            <PlainTurn
              title={`Turn ${place + 1}`}
              actual={actual ?? undefined}
              expected={isAsked ? (expected ?? undefined) : undefined}
            />
          </div>
        );
      })}
    </section>
  );
}
