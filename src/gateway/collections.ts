import { repeatedCalls } from "./metering.ts";
import { sessionKeys } from "./sessions.ts";
import { listedTools } from "./tool-names.ts";

export const gatewayCollections = [repeatedCalls, sessionKeys, listedTools] as const;
