// Types only. `Routes` declares every endpoint under /api once; the server implements them and the pages call them.

import type { Calibration, RunChanges } from '@agent-criteria/analysis';
import type { EvalCase, Invocation, State } from '@agent-criteria/core';
import type { ArtifactVersions } from '@agent-criteria/core/host';
import type { RunCase } from '@agent-criteria/results';
import type { ComparedRuns, PageCase, PageIndex } from '@agent-criteria/viewer';
import type {
  AgentDetail,
  ArtifactContent,
  Branch,
  BranchRequest,
  CaseDraft,
  CaseRequest,
  MessageToSend,
  NeedsResending,
  NewSession,
  SessionDetail,
  SessionSummary,
} from './api/chat.ts';
import type { ImportChoices, ImportFile, ImportReading, NewImportedRun, NewImportedSet } from './api/imports.ts';
import type { LabelGiven, LabelQuery, LabelSheet, NewLabel, ThingToLabel } from './api/labels.ts';
import type { RunColumns } from './api/matrix.ts';
import type { NewRun, RunAgain, RunChoices, RunConfig, RunEstimate, RunNeeds, SavedConfig } from './api/run-dialog.ts';
import type { CaseRow, LastRun, RunDetail, RunFilters, RunPage, RunQuery, RunSummary, SetTrends } from './api/runs.ts';
import type {
  CaseSummary,
  CaseText,
  CaseVersion,
  Deleted,
  NewSet,
  Page,
  PageQuery,
  Restored,
  SetChange,
  SetSummary,
  StudioInfo,
} from './api/sets.ts';
import type { NewTurnRun, TurnAnswerKey, TurnRunDetail, TurnRunEstimate, TurnRunSummary } from './api/turn-runs.ts';
import type { NewWatch } from './api/watch.ts';

export type * from './api/chat.ts';
export type * from './api/imports.ts';
export type * from './api/labels.ts';
export type * from './api/matrix.ts';
export type * from './api/refusals.ts';
export type * from './api/run-dialog.ts';
export type * from './api/runs.ts';
export type * from './api/sets.ts';
export type * from './api/turn-runs.ts';
export type * from './api/watch.ts';

/**
 * Every endpoint, by method and path under /api. Keys in bodies and answers are camelCase. Any status other than 2xx
 * comes with an `ApiError`, and 412 with a `LostUpdate`.
 */
export interface Routes {
  'GET /studio': { answer: StudioInfo };

  'GET /apps/:app/sets': { answer: readonly SetSummary[] };
  'POST /apps/:app/sets': { body: NewSet; answer: SetSummary };
  /** Requires `If-Match`. */
  'PATCH /apps/:app/sets/:set': { body: SetChange; answer: SetSummary };
  /** Accepts `If-Match`. */
  'DELETE /apps/:app/sets/:set': { answer: Deleted };
  'GET /apps/:app/sets/:set/cases': {
    query: PageQuery & { text?: string | undefined; tag?: string | undefined };
    answer: Page<CaseSummary>;
  };
  'POST /apps/:app/sets/:set/cases': { body: EvalCase; answer: CaseVersion };
  'GET /apps/:app/sets/:set/cases/:case': { answer: CaseVersion };
  /** Requires `If-Match`. */
  'PUT /apps/:app/sets/:set/cases/:case': { body: EvalCase; answer: CaseVersion };
  /** Requires `If-Match`. */
  'DELETE /apps/:app/sets/:set/cases/:case': { answer: Deleted };
  'GET /apps/:app/sets/:set/criteria': { answer: RunChoices };
  /** Requires `If-Match`. */
  'PUT /apps/:app/sets/:set/config': { body: RunConfig; answer: SavedConfig };
  'POST /apps/:app/sets/:set/needs': { body: RunConfig; answer: RunNeeds };
  'GET /apps/:app/sets/:set/trends': { answer: SetTrends };
  /** Server-sent events: a `SetWatch` as `state`, at first and whenever it has changed. */
  'GET /apps/:app/sets/:set/watch': { answer: Response };
  /** Runs the set, and again whatever a changed agent, set or config affects, until this is stopped. */
  'POST /apps/:app/sets/:set/watch': { body: NewWatch; answer: null };
  'DELETE /apps/:app/sets/:set/watch': { answer: null };
  'POST /deletions/:deletion/undo': { answer: Restored };
  'POST /cases/read': { body: { readonly text: string }; answer: CaseText };
  'POST /cases/write': { body: EvalCase; answer: CaseText };

  'GET /apps/:app/agent': { answer: AgentDetail };
  /**
   * Server-sent events: a `CodeState` as `state`, at first and whenever it has changed. The only event is `end` if the agent
   * is not reloaded here.
   */
  'GET /apps/:app/code': { answer: Response };
  /** Newest first. */
  'GET /apps/:app/sessions': { answer: readonly SessionSummary[] };
  'POST /apps/:app/sessions': { body: NewSession; answer: SessionDetail };
  'GET /apps/:app/sessions/:session': { answer: SessionDetail };
  'DELETE /apps/:app/sessions/:session': { answer: null };
  'PATCH /apps/:app/sessions/:session': { body: { readonly stateDelta: State }; answer: SessionDetail };
  /** Sends a message. Answers once the agent has it; the turn then goes on, whether or not anyone follows it. */
  'POST /apps/:app/sessions/:session/turns': { body: MessageToSend; answer: null };
  /**
   * Server-sent events of the turn in flight: `message` (its content), then each `event` so far and to come, partial ones
   * as well. The last is `end`, with a `problem` if the agent never got the message.
   */
  'GET /apps/:app/sessions/:session/turn': { answer: Response };
  /** Answers once the turn in flight has ended. */
  'POST /apps/:app/sessions/:session/stop': { answer: SessionDetail };
  'POST /apps/:app/sessions/:session/branch': { body: BranchRequest; answer: Branch | NeedsResending };
  'POST /apps/:app/sessions/:session/case': { body: CaseRequest; answer: CaseDraft };
  'GET /apps/:app/sessions/:session/artifacts': { answer: readonly ArtifactVersions[] };
  'GET /apps/:app/sessions/:session/artifacts/:name/:version': { answer: ArtifactContent };
  /** The artifact's bytes, as a download. */
  'GET /apps/:app/sessions/:session/artifacts/:name/:version/file': { answer: Response };

  'GET /runs': { query: RunQuery & PageQuery; answer: RunPage };
  /** Answers once all runs have been read, which takes a moment the first time. */
  'GET /run-filters': { query: { app?: string | undefined }; answer: RunFilters };
  /** Names a run, or renames it. `null` removes the name. */
  'PATCH /runs/:run': { body: { readonly name: string | null }; answer: RunSummary };
  /** Deletes a run with everything in it. It cannot be undone. Refused with 409 while the run is under way. */
  'DELETE /runs/:run': { answer: null };
  'GET /last-runs': { answer: readonly LastRun[] };
  'POST /estimate': { body: NewRun; answer: RunEstimate };
  'POST /runs': { body: NewRun; answer: { readonly id: string } };
  'POST /runs/:run/again': { body: RunAgain; answer: { readonly id: string } };
  'POST /runs/:run/again/estimate': { body: RunAgain; answer: RunEstimate };
  /** Starts nothing new; units in flight are finished. */
  'POST /runs/:run/cancel': { answer: null };
  /** Aborts units in flight at once. */
  'POST /runs/:run/stop': { answer: null };
  'POST /runs/:run/resume': { answer: { readonly id: string } };
  'GET /runs/:run': { answer: RunDetail };
  /** The verdicts that changed since the run before, or `null` if there is none or the run is not finished. */
  'GET /runs/:run/since': { answer: RunChanges | null };
  'GET /runs/:run/cases': {
    query: PageQuery & {
      set?: string | undefined;
      verdict?: string | undefined;
      criterion?: string | undefined;
      variant?: string | undefined;
      text?: string | undefined;
    };
    answer: Page<CaseRow>;
  };
  'GET /runs/:run/sets/:set/cases/:case': { query: { variant?: string | undefined }; answer: RunCase };
  /**
   * Server-sent events: each `RunEvent` of @agent-criteria/runner under its type or, for a run in another process,
   * `units` (`{ total, finished }`). The last event is `end`.
   */
  'GET /runs/:run/events': { answer: Response };
  /**
   * Server-sent events for a run in flight in this studio: a `LiveChange` as `change` whenever cases have changed after a
   * version of its progress, several times a second at most. The last event is `end`.
   */
  'GET /runs/:run/changes': { query: { after?: number | undefined }; answer: Response };
  'GET /runs/:run/view': { answer: PageIndex };
  'GET /runs/:run/view/:set/:case': { query: { variant?: string | undefined }; answer: PageCase };
  /** The turns recorded for a repeat (numbered from 0), in the format of expected turns. */
  'GET /runs/:run/view/:set/:case/reference': { query: { repeat?: number | undefined }; answer: readonly Invocation[] };
  /** The cases of a run by variant, for a matrix. */
  'GET /runs/:run/columns': { query: { answers?: boolean | undefined }; answer: RunColumns };
  /** Ids of the newest finished runs of the same eval sets, newest first, with this run. Default limit: 10. */
  'GET /runs/:run/same-sets': { query: { limit?: number | undefined }; answer: readonly string[] };
  'GET /comparison': {
    query: { base: string; candidate: string; min_effect?: number | undefined };
    /** One per pair of variants. */
    answer: readonly ComparedRuns[];
  };

  'GET /imports': { answer: ImportChoices };
  /** The body is the file itself. */
  'POST /imports': { query: { readonly name: string }; answer: ImportFile };
  /** Reads the whole file and stores nothing. JSON Lines: each an `ImportLine<ShownImport>`. Ends with the request. */
  'POST /imports/:import/preview': { body: ImportReading; answer: Response };
  /** Makes a run, and deletes the file. JSON Lines: each an `ImportLine<ImportedRunPlace>`. Ends with the request. */
  'POST /imports/:import/run': { body: NewImportedRun; answer: Response };
  /** Makes an eval set, and deletes the file. JSON Lines: each an `ImportLine<ImportedSetPlace>`. Ends with the request. */
  'POST /imports/:import/cases': { body: NewImportedSet; answer: Response };
  /** Deletes the file, and ends what reads it. */
  'DELETE /imports/:import': { answer: null };

  /** Newest first. */
  'GET /turn-runs': { query: { app?: string | undefined }; answer: readonly TurnRunSummary[] };
  /** Estimates what running a turn again costs. Runs nothing. */
  'POST /turn-runs/estimate': { body: NewTurnRun; answer: TurnRunEstimate };
  /** Runs a turn again, from the state before it. It goes on whether or not anyone follows it. */
  'POST /turn-runs': { body: NewTurnRun; answer: { readonly id: string } };
  'GET /turn-runs/:turnRun': { answer: TurnRunDetail };
  /** Server-sent events: a `TurnRunChange` as `change` whenever answers have changed. The last event is `end`. */
  'GET /turn-runs/:turnRun/changes': { answer: Response };
  /** Aborts answers in flight, and starts no more. */
  'POST /turn-runs/:turnRun/cancel': { answer: null };
  /** Makes a session of an answer and the conversation before it. */
  'POST /turn-runs/:turnRun/session': {
    body: TurnAnswerKey;
    answer: { readonly app: string; readonly session: string };
  };

  /** `by` is the person who labels. */
  'GET /runs/:run/labels': { query: { by?: string | undefined }; answer: LabelSheet };
  /** The first unlabelled item after a position, or else the first unlabelled one, or `null` if all are labelled. */
  'GET /runs/:run/labels/next': { query: LabelQuery & { after?: number | undefined }; answer: ThingToLabel | null };
  'GET /runs/:run/labels/things/:at': { query: LabelQuery; answer: ThingToLabel };
  'POST /runs/:run/labels': { body: NewLabel; answer: LabelGiven };
  'GET /runs/:run/calibration': { query: { criterion?: string | undefined }; answer: Calibration };
}

/** The name of an endpoint, such as `GET /runs/:run`. */
export type RouteName = keyof Routes;

export type Answer<Name extends RouteName> = Routes[Name]['answer'];

/** The body that a route takes, or `never` if it takes none. */
export type Body<Name extends RouteName> = Routes[Name] extends { readonly body: infer Value } ? Value : never;

export type Query<Name extends RouteName> = Routes[Name] extends { readonly query: infer Value } ? Value : object;

/** Values for the path segments that begin with a colon. */
export type Params<Name extends RouteName> = Readonly<Record<ParamNames<Name>, string>>;

type ParamNames<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;
