import type { State } from '@agent-criteria/core';
import type { SimulatedCall } from '@agent-criteria/core/host';
import { isObject } from '@agent-criteria/judge/texts';
import type { ToolConnections } from './tool-connections.ts';

/** A value that a tool created, such as the id of an order. */
export interface CreatedValue {
  readonly parameter: string;
  readonly value: unknown;
  readonly tool: string;
  /** The whole response in which it was created. */
  readonly response: State;
}

/** A call that was answered. */
export interface AnsweredCall {
  readonly tool: string;
  readonly args: State;
  readonly response: State;
}

/** The state of one session: nothing outlives it. */
export function environmentState() {
  const created: CreatedValue[] = [];
  const calls: AnsweredCall[] = [];
  return {
    /** Values of stateful parameters, in the order of their creation. */
    created: created as readonly CreatedValue[],
    /** All calls so far, in order. */
    calls: calls as readonly AnsweredCall[],
    /** Adds a call, and the values that its response creates. */
    add({ tool, args }: SimulatedCall, response: State, connections: ToolConnections): void {
      calls.push({ tool, args, response });
      for (const { parameter, creatingTools } of connections) {
        if (!creatingTools.includes(tool)) continue;
        for (const value of valuesOf(response, parameter)) created.push({ parameter, value, tool, response });
      }
    },
  };
}

const DEEPEST = 64;

/** Finds the values of a key at any depth, in order. */
function valuesOf(value: unknown, key: string, depth = 0): readonly unknown[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((one) => valuesOf(one, key, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === key && (typeof inner !== 'object' || inner === null) ? [inner] : valuesOf(inner, key, depth + 1),
  );
}
