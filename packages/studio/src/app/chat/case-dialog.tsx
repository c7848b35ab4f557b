import { contentText, type EvalCase, toolCalls } from '@agent-criteria/core';
import { preview, visible } from '@agent-criteria/viewer/views';
import { useEffect, useId, useState } from 'preact/hooks';
import type { CaseDraft, CaseVersion, SessionDetail, SetSummary } from '../../api.ts';
import { ask, messageOf, path } from '../api-client.ts';
import { Dialog } from '../dialog.tsx';
import { Field } from '../field.tsx';
import { go } from '../router.ts';
import { loadSets, sets } from '../store.ts';
import { notify } from '../toasts.tsx';
import { type CaseEdits, callKey, editedTurns, idFrom, NO_EDITS, suggestionKey, withMatchers } from './case-draft.ts';
import { parseState } from './parse-state.ts';

/** The choice that makes a set: no set has an empty id. */
const NEW = '';

/** A conversation as a case of an eval set, to be looked over before it is saved. */
export function CaseDialog(props: { readonly app: string; readonly session: SessionDetail; close(): void }) {
  const { app, session, close } = props;
  const listed = sets.value.get(app);
  const open = listed?.state === 'there' ? listed.value.filter(({ editable }) => editable) : [];
  const [set, setSet] = useState(open[0]?.id ?? NEW);
  const [newSet, setNewSet] = useState('');
  const [draft, setDraft] = useState<CaseDraft | null>(null);
  const [id, setId] = useState<string>();
  const [tags, setTags] = useState('');
  const [state, setState] = useState(JSON.stringify(session.initialState, null, 2));
  const [edits, setEdits] = useState<CaseEdits>(NO_EDITS);
  /** As they were written, valid or not, by `callKey`. */
  const [args, setArgs] = useState<Readonly<Record<string, string>>>({});
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const setField = useId();

  useEffect(() => {
    const asked = new AbortController();
    ask<CaseDraft>('POST', path('apps', app, 'sessions', session.id, 'case'), {
      body: set === NEW ? {} : { set },
      signal: asked.signal,
    }).then(
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
      const names = tags.split(/[\s,]+/).filter(Boolean);
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
        target = (await ask<SetSummary>('POST', path('apps', app, 'sets'), { body: { id: newSet.trim() } })).id;
        await loadSets(app);
        // Should the case be refused, the set is there already.
        setSet(target);
      }
      const saved = await ask<CaseVersion>('POST', path('apps', app, 'sets', target, 'cases'), { body: evalCase });
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

  const text = (field: 'messages' | 'answers', place: number, value: string) =>
    setEdits({ ...edits, [field]: { ...edits[field], [place]: value } });
  return (
    <Dialog title="Add to eval set" wide close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div class="case-head">
          <p class="field">
            <label for={setField}>Eval set</label>
            <select id={setField} value={set} onChange={(event) => setSet(event.currentTarget.value)}>
              {open.map((one) => (
                <option key={one.id} value={one.id}>
                  {visible(one.name ?? one.id)}
                </option>
              ))}
              <option value={NEW}>New set…</option>
            </select>
          </p>
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
          <Field label="Tags" hint="Names, separated by spaces." value={tags} change={setTags} />
        </div>
        {draft === null && problem === undefined && <p class="note">Reading the session…</p>}
        {draft?.notes.map((note) => (
          <p key={note} class="banner not-evaluated" dir="auto">
            {note}
          </p>
        ))}
        <Field label="State at the beginning" lines={3} problem={parsedState.problem} value={state} change={setState} />
        {turns.map((turn, place) => {
          const isOut = edits.withoutTurns.has(place);
          const calls = toolCalls(turn);
          return (
            <fieldset key={place} class={`case-turn${isOut ? ' out' : ''}`}>
              <legend>Turn {place + 1}</legend>
              <button
                type="button"
                class="quiet"
                onClick={() => setEdits({ ...edits, withoutTurns: toggled(edits.withoutTurns, place) })}
              >
                {isOut ? 'Put back' : 'Leave out'}
                <span class="unseen"> turn {place + 1}</span>
              </button>
              {!isOut && (
                <>
                  <Field
                    label="The user says"
                    lines={2}
                    value={edits.messages[place] ?? contentText(turn.userContent)}
                    change={(value) => text('messages', place, value)}
                  />
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
                          <button
                            type="button"
                            class="quiet"
                            onClick={() => setEdits({ ...edits, withoutCalls: toggled(edits.withoutCalls, key) })}
                          >
                            {isGone ? 'Expect it again' : 'Do not expect it'}
                            <span class="unseen">: {visible(call.name ?? '')}</span>
                          </button>
                        </li>
                      );
                    })}
                  </ol>
                  <Field
                    label="Expected answer"
                    hint="Left empty: no answer is expected."
                    lines={2}
                    value={edits.answers[place] ?? contentText(turn.finalResponse)}
                    change={(value) => text('answers', place, value)}
                  />
                </>
              )}
            </fieldset>
          );
        })}
        {draft !== null && draft.suggestions.length > 0 && (
          <fieldset class="case-turn">
            <legend>Arguments that may differ in every run</legend>
            {draft.suggestions.map((one) => {
              const key = suggestionKey(one);
              return (
                <label key={key} class="check">
                  <input
                    type="checkbox"
                    checked={!dropped.has(key)}
                    onChange={() => setDropped(toggled(dropped, key))}
                  />
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
        {problem !== undefined && (
          <p class="problem" role="alert" dir="auto">
            {problem}
          </p>
        )}
        <div class="buttons stay">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={!isReady}>
            Save the case
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(items);
  if (!next.delete(item)) next.add(item);
  return next;
}
