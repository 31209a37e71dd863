# What zsh offers at the end of each line: zsh -f zsh_completion.zsh SCRIPT LINE...
# SCRIPT is a file that defines the completion. For each LINE: "> LINE", then one line for each match.
#
# Completion works in zsh's line editor only, so an interactive zsh runs in a pseudo-terminal; a widget there puts each
# line into the editor and completes it. compadd, by which every completion adds its matches, writes them to a file.

zmodload zsh/zpty
export CAPTURED=$(mktemp) SCRIPT=$1 LINES_TO_COMPLETE=${(pj:\n:)@[2,-1]}
export DRIVER=$(mktemp)

cat > $DRIVER <<'IN_THE_TERMINAL'
autoload -Uz compinit && compinit -u -D
source $SCRIPT
compadd() {
    # With -O, -A or -D nothing is added: a completion function only asks what would match.
    if [[ ${argv[(I)-[OAD]]} -gt 0 ]]; then
        builtin compadd "$@"
        return
    fi
    local -a matches
    builtin compadd -A matches "$@"
    (( $#matches )) && print -rl -- $matches >> $CAPTURED
    builtin compadd "$@"
}
complete_and_forget() {
    _main_complete
    compstate[insert]= compstate[list]=
}
zle -C complete_and_forget complete-word complete_and_forget
complete_lines() {
    local line
    for line in ${(f)LINES_TO_COMPLETE}; do
        print -r -- "> $line" >> $CAPTURED
        BUFFER=$line CURSOR=$#line
        zle complete_and_forget
    done
    exit
}
zle -N complete_lines
bindkey '^X' complete_lines
print READY
IN_THE_TERMINAL

zpty terminal TERM=dumb zsh -f -i
zpty -w terminal 'source $DRIVER'
zpty -r terminal output $'*\nREADY*' # the echo of the command holds no READY
zpty -w -n terminal $'\x18'
while zpty -r terminal output; do :; done
cat -- $CAPTURED
rm -f -- $CAPTURED $DRIVER
