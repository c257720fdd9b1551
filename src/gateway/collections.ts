import { repeatedCalls } from "./calls/call-meter.ts";
import { listedTools } from "./calls/tool-names.ts";
import { sessionKeys } from "./sessions.ts";

export const gatewayCollections = [repeatedCalls, sessionKeys, listedTools] as const;
