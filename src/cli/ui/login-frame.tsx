import { Box } from "ink";
import type { DevicePrompt } from "../../client/sign-in/device-login.ts";
import type { Clock } from "../../system/clock.ts";
import type { Output } from "../terminal/io.ts";
import { countdown } from "./format.ts";
import { Text } from "./ink.tsx";
import { CAPTION, layoutLogin } from "./login-layout.ts";
import { useResize, useTick } from "./redrawing.ts";

export interface LoginFrameProps {
  output: Pick<Output, "rows" | "columns" | "symbols" | "style">;
  baseUrl: string;
  clock: Clock;
  prompt: DevicePrompt;
  /** The lines of the QR code; undefined if no phone could open the address. */
  qr: readonly string[] | undefined;
  trouble?: string;
}

/** The frame before there is a code, while the client waits for its turn. */
export function HeldFrame({
  output,
  clock,
  reason,
  until,
}: Pick<LoginFrameProps, "output" | "clock"> & { reason: string; until: number }) {
  const { spinner } = output.symbols;
  const tick = useTick(clock);
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text>{reason}</Text>
      <Text>
        <Text color="cyan">{spinner[tick % spinner.length]}</Text> Trying again in{" "}
        {countdown(until - clock.now())}
      </Text>
    </Box>
  );
}

/** Returns the changing texts, and the layout for the terminal's current size. */
export function laidOut({ output, baseUrl, clock, prompt, qr, trouble }: LoginFrameProps) {
  const waiting = trouble ? `${trouble} Trying again.` : "Waiting for approval";
  const left = `${countdown(prompt.expiresAt - clock.now())} left`;
  const address = `Open   ${prompt.verificationUri}`;
  const layout = layoutLogin({
    columns: output.columns,
    rows: output.rows,
    unicode: output.symbols.unicode,
    qr,
    text: [`Sign in to ${baseUrl}`, address, `Enter  ${prompt.userCode}`, `x ${waiting}   ${left}`],
    address,
  });
  return { waiting, left, layout };
}

export function LoginFrame(props: LoginFrameProps) {
  const { output, baseUrl, clock, prompt, trouble } = props;
  const tick = useTick(clock);
  useResize();
  const { symbols, style } = output;
  const { waiting, left, layout } = laidOut(props);
  const gap = layout.spacious ? 1 : 0;
  const cancels = "ctrl+c cancels";
  const room = output.columns - `  x ${waiting}   ${left}   ${cancels}`.length;
  const spinner = <Text color="cyan">{symbols.spinner[tick % symbols.spinner.length]}</Text>;
  const status = <Text color={trouble ? "yellow" : undefined}>{waiting}</Text>;
  const open = (
    <Text>
      Open{"   "}
      <Text color="cyan">{prompt.verificationUri}</Text>
    </Text>
  );
  const enter = (
    <Text>
      Enter{"  "}
      <Text bold>{prompt.userCode}</Text>
    </Text>
  );
  const picture = (
    <Box flexDirection="column" flexShrink={0}>
      {layout.qr.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of the code keep their places, and many are alike
        <Text key={row}>{style.picture(line)}</Text>
      ))}
    </Box>
  );
  if (layout.words === "nowhere") {
    // The terminal has become too low.
    return <Text wrap="truncate">{`  ${prompt.userCode}   ${left}`}</Text>;
  }
  if (layout.words === "beside") {
    return (
      <Box flexDirection="column" paddingLeft={2}>
        {open}
        <Box>
          {picture}
          <Box flexDirection="column" marginLeft={6} marginTop={2}>
            {enter}
            <Text>{CAPTION}</Text>
            <Text> </Text>
            <Text>
              {spinner} {status}
            </Text>
            <Text>{left}</Text>
            <Text> </Text>
            <Text dimColor>{cancels}</Text>
          </Box>
        </Box>
      </Box>
    );
  }
  return (
    <Box flexDirection="column" paddingLeft={2}>
      <Text>Sign in to {baseUrl}</Text>
      <Box flexDirection="column" marginTop={gap} marginBottom={gap}>
        {open}
        {enter}
      </Box>
      {layout.caption === "above" && <Text>{CAPTION}</Text>}
      {layout.qr.length > 0 && (
        <Box>
          {picture}
          {layout.caption === "beside" && (
            <Box marginLeft={6} marginTop={2}>
              <Text>{CAPTION}</Text>
            </Box>
          )}
        </Box>
      )}
      {layout.missing && <Text dimColor>{layout.missing}</Text>}
      <Text>
        {spinner} {status}
        {"   "}
        {left}
        {room >= 0 && <Text dimColor>{`${" ".repeat(Math.min(room, 24) + 3)}${cancels}`}</Text>}
      </Text>
    </Box>
  );
}
