import { useKeys, visible } from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LabelGiven, LabelSheet, LabelSheetKind, NewLabel, ThingToLabel } from '../../api.ts';
import { ask, messageOf, path } from '../api-client.ts';
import { formatRoute, type LabelRoute } from '../route.ts';
import { go } from '../router.ts';
import { covered, keysOn, store, stored } from '../store.ts';
import { complain } from '../toasts.tsx';
import { View } from '../view.tsx';
import { Agreement } from './agreement.tsx';
import { Thing } from './thing.tsx';

/** One thing after another that a judge gave a verdict on, for a person to say the same of. */
export function LabelPage({ route }: { readonly route: LabelRoute }) {
  const { run } = route;
  const [name, setName] = useState(stored('labeller') ?? '');
  const [sheet, setSheet] = useState<LabelSheet | null>(null);
  const [draw, setDraw] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let over = false;
    const query = name === '' ? '' : `?${new URLSearchParams({ by: name })}`;
    ask<LabelSheet>('GET', `${path('runs', run, 'labels')}${query}`).then(
      (next) => {
        if (over) return;
        setSheet(next);
        setProblem(undefined);
      },
      (error) => !over && setProblem(messageOf(error)),
    );
    return () => {
      over = true;
    };
  }, [run, name]);
  const back = <a href={formatRoute({ view: 'run', run })}>← {visible(run)}</a>;
  if (sheet === null) {
    return (
      <View title="Label" above={back}>
        {problem === undefined ? (
          <p class="note">Reading the run…</p>
        ) : (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </View>
    );
  }
  const kind = kindOf(sheet, route);
  return (
    <View title={kind === undefined ? 'Label' : `Label ${visible(kind.name)}`} above={back}>
      <div class="label-head">
        <label>
          Who labels{' '}
          <input
            type="text"
            dir="auto"
            maxLength={200}
            autocomplete="off"
            key={sheet.by}
            defaultValue={sheet.by}
            onChange={(event) => {
              const next = event.currentTarget.value.trim();
              store('labeller', next);
              setName(next);
            }}
          />
        </label>
        <label>
          What{' '}
          <select
            value={kind === undefined ? '' : wordOf(kind)}
            onChange={(event) => {
              const next = sheet.kinds.find((one) => wordOf(one) === event.currentTarget.value);
              if (next === undefined) return;
              const { criterion, rubric } = next;
              go({ view: 'label', run, criterion, rubric, whole: criterion === null }, 'instead');
            }}
          >
            {kind === undefined && <option value="">Choose…</option>}
            {sheet.kinds.map((one) => (
              <option key={wordOf(one)} value={wordOf(one)}>
                {visible(one.name)} ({one.labelled} of {one.things}
                {one.judged ? ', by a judge' : ''})
              </option>
            ))}
          </select>
        </label>
        <label>
          Order{' '}
          <select value={draw} onChange={(event) => setDraw(event.currentTarget.value)}>
            <option value="">balanced where one verdict is rare</option>
            <option value="by-verdict">balanced by verdict</option>
            <option value="random">random</option>
          </select>
        </label>
      </div>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {kind === undefined ? (
        <p class="empty">
          {sheet.kinds.length === 0
            ? 'Nothing in this run has a verdict, so there is nothing to label.'
            : 'This run has no verdict of that kind: choose another one.'}
        </p>
      ) : (
        <Labelling
          key={`${sheet.by} ${wordOf(kind)} ${draw}`}
          run={run}
          by={sheet.by}
          kind={kind}
          draw={draw}
          tell={(labelled) =>
            setSheet({ ...sheet, kinds: sheet.kinds.map((one) => (one === kind ? { ...one, labelled } : one)) })
          }
        />
      )}
    </View>
  );
}

function kindOf(sheet: LabelSheet, { criterion, rubric, whole }: LabelRoute): LabelSheetKind | undefined {
  if (criterion === null && !whole) return sheet.kinds[0];
  return sheet.kinds.find((one) => one.criterion === criterion && one.rubric === rubric);
}

function wordOf({ criterion, rubric }: Pick<LabelSheetKind, 'criterion' | 'rubric'>): string {
  return JSON.stringify([criterion, rubric]);
}

/** What is asked next: behind a place, or one place. */
type Wanted = { readonly after: number } | { readonly at: number };

function Labelling(props: {
  readonly run: string;
  readonly by: string;
  readonly kind: LabelSheetKind;
  /** How things are drawn; empty: as suits the run. */
  readonly draw: string;
  /** Takes how many of the kind this person has labelled. */
  tell(labelled: number): void;
}) {
  const { run, by, kind, draw } = props;
  const [thing, setThing] = useState<ThingToLabel | 'done' | null>(null);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [round, setRound] = useState(0);
  const trail = useRef<readonly number[]>([]);
  const busy = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const at = path('runs', run, 'labels');

  /** One after the other: a key that is held does not label what was not seen yet. */
  const alone = async (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    try {
      await work();
    } finally {
      busy.current = false;
    }
  };
  const show = async (wanted: Wanted) => {
    const query = new URLSearchParams({ by });
    if (kind.criterion !== null) query.set('criterion', kind.criterion);
    if (kind.rubric !== null) query.set('rubric', kind.rubric);
    if (draw !== '') query.set('draw', draw);
    if ('after' in wanted) query.set('after', String(wanted.after));
    const place = 'after' in wanted ? '/next' : `/things/${wanted.at}`;
    try {
      const found = await ask<ThingToLabel | null>('GET', `${at}${place}?${query}`);
      setThing(found ?? 'done');
      setReason(found?.own?.reason ?? '');
      setProblem(undefined);
      heading.current?.focus({ preventScroll: true });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => void alone(() => show({ after: -1 })), []);

  const here = thing === 'done' ? null : thing;
  const give = (label: NewLabel['label']) =>
    alone(async () => {
      if (here === null || (label === null) !== (here.own !== null)) return;
      const said = label === null ? null : reason.trim() || null;
      const body: NewLabel = { ...here.about, label, reason: said, by, scoring: here.scoring, drawn: here.drawn };
      try {
        const { labelled, judge } = await ask<LabelGiven>('POST', at, { body });
        setThing({ ...here, labelled, own: label === null ? null : { label, reason: said }, judge });
        setRound(round + 1);
        props.tell(labelled);
      } catch (error) {
        complain(error);
      }
    });
  const forward = () =>
    alone(async () => {
      if (here === null) return;
      trail.current = [...trail.current, here.at];
      await show({ after: here.at });
    });
  const skip = () => (here !== null && here.own === null ? forward() : undefined);
  const back = () =>
    alone(async () => {
      const before = trail.current.at(-1);
      if (before === undefined) return;
      trail.current = trail.current.slice(0, -1);
      await show({ at: before });
    });
  const isLabelled = here !== null && here.own !== null;
  // What comes next is at hand, before the next key can come.
  useLayoutEffect(() => {
    if (isLabelled) next.current?.focus({ preventScroll: true });
  }, [here?.at, isLabelled]);

  useKeys(keysOn.value && covered.value === 0, {
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
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {thing === null && problem === undefined && <p class="note">Looking for what comes next…</p>}
      {thing === 'done' && (
        <section class="label-done">
          <h2 ref={heading} tabIndex={-1}>
            All {kind.things.toLocaleString('en')} have your label.
          </h2>
          {trail.current.length > 0 && (
            <button type="button" onClick={() => void back()}>
              Back <kbd>b</kbd>
            </button>
          )}
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
                <button type="button" class="say passed" onClick={() => void give('pass')}>
                  Pass <kbd>p</kbd>
                </button>
                <button type="button" class="say failed" onClick={() => void give('fail')}>
                  Fail <kbd>f</kbd>
                </button>
                <button type="button" onClick={() => void skip()}>
                  Skip <kbd>s</kbd>
                </button>
                <button type="button" disabled={trail.current.length === 0} onClick={() => void back()}>
                  Back <kbd>b</kbd>
                </button>
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
                  <button type="button" class="main" ref={next} onClick={() => void forward()}>
                    Next <kbd>n</kbd>
                  </button>
                  <button type="button" onClick={() => void give(null)}>
                    Undo <kbd>u</kbd>
                  </button>
                  <button type="button" disabled={trail.current.length === 0} onClick={() => void back()}>
                    Back <kbd>b</kbd>
                  </button>
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
