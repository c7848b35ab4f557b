import { CriteriaError } from '@agent-criteria/formats';

/** The signature of a plugin's method, for error messages. */
export interface CallForms {
  /** The current form, such as "evaluate(turn, { options, tools, transcript })". */
  readonly now: string;
  /** The form of the previous contract version, such as "evaluate(turn, options, tools, transcript)". */
  readonly before: string;
}

/** The named arguments of one method. */
export interface NamedForm {
  /** The base class of the named arguments; a subclass declares them as fields. */
  readonly Named: new () => object;
  /**
   * Calls the method with its subject and named arguments.
   *
   * @throws CriteriaError UNSUPPORTED_SPEC_VERSION if the method has more than two parameters, or used the arguments in
   * the previous form, even if it caught the error (except one thrown by `in`) and returned a result; and whatever the
   * method throws.
   */
  call<Result>(method: (...given: never[]) => Result, self: unknown, subject: unknown, named: object): Result;
}

/** Keys that `await`, string conversion and `console.log` read from any object or proxy. */
const READ_FROM_ANY_OBJECT: ReadonlySet<PropertyKey> = new Set(['then', 'constructor', 'toString', 'valueOf', '0']);
/** If it is missing, `console.log` reads other keys. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * Declares the named arguments of a method. Reading an unknown key throws, unless it is one that is read from any
 * object, and so does listing or spreading the keys: code written for the previous form would take the object for its
 * second argument, and `options.maxWords ?? 100` or `{ maxWords: 100, ...options }` would silently score with a
 * default.
 *
 * Reading a known key runs no trap: the prototype refuses unknown keys, and the proxy around the object has traps only
 * for listing keys and for property descriptors.
 */
export function namedArguments({ now, before }: CallForms): NamedForm {
  const misused = new WeakMap<object, CriteriaError>();
  const refuse = (what: string, named?: object): never => {
    const message = `${what}: the criterion is called as ${now}. One written for ${before} gives no score until it is changed; install a newer version of its package if there is one`;
    const error = new CriteriaError({ code: 'UNSUPPORTED_SPEC_VERSION', message });
    if (named !== undefined) misused.set(named, error);
    throw error;
  };
  const isRefused = (key: PropertyKey): boolean => typeof key === 'string' && !READ_FROM_ANY_OBJECT.has(key);
  const unknown = (key: PropertyKey): string => `there is no argument "${String(key)}"`;
  const prototype = new Proxy(Object.prototype, {
    get(target, key, named) {
      if (key === INSPECT) return () => ({ ...named });
      return isRefused(key) ? refuse(unknown(key), named) : Reflect.get(target, key);
    },
    set: (_target, key, _value, named) => refuse(unknown(key), named),
    has: (target, key) => (isRefused(key) ? refuse(unknown(key)) : Reflect.has(target, key)),
  });
  const around: ProxyHandler<object> = {
    ownKeys: (named) => refuse('the arguments cannot be listed or copied as a whole', named),
    getOwnPropertyDescriptor(named, key) {
      const own = Reflect.getOwnPropertyDescriptor(named, key);
      return own === undefined && isRefused(key) ? refuse(unknown(key), named) : own;
    },
  };

  function call<Result>(
    method: (...given: never[]) => Result,
    self: unknown,
    subject: unknown,
    values: object,
  ): Result {
    if (method.length > 2) refuse(`there are two arguments, not ${method.length}`);
    const named = new Proxy(values, around);
    const checked = <T>(result: T): T => {
      const error = misused.get(named) ?? misused.get(values);
      if (error !== undefined) throw error;
      return result;
    };
    // Passed three times, so that default values of the former parameters, such as `tools = {}`, do not take effect.
    const result = Reflect.apply(method, self, [subject, named, named, named]) as Result;
    return isPromise(result) ? (result.then(checked) as Result) : checked(result);
  }

  class Named {}
  Object.setPrototypeOf(Named.prototype, prototype);
  return { Named, call };
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Partial<Promise<unknown>> | null | undefined)?.then === 'function';
}
