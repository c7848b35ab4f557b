import type { z } from 'zod';
import type { Workspace } from './project/workspace.ts';
import type { Answer } from './text/answer.ts';

/** A tool of the server. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** The meaning for the model that calls it. */
  readonly description: string;
  readonly input: Input;
  /** Its effect beyond reading. `nothing`: it may be called without asking a person. */
  readonly changes: 'nothing' | 'runs' | 'adds' | 'replaces';
  call(given: z.output<Input>, workspace: Workspace, signal: AbortSignal): Promise<Answer>;
}

/** Describes a tool, with the type of its input. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
