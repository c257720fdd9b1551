import type { FailureBudget } from "../accounts/sign-in/failure-budget.ts";
import type { AuditTrail } from "../audit/trail.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { FetchPublic } from "../system/network/fetch-public.ts";
import type { Random } from "../system/random.ts";
import { authorizationCodeGrant } from "./authorization/authorization-code-grant.ts";
import { createAuthorizations } from "./authorization/authorizations.ts";
import { createClientAuthentication } from "./clients/client-authentication.ts";
import { type CatalogueClient, createClients } from "./clients/clients.ts";
import { createMetadataDocuments } from "./clients/metadata-documents.ts";
import { createRegistrations } from "./clients/registration.ts";
import { createDeviceAuthorizations } from "./device/device-authorization.ts";
import { deviceCodeGrant } from "./device/device-code-grant.ts";
import { createLocalApproval } from "./device/local-approval.ts";
import { createFirstUses } from "./first-use.ts";
import { createIdentity, type SignAs } from "./identity.ts";
import { authorizationServerMetadata, PUSH_PATH, TOKEN_PATHS } from "./metadata.ts";
import { createResources, type Resource } from "./resources.ts";
import { createProofs } from "./tokens/dpop.ts";
import { createIntrospection } from "./tokens/introspection.ts";
import { refreshTokenGrant } from "./tokens/refresh-token-grant.ts";
import { createRevocation } from "./tokens/revocation.ts";
import { createTokenEndpoint } from "./tokens/token.ts";
import { createTokenPairs } from "./tokens/token-pair.ts";

export interface AuthorizationServerPorts {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  /** The base URL (RFC 8414 §2). */
  issuer: () => string;
  /** The base URL of the page where people enter codes, without `/device`. */
  verificationUrl: () => string;
  /** The resources that tokens can be issued for. */
  resources: readonly Resource[];
  /** Clients that the operator has registered, by id. */
  catalogueClients: Readonly<Record<string, CatalogueClient>>;
  /** Whether clients may register themselves (RFC 7591). */
  clientRegistration: boolean;
  /** For development: also allows client ids on this machine and private networks, and over plain http. */
  privateClients: boolean;
  /** Fetches client metadata documents. */
  fetch: FetchPublic;
  /** The secret that proves that a caller runs this server. Local approval is off if it is absent. */
  localSecret?: string | undefined;
  /** The budget of wrong user codes, shared by the pages and the API. */
  codeFailures: FailureBudget;
  /** Maps an IP address to the subject that it is counted by. */
  subjectOf: (address: string) => string;
  signAs: SignAs;
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

/** Creates the OAuth server, which signs applications in by device code or by redirect, and manages their tokens. */
export function createAuthorizationServer(ports: AuthorizationServerPorts) {
  const { store, audit, clock, random, issuer } = ports;
  const resources = createResources({ resources: ports.resources, issuer });
  const isFirstUse = createFirstUses({ store });
  const documents = createMetadataDocuments({
    store,
    clock,
    fetch: ports.fetch,
    allowPrivate: ports.privateClients,
  });
  const registrations = createRegistrations({ store, audit, clock, random });
  const { clientRegistration } = ports;
  const clients = createClients({
    catalogue: ports.catalogueClients,
    documents,
    registrations: clientRegistration ? registrations : undefined,
  });
  // The audiences that a client assertion may name (RFC 7523 §3, RFC 9126 §2).
  const audiences = () => ["", ...TOKEN_PATHS, PUSH_PATH].map((path) => issuer() + path);
  const authenticateClient = createClientAuthentication({ clock, clients, isFirstUse, audiences });
  const { idTokenOf, userInfo } = createIdentity({ store, clock, issuer, signAs: ports.signAs });
  const proofs = createProofs({ clock, isFirstUse });
  const { begin, issue } = createTokenPairs({ clock, random });
  return {
    devices: createDeviceAuthorizations({ ...ports, clients, resources, failures: ports.codeFailures }),
    /** Absent without `localSecret`. */
    approveLocally:
      ports.localSecret === undefined
        ? undefined
        : createLocalApproval({ audit, clock, secret: ports.localSecret, address: issuer }),
    authorizations: createAuthorizations({ ...ports, clients, resources, authenticateClient, proofs }),
    tokens: createTokenEndpoint({
      grants: [
        deviceCodeGrant({ store, audit, clock, clients, begin }),
        refreshTokenGrant({ store, audit, clock, resources, issue }),
        authorizationCodeGrant({ store, audit, clock, resources, begin, idTokenOf }),
      ],
      authenticateClient,
      proofs,
    }),
    registrations,
    /** Absent if clients may not register themselves. */
    register: clientRegistration ? registrations.register : undefined,
    proofs,
    userInfo,
    revoke: createRevocation({ audit }),
    introspect: createIntrospection({ store, clock, issuer }),
    metadata: () => authorizationServerMetadata(issuer(), { registration: clientRegistration }),
  };
}
