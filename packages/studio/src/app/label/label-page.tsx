import { visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { LabelSheet, LabelSheetKind } from '../../api.ts';
import { Problem, useAnswer } from '../answer.tsx';
import { ask, messageOf } from '../api-client.ts';
import { formatRoute, type LabelRoute } from '../route.ts';
import { go } from '../router.ts';
import { useShownPlace } from '../shown-place.ts';
import { store, stored } from '../store.ts';
import { View } from '../view.tsx';
import { Labelling } from './labelling.tsx';

/** Lets a person label the verdicts of a run. */
export function LabelPage({ route }: { readonly route: LabelRoute }) {
  const { run } = route;
  const [name, setName] = useState(stored('labeller') ?? '');
  const [sheet, setSheet] = useState<LabelSheet | null>(null);
  const [draw, setDraw] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let over = false;
    ask('GET /runs/:run/labels', { run, query: { by: name || undefined } }).then(
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
  const detail = useAnswer('GET /runs/:run', { run });
  const { app = null, places = [] } = detail.state === 'there' ? detail.value : {};
  useShownPlace(
    app,
    places.filter((place) => place.app === app).map(({ set }) => set),
  );
  const back = <a href={formatRoute({ view: 'run', run })}>← {visible(run)}</a>;
  if (sheet === null) {
    return (
      <View title="Label" above={back}>
        {problem === undefined ? <p class="note">Reading the run…</p> : <Problem text={problem} />}
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
      <Problem text={problem} />
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
