/** The part of undici that is loaded; the package types only the whole. */
declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export = Agent;
}
