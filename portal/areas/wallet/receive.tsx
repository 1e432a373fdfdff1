import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { claimsIn, configurationName, labelOf } from '../../parts/claims.ts';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Summary } from '../../parts/summary.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { open, requestExample } from '../../shell/examples.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { hasTour } from '../../shell/settings.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { inLanguage, texts } from '../../texts/texts.ts';
import { CredentialCard } from './card.tsx';
import { inWallet, LINK_BODY } from './session.ts';

/** What of an offer the user decides on. */
interface Offered {
  wallet: string;
  issuer: string;
  credentials: { name: string; claims: string[] }[];
  /** Absent when no code is asked for. */
  code?: { length?: number; isNumeric: boolean };
}

interface Display {
  name?: string;
  locale?: string;
}

/** What the issuer publishes of a configuration: in OpenID4VCI 1.0 below `credential_metadata`, in the drafts beside it. */
interface Configuration {
  display?: Display[];
  claims?: unknown;
  credential_metadata?: { display?: Display[]; claims?: unknown };
}

const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** Reads an offer and what its issuer publishes; nothing is asked of the issuer that uses the offer. */
const readOffer = (offer: string): Promise<Outcome<Offered>> =>
  inWallet(async (wallet) => {
    const path = { wallet };
    const place = '/wallet-api/wallet/{wallet}/exchange/resolveCredentialOffer';
    const resolved = await ask(api.POST(place, { params: { path }, body: offer, ...LINK_BODY }));
    if (!resolved.ok) return resolved;
    const {
      credential_issuer: issuer,
      credential_configuration_ids: ids = [],
      grants = {},
    } = resolved.data as {
      credential_issuer: string;
      credential_configuration_ids?: string[];
      grants?: Record<string, { tx_code?: { length?: number; input_mode?: string } }>;
    };
    const read = await ask(
      api.GET('/wallet-api/wallet/{wallet}/exchange/resolveIssuerOpenIDMetadata', {
        params: { path, query: { issuer } },
      }),
    );
    if (!read.ok) return read;
    const known = (read.data as { credential_configurations_supported?: Record<string, Configuration> })
      .credential_configurations_supported;
    const code = grants[PRE_AUTHORIZED]?.tx_code;
    return {
      ok: true,
      data: {
        wallet,
        issuer: new URL(issuer).host,
        credentials: ids.map((id) => describe(id, known?.[id])),
        ...(code && { code: { length: code.length, isNumeric: code.input_mode !== 'text' } }),
      },
    };
  });

function describe(id: string, configuration: Configuration = {}): Offered['credentials'][number] {
  const { display, claims } = configuration.credential_metadata ?? configuration;
  const named = inLanguage(display ?? [])?.name ?? configurationName(id);
  return { name: named, claims: claimNames(claims) };
}

/** The names of the claims, of a list of descriptions (1.0) or of a tree (drafts). */
function claimNames(claims: unknown): string[] {
  if (Array.isArray(claims))
    return claims.map(({ path = [], display = [] }) => labelOf(path, [{ path, labels: display }]));
  return [...new Set(claimsIn(claims ?? {}).map(({ path }) => labelOf(path.slice(0, 1))))].filter(Boolean);
}

/** Consent to an offer. */
export const ReceivePage = () => {
  const t = texts().wallet;
  const { offer } = place.value.query;
  if (offer === undefined)
    return (
      <Page title={t.receive}>
        <p>{t.noOffer}</p>
      </Page>
    );
  return <Receive key={offer} offer={offer} />;
};

type Stored = Schemas['WalletCredential'][];

const Receive = ({ offer }: { offer: string }) => {
  const t = texts().wallet;
  const loading = useLoad(() => readOffer(offer), offer);
  const [stored, setStored] = useState<Stored>();
  if (stored) return <Received credentials={stored} />;
  return (
    <Page title={t.receive}>
      <Loaded of={loading}>{(offered) => <Consent {...offered} offer={offer} done={setStored} />}</Loaded>
    </Page>
  );
};

interface ConsentProps extends Offered {
  offer: string;
  done: (stored: Stored) => void;
}

const Consent = ({ wallet, issuer, credentials, code: asked, offer, done }: ConsentProps) => {
  const t = texts().wallet;
  const [code, setCode] = useState('');
  const accepting = useAction(() => accept({ wallet, offer, code }), done);
  return (
    <>
      <div class="panel">
        <Summary
          rows={[
            [t.offeredBy, issuer],
            ...credentials.map((one) => [t.offered, <OfferedCredential key={one.name} {...one} />] as const),
          ]}
        />
      </div>
      {accepting.failure ? <FailureNotice failure={accepting.failure} again={accepting.run} /> : null}
      {asked ? (
        <Field
          id="code"
          label={t.code}
          hint={t.codeHint(asked.length)}
          value={code}
          onValue={setCode}
          inputMode={asked.isNumeric ? 'numeric' : 'text'}
          autocomplete="one-time-code"
        />
      ) : null}
      <div class="actions">
        <ActionButton action={accepting} text={t.accept} isFirst />
        <a class="button" href={to('/wallet')}>
          {texts().cancel}
        </a>
      </div>
    </>
  );
};

const accept = ({ wallet, offer, code }: { wallet: string; offer: string; code: string }) =>
  ask(
    api.POST('/wallet-api/wallet/{wallet}/exchange/useOfferRequest', {
      params: { path: { wallet }, query: code === '' ? {} : { pinOrTxCode: code } },
      body: offer,
      ...LINK_BODY,
    }),
  );

const OfferedCredential = ({ name, claims }: Offered['credentials'][number]) => (
  <>
    <strong>{name}</strong>
    {claims.length > 0 ? <span class="check-text quiet">{`${texts().wallet.claims} ${claims.join(', ')}`}</span> : null}
  </>
);

const Received = ({ credentials }: { credentials: Stored }) => {
  const t = texts().wallet;
  const asking = useAction(requestExample, open);
  return (
    <Page title={t.received}>
      <Notice kind="good" role="status">
        <p>{t.received}</p>
      </Notice>
      <ul class="cards">
        {credentials.map((credential) => (
          <li key={credential.id}>
            <CredentialCard credential={credential} />
          </li>
        ))}
      </ul>
      {asking.failure ? <FailureNotice failure={asking.failure} again={asking.run} /> : null}
      <div class="actions">
        {hasTour() ? <ActionButton action={asking} text={t.next} isFirst /> : null}
        <a class="button" href={to('/wallet')}>
          {t.toWallet}
        </a>
      </div>
    </Page>
  );
};
