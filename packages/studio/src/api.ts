// The endpoints of studio's own pages, under /api. Types only: the server and the pages share them.
//
// GET    /api/studio                                      -> StudioInfo
// GET    /api/apps/:app/sets                              -> SetSummary[]
// POST   /api/apps/:app/sets                  NewSet      -> SetSummary
// PATCH  /api/apps/:app/sets/:set             SetChange   -> SetSummary            If-Match, needed
// DELETE /api/apps/:app/sets/:set                         -> Deleted               If-Match
// GET    /api/apps/:app/sets/:set/cases?offset&limit&text&tag -> Page<CaseSummary>
// POST   /api/apps/:app/sets/:set/cases       EvalCase    -> CaseVersion
// GET    /api/apps/:app/sets/:set/cases/:case             -> CaseVersion
// PUT    /api/apps/:app/sets/:set/cases/:case EvalCase    -> CaseVersion           If-Match, needed
// DELETE /api/apps/:app/sets/:set/cases/:case             -> Deleted               If-Match, needed
// POST   /api/deletions/:deletion/undo                    -> Restored
// POST   /api/cases/read                      { text }    -> CaseText
// POST   /api/cases/write                     EvalCase    -> CaseText
// GET    /api/apps/:app/sets/:set/criteria                -> RunChoices
// PUT    /api/apps/:app/sets/:set/config      RunConfig   -> SavedConfig           If-Match, needed
// POST   /api/apps/:app/sets/:set/needs       RunConfig   -> RunNeeds
// GET    /api/apps/:app/sets/:set/trends                  -> SetTrends
// POST   /api/estimate                        NewRun      -> RunEstimate
// GET    /api/apps/:app/agent                             -> AgentNode
// GET    /api/apps/:app/sessions                          -> SessionSummary[], the newest first
// POST   /api/apps/:app/sessions              NewSession  -> SessionDetail
// GET    /api/apps/:app/sessions/:session                 -> SessionDetail
// DELETE /api/apps/:app/sessions/:session                 -> null
// PATCH  /api/apps/:app/sessions/:session     { stateDelta } -> SessionDetail
// POST   /api/apps/:app/sessions/:session/stop            -> SessionDetail, once the turn under way is over
// POST   /api/apps/:app/sessions/:session/branch BranchWish -> Branch | NeedsResending
// POST   /api/apps/:app/sessions/:session/case CaseWish   -> CaseDraft
// GET    /api/apps/:app/sessions/:session/artifacts       -> ArtifactVersions[] of @agent-criteria/core/host
// GET    /api/apps/:app/sessions/:session/artifacts/:name/:version -> ArtifactContent
// GET    /api/apps/:app/sessions/:session/artifacts/:name/:version/file -> its bytes, to be saved
// GET    /api/runs?before&limit&app                       -> RunPage
// GET    /api/last-runs                                   -> LastRun[]
// POST   /api/runs                            NewRun      -> { id }
// GET    /api/runs/:run                                   -> RunDetail
// GET    /api/runs/:run/cases?set&verdict&criterion&text&offset&limit -> Page<CaseRow>
// GET    /api/runs/:run/sets/:set/cases/:case?variant     -> RunCase of @agent-criteria/results
// GET    /api/runs/:run/events                            -> server-sent events: RunEvents of @agent-criteria/runner by their type; of a
//                                                            run elsewhere, "units" ({ total, finished }); at last "end"
// GET    /api/runs/:run/view                               -> PageIndex of @agent-criteria/viewer
// GET    /api/runs/:run/view/:set/:case?variant           -> PageCase of @agent-criteria/viewer
// GET    /api/runs/:run/view/:set/:case/reference?repeat  -> Invocation[]: what happened in a repeat (from 0), as what is expected
// GET    /api/runs/:run/labels?by                          -> LabelSheet; `by`: who labels
// GET    /api/runs/:run/labels/next?criterion&rubric&by&after -> ThingToLabel | null: the first behind a place without a label of theirs
// GET    /api/runs/:run/labels/things/:at?criterion&rubric&by -> ThingToLabel
// POST   /api/runs/:run/labels                NewLabel     -> LabelGiven
// GET    /api/runs/:run/calibration?criterion              -> Calibration of @agent-criteria/analysis
// GET    /api/comparison?base&candidate&min_effect         -> ComparedRuns[] of @agent-criteria/viewer, one for each pair of variants
// POST   /api/runs/:run/cancel                            -> null
// POST   /api/runs/:run/resume                            -> { id }
//
// Keys are in camelCase. Every other answer than 2xx is an ApiError; 412 is a LostUpdate.

import type { Content, EvalCase, Json, JsonSchema, State } from '@agent-criteria/core';
import type { CriterionVerdict, Summary, Verdict } from '@agent-criteria/core/host';
import type { Suggestion } from '@agent-criteria/project/editing';
import type { Estimate } from '@agent-criteria/project/plan';
import type { RunInfo, RunSet } from '@agent-criteria/results';
import type { ShownOutcome } from '@agent-criteria/results/text';

export type * from './label-api.ts';
export type * from './trend-api.ts';

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** From 0: where this part begins. */
  readonly offset: number;
  /** How many there are in all that fit. */
  readonly total: number;
}

export interface StudioInfo {
  readonly version: string;
  readonly apps: readonly AppInfo[];
  /** What was read at start beside the folder, and what is odd about it. */
  readonly notices: readonly string[];
}

export interface AppInfo {
  readonly name: string;
  /** Whether it has an agent, or only eval sets. */
  readonly hasAgent: boolean;
}

/** An eval set as a line of a list. */
export interface SetSummary {
  /** What requests call it by. */
  readonly id: string;
  /** What runs call it by; `null`: it cannot be read. */
  readonly evalSetId: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** The path of its file from the folder of the app. */
  readonly file: string;
  /** `false`: JSON Lines, which can be shown and run only. */
  readonly editable: boolean;
  /** `null`: it cannot be read. */
  readonly cases: number | null;
  /** To be sent as `If-Match`; `null`: it cannot be read. */
  readonly version: string | null;
  /** What an edit does to the file besides what it says, in whole sentences. */
  readonly notes: readonly string[];
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** What the newest finished run of an eval set came to: of the cases that it ran. Runs from long before are not looked at. */
export interface LastRun extends Pick<Summary, 'verdicts' | 'total'> {
  readonly verdict: ShownOutcome['verdict'];
  readonly app: string;
  /** What the run calls the set by. */
  readonly evalSetId: string;
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** A deletion or replacement, which can be undone until the studio ends. */
export interface Deleted {
  readonly undo: string;
}

/** What is there again. */
export interface Restored {
  readonly app: string;
  readonly set: string;
  /** `null`: the whole set. */
  readonly case: string | null;
}

export interface NewSet {
  /** Letters, digits and underscores. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** What is left out stays as it is. */
export interface SetChange {
  /** Another id: the file is renamed. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** A case as a line of a list. */
export interface CaseSummary {
  readonly id: string;
  readonly name: string | null;
  readonly tags: readonly string[];
  /** `null`: a simulated user leads it. */
  readonly turns: number | null;
  /** The first message of the user. */
  readonly opening: string;
  readonly version: string;
}

export interface CaseVersion {
  readonly evalCase: EvalCase;
  /** To be sent as `If-Match`, so that nothing that was saved meanwhile is lost. */
  readonly version: string;
}

/** A case as a text, as files have it. */
export interface CaseText {
  readonly text: string;
  readonly evalCase: EvalCase;
  /** What of the text is not in the case, or is not what ADK reads: comments, for one. In whole sentences. */
  readonly notes: readonly string[];
}

/** What an agent is made of. */
export interface AgentNode {
  readonly name: string;
  readonly type: string;
  readonly description?: string | undefined;
  readonly tools: readonly { readonly name: string }[];
  readonly sub_agents: readonly AgentNode[];
}

/** A conversation as a line of a list. */
export interface SessionSummary {
  readonly id: string;
  readonly userId: string;
  /** The first message of the user. */
  readonly opening: string;
  /** How many messages the user sent. */
  readonly messages: number;
  /** Unix seconds. */
  readonly lastUpdateTime: number;
}

export interface NewSession {
  readonly state: State;
}

export interface SessionDetail {
  readonly id: string;
  readonly userId: string;
  /** What the agent began with. */
  readonly initialState: State;
  readonly state: State;
  /** The session whose messages it began with; `null`: it began with none. */
  readonly continues: string | null;
  /** Whether its state can be changed now. */
  readonly takesState: boolean;
  /** Why it takes no message; `null`: it does. */
  readonly closed: string | null;
  /** The agent is still answering. */
  readonly isBusy: boolean;
  readonly events: readonly SessionEvent[];
  readonly spans: readonly SessionSpan[];
}

/** An event of ADK, in camel case. */
export type SessionEvent = Readonly<Record<string, Json>>;

/** A step of a turn as ADK's server answers it. */
export interface SessionSpan {
  readonly name: string;
  readonly span_id: string;
  readonly parent_span_id: string | null;
  /** Nanoseconds since the epoch. */
  readonly start_time: number;
  readonly end_time: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** Another message in place of one that was sent. */
export interface BranchWish {
  /** The id of the event of that message. */
  readonly event: string;
  readonly text: string;
  /** Whether the earlier messages may be sent again, where the agent cannot go on from them. Default `false`. */
  readonly resend?: boolean | undefined;
}

/** A session that goes on from a message of another one. */
export interface Branch {
  readonly session: SessionDetail;
  /** What is to be sent there, in this order: the last one is the new message. */
  readonly messages: readonly MessageToSend[];
}

export interface MessageToSend {
  readonly content: Content;
  readonly stateDelta?: State | undefined;
}

/** Nothing was done: the earlier messages would have to be sent again. */
export interface NeedsResending {
  readonly session: null;
  /** In a whole sentence. */
  readonly why: string;
  readonly resending: Resending;
}

/** What the earlier messages took the first time. */
export interface Resending {
  readonly messages: number;
  /** `null`: the agent does not tell. */
  readonly modelCalls: number | null;
  readonly tokens: number | null;
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
}

export interface ArtifactContent {
  readonly name: string;
  readonly version: number;
  /** As the agent says; `null`: it does not. */
  readonly mimeType: string | null;
  readonly bytes: number;
  readonly shown:
    | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
    | { readonly kind: 'json'; readonly value: Json }
    /** `source`: a data URL. */
    | { readonly kind: 'image'; readonly source: string }
    | { readonly kind: 'none' };
}

export interface CaseWish {
  /** The set that the case is for: the config beside it says how calls are compared. */
  readonly set?: string | undefined;
  /** Default: the id of the session. */
  readonly evalId?: string | undefined;
}

/** A conversation as a case that expects it again, before anything is saved. */
export interface CaseDraft {
  /** With all suggested matchers. */
  readonly evalCase: EvalCase;
  /** The same without them. */
  readonly bare: EvalCase;
  /** Matchers for arguments that may differ in every run. */
  readonly suggestions: readonly Suggestion[];
  /** What to know before it is saved, in whole sentences. */
  readonly notes: readonly string[];
}

export interface RunPage {
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  /** `before` of the next page; `null`: there is none. */
  readonly next: string | null;
  /** How many runs there are, whatever their app. */
  readonly total: number;
}

export interface RunSummary {
  readonly id: string;
  /** The app of this studio whose agent it ran; `null`: another. */
  readonly app: string | null;
  readonly agent: string;
  readonly sets: readonly string[];
  readonly repeats: number;
  readonly auto?: RunInfo['auto'];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly units: RunInfo['units'];
  /** `null`: it was not judged. */
  readonly summary: Summary | null;
  /** The outcome, with gates; `null` if the run was not judged. */
  readonly outcome: ShownOutcome | null;
  readonly state: RunState;
  /** What its last scoring judged with. */
  readonly criteria: readonly RunThreshold[];
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** `threshold`: `null` where it only measures. */
export interface RunThreshold {
  readonly name: string;
  readonly threshold: number | null;
  readonly better: 'higher' | 'lower';
}

/** `here`: this studio works on it; `elsewhere`: another process does, and it can only be watched; `open`: it can be resumed. */
export type RunState = 'here' | 'elsewhere' | 'open' | 'finished';

export interface RunDetail {
  readonly info: RunInfo;
  readonly sets: readonly RunSet[];
  readonly summary: Summary;
  /** The outcome, with gates; `null` if the run was not judged. */
  readonly outcome: ShownOutcome | null;
  readonly state: RunState;
  /** Whether a model judged, whose verdicts people can label. */
  readonly judged: boolean;
  /** The app of this studio whose agent it ran; `null`: another. */
  readonly app: string | null;
  /** Where its eval sets are edited, for those that this studio has. */
  readonly places: readonly RunSetPlace[];
}

export interface RunSetPlace {
  /** The id of the set in the run. */
  readonly runSet: string;
  readonly app: string;
  /** What requests call the set by. */
  readonly set: string;
}

/** A case of a run as a row of the grid: no conversation, no evidence. */
export interface CaseRow {
  readonly setId: string;
  readonly caseId: string;
  readonly variant?: string | undefined;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly verdict: Verdict;
  readonly reason?: string | undefined;
  readonly repeats: number;
  readonly criteria: readonly CriterionCell[];
}

export interface CriterionCell {
  readonly name: string;
  readonly verdict: CriterionVerdict;
  readonly score: number | null;
  readonly threshold: number | null;
  readonly coverage: number | null;
}

export interface NewRun {
  readonly app: string;
  /** Default: every set of the app. */
  readonly sets?: readonly string[] | undefined;
  /** Ids of cases, of whichever set has them. Default: all. */
  readonly cases?: readonly string[] | undefined;
  /** Only cases with one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Only cases that did not pass in this run. */
  readonly failedIn?: string | undefined;
  readonly repeats?: number | undefined;
  readonly judgeModel?: string | undefined;
  /** How many sessions are open at once. */
  readonly concurrency?: number | undefined;
  /** Agents that run side by side. `'config'`: those of the project's config. Default: the agent of the app. */
  readonly variants?: 'config' | readonly AskedVariant[] | undefined;
  /** `false`: the agent is run and recorded, and nothing is judged. Default `true`. */
  readonly judged?: boolean | undefined;
  /** Which criteria judge, with their thresholds. Default: the config beside each set. Only with a single set. */
  readonly metrics?: readonly AskedMetric[] | undefined;
  /** The simulated user of scenarios: its type and options. Only with metrics. Default: as the config beside the set has it. */
  readonly userSimulator?: Readonly<Record<string, unknown>> | undefined;
}

/** One of several agents that run side by side. */
export interface AskedVariant {
  /** What results call it. */
  readonly name: string;
  readonly app: string;
  /** The agent of those of its module. Default: the module's agent. */
  readonly agentName?: string | undefined;
}

export interface AskedMetric {
  readonly metricName: string;
  /** `null`: it is measured only. */
  readonly threshold: number | null;
  /** Its options, all of them. Default: as the config beside the set has them. */
  readonly criterion?: Readonly<Record<string, unknown>> | undefined;
}

/** How a set is judged. */
export interface RunConfig {
  readonly metrics: readonly AskedMetric[];
  readonly userSimulator?: Readonly<Record<string, unknown>> | undefined;
  /** For what it would need; it is not saved. */
  readonly judgeModel?: string | undefined;
}

/** What a run of a set can be judged by. */
export interface RunChoices {
  readonly cases: number;
  /** How many of them a simulated user leads. */
  readonly scenarios: number;
  /** The path of the config that judges the set, from the folder of the app; `null`: there is none, and ADK's default criteria judge. */
  readonly config: string | null;
  /** The version of that config, to be sent as `If-Match` when it is saved. */
  readonly version: string;
  /** Other effects of saving on the file, in whole sentences. */
  readonly notes: readonly string[];
  /** As the studio was started with. */
  readonly judgeModel: string | null;
  readonly criteria: readonly CriterionChoice[];
  readonly presets: readonly PresetChoice[];
  /** The types of simulated users that are installed. */
  readonly simulators: readonly SimulatorChoice[];
  /** `user_simulator_config` as the config has it; `null`: it has none. */
  readonly userSimulator: Readonly<Record<string, unknown>> | null;
  /** Settings of runs with what holds where nothing is chosen. */
  readonly settings: { readonly repeats: SettingChoice; readonly concurrency: SettingChoice };
  /** The names of the variants of the project's config. */
  readonly variants: readonly string[];
}

/** The choices with the config that was saved, which can be brought back as it was until the studio ends. */
export interface SavedConfig extends RunChoices, Deleted {}

/** Criteria that go together, as the documentation recommends them, for the cases of this set. */
export interface PresetChoice {
  readonly name: string;
  /** When to choose it. */
  readonly description: string;
  readonly metrics: readonly AskedMetric[];
  /** Criteria of it that are not there, with the line that installs them. */
  readonly missing: readonly { readonly name: string; readonly install: string }[];
}

export interface SimulatorChoice {
  readonly type: string;
  /** Of its options. */
  readonly schema: JsonSchema;
}

export interface SettingChoice {
  readonly description: string;
  readonly value: number;
  readonly most: number | null;
}

/** What a run would lack here, and what it would ask. */
export interface RunNeeds {
  /** Of the run itself: the simulated user. */
  readonly run: Needs;
  readonly criteria: Readonly<Record<string, Needs>>;
}

export interface Needs {
  /** These keep a run from beginning; each says what to do. */
  readonly problems: readonly string[];
  /** What is to be written first, in options or cases: rubrics, for one. It keeps a run from beginning, too. */
  readonly unwritten: readonly string[];
  /** Models and services that are asked, and where their keys come from: never what they are. */
  readonly asks: readonly string[];
}

export interface CriterionChoice {
  readonly name: string;
  readonly description: string;
  readonly package: string;
  readonly range: { readonly min: number; readonly max: number | null; readonly better: 'higher' | 'lower' };
  /** `false`: it only measures, and takes no threshold. */
  readonly decides: boolean;
  /** Whether it asks a model. */
  readonly judged: boolean;
  /** Of its options. */
  readonly schema: JsonSchema;
  /** Its threshold where there is no config; `null`: it is not used then. */
  readonly default: number | null;
  /** As the config beside the set has it; `null`: it has it not. */
  readonly chosen: { readonly threshold: number | null; readonly options: Readonly<Record<string, unknown>> } | null;
  /** How many cases of the set it can judge, and why not the others. */
  readonly fit: { readonly cases: number; readonly reason: string | null };
}

/** What a run would ask models. */
export interface RunEstimate extends Estimate {
  readonly cases: number;
  readonly repeats: number;
  /** How many agents run side by side. */
  readonly variants: number;
  /** What is odd about it. */
  readonly warnings: readonly string[];
}

/** Every refusal of the server. */
export interface ApiError {
  readonly detail: string | readonly ApiMistake[];
}

/** One mistake in a body. */
export interface ApiMistake {
  readonly type: string;
  /** From `body` on. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** 412: what was to be saved was changed elsewhere meanwhile, and nothing was saved. */
export interface LostUpdate<Value> extends ApiError {
  /** Of `theirs`. */
  readonly version: string;
  readonly theirs: Value;
  /** What was sent; absent for a deletion. */
  readonly yours?: Value | undefined;
}
