import type { AgentFunction, Invocation, InvocationEvent, State } from '@agent-criteria/cli';
import { toolDeclarations, tools } from './tools.ts';

const NAME = 'museum_desk';
const INSTRUCTIONS =
  'You are the information desk of a museum. Look everything up with your tools; say nothing that they did not tell you. Answer in one or two sentences. Book a tour only when you know how many people come.';

/** One turn: what it looks up, and what it says of that. */
type Desk = (tool: keyof typeof tools & string, args: State) => State;

/** A museum's information desk without a model: the same answers in every run. It makes one mistake, to be found out. */
export const rootAgent: AgentFunction = (message, { content, state }) => {
  const events: InvocationEvent[] = [];
  const desk: Desk = (tool, args) => {
    const id = `call-${events.length + 1}`;
    const response = tools[tool]?.(args) ?? {};
    events.push({ author: NAME, content: { role: 'model', parts: [{ functionCall: { id, name: tool, args } }] } });
    events.push({
      author: NAME,
      content: { role: 'user', parts: [{ functionResponse: { id, name: tool, response } }] },
    });
    return response;
  };
  const answer = answerTo(message.toLowerCase(), desk, state);
  return {
    userContent: content,
    finalResponse: { role: 'model', parts: [{ text: answer }] },
    intermediateData: { invocationEvents: events },
    appDetails: { agentDetails: { [NAME]: { name: NAME, instructions: INSTRUCTIONS, toolDeclarations } } },
  } satisfies Invocation;
};

function answerTo(message: string, desk: Desk, state: Record<string, unknown>): string {
  const topic = /egypt|modern art/.exec(message)?.[0];
  const people = /(\d+) (?:people|of us)/.exec(message)?.[1];
  if (topic !== undefined) state['topic'] = topic;
  if (people !== undefined && typeof state['topic'] === 'string') {
    const { code } = desk('book_tour', { topic: state['topic'], people: Number(people) });
    return `Your tour for ${people} people is booked. Your code is ${String(code)}.`;
  }
  if (topic !== undefined) return aboutTour(topic, desk);
  const group = /adult|student|child/.exec(message)?.[0];
  if (group !== undefined) {
    const { euro } = desk('ticket_price', { group });
    return euro === 0 ? 'Children enter free of charge.' : `A ticket for one ${group} costs ${String(euro)} euro.`;
  }
  const day = /(?:mon|tues|wednes|thurs|fri|satur|sun)day/.exec(message)?.[0];
  if (day !== undefined) return aboutDay(day, message, desk);
  return 'I can help with opening hours, tickets and guided tours. What would you like to know?';
}

function aboutTour(topic: string, desk: Desk): string {
  const { starts, places } = desk('find_tour', { topic });
  if (places === 0) return `The ${topic} tour starts at ${String(starts)}, but it has no free places.`;
  return `The ${topic} tour starts at ${String(starts)} and has ${String(places)} free places. How many people are you?`;
}

function aboutDay(day: string, message: string, desk: Desk): string {
  const { open, hours } = desk('opening_hours', { day });
  const named = day[0]?.toUpperCase() + day.slice(1);
  if (open !== true) return `The museum is closed on ${named}.`;
  const answer = `On ${named} the museum is open from ${String(hours)}.`;
  // An invention: no tool mentions a café.
  return message.includes('eat') ? `${answer} The café closes at 17:30.` : answer;
}
