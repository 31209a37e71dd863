# bash completion for opdebug. Written by 'opdebug completion bash'; needs bash 4 and nothing else. zsh: run bashcompinit
# before. It has no compopt, and completes files where this script offers nothing.
# shellcheck shell=bash disable=SC2207

# COMMAND: sets `known` to its options; to those of the program when it is empty.
_opdebug_options() {
    case $1 in
{{options}}    esac
}

# COMMAND OPTION: sets `value` to the option's value; empty if there is none. A long option may have one dash.
_opdebug_option_value() {
    value=
    [[ $2 == -[a-z]?* ]] && set -- "$1" "-$2"
    case "$1 $2" in
{{option_values}}    esac
}

# COMMAND NUMBER FIRST: sets `value` to what its first, second, ... argument that is no option is when the first one is
# FIRST; empty when it has none.
_opdebug_argument() {
    value=
    case "$1 $2 $3" in
{{arguments}}    esac
}

# VALUE BEGIN: sets COMPREPLY to the values of that kind that begin so. Files are left to bash, which then does what it
# does for any command, quotes and variables included: `compgen -f` would also run
# what a pasted word holds.
_opdebug_complete_value() {
    case $1 in
        'word '*) COMPREPLY=($(compgen -W "${1#word }" -- "$2")) ;;
        file) [[ ${ZSH_VERSION-} ]] || compopt -o bashdefault -o default ;;
        folder) [[ ${ZSH_VERSION-} ]] || compopt -o dirnames ;;
    esac
}

_opdebug() {
    local current=${COMP_WORDS[COMP_CWORD]-} command=${COMP_WORDS[1]-}
    local known='' value='' expected='' ended='' first='' word number=1 i
    local IFS=$' \t\n'
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _opdebug_options ''
        [[ $current == -* ]] || known='{{commands}}'
        _opdebug_complete_value "word $known" "$current"
        ((${#COMPREPLY[@]})) || _opdebug_complete_value file "$current"
        return
    fi

    # What stands in front of the cursor: which value is expected there, or the how-manieth argument.
    for ((i = 2; i < COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if [[ $expected && $word == '=' ]]; then
            continue # --format=json: bash makes three words of it
        elif [[ $expected ]]; then
            expected=
        elif [[ $word == *[\<\>] ]]; then
            expected='file'
        elif [[ ! $ended && $word == -- ]]; then
            ended=yes
        elif [[ ! $ended && $word == -?* ]]; then
            _opdebug_option_value "$command" "$word"
            expected=$value
        else
            ((number++ > 1)) || first=$word
        fi
    done
    if [[ $expected ]]; then
        # --logs=~/x: bash would complete the path, but hand it over with the ~.
        [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' && $current == '~'* ]] ||
            _opdebug_complete_value "$expected" "${current#=}"
        return
    fi

    if [[ ! $ended && $current == -*=* ]]; then # one word where COMP_WORDBREAKS lacks the =
        word=${current%%=*}
        _opdebug_option_value "$command" "$word"
        # A match would take the place of the whole word or, after a quote, of a part of it.
        if [[ $value == 'word '* && $current != *[\"\'\\]* ]]; then
            _opdebug_complete_value "$value" "${current#*=}"
            COMPREPLY=("${COMPREPLY[@]/#/$word=}")
        fi
        return
    fi
    _opdebug_argument "$command" "$number" "$first"
    if [[ ! $ended && ($current == -* || ! $value) ]]; then
        _opdebug_options "$command"
        if [[ $current == -[a-z]* && ' {{single_dash_commands}} ' == *" $command "* ]]; then
            for word in $known; do
                [[ $word == --* ]] && known+=" ${word#-}"
            done
        fi
        _opdebug_complete_value "word $known" "$current"
    else
        _opdebug_complete_value "$value" "$current"
    fi
}

if [[ ${ZSH_VERSION-} ]]; then
    complete -o default -F _opdebug opdebug
else
    complete -F _opdebug opdebug
fi
