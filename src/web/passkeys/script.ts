/**
 * The script for passkeys, which only a script can request from an authenticator. It shows the forms that need one if
 * the browser supports passkeys, and submits them as usual, with the answer in a field.
 */
export const PASSKEYS_SCRIPT = `"use strict";
const able = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
const ask = async (form) => {
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch("/passkeys/ask", { method: "POST", body }).catch(() => {
    throw new Error("The server cannot be reached. Try again.");
  });
  // What stands between, such as a proxy, answers in its own way.
  const asked = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(asked.detail ?? "The server answered " + answer.status + ". Try again.");
  const site = asked.rpId ?? asked.rp.id;
  if (site !== location.hostname) {
    throw new Error("Passkeys work at " + site + ", not at " + location.hostname + ". Open this page there.");
  }
  const credential = form.elements.kind.value === "sign-in"
    ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) })
    : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) });
  form.elements.answer.value = JSON.stringify(credential);
  HTMLFormElement.prototype.submit.call(form);
};
const inWords = ({ name, message }, kind) => {
  if (name === "InvalidStateError") return "This device has a passkey of yours already.";
  if (name !== "NotAllowedError") return message;
  return kind === "sign-in"
    ? "No passkey was used. Try again, or sign in another way."
    : "No passkey was made. Try again.";
};
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !able;
  const fault = form.querySelector("[role=alert]");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.hidden = button.disabled = true;
    try {
      await ask(form);
    } catch (error) {
      fault.textContent = inWords(error, form.elements.kind.value);
      fault.hidden = button.disabled = false;
      // A disabled button loses the focus.
      button.focus();
    }
    button.disabled = false;
  });
}
for (const hint of document.querySelectorAll("[data-no-passkey]")) hint.hidden = able;
`;
