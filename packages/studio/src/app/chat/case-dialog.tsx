import { contentText, type EvalCase, type Invocation, toolCalls } from '@agent-criteria/core';
import { preview, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { CaseDraft, SessionDetail } from '../../api.ts';
import { Notes } from '../answer.tsx';
import { ask, messageOf } from '../api-client.ts';
import { Button } from '../button.tsx';
import { ContentFiles } from '../content-files.tsx';
import { FormDialog } from '../dialog.tsx';
import { Field, SelectField } from '../field.tsx';
import { go } from '../router.ts';
import { loadSets, setsOf } from '../store.ts';
import { parseTags, TAGS_HINT } from '../tags.ts';
import { notify } from '../toasts.tsx';
import { toggled } from '../toggled.ts';
import { type CaseEdits, callKey, editedTurns, idFrom, NO_EDITS, suggestionKey, withMatchers } from './case-draft.ts';
import { parseState } from './state.ts';

/** The option that creates a set; no set has an empty id. */
const NEW = '';

/** Adds a conversation to an eval set as a case, which can be edited before it is saved. */
export function CaseDialog(props: { readonly app: string; readonly session: SessionDetail; close(): void }) {
  const { app, session, close } = props;
  const open = setsOf(app)?.filter(({ editable }) => editable) ?? [];
  const [set, setSet] = useState(open[0]?.id ?? NEW);
  const [newSet, setNewSet] = useState('');
  const [draft, setDraft] = useState<CaseDraft | null>(null);
  const [id, setId] = useState<string>();
  const [tags, setTags] = useState('');
  const [state, setState] = useState(JSON.stringify(session.initialState, null, 2));
  const [edits, setEdits] = useState<CaseEdits>(NO_EDITS);
  /** Edited arguments by `callKey`, valid or not. */
  const [args, setArgs] = useState<Readonly<Record<string, string>>>({});
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const asked = new AbortController();
    const body = set === NEW ? {} : { set };
    const place = { app, session: session.id };
    ask('POST /apps/:app/sessions/:session/case', { ...place, body, signal: asked.signal }).then(
      (made) => {
        setDraft(made);
        setId((before) => before ?? idFrom(made.bare.conversation ?? []));
      },
      (error: unknown) => {
        if (!asked.signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => asked.abort();
  }, [set]);

  const turns = draft?.bare.conversation ?? [];
  const parsedState = parseState(state);
  const badArgs = Object.entries(args).filter(
    ([key, text]) => !edits.withoutCalls.has(key) && parseState(text).state === null,
  );
  const left = turns.length - edits.withoutTurns.size;
  const isReady =
    draft !== null &&
    !busy &&
    left > 0 &&
    badArgs.length === 0 &&
    parsedState.state !== null &&
    (id ?? '').trim() !== '' &&
    (set !== NEW || newSet.trim() !== '');

  const save = async () => {
    if (draft === null || parsedState.state === null || id === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const wanted = new Set(draft.suggestions.map(suggestionKey).filter((key) => !dropped.has(key)));
      const base = withMatchers(draft, wanted);
      const names = parseTags(tags);
      const evalCase: EvalCase = {
        ...base,
        evalId: id.trim(),
        conversation: editedTurns(turns, {
          ...edits,
          args: Object.fromEntries(
            Object.entries(args).flatMap(([key, text]) => {
              const { state: value } = parseState(text);
              return value === null ? [] : [[key, value]];
            }),
          ),
        }),
        sessionInput: { appName: app, userId: session.userId, ...base.sessionInput, state: parsedState.state },
        ...(names.length === 0 ? {} : { agentCriteria: { ...base.agentCriteria, tags: names } }),
      };
      let target = set;
      if (set === NEW) {
        target = (await ask('POST /apps/:app/sets', { app, body: { id: newSet.trim() } })).id;
        await loadSets(app);
        // If the case is rejected, the set already exists.
        setSet(target);
      }
      const saved = await ask('POST /apps/:app/sets/:set/cases', { app, set: target, body: evalCase });
      await loadSets(app);
      close();
      notify(`Added “${visible(saved.evalCase.evalId)}” to “${visible(target)}”.`, {
        name: 'Open the case',
        run: () => go({ view: 'case', app, set: target, id: saved.evalCase.evalId, pane: 'form' }),
      });
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };

  return (
    <FormDialog
      title="Add to eval set"
      wide
      problem={problem}
      deed="Save the case"
      ready={isReady}
      submit={() => void save()}
      close={close}
    >
      <div class="case-head">
        <SelectField
          label="Eval set"
          value={set}
          choices={{
            ...Object.fromEntries(open.map((one) => [one.id, visible(one.name ?? one.id)])),
            [NEW]: 'New set…',
          }}
          change={setSet}
        />
        {set === NEW && (
          <Field
            label="Id of the new set"
            hint="Letters, digits and underscores: the name of its file."
            value={newSet}
            change={setNewSet}
            required
          />
        )}
        <Field label="Id of the case" value={id ?? ''} change={setId} required />
        <Field label="Tags" hint={TAGS_HINT} value={tags} change={setTags} />
      </div>
      {draft === null && problem === undefined && <p class="note">Reading the session…</p>}
      <Notes notes={draft?.notes} />
      <Field label="State at the beginning" lines={3} problem={parsedState.problem} value={state} change={setState} />
      {turns.map((turn, place) => (
        <CaseTurn key={place} turn={turn} place={place} edits={edits} edit={setEdits} args={args} setArgs={setArgs} />
      ))}
      {draft !== null && draft.suggestions.length > 0 && (
        <fieldset class="case-turn">
          <legend>Arguments that may differ in every run</legend>
          {draft.suggestions.map((one) => {
            const key = suggestionKey(one);
            return (
              <label key={key} class="check">
                <input type="checkbox" checked={!dropped.has(key)} onChange={() => setDropped(toggled(dropped, key))} />
                <span>
                  <code>
                    {visible(one.tool)} {visible(one.path)}
                  </code>{' '}
                  is {one.kind}: accept <code>{visible(JSON.stringify(one.matcher))}</code>
                </span>
              </label>
            );
          })}
        </fieldset>
      )}
    </FormDialog>
  );
}

function CaseTurn(props: {
  readonly turn: Invocation;
  readonly place: number;
  readonly edits: CaseEdits;
  /** Edited arguments by `callKey`, valid or not. */
  readonly args: Readonly<Record<string, string>>;
  edit(edits: CaseEdits): void;
  setArgs(args: Readonly<Record<string, string>>): void;
}) {
  const { turn, place, edits, args, edit, setArgs } = props;
  const isOut = edits.withoutTurns.has(place);
  const calls = toolCalls(turn);
  const write = (field: 'messages' | 'answers', value: string) =>
    edit({ ...edits, [field]: { ...edits[field], [place]: value } });
  return (
    <fieldset class={`case-turn${isOut ? ' out' : ''}`}>
      <legend>Turn {place + 1}</legend>
      <Button
        text={isOut ? 'Put back' : 'Leave out'}
        unseen={` turn ${place + 1}`}
        class="quiet"
        onClick={() => edit({ ...edits, withoutTurns: toggled(edits.withoutTurns, place) })}
      />
      {!isOut && (
        <>
          <Field
            label="The user says"
            lines={2}
            value={edits.messages[place] ?? contentText(turn.userContent)}
            change={(value) => write('messages', value)}
          />
          <ContentFiles content={turn.userContent} />
          <h3>Expected calls</h3>
          {calls.length === 0 && <p class="note">None: any call would be one too many.</p>}
          <ol class="case-calls">
            {calls.map((call, at) => {
              const key = callKey(place, at);
              const isGone = edits.withoutCalls.has(key);
              return (
                <li key={key} class={isGone ? 'out' : ''}>
                  {isGone ? (
                    <p>
                      <s>
                        <code>{visible(call.name ?? '')}</code>
                      </s>{' '}
                      <small>{preview(call.args ?? {})}</small>
                    </p>
                  ) : (
                    <Field
                      label={visible(call.name ?? '')}
                      lines={Math.min(6, JSON.stringify(call.args ?? {}, null, 2).split('\n').length)}
                      problem={args[key] === undefined ? undefined : parseState(args[key]).problem}
                      value={args[key] ?? JSON.stringify(call.args ?? {}, null, 2)}
                      change={(value) => setArgs({ ...args, [key]: value })}
                    />
                  )}
                  <Button
                    text={isGone ? 'Expect it again' : 'Do not expect it'}
                    unseen={`: ${visible(call.name ?? '')}`}
                    class="quiet"
                    onClick={() => edit({ ...edits, withoutCalls: toggled(edits.withoutCalls, key) })}
                  />
                </li>
              );
            })}
          </ol>
          <Field
            label="Expected answer"
            hint="Left empty: no answer is expected."
            lines={2}
            value={edits.answers[place] ?? contentText(turn.finalResponse)}
            change={(value) => write('answers', value)}
          />
          <ContentFiles content={turn.finalResponse} />
        </>
      )}
    </fieldset>
  );
}
