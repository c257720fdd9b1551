/**
 * The control plane as a library: an Express app to mount in another, the server that `tool serve`
 * starts, and the types of the contract. The command line's own client is not part of it.
 */
export { type Api, api, endpoints } from "./api.ts";
export type { Caller, Scope } from "./contract/caller.ts";
export type { Endpoint, Handler, Handlers, Input, Output } from "./contract/endpoint.ts";
export { OAuthError, Problem, type ProblemCode } from "./contract/problem.ts";
export { type App, type AppPorts, createApp } from "./server/app.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server/main.ts";
