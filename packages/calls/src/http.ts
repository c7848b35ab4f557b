export { exchange, type HttpAnswer, type HttpRequest } from './http/exchange.ts';
export { hiding } from './http/hiding.ts';
